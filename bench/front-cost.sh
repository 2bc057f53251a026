#!/bin/bash
#
# front-cost.sh - what does the front end cost, beside the compiler itself?
#
#	bench/front-cost.sh [PROGRAM...]	default: the six of programs.sh
#
# For each program, over the units of its build database, with the flags of each:
#
#	emit	clang -O0 -g -emit-llvm
#	O2	clang -O2 -c
#	cold	plumb's front end, the cache empty: compiles, lowers, links
#	warm	the same again, the cache full
#	check	plumb check, the cache full
#
# The front end alone is "plumb dump functions", which loads a program as plumb
# check does and prints a list: so cold + check - warm is a first plumb check, and
# check - warm the part of the engines, which have their own limits elsewhere.
#
# The five run one after another, RUNS (3) times over, so that a slow minute of
# the machine hits all of them; medians are shown.  All use JOBS processes at once
# and run at the same priority.  Times are user + system seconds; wall-clock seconds
# are in the JSON.  Peak memory is that of plumb's largest process.  A plumb check
# that takes longer than LIMIT (300) seconds is cut off and shown as "-".
#
# Must hold:	front = (cold - emit) / O2	at most 0.25
#		again = warm / cold		below 0.05 for wget
#		size = IR / bitcode		at most 0.25, of the same units; the
#						bitcode made as plumb has it made
#
# Writes build/bench/results/front-cost.txt and .json; exits with 1 if one does
# not hold or a program could not be measured.

. "$(dirname "$0")/lib.sh"
. "$BENCH_DIR/programs.sh"

RUNS=${RUNS:-3}
LIMIT=${LIMIT:-300}
EMIT_FLAGS="-O0 -g -emit-llvm"
SIZE_FLAGS="-O0 -g -emit-llvm -Xclang -disable-llvm-passes"
TEXT=$OUT/results/front-cost.txt
JSON=$OUT/results/front-cost.json

# Writes the commands that compile the units of program $1 with flags $2 into
# $3/NUMBER.$4.
unit_commands()
{
	jq -r --arg clang "$CLANG" --arg flags "$2 -w" --arg out "$3" --arg ext "$4" \
		-f "$BENCH_DIR/units.jq" "$OUT/db/$1/compile_commands.json"
}

# Runs the commands of file $1, JOBS at a time.
run_commands()
{
	xargs -d '\n' -P "$JOBS" -n 1 sh -c <"$1"
}
export -f run_commands
export JOBS

# Runs "$@", adding its cost to file $1: seconds, user, system, peak kB.
# Gives the command's own status.
timed()
{
	local file=$1
	shift
	"${NICE[@]}" /usr/bin/time -q -a -o "$file" -f '%e %U %S %M' "$@"
}

# Runs plumb, "$@", on program $1 as step $2, in work folder $3.
run_plumb()
{
	local pkg=$1 step=$2 w=$3 status=0
	shift 3
	PLUMB_CACHE_DIR=$w/cache timed "$w/$step.times" timeout "$LIMIT" \
		"$PLUMB" "$@" -p "$OUT/db/$pkg" -j "$JOBS" --verbose \
		-o "$w/$step.out" >"$w/$step.log" 2>&1 || status=$?
	case $status in
	0|1|3)	return 0 ;;
	esac
	say "$pkg: plumb $*: exit status $status"
	show_tail "$w/$step.log" 5
	return 1
}

# The median of column expression $2 (awk) over the runs in file $1.
median()
{
	awk "{ print $2 }" "$1" | sort -g | awk '{ v[NR] = $1 }
		END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# The bytes of all files under folder $1 with names like $2.
total_size()
{
	find "$1" -type f -name "$2" -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }'
}

# All runs of program $1, into work folder $2.
measure()
{
	local pkg=$1 w=$2 run
	unit_commands "$pkg" "$EMIT_FLAGS" "$w/emit" bc >"$w/emit.cmds"
	unit_commands "$pkg" "$SIZE_FLAGS" "$w/size" bc >"$w/size.cmds"
	unit_commands "$pkg" "-O2" "$w/O2" o >"$w/O2.cmds"
	mkdir -p "$w/emit" "$w/size" "$w/O2"
	run_commands "$w/size.cmds" >"$w/size.log" 2>&1 ||
		{ say "$pkg: clang itself fails:"; show_tail "$w/size.log"; return 1; }
	for ((run = 0; run < RUNS; run++)); do
		timed "$w/emit.times" bash -c "run_commands '$w/emit.cmds'" >"$w/emit.log" 2>&1 || return 1
		timed "$w/O2.times" bash -c "run_commands '$w/O2.cmds'" >"$w/O2.log" 2>&1 || return 1
		rm -rf "$w/cache"
		run_plumb "$pkg" cold "$w" dump functions || return 1
		run_plumb "$pkg" warm "$w" dump functions || return 1
		[ -e "$w/no-check" ] || run_plumb "$pkg" check "$w" check --format json ||
			touch "$w/no-check"
	done
}

# The costs of step $2 in work folder $1 as JSON.
step_json()
{
	local f=$1/$2.times
	if [ -e "$1/no-$2" ]; then
		echo null
		return
	fi
	jq -n --argjson cpu "$(median "$f" '$2 + $3')" --argjson wall "$(median "$f" '$1')" \
		--argjson peak "$(median "$f" '$4')" '{ cpu: $cpu, wall: $wall, peak_kb: $peak }'
}

# All that was measured of program $1 in work folder $2 as one JSON object.
result_json()
{
	jq -n --arg program "$1" --arg version "$(cat "$OUT/src/$1.version")" \
		--argjson runs "$RUNS" --argjson jobs "$JOBS" \
		--argjson units "$(wc -l <"$2/O2.cmds")" \
		--argjson failed "$(grep -c ': error: ' "$2/cold.log")" \
		--argjson bitcode "$(total_size "$2/size" "*.bc")" --argjson ir "$(total_size "$2/cache" "*.ir")" \
		--argjson emit "$(step_json "$2" emit)" --argjson o2 "$(step_json "$2" O2)" \
		--argjson cold "$(step_json "$2" cold)" --argjson warm "$(step_json "$2" warm)" \
		--argjson check "$(step_json "$2" check)" '
		def over($b): if $b > 0 then . / $b else null end;
		{ program: $program, version: $version, runs: $runs, jobs: $jobs,
		  units: $units, failed: $failed,
		  emit: $emit, O2: $o2, cold: $cold, warm: $warm, check: $check,
		  bitcode_bytes: $bitcode, ir_bytes: $ir,
		  front: (($cold.cpu - $emit.cpu) | over($o2.cpu)),
		  front_wall: (($cold.wall - $emit.wall) | over($o2.wall)),
		  again: ($warm.cpu | over($cold.cpu)), again_wall: ($warm.wall | over($cold.wall)),
		  engines: (if $check then ($check.cpu - $warm.cpu) | over($o2.cpu) else null end),
		  size: ($ir | over($bitcode)) }
		| .holds = (.failed == 0 and .front <= 0.25 and .size <= 0.25
			and (.program != "wget" or .again < 0.05))'
}

table()
{
	jq -r '
		def r: if . == null then "-" else . * 1000 | round / 1000 end;
		def in($unit): if . == null then "-" else . / $unit | round end;
		(["program", "units", "failed", "emit", "O2", "cold", "warm", "check", "front", "again",
		  "engines", "bitcode kB", "IR kB", "size", "peak MB", "of check", "holds"] | @tsv),
		(.[] | [.program, .units // "-", .failed // "-",
			(.emit.cpu, .O2.cpu, .cold.cpu, .warm.cpu, .check.cpu, .front, .again, .engines | r),
			(.bitcode_bytes, .ir_bytes | in(1000)), (.size | r),
			(.cold.peak_kb, .check.peak_kb | in(1024)),
			(if .holds then "yes" else "NO" end)] | @tsv)' "$JSON" |
		column -t -s $'\t'
}

need_plumb
need_packages jq time bsdextrautils "$(basename "$CLANG")"
[ $# -gt 0 ] || set -- "${FRONT_PROGRAMS[@]}"
results=()
for pkg; do
	work=$OUT/cost/$pkg
	rm -rf "$work"
	mkdir -p "$work"
	if "$BENCH_DIR/build.sh" "$pkg" db && say "$pkg: measuring" && measure "$pkg" "$work"; then
		result_json "$pkg" "$work" >"$work/result.json"
	else
		say "$pkg: not measured"
		jq -n --arg program "$pkg" '{ program: $program, holds: false }' >"$work/result.json"
	fi
	results+=("$work/result.json")
	rm -rf "$work/emit" "$work/O2" "$work/size"
done
jq -s . "${results[@]}" >"$JSON"
{
	echo "user + system seconds, medians of $RUNS runs, $JOBS jobs, $("$CLANG" --version | head -n 1)"
	table
} | tee "$TEXT"
jq -e 'all(.holds)' "$JSON" >/dev/null
