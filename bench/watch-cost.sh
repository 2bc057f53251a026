#!/bin/bash
#
# watch-cost.sh - what does watching cost?
#
#	bench/watch-cost.sh [alloc|servers|threads|memory]...	default: all four
#
# Each program runs RUNS (7) times plainly and watched, in turns, so that a slow minute
# of the machine hits both; the ratio of the medians is shown.
#
#	alloc	programs of bench/alloc/ that do little but allocate: user + system time
#	servers	redis, nginx, memcached: CPU time of the server for a request, which is
#		what its throughput hangs on, whoever else uses the machine: watch-servers.py
#	threads	time of two threads against one, watched and plainly
#	memory	peak resident size of programs above 50 MB
#
# Must hold:	alloc at most 1.20 (geometric mean), each server at most 1.05,
#		memory at most 1.15
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
	printf '%-24s %10.0f %10.0f   %s%s\n' "$name" "$a" "$b" "$ratio" \
		"$(awk "BEGIN { if ($limit > 0 && $ratio > $limit) print \"  above $limit\" }")"
	[ "$limit" = 0 ] || awk "BEGIN { exit $ratio > $limit }" || status=1
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
	printf '%s\n' "${all[@]}" | awk '{ s += log($1) } END { g = exp(s / NR); printf "geometric mean %.3f%s\n", g, (g > 1.20 ? "  above 1.20" : ""); exit(g > 1.20) }' || status=1
}

servers()
{
	local name plain watched ratio noise least limit

	echo "servers, ns of CPU time for a request (plain, watched, ratio; plain against plain; best bursts)"
	while read -r name plain watched ratio noise least; do
		limit=1.05
		[ "$name" != redis ] || limit=9	# against jemalloc, which it brings: for information
		printf '%-24s %10s %10s   %s  (%s, %s)%s\n' "$name" "$plain" "$watched" "$ratio" "$noise" "$least" \
			"$(awk "BEGIN { if ($ratio > $limit) print \"  above $limit\" }")"
		awk "BEGIN { exit $ratio > $limit }" || status=1
	done < <("$BENCH_DIR/watch-servers.py" "$LIB" $((2 * RUNS + 1)))
}

# Wall time of N threads that each do the same work: 1 is perfect scaling.
threads()
{
	echo "threads: time of two against one thread, each with the same work"
	for p in larson; do
		for w in 0 1; do
			watching $w
			for n in 1 2; do
				for i in $(seq "$RUNS"); do
					TIMEFORMAT=%R
					{ time "${W[@]}" "$BIN/$p" $n 10 >/dev/null; } 2>&1
				done | median >"$WORK/n$n"
			done
			awk -v a="$(cat "$WORK/n1")" -v b="$(cat "$WORK/n2")" -v w=$w -v p=$p \
				'BEGIN { printf "%-24s %.2f\n", p (w ? " watched" : " plain"), b / a }'
		done
	done
}

memory()
{
	echo "peak memory in kB (plain, watched, ratio)"
	compare "words 1500000" 1.15 m "$BIN/words" 1500000
	compare "python dicts" 1.15 m python3 -c 'd={str(i):[i,str(i)*3] for i in range(300000)}; e={k:v[:] for k,v in d.items()}'
	compare "sqlite 60 MB" 1.15 m sqlite3 :memory: "create table t(a,b); with recursive c(x) as (select 1 union all select x+1 from c where x<600000) insert into t select x, hex(randomblob(30)) from c; create index i on t(b); select count(*) from t;"
	compare "gcc large" 1.15 m sh -c 'exec $(gcc -print-prog-name=cc1) -quiet -O2 -o /dev/null "$1"' - "$(large_source)"
	compare "sort 1M lines" 1.15 m sh -c 'seq 1000000 | sort -R -S 200M | tail -1'
}

large_source()
{
	{
		echo 'int f(int x) {'
		for i in $(seq 4000); do echo "x = x * $i + (x >> $((i % 31))); if (x % $((i + 2)) == 0) x ^= $i;"; done
		echo 'return x; }'
	} >"$WORK/large.c"
	echo "$WORK/large.c"
}

for p in redis-server nginx-light memcached wrk; do
	dpkg -s $p >/dev/null 2>&1 || apt-get install -y -q $p >/dev/null
done
make -s -C "$TOP" build/libplumb.so
{
	for part in "${@:-alloc}"; do
		"$part"
	done
	[ $# -gt 0 ] || { servers; threads; memory; }
	exit $status
} | tee "$TEXT"
exit "${PIPESTATUS[0]}"
