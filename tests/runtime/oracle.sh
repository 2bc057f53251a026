# libplumb.so: is staleness ever over-estimated, and how much of it is found?
# The truth comes from compiler instrumentation: oracle.inc.
# TIMEOUT: 600
. "$ROOT/tests/lib.sh"

lib=$ROOT/build/libplumb.so

cc -x c -std=gnu17 -D_GNU_SOURCE -O2 -fno-builtin -I"$ROOT/runtime" -c -o oracle.o \
	"$ROOT/tests/runtime/oracle.inc"
for f in tests/runtime/stale bench/alloc/words; do
	cc -std=gnu17 -D_GNU_SOURCE -O1 -g -fno-builtin -fsanitize=thread -I"$ROOT/tests/runtime" -c -o p.o "$ROOT/$f.c"
	cc -no-pie -rdynamic -o "$(basename $f)" p.o oracle.o -ldl -lpthread
done

at_least()	# A B
{
	awk "BEGIN { exit !($1 >= $2) }"
}

# PROGRAM [ARGUMENT...]: no wrong object, weighted recall at least 0.9
judge()
{
	rm -f run run.*
	PLUMB_PRIMITIVE=$way LD_PRELOAD=$lib PLUMB_RUN_FILE=run "./$1" "$2" 2>&1 >/dev/null | grep '^oracle:' >judged
	set -- "$way: $*" $(cat judged)
	check "$1: no staleness is over-estimated (${6-no} wrong of ${4-no} objects)" [ "${6-}" = 0 ]
	check "$1: weighted recall ${12-none} (of objects ${10-none}, ${8-no} bytes)" \
		at_least "${12-0}" 0.9
}

for way in memfd anonymous; do
judge stale list
judge stale cache
judge stale few
judge stale bloat
judge stale realloc
judge stale wrapper
judge stale table
done

# With the kernel's clock how much is found depends on the machine.
judge_real()
{
	rm -f run run.*
	LD_PRELOAD=$lib PLUMB_RUN_FILE=run "$@" 2>&1 >/dev/null | grep '^oracle:' >judged
	set -- "$1 $2" $(cat judged)
	check "$1: no staleness is over-estimated by the clock (${6-no} wrong of ${4-no} objects)" \
		[ "${6-}" = 0 ]
}

judge_real ./stale list real
judge_real ./stale few real
# Objects of a hash table that is probed at random: each page is touched all the time,
# single objects are not.  Nothing can be known of them, and nothing wrong may be said.
judge_real ./words 400000
