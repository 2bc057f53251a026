#!/bin/bash
#
# verdicts.sh - what became of the findings that a person has judged?
#
#	bench/verdicts.sh [--engine E] [--build] [NAME...]	default: all of JUDGED
#
# Runs "plumb check --engine E" (vfg) on what bench/build.sh builds with plumb cc,
# and compares it by id with bench/verdicts/NAME.tsv.  For each program it lists:
#
#	lost	true findings that are no longer reported
#	false	false ones that still are
#	outside	findings that the contract leaves out, and that are reported nevertheless
#	new	findings without a verdict: read the source and add a line
#
# "outside" is a leak that the design says is not reported, such as what is held at
# a noreturn call, were it a longjmp: it counts neither as true, and thus lost, nor
# as false.
#
# Then there is a table of all.  share is false / (false + true) of those reported that
# have a verdict; the paper has 18.3 %.  A build that is there is taken as it is,
# whichever plumb made it, since a change of the engine needs no other IR; --build
# asks build.sh, which builds again if plumb has changed.
#
# "partial" instead of "yes" says that the engine gave up on the program and only
# leaks within one function were looked for.  Exit status 1 if a true finding got
# lost or a program could not be checked.

. "$(dirname "$0")/lib.sh"
. "$BENCH_DIR/programs.sh"

JSON=$OUT/results/verdicts.json
TEXT=$OUT/results/verdicts.txt
engine=vfg
build=

usage()
{
	die "usage: bench/verdicts.sh [--engine E] [--build] [NAME...] (NAME: $(printf '%s\n' "${JUDGED[@]}" |
		awk '{ print $1 }' | paste -sd ' '))"
}

# Sets $program and $file for the name $1.
look_up()
{
	local row
	for row in "${JUDGED[@]}"; do
		read -r name program file <<<"$row"
		[ "$name" = "$1" ] && return 0
	done
	return 1
}

# The verdicts of file $1 as JSON; an empty list if there is none.  Complains of a
# line that is none.
verdicts_json()
{
	[ -f "$1" ] || { echo '[]'; return 0; }
	awk -F '\t' '!/^#/ && (NF != 4 || $1 !~ /^[0-9a-f]+$/ || length($1) != 16 || $2 !~ /^(true|false|outside)$/ || seen[$1]++) {
		print FILENAME ":" NR ": not `id, true, false or outside, file:line, why`, or an id for the second time"
		bad = 1
	} END { exit bad }' "$1" >&2 || return 1
	grep -v '^#' "$1" | jq -R -s 'split("\n") | map(select(. != "") | split("\t")
		| { id: .[0], verdict: .[1], place: .[2], why: .[3] })'
}

# Compares findings $2 (a report) of what is called $1 with verdicts $3; $4 is what
# plumb said meanwhile.
compare()
{
	jq -n --arg name "$1" --arg program "$program" --slurpfile report "$2" --slurpfile verdicts "$3" \
		--rawfile messages "$4" '
		# A file that is not below the tree was named by a #line of somebody else.
		def place: (.file | if contains("/cc/\($program)/") then sub(".*/cc/[^/]*/"; "")
			else sub("^/.*/"; "") end) + ":\(.line)";
		($verdicts[0] | INDEX(.id)) as $known
		| [$report[0].findings[] | { id, place: place, kind, function, variable, condition }] as $found
		| ($found | INDEX(.id)) as $ids
		| [$found[] | $known[.id] as $v | select($v) | . + { verdict: $v.verdict, why: $v.why }] as $judged
		| { name: $name, failed: ($report[0].units.failed | length),
		    found: [$judged[] | select(.verdict == "true")],
		    false: [$judged[] | select(.verdict == "false")],
		    outside: [$judged[] | select(.verdict == "outside")],
		    lost: [$verdicts[0][] | select(.verdict == "true" and ($ids[.id] | not))],
		    gone: [$verdicts[0][] | select(.verdict == "false" and ($ids[.id] | not))],
		    new: [$found[] | select($known[.id] | not)] }
		| .holds = (.failed == 0 and .lost == [])
		| .partial = ($messages | test("beyond the budget"))'
}

# What a person wants to read of comparison $1.
tell()
{
	jq -r 'def rows($what): .[] | "  \($what)\t\(.id)\t\(.place)\t\(.why // "\(.kind) in \(.function)(): \(.variable) \(.condition)")";
		"\(.name):", (.lost | rows("lost")), (.false | rows("false")),
			(.outside | rows("outside")), (.new | rows("new"))' "$1"
}

table()
{
	jq -r 'def share($f; $t): if $f + $t == 0 then "-" else "\(1000 * $f / ($f + $t) | round / 10) %" end;
		def n: if . == null then "-" else length end;
		(["name", "true", "lost", "false", "gone", "outside", "new", "share", "holds"] | @tsv),
		(.[] | [.name, (.found, .lost, .false, .gone, .outside, .new | n), share(.false | length; .found | length),
			(if .holds then if .partial then "partial" else "yes" end else .why // "NO" end)] | @tsv),
		(["all", (map(.found[]?) | n), (map(.lost[]?) | n), (map(.false[]?) | n), (map(.gone[]?) | n),
			(map(.outside[]?) | n), (map(.new[]?) | n), share(map(.false[]?) | length; map(.found[]?) | length), ""] | @tsv)' "$JSON" |
		column -t -s $'\t'
}

# Checks what is called $1 and leaves $2/result.json.
judge()
{
	local name=$1 w=$2 status=0
	mkdir -p "$w"
	if [ -n "$build" ] || [ ! -e "$OUT/cc/$program/$file" ]; then
		"$BENCH_DIR/build.sh" "$program" cc || return 1
	fi
	"${NICE[@]}" "$PLUMB" check --engine "$engine" --format json -o "$w/report.json" \
		"$OUT/cc/$program/$file" 2>"$w/messages" </dev/null || status=$?
	cat "$w/messages" >&2
	case $status in
	0|1|3)	;;
	*)	return 1 ;;
	esac
	verdicts_json "$BENCH_DIR/verdicts/$name.tsv" >"$w/verdicts.json" || return 1
	compare "$name" "$w/report.json" "$w/verdicts.json" "$w/messages" >"$w/result.json" || return 1
	tell "$w/result.json"
}

while [ $# -gt 0 ]; do
	case $1 in
	--engine)	[ $# -gt 1 ] || usage
			engine=$2
			shift ;;
	--build)	build=1 ;;
	-*)		usage ;;
	*)		break ;;
	esac
	shift
done
if [ $# -eq 0 ]; then
	for row in "${JUDGED[@]}"; do
		set -- "$@" "${row%%[[:space:]]*}"
	done
fi
need_plumb
need_packages jq bsdextrautils
results=()
for name; do
	look_up "$name" || usage
	w=$OUT/verdicts/$name
	rm -rf "$w"
	mkdir -p "$w"
	judge "$name" "$w" || jq -n --arg name "$name" '{ name: $name, holds: false, why: "not checked" }' >"$w/result.json"
	results+=("$w/result.json")
done
jq -s . "${results[@]}" >"$JSON"
table | tee "$TEXT"
jq -e 'all(.holds)' "$JSON" >/dev/null
