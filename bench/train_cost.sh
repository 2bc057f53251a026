#!/bin/bash
# train_cost.sh - what training and running with cyclic buffers cost.
#
#	bench/train_cost.sh [ROUNDS]	default 5
#
# Training: CPU time of one workload under plumb's tool, lackey --basic-counts=yes and
# memcheck, interleaved; must be at most 1.5 of lackey.
# Running: CPU time of servers for the same requests, plain, under plumb run and with
# --strict, asked in turn, and the time of one malloc and free at a cyclic site.  The machine
# may have other work: of single times the smallest of ROUNDS counts, of servers the median
# of many ratios (BATCH requests each, TURNS).

cd "$(dirname "$0")/.." || exit 1
PLUMB=${PLUMB:-$PWD/build/plumb}
WORK=${WORK:-$PWD/build/bench/cost}
rounds=${1:-5}
bad=0
. bench/train_lib.sh
build_servers || exit 1

# CPU seconds of COMMAND, its output thrown away.
cpu()
{
	local TIMEFORMAT='%U %S'
	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

least() { sort -n | head -n 1; }
ratio() { echo "scale=4; $1 / $2" | bc; }
at_most()	# WHAT RATIO LIMIT
{
	printf '%s: %.3f (at most %s)\n' "$1" "$2" "$3"
	[ "$(echo "$2 <= $3" | bc)" = 1 ] || { echo "  DOES NOT HOLD"; bad=1; }
}

#
# Training
#

cat >"$WORK/q.sql" <<'END'
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i+1 from n where i<2000)
  insert into t select i, 'row '||i||hex(i*7), i*1.5 from n;
create index ib on t(b);
select count(*), sum(c), max(b) from t where b like '%7%';
select a%10, count(*), avg(c) from t group by 1 order by 2 desc;
END
cat >"$WORK/p.pl" <<'END'
my %h; for my $i (1 .. 3000) { my $s = "item $i"; $s =~ s/(\d+)/<$1>/; $h{$s} = length $s; }
print scalar(keys %h), "\n";
END

export VALGRIND_LIB=
for w in ${TRAIN-sqlite3 perl}; do
	if [ $w = sqlite3 ]; then
		command=(sqlite3 :memory: ".read $WORK/q.sql")
	else
		command=(perl "$WORK/p.pl")
	fi
	: >"$WORK/plumb.t"; : >"$WORK/lackey.t"; : >"$WORK/memcheck.t"; : >"$WORK/none.t"; : >"$WORK/native.t"
	for _ in $(seq "$rounds"); do
		unset VALGRIND_LIB
		cpu "${command[@]}" >>"$WORK/native.t"
		cpu valgrind -q --tool=none "${command[@]}" >>"$WORK/none.t"
		cpu valgrind -q --tool=lackey --basic-counts=yes "${command[@]}" >>"$WORK/lackey.t"
		cpu valgrind -q --tool=memcheck "${command[@]}" >>"$WORK/memcheck.t"
		rm -f "$WORK/cost.bounds"
		cpu "$PLUMB" train -o "$WORK/cost.bounds" -- "${command[@]}" >>"$WORK/plumb.t"
	done
	for t in native none plumb lackey memcheck; do
		printf '%-8s %-9s %7.2f s\n' $w $t "$(least <"$WORK/$t.t")"
	done
	at_most "$w: training / lackey" "$(ratio "$(least <"$WORK/plumb.t")" "$(least <"$WORK/lackey.t")")" 1.5
	at_most "$w: training / memcheck" "$(ratio "$(least <"$WORK/plumb.t")" "$(least <"$WORK/memcheck.t")")" 9
done

#
# Servers.  The CPU time of the server process itself, while it serves.  Plain, cyclic and
# strict, all three run at the same time and are asked in turn, a batch of requests each:
# what else the machine does meets all of them.  A ratio is the median over all turns.
#

batch=${BATCH:-2000}
turns=${TURNS:-$((12 * rounds))}

start_server()	# TAG NAME COMMAND...: sets ports[TAG], pids[TAG]
{
	local tag=$1 name=$2 out=$WORK/$1.out port= path=
	shift 2

	[ "$name" = reject ] && path=$WORK/$tag.sock
	: >"$out"
	# shellcheck disable=SC2086
	"$@" "$WORK/$name" $path >"$out" 2>"$WORK/$tag.err" &
	while [ -z "$port" ]; do sleep 0.05; port=$(sed -n 's/^port //p' "$out"); done
	ports[$tag]=$port
	pids[$tag]=$(server_pid $!)
	"$WORK/load" "$port" 20000 >/dev/null	# until buffers have settled
}

ask()	# TAG: a batch; its nanoseconds are added to TAG.t
{
	local before after rest
	read -r before rest <"/proc/${pids[$1]}/schedstat"
	"$WORK/load" "${ports[$1]}" "$batch" >/dev/null
	read -r after rest <"/proc/${pids[$1]}/schedstat"
	echo $((after - before)) >>"$WORK/$1.t"
}

median_ratio()	# TAG: of TAG.t to plain.t, line by line
{
	paste "$WORK/$1.t" "$WORK/plain.t" | awk '{ print $1 / $2 }' | sort -n |
		awk '{ r[NR] = $1 } END { print (r[int((NR + 1) / 2)] + r[int(NR / 2) + 1]) / 2 }'
}

declare -A ports pids
for name in $SERVERS; do
	train_server "$name" 20 80 200 || exit 1
	start_server plain "$name" env
	start_server cyclic "$name" "$PLUMB" run --bounds "$WORK/$name.bounds" --
	start_server strict "$name" "$PLUMB" run --strict --bounds "$WORK/$name.bounds" --
	: >"$WORK/plain.t"; : >"$WORK/cyclic.t"; : >"$WORK/strict.t"
	for _ in $(seq $((turns / 2))); do	# there and back: nobody is always first
		for tag in plain cyclic strict strict cyclic plain; do ask $tag; done
	done
	for tag in plain cyclic strict; do "$WORK/load" -q "${ports[$tag]}" 1 >/dev/null; done
	wait
	at_most "$name: CPU of requests, plumb run / plain" "$(median_ratio cyclic)" 1.03
	printf '%s: the same with --strict: %.3f\n' "$name" "$(median_ratio strict)"
done

#
# One malloc
#

cat >"$WORK/one.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static void *volatile sink;
__attribute__((noinline)) static char *get(size_t n) { char *p = malloc(n); sink = p; *p = 1; return p; }
__attribute__((noinline)) static void freed(size_t n) { free(get(n)); }
__attribute__((noinline)) static void leaked(size_t n) { get(n)[1] = 2; }
int main(int argc, char **argv)
{
	long n = atol(argv[1]);
	double best = 1e9;
	for (int r = 0; r < 9; r++) {
		double t = now();
		for (long i = 0; i < n; i++)
			if (argc > 2) leaked(100); else freed(100);
		t = (now() - t) / (double)n;
		best = t < best ? t : best;
	}
	printf("%.3f\n", best * 1e9);
	return 0;
}
END
${CC:-gcc} -O2 -o "$WORK/one" "$WORK/one.c"
for kind in freed leaked; do
	arg=$([ $kind = leaked ] && echo leak)
	rm -f "$WORK/one.bounds"
	for n in 10 40; do "$PLUMB" train -o "$WORK/one.bounds" -- "$WORK/one" $n $arg >/dev/null; done
	: >"$WORK/plain.t"; : >"$WORK/cyclic.t"
	for _ in $(seq "$rounds"); do
		"$WORK/one" 300000 $arg >>"$WORK/plain.t"
		"$PLUMB" run --bounds "$WORK/one.bounds" -- "$WORK/one" 300000 $arg >>"$WORK/cyclic.t"
	done
	echo "malloc, $kind: glibc $(least <"$WORK/plain.t") ns, cyclic $(least <"$WORK/cyclic.t") ns"
	at_most "malloc at a cyclic site, $kind: / glibc" \
		"$(ratio "$(least <"$WORK/cyclic.t")" "$(least <"$WORK/plain.t")")" 1.0
done
exit $bad
