# cache_clock.sh - a header that was written just before is cached, however seldom the clock of file stamps ticks.
# NOSAN: a library is preloaded
. "$ROOT/tests/lib.sh"

# The coarse clock ticks every 0.3 seconds; files have the stamps of the system's.
cat >clock.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	long long tick = 300000000, now;

	if (clock != CLOCK_REALTIME_COARSE)
		return real(clock, t);
	real(CLOCK_REALTIME, t);
	now = (t->tv_sec * 1000000000ll + t->tv_nsec) / tick * tick;
	t->tv_sec = now / 1000000000;
	t->tv_nsec = now % 1000000000;
	return 0;
}
END
${CC:-gcc} -shared -fPIC -o clock.so clock.c || exit 1
export PLUMB_CACHE_DIR="$PWD/cache"
printf '#include "h.h"\nint y(void) { return Y; }\n' >y.c

for i in 1 2 3; do
	echo "#define Y $i" >h.h
	run env LD_PRELOAD="$PWD/clock.so" "$PLUMB" dump ir y.c
	expect_out_has "header $i" "ret $i"
	run "$PLUMB" check -v y.c
	expect_err_has "and it is in the cache" '1 of them from the cache'
done
