#!/bin/bash
#
# fix-real.sh - what does "plumb fix" make of real programs?
#
#	bench/fix-real.sh [--no-suite] [NAME...]	default: all of FIXED
#
# For each program, on its build with a build database (bench/build.sh NAME db):
#
#	1. plumb check --engine all and plumb fix, each with an empty cache: found, fixed,
#	   refused and why; the time of fix against that of check (at most 1.5);
#	2. all patches together are put into a copy of the tree by patch -p1, and the copy
#	   is made again with the program's own flags;
#	3. the program's own tests run in a copy without and in one with the patches, and
#	   must say the same of each of their tests (--no-suite leaves that out);
#	4. each patch is looked up in verdicts/NAME.patches.tsv, each leak in verdicts/NAME.tsv.
#
# verdicts/NAME.patches.tsv holds what a person said of a patch after reading it: the id of its
# finding, `right`, `half` (something that hangs on the object stays lost: does not count as
# fixed), `unneeded` (the finding is none, but nothing breaks) or `wrong` (it breaks something,
# or the leak stays), file and line, and why.  A patch without a line is new: read it, and add it.
#
# Exit status 1 if a patch is wrong, patches do not apply or compile together, or a test
# ends otherwise than before.  The diffs, JSON and logs are in build/bench/fix/.

. "$(dirname "$0")/lib.sh"
. "$BENCH_DIR/programs.sh"

FIXED=(wget bash make tmux icecast2 xinetd sqlite3)
JSON=$OUT/results/fix-real.json
TEXT=$OUT/results/fix-real.txt
LIMIT=${LIMIT:-3600}	# seconds that a test suite may take
suite=yes

usage()
{
	die "usage: bench/fix-real.sh [--no-suite] [NAME...] (NAME: ${FIXED[*]})"
}

#
# The programs' own tests: each runs in the tree and prints a line for each test, without what
# varies from run to run.
#

suite_make()
{
	(cd tests && perl ./run_make_tests.pl -make "$PWD/../make") 2>&1 |
		sed -En 's/^([a-z_]+\/[A-Za-z0-9_.+-]+) \.+ (.*)$/\1 \2/p'
}

# A test of bash prints what differs from what it should print.  run-posixpipe prints how long
# commands took, and expects 0.00 s; run-all would run itself if it were not called by its name.
suite_bash()
{
	make RM=: recho zecho printenv xcase >/dev/null 2>&1
	mkdir -p tmp	# some look for programs in the folder where they put files, and /tmp has those of others
	(cd tests && env -u LC_ALL TMPDIR="$PWD/../tmp" PATH="$PWD/..:$PATH" THIS_SH="$PWD/../bash" sh run-all </dev/null) 2>&1 |
		awk '/^run-/ { if (name != "" && name != "run-posixpipe") print name, bad ? "differs" : "ok"; name = $1; bad = 0; next }
			/^[<>]/ { bad = 1 }
			END { if (name != "") print name, bad ? "differs" : "ok" }'
}

suite_wget()
{
	local d
	for d in tests testenv; do
		make "${no_autotools[@]}" -k -C "$d" check 2>&1 | grep -E '^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): ' | sort
	done
}

# Its shell alone is patched; the engine's tests are another build.
suite_sqlite3()
{
	local t
	(./configure --disable-readline --enable-fts5 && make testfixture sqlite3) >suite-build.log 2>&1 || return 1
	for t in test/shell[1-9].test; do
		./testfixture "$t" 2>&1 | sed -En "s/^([a-z0-9_.-]+)\.\.\. (Ok|.*)$/\1 \2/p; s/^! (.*)$/! \1/p"
	done
}

suite_packages()
{
	case $1 in
	make)		echo perl ;;
	wget)		echo libhttp-daemon-perl python3 ;;
	sqlite3)	echo tcl8.6-dev ;;
	esac
}

# Runs the tests of program $1 in tree $2; what they say goes to $2.suite, without the tree's name.
run_suite()
{
	local status=0
	export -f "suite_$1"
	declare -p no_autotools >"$2.env"
	(cd "$2" && timeout "$LIMIT" "${NICE[@]}" bash -c ". '$2.env'; suite_$1") >"$2.suite" 2>"$2.suite-log" </dev/null || status=$?
	sed -i "s#$2/##g" "$2.suite"
	[ "$status" -ne 124 ] && [ -s "$2.suite" ]
}

# Prints same, differs, none or a reason.
compare_suites()
{
	local name=$1 w=$2
	declare -F "suite_$name" >/dev/null || { echo none; return 0; }
	[ -n "$suite" ] || { echo "not run"; return 0; }
	# shellcheck disable=SC2046
	need_packages $(suite_packages "$name")
	run_suite "$name" "$w/before" || { echo "no result before"; return 0; }
	run_suite "$name" "$w/after" || { echo "no result after"; return 0; }
	if cmp -s "$w/before.suite" "$w/after.suite"; then
		echo "same ($(wc -l <"$w/after.suite"))"
	else
		diff "$w/before.suite" "$w/after.suite" >&2 || true
		echo differs
	fi
}

#
# The patches
#

# Runs plumb with the arguments from $2 on, quietly; user + system time to file $1.
timed()
{
	local out=$1 status=0
	shift
	TIMEFORMAT='%U %S'
	{ time "${NICE[@]}" "$PLUMB" "$@" 2>"$out.messages" </dev/null; } 2>"$out.time" || status=$?
	[ "$status" -le 1 ]
}

seconds()
{
	awk '{ printf "%.1f", $1 + $2 }' "$1.time"
}

# Puts all patches into $1/after and makes it again; prints yes or why not.
apply_all()
{
	local w=$1 name=$2
	sed -E "s#^(---|\+\+\+) ([ab])/.*/db/$name/#\1 \2/#" "$w/patches.diff" >"$w/patches.strip"
	if [ -s "$w/patches.strip" ] && ! (cd "$w/after" && patch -p1 --no-backup-if-mismatch) <"$w/patches.strip" >"$w/patch.log" 2>&1; then
		echo "do not apply"
	elif ! (cd "$w/after" && "make_$name" "${NICE[@]}" make -j"$JOBS") >"$w/make.log" 2>&1 </dev/null; then
		show_tail "$w/make.log"
		echo "do not compile"
	else
		echo yes
	fi
}

tsv_json()
{
	if [ -f "$1" ]; then
		grep -v '^#' "$1" | jq -R -s 'split("\n") | map(select(. != "") | split("\t") | { id: .[0], verdict: .[1], why: .[-1] })'
	else
		echo '[]'
	fi
}

# The folder of the build database of program $1.  sqlite3's has its library, twice, and the tools
# that make its source; its verdicts are on the shell without the library.
database()
{
	if [ "$1" = sqlite3 ]; then
		mkdir -p "$OUT/fix/$1/units"
		jq 'map(select(.file | endswith("/shell.c")))' "$OUT/db/$1/compile_commands.json" >"$OUT/fix/$1/units/compile_commands.json"
		echo "$OUT/fix/$1/units"
	else
		echo "$OUT/db/$1"
	fi
}

one()
{
	local name=$1 w=$OUT/fix/$1 units applies tests
	"$BENCH_DIR/build.sh" "$name" db || return 1
	rm -rf "$w"
	mkdir -p "$w"
	units=$(database "$name")
	timed "$w/check" check --engine all --cache-dir "$w/cache-check" --format json -o "$w/check.json" -p "$units" || return 1
	timed "$w/fix" fix --cache-dir "$w/cache" --format json -o "$w/fix.json" -p "$units" || return 1
	timed "$w/diff" fix --cache-dir "$w/cache" -o "$w/patches.diff" -p "$units" || return 1
	cp -a "$OUT/db/$name" "$w/before"
	cp -a "$OUT/db/$name" "$w/after"
	applies=$(apply_all "$w" "$name")
	tests=$(compare_suites "$name" "$w")
	tsv_json "$BENCH_DIR/verdicts/$name.tsv" >"$w/leaks.json"
	tsv_json "$BENCH_DIR/verdicts/$name.patches.tsv" >"$w/judged.json"
	jq -n --arg name "$name" --arg applies "$applies" --arg tests "$tests" --arg check "$(seconds "$w/check")" \
		--arg fix "$(seconds "$w/fix")" --slurpfile report "$w/fix.json" --slurpfile leaks "$w/leaks.json" \
		--slurpfile judged "$w/judged.json" '
		($leaks[0] | INDEX(.id)) as $leak | ($judged[0] | INDEX(.id)) as $patch
		| [$report[0].findings[] | select(.suppressed | not) | { id, file: (.file | sub(".*/db/[^/]*/"; "")), line, variable,
			status: .fix.status, reason: .fix.reason,
			leak: ($leak[.id].verdict // "new"), patch: ($patch[.id].verdict // "new"), why: $patch[.id].why }] as $all
		| { name: $name, applies: $applies, suite: $tests, check: ($check | tonumber), fix: ($fix | tonumber),
		    fixed: [$all[] | select(.status == "available")], refused: [$all[] | select(.status != "available")] }
		| .holds = (.applies == "yes" and (.suite | test("^(same|none|not run)")) and ([.fixed[] | select(.patch == "wrong")] == []))' \
		>"$w/result.json"
}

tell()
{
	jq -r 'def row($what): "  \($what)\t\(.id)\t\(.file):\(.line)\t\(.variable)\t";
		"\(.name):", (.fixed[] | row("fixed \(.leak)") + "\(.patch): \(.why // "")"),
		(.refused[] | row("refused \(.leak)") + (.reason // ""))' "$1"
}

table()
{
	jq -r 'def share($a; $b): if $b == 0 then "-" else "\(100 * $a / $b | round) %" end;
		def t: [.[] | select(.leak == "true")] | length;
		def whole: [.[] | select(.leak == "true" and .patch != "half")] | length;
		(["name", "found", "true", "fixed", "true fixed", "share", "wrong", "unread", "apply+compile", "suite", "fix/check", "holds"] | @tsv),
		(.[] | if .fixed then [.name, (.fixed + .refused | length), (.fixed + .refused | t), (.fixed | length), (.fixed | whole),
			share(.fixed | whole; .fixed + .refused | t), ([.fixed[] | select(.patch == "wrong")] | length),
			([.fixed[] | select(.patch == "new")] | length), .applies, .suite, (10 * .fix / ([.check, 0.1] | max) | round / 10),
			(if .holds then "yes" else "NO" end)] else [.name, "-", "-", "-", "-", "-", "-", "-", .why, "-", "-", "NO"] end | @tsv),
		(map(select(.fixed)) | ["all", (map(.fixed + .refused | length) | add), (map(.fixed + .refused | t) | add), (map(.fixed | length) | add),
			(map(.fixed | whole) | add), share(map(.fixed | whole) | add // 0; map(.fixed + .refused | t) | add // 0), "", "", "", "", "", ""] | @tsv)' "$JSON" |
		column -t -s $'\t'
	echo
	echo "Refused true leaks by reason:"
	jq -r '[.[].refused[]? | select(.leak == "true") | .reason // "" | gsub("`[^`]*`"; "it") | gsub("[a-zA-Z_0-9]+\\(\\)"; "f()")
			| gsub("\\([^)]*:[0-9]+\\)"; "") | sub(" at line [0-9]+"; "")]
		| group_by(.) | sort_by(-length)[] | "\(length)\t\(.[0])"' "$JSON"
}

names=()
for a in "$@"; do
	case $a in
	--no-suite)	suite= ;;
	-*)		usage ;;
	*)		names+=("$a") ;;
	esac
done
[ ${#names[@]} -gt 0 ] || names=("${FIXED[@]}")
for n in "${names[@]}"; do
	[[ " ${FIXED[*]} " == *" $n "* ]] || usage
done
need_plumb
need_packages jq patch
mkdir -p "$OUT/fix"
results=()
for n in "${names[@]}"; do
	if ! one "$n"; then
		mkdir -p "$OUT/fix/$n"
		jq -n --arg name "$n" '{ name: $name, why: "could not be built or analysed", holds: false }' >"$OUT/fix/$n/result.json"
	else
		tell "$OUT/fix/$n/result.json"
	fi
	results+=("$OUT/fix/$n/result.json")
done
jq -s . "${results[@]}" >"$JSON"
table | tee "$TEXT"
jq -e 'all(.[]; .holds)' "$JSON" >/dev/null
