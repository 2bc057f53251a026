/*
 * guard.c - is this access within its object?
 *
 * After Nguyen and Rinard, section 3.5, and Rinard and others, "Enhancing Server
 * Availability and Security Through Failure-Oblivious Computing" (OSDI 2004): stores
 * out of bounds are left out, loads are supplied with a value; the program goes on.
 *
 * The bounds are those of the object that the base of the access is in, so that one that
 * jumps over the room between two objects is found, too.  Where the base tells nothing
 * (it has left its object, was freed, or never was in the heap), the address itself
 * decides: on a page of the heap it has to be in some object.  So an access out of
 * bounds whose base is not known may pass if it ends up in another object.  What is
 * no heap, as far as we know, may be accessed; but for the first 64 kB, which are never
 * mapped: null pointers.
 *
 * We supply zeroes where OSDI 2004 gives a sequence of numbers: loops that wait for
 * another number are ended by their bound (guard_loop.c).
 *
 * PLUMB_GUARD_LOG names a file that gets a line for each place at which something
 * was left out, and one with the sums when the program ends.
 */
#include "guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NULL_PAGES 65536
#define ANYWHERE 4096		/* bytes; larger single accesses are not redirected */

static char sink[ANYWHERE] __attribute__((aligned(64)));
static const char zeroes[ANYWHERE] __attribute__((aligned(64)));

/*
 * Events
 */

#define PLACES 256		/* that are told apart; further ones are only counted */

static _Atomic uint64_t events[GUARD_EVENTS];
static _Atomic uintptr_t places[PLACES];
static const char *const event_names[GUARD_EVENTS] = { "store", "load", "free", "loop" };

static char *put(char *p, char *end, const char *s)
{
	while (*s && p < end)
		*p++ = *s++;
	return p;
}

static char *put_number(char *p, char *end, uint64_t n, unsigned base)
{
	char digits[24];
	unsigned k = sizeof(digits) - 1;

	digits[k] = 0;
	do
		digits[--k] = "0123456789abcdef"[n % base];
	while ((n /= base) != 0);
	return put(p, end, digits + k);
}

static void write_line(const char *text, size_t n)
{
	const char *name = secure_getenv("PLUMB_GUARD_LOG");
	int saved = errno, fd;

	if (name != NULL && *name && (fd = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) >= 0) {
		if (write(fd, text, n) < 0)
			errno = saved;
		close(fd);
	}
	errno = saved;
}

static void tell(enum guard_event e, uintptr_t pc)
{
	char line[512], *p = line, *end = line + sizeof(line) - 1;
	Dl_info info;

	p = put(p, end, event_names[e]);
	p = put(p, end, " left out at ");
	if (dladdr((void *)pc, &info) != 0 && info.dli_fname != NULL) {
		p = put(p, end - 32, info.dli_fname);
		p = put(p, end, "+");
		pc -= (uintptr_t)info.dli_fbase;
	}
	p = put(p, end, "0x");
	p = put_number(p, end, pc, 16);
	*p++ = '\n';
	write_line(line, (size_t)(p - line));
}

void guard_event(enum guard_event e, const void *at)
{
	uintptr_t pc = (uintptr_t)at, was;

	atomic_fetch_add_explicit(&events[e], 1, memory_order_relaxed);
	for (unsigned i = 0; i < 8; i++) {
		_Atomic uintptr_t *place = &places[(pc / 4 + i) % PLACES];

		was = atomic_load_explicit(place, memory_order_relaxed);
		if (was == pc)
			return;
		if (was == 0 && atomic_compare_exchange_strong(place, &was, pc)) {
			tell(e, pc);
			return;
		}
	}
}

__attribute__((destructor)) static void tell_sums(void)
{
	char line[256], *p = line, *end = line + sizeof(line) - 1;
	uint64_t any = 0;

	p = put(p, end, "left out:");
	for (unsigned e = 0; e < GUARD_EVENTS; e++) {
		uint64_t n = atomic_load(&events[e]);

		p = put(p, end, e == 0 ? " " : ", ");
		p = put_number(p, end, n, 10);
		p = put(p, end, " ");
		p = put(p, end, event_names[e]);
		p = put(p, end, "s");
		any |= n;
	}
	*p++ = '\n';
	if (any != 0)
		write_line(line, (size_t)(p - line));
}

/*
 * Checks
 */

/* The bytes that may be accessed at a, about whose base nothing is known: `where` is what
 * is known about a itself. */
static size_t room_at(enum guard_where where, uintptr_t a, uintptr_t hi)
{
	if (where == GUARD_OBJECT)
		return a <= hi ? hi - a : 0;
	return where == GUARD_ELSEWHERE ? SIZE_MAX : 0;
}

/* The bytes that may be accessed from a on, seen from base. */
static inline __attribute__((always_inline)) size_t room_from(uintptr_t base, uintptr_t a)
{
	uintptr_t lo, hi;
	enum guard_where where = guard_find(base, &lo, &hi);

	if (unlikely(a < NULL_PAGES))
		return 0;
	if (likely(where == GUARD_OBJECT && base <= hi))
		return a >= lo && a <= hi ? hi - a : 0;
	if (base != a)
		where = guard_find(a, &lo, &hi);
	return room_at(where, a, hi);
}

size_t guard_room(const void *base, const void *a)
{
	return room_from((uintptr_t)base, (uintptr_t)a);
}

/* What compiled code asks first, once for all accesses with the same base: addresses from
 * lo up to hi are fine. */
struct bounds {
	uintptr_t lo, hi;
};

EXPORT struct bounds plumb_guard_bounds(const void *base)
{
	struct bounds b;
	enum guard_where where = guard_find((uintptr_t)base, &b.lo, &b.hi);

	if (likely(where == GUARD_OBJECT && (uintptr_t)base <= b.hi))
		return b;
	if (where == GUARD_ELSEWHERE && (uintptr_t)base >= NULL_PAGES)
		return (struct bounds){ NULL_PAGES, INTPTR_MAX };
	return (struct bounds){ 1, 0 };		/* none: the address decides */
}

/* Is it fine after all?  If not, it happened before return address pc. */
static __attribute__((noinline)) void *decide(enum guard_event e, const void *base, void *a, uint64_t n,
					      void *instead, const void *pc)
{
	if (n > ANYWHERE || n <= room_from((uintptr_t)base, (uintptr_t)a))
		return a;
	guard_event(e, pc);
	return instead;
}

/* n bytes at a, of whose base lo and hi are the bounds.  Each gives the address to use. */
#define CHECK(name, event, instead) \
	EXPORT void *name(const void *base, void *a, uint64_t n, uintptr_t lo, uintptr_t hi) \
	{ \
		if (likely((uintptr_t)a >= lo && (uintptr_t)a + n <= hi)) \
			return a; \
		return decide(event, base, a, n, (instead), __builtin_return_address(0)); \
	}

CHECK(plumb_guard_store, GUARD_STORE, sink)
CHECK(plumb_guard_load, GUARD_LOAD, (void *)zeroes)
/* For what loads and stores at once. */
CHECK(plumb_guard_change, GUARD_STORE, memset(sink, 0, sizeof(sink)))
