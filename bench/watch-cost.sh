#!/bin/bash
#
# watch-cost.sh - what does watching cost?
#
#	bench/watch-cost.sh [alloc|servers|threads|memory]...	default: all four, some 8 minutes
#
# Each program runs RUNS (7) times plainly and watched, in turns, so that a slow minute
# of the machine hits both; the ratio of the medians is shown, and whether it is within the
# limit.  Where others use the machine, wall time says little: CPU time is compared, but for
# threads that wait for each other.
#
#	alloc	programs of bench/alloc/ that do little but allocate: user + system time.
#		Limit: 1.20, of the geometric mean
#	servers	redis, nginx, memcached: CPU time of the server for a request, which is
#		what its throughput hangs on, whoever else uses the machine; the throughput as
#		the client sees it beside: servers.py.  Limit: 1.05
#	threads	two threads against one, each with the same work: wall time and CPU time of
#		the two against those of one.  What watching makes of that is limited: 1.10
#		(it is measured by quotients of four medians)
#	memory	peak resident size of programs above 50 MB.  Limit: 1.15
#
# Writes build/bench/results/watch-cost.txt; exits with 1 if one does not hold.

. "$(dirname "$0")/lib.sh"

LIB=${LIB:-$TOP/build/libplumb.so}
RUNS=${RUNS:-7}
BIN=$OUT/alloc
TEXT=$OUT/results/watch-cost.txt
WORK=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$WORK"' EXIT
status=0

mkdir -p "$BIN"
for f in "$BENCH_DIR"/alloc/*.c; do
	gcc -O2 -o "$BIN/$(basename "$f" .c)" "$f" -lpthread
done

# Sets W to what stands before a program: nothing, or the library.
watching()	# 0 or 1
{
	W=(env)
	[ "$1" = 0 ] || W=(env "LD_PRELOAD=$LIB" "PLUMB_RUN_FILE=$WORK/run")
	rm -f "$WORK"/run*
}

median()
{
	sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# User + system ms of a command, or its peak kB.
cost_time()
{
	local t

	TIMEFORMAT='%U %S'
	t=$({ time "$@" >/dev/null 2>&1; } 2>&1)
	echo "$t" | awk '{ print ($1 + $2) * 1000 }'
}

cost_memory()
{
	python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

# VALUE LIMIT: "pass", or "FAIL" with the limit; nothing if the limit is 0.  The status of the
# script follows.
verdict()
{
	if [ "$2" = 0 ]; then
		mark=
	elif awk "BEGIN { exit !($1 > $2) }"; then
		mark="  FAIL (limit $2)"
		status=1
	else
		mark="  pass"
	fi
}

# NAME LIMIT MEASURE COMMAND...: prints a line; the ratio is in $ratio.
compare()
{
	local name=$1 limit=$2 measure=$3 i a b

	shift 3
	for i in $(seq "$RUNS"); do
		watching 0
		"$measure" "$@" >>"$WORK/plain"
		watching 1
		"$measure" "$@" >>"$WORK/watched"
	done
	a=$(median <"$WORK/plain")
	b=$(median <"$WORK/watched")
	rm -f "$WORK/plain" "$WORK/watched"
	ratio=$(awk "BEGIN { printf \"%.3f\", $b / $a }")
	verdict "$ratio" "$limit"
	printf '%-24s %10.0f %10.0f   %s%s\n' "$name" "$a" "$b" "$ratio" "$mark"
}

watched()	# MEASURE COMMAND...: as the present W says
{
	local m=$1

	shift
	"$m" "${W[@]}" "$@"
}

t() { watched cost_time "$@"; }
m() { watched cost_memory "$@"; }

alloc()
{
	local all=() p

	echo "allocation-heavy programs, ms of CPU time (plain, watched, ratio)"
	for p in "cfrac 40" "espresso 150" "larson 1 20" "larson 2 10" "xmalloc 1 15000" "words 400000"; do
		compare "$p" 0 t "$BIN/"$p
		all+=("$ratio")
	done
	ratio=$(printf '%s\n' "${all[@]}" | awk '{ s += log($1) } END { printf "%.3f", exp(s / NR) }')
	verdict "$ratio" 1.20
	printf '%-46s   %s%s\n' "geometric mean" "$ratio" "$mark"
}

servers()
{
	local name plain watched ratio noise least speed limit

	echo "servers, ns of CPU time for a request (plain, watched, ratio; plain against plain, best bursts, time of the client)"
	while read -r name plain watched ratio noise least speed; do
		limit=1.05
		[ "$name" != redis ] || limit=0	# against jemalloc, which it brings: for information
		verdict "$ratio" $limit
		printf '%-24s %10s %10s   %s  (%s, %s, %s)%s\n' "$name" "$plain" "$watched" "$ratio" "$noise" "$least" "$speed" "$mark"
	done < <("$BENCH_DIR/servers.py" "$LIB" $((2 * RUNS + 1)))
}

# Wall and CPU ms of a command, on a line of FILE.
spent()	# FILE COMMAND...
{
	local file=$1

	shift
	TIMEFORMAT='%R %U %S'
	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 * 1000, ($2 + $3) * 1000 }' >>"$file"
}

threads()
{
	local w n i field name v=()

	echo "threads: larson with two threads against one, each with the same work (plain, watched, ratio)"
	for i in $(seq "$RUNS"); do
		for n in 1 2; do
			for w in 0 1; do
				watching $w
				spent "$WORK/n$n$w" "${W[@]}" "$BIN/larson" $n 40
			done
		done
	done
	for field in 1 2; do
		v=()
		for w in 0 1; do
			for n in 1 2; do
				v+=("$(awk -v f=$field '{ print $f }' "$WORK/n$n$w" | median)")
			done
		done
		name="wall time"
		[ $field = 1 ] || name="CPU time"
		ratio=$(awk "BEGIN { printf \"%.3f\", ${v[3]} / ${v[2]} / (${v[1]} / ${v[0]}) }")
		verdict "$ratio" 1.10
		printf '%-24s %10s %10s   %s%s\n' "$name" "$(awk "BEGIN { printf \"%.2f\", ${v[1]} / ${v[0]} }")" \
			"$(awk "BEGIN { printf \"%.2f\", ${v[3]} / ${v[2]} }")" "$ratio" "$mark"
	done
	rm -f "$WORK"/n[12][01]
}

memory()
{
	echo "peak memory in kB (plain, watched, ratio)"
	compare "perl hash" 1.15 m perl -e 'my %h; $h{$_} = [$_, "x$_"] for 1 .. 200000; print scalar(%h)'
	compare "python dicts" 1.15 m /usr/bin/python3 -c 'd={str(i):[i,str(i)*3] for i in range(200000)}; e={k:v[:] for k,v in d.items()}'
	compare "sqlite table" 1.15 m sqlite3 :memory: "create table t(a,b); with recursive c(x) as (select 1 union all select x+1 from c where x<400000) insert into t select x, hex(randomblob(30)) from c; create index i on t(b); select count(*) from t;"
	large_source
	compare "gcc large file" 1.15 m "$(gcc -print-prog-name=cc1)" -quiet -O1 -o /dev/null "$WORK/large.c"
	seq 700000 >"$WORK/numbers"
	compare "sort" 1.15 m sort -S 300M "$WORK/numbers"
}

large_source()
{
	awk 'BEGIN {
		print "int f0(int *a, int x) { return a[x]; }"
		for (f = 1; f <= 500; f++)
			printf "int f%d(int *a, int x) { int s = 0; for (int i = 0; i < x; i++) { if (a[i] %% %d == 3) s += a[i] * i; else s ^= a[x - i] >> %d; } return s + f%d(a, s %% 7); }\n", f, f, f % 31, f - 1
	}' >"$WORK/large.c"
}

for p in redis-server nginx-light memcached wrk; do
	dpkg -s $p >/dev/null 2>&1 || apt-get install -y -q $p >/dev/null
done
make -s -C "$TOP" build/libplumb.so
[ $# -gt 0 ] || set -- alloc servers threads memory
{
	for part in "$@"; do
		"$part"
	done
	exit $status
} | tee "$TEXT"
exit "${PIPESTATUS[0]}"
