#!/bin/bash
#
# engine-cost.sh - what do the engines cost, beside the compiler?
#
#	bench/engine-cost.sh [--engine vfg|path|all] [PROGRAM...]	default: vfg, all of MEASURED
#
# For each program, as built by bench/build.sh PROGRAM cc:
#
#	O2	clang -O2 -c of the units that are linked into it
#	load	reading the program's IR: plumb dump functions
#	check	plumb check --engine E, so that check - load is the engine.  Without the
#		cache, so that nothing is known from an earlier run
#
# The three run one after another, RUNS (3) times over, so that a slow minute of the
# machine hits all of them; medians are shown.  Times are user + system seconds.  A
# unit counts as linked if the program has a function of a source of its name: the
# outputs of bison and the like do not, which makes O2 smaller and the ratio larger.
# The phases' own times, by the clock, are those of the last run (the paper's Figure 11).
#
# Must hold:	ratio = (check - load) / O2		vfg: at most 0.5; path, all: 2
#		peak memory of plumb check		vfg: at most 2 GiB; path, all: 3
#		no budget cut the analysis short
#		us/line of vim				vfg: at most twice that of wget
#
# Builds that are there are taken as they are.  Writes build/bench/results/
# engine-cost.txt and .json (engine-cost-E for another engine than vfg); exits with 1 if one does not hold or could not be measured.

. "$(dirname "$0")/lib.sh"
. "$BENCH_DIR/programs.sh"

ENGINE=vfg
if [ "${1:-}" = --engine ]; then
	ENGINE=${2:-}
	shift 2
fi
case $ENGINE in
vfg)		MAX_RATIO=0.5 MAX_GIB=2 ;;
path|all)	MAX_RATIO=2 MAX_GIB=3 ;;
*)		die "--engine $ENGINE: vfg, path or all" ;;
esac
RUNS=${RUNS:-3}
LIMIT=${LIMIT:-300}
NAME=engine-cost
[ $ENGINE = vfg ] || NAME=engine-cost-$ENGINE
TEXT=$OUT/results/$NAME.txt
JSON=$OUT/results/$NAME.json

# Runs "$@", adding its cost to file $1: seconds, user, system, peak kB.
timed()
{
	local file=$1
	shift
	"${NICE[@]}" /usr/bin/time -q -a -o "$file" -f '%e %U %S %M' "$@"
}

run_commands()
{
	xargs -d '\n' -P "$JOBS" -n 1 sh -c <"$1"
}
export -f run_commands
export JOBS

median()
{
	awk "{ print $2 }" "$1" | sort -g | awk '{ v[NR] = $1 }
		END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# The sources of package $1, without endings, that program $2 has functions of,
# relative to the tree.
linked_sources()
{
	"$PLUMB" dump functions "$2" | sed -nE "s|^.*/cc/$1/(.*)\.[a-z]+:[0-9]+: .*|\1|p" | sort -u
}

# Writes the commands that compile the units of package $1 named in file $2 into
# folder $3, and their sources to file $4.
unit_commands()
{
	local db=$OUT/db/$1/compile_commands.json
	jq -r --arg clang "$CLANG" --arg flags "-O2 -w" --arg out "$3" --arg ext o \
		-f "$BENCH_DIR/units.jq" "$db" >"$3.all"
	# one compilation of each source: libtool has two
	jq -r '.[].file' "$db" | awk -v pkg="$1" -v linked="$2" -v sources="$4" -v commands="$3.all" '
		BEGIN { while ((getline l <linked) > 0) want[l] = 1 }
		{
			getline command <commands
			stem = $0
			sub(".*/db/" pkg "/", "", stem)
			sub(/\.[a-z]+$/, "", stem)
			if (!(stem in want) || seen[stem]++)
				next
			print command
			print $0 >sources
		}'
}

# The phases of log file $1 as a JSON object.
phases_json()
{
	sed -nE '
		s/.*points-to: ([0-9.]+) s for SSA, ([0-9.]+) s for .*/"ssa":\1,"points_to":\2/p
		s/.*paths: ([0-9.]+) s for .*/"paths":\1/p
		s/.*memory SSA: ([0-9.]+) s for mod-ref, ([0-9.]+) s for SSA.*/"mod_ref":\1,"memory_ssa":\2/p
		s/^plumb: ([0-9]+) allocations: .*; ([0-9]+) reported$/"sources":\1,"reported":\2/p
		s/.*value-flow graph ([0-9.]+) s .*, detection ([0-9.]+) s .*/"graph":\1,"detection":\2/p' \
		"$1" | paste -sd, | sed 's/.*/{&}/'
}

# Measures program $1 of package $2, binary $3, in work folder $4.
measure()
{
	local name=$1 bin=$OUT/cc/$2/$3 w=$4 run status
	if [ ! -e "$bin" ]; then "$BENCH_DIR/build.sh" "$2" cc || return 1; fi
	if [ ! -e "$OUT/db/$2/compile_commands.json" ]; then "$BENCH_DIR/build.sh" "$2" db || return 1; fi
	mkdir -p "$w/O2"
	linked_sources "$2" "$bin" >"$w/linked"
	unit_commands "$2" "$w/linked" "$w/O2" "$w/sources" >"$w/O2.cmds"
	[ -s "$w/O2.cmds" ] || { say "$name: no units found"; return 1; }
	for ((run = 0; run < RUNS; run++)); do
		timed "$w/O2.times" bash -c "run_commands '$w/O2.cmds'" >"$w/O2.log" 2>&1 ||
			{ say "$name: clang itself fails:"; show_tail "$w/O2.log"; return 1; }
		timed "$w/load.times" "$PLUMB" dump functions -o "$w/functions" "$bin" >"$w/load.log" 2>&1 ||
			{ show_tail "$w/load.log"; return 1; }
		status=0
		timed "$w/check.times" timeout "$LIMIT" "$PLUMB" check --engine "$ENGINE" --no-cache --verbose --format json \
			-j "$JOBS" -o "$w/findings.json" "$bin" >"$w/check.log" 2>&1 || status=$?
		case $status in
		0|1|3)	;;
		*)	say "$name: plumb check: exit status $status"; show_tail "$w/check.log" 5; return 1 ;;
		esac
	done
}

# All that was measured of program $1 in work folder $2 as one JSON object.
result_json()
{
	jq -n --arg program "$1" --argjson max_ratio "$MAX_RATIO" --argjson max_gib "$MAX_GIB" --argjson runs "$RUNS" --argjson jobs "$JOBS" \
		--argjson units "$(wc -l <"$2/O2.cmds")" \
		--argjson lines "$(xargs -d '\n' cat <"$2/sources" | wc -l)" \
		--argjson o2 "$(median "$2/O2.times" '$2 + $3')" \
		--argjson load "$(median "$2/load.times" '$2 + $3')" \
		--argjson check "$(median "$2/check.times" '$2 + $3')" \
		--argjson peak "$(median "$2/check.times" '$4')" \
		--argjson cut "$(grep -c 'grow beyond the budget' "$2/check.log")" \
		--argjson phases "$(phases_json "$2/check.log")" '
		{ program: $program, runs: $runs, jobs: $jobs, units: $units, lines: $lines,
		  O2: $o2, load: $load, check: $check, peak_kb: $peak, phases: $phases,
		  engine: ($check - $load), complete: ($cut == 0) }
		| .ratio = .engine / .O2
		| .us_per_line = .engine / .lines * 1e6
		| .holds = (.ratio <= $max_ratio and .peak_kb <= $max_gib * 1048576 and .complete)'
}

table()
{
	jq -r '
		def r: if . == null then "-" else . * 1000 | round / 1000 end;
		(["program", "units", "kLOC", "O2", "engine", "ratio", "us/line", "peak MB", "ssa", "points-to", "paths",
		  "mod-ref", "mem ssa", "graph", "detection", "sources", "reported", "holds"] | @tsv),
		(.[] | [.program, .units // "-", (if .lines then .lines / 1000 | round else "-" end),
			(.O2, .engine, .ratio, .us_per_line | r),
			(if .peak_kb then .peak_kb / 1024 | round else "-" end),
			(.phases | .ssa, .points_to, .paths, .mod_ref, .memory_ssa, .graph, .detection | r),
			(.phases.sources // "-"), (.phases.reported // "-"),
			(if .holds then "yes" else "NO" end)] | @tsv)' "$JSON" |
		column -t -s $'\t'
}

need_plumb
need_packages jq time bsdextrautils "$(basename "$CLANG")"
wanted=" $* "
results=()
while read -r name pkg bin <&3; do
	[ $# -eq 0 ] || [[ $wanted == *" $name "* ]] || continue
	work=$OUT/engine/$name
	rm -rf "$work"
	mkdir -p "$work"
	if say "$name: measuring" && measure "$name" "$pkg" "$bin" "$work"; then
		result_json "$name" "$work" >"$work/result.json"
	else
		say "$name: not measured"
		jq -n --arg program "$name" '{ program: $program, holds: false }' >"$work/result.json"
	fi
	results+=("$work/result.json")
	rm -rf "$work/O2"
done 3< <(printf '%s\n' "${MEASURED[@]}")
[ ${#results[@]} -gt 0 ] || die "no such program: $*"
jq -s . "${results[@]}" >"$JSON"
{
	echo "--engine $ENGINE; user + system seconds, medians of $RUNS runs, $JOBS jobs, $("$CLANG" --version | head -n 1)"
	table
	jq -r '(map({ key: .program, value: .us_per_line }) | from_entries) as $c
		| if $c.wget and $c.vim then "per line, vim / wget: \($c.vim / $c.wget * 100 | round / 100)" else empty end' "$JSON"
} | tee "$TEXT"
jq -e --arg engine "$ENGINE" '(map({ key: .program, value: .us_per_line }) | from_entries) as $c
	| all(.holds) and ($engine != "vfg" or ($c.wget and $c.vim | not) or $c.vim <= 2 * $c.wget)' "$JSON" >/dev/null
