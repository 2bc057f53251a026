/*
 * guard_libc.c - library functions that write where they are told, within bounds.
 *
 * Code that `plumb cc --oblivious` has compiled calls these in place of those of the same
 * name.  What would be written behind the end of an object is left out; what would
 * be read from there is zero, or the end of the string.  The return values are those of a
 * call that had room for everything.
 *
 * The functions of libc that only read (strlen, strcmp, printf, write) are not among
 * them: behind each object there is a zero, which ends strings.
 */
#include "guard.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CALLER __builtin_return_address(0)

/* n, or the room at p if that is less; then something is left out. */
static size_t clip(enum guard_event e, const void *base, const void *p, size_t n, const void *caller)
{
	size_t room = guard_room(base, p);

	if (likely(n <= room))
		return n;
	guard_event(e, caller);
	return room;
}

static void copy(const void *to, void *d, const void *from, const void *s, size_t n,
		 const void *caller)
{
	size_t fits, known;

	if (n == 0)
		return;
	fits = clip(GUARD_STORE, to, d, n, caller);
	known = clip(GUARD_LOAD, from, s, fits, caller);
	if (known > 0)
		memmove(d, s, known);
	if (known < fits)
		memset((char *)d + known, 0, fits - known);
}

/* The two pointers of each are the base and the address. */
EXPORT void plumb_guard_copy(const void *to, void *d, const void *from, const void *s, uint64_t n)
{
	copy(to, d, from, s, n, CALLER);
}

EXPORT void plumb_guard_fill(const void *to, void *d, int c, uint64_t n)
{
	size_t fits = n > 0 ? clip(GUARD_STORE, to, d, n, CALLER) : 0;

	if (fits > 0)
		memset(d, c, fits);
}

EXPORT void *plumb_guard_memcpy(void *d, const void *s, size_t n)
{
	copy(d, d, s, s, n, CALLER);
	return d;
}

EXPORT void *plumb_guard_memmove(void *d, const void *s, size_t n)
{
	copy(d, d, s, s, n, CALLER);
	return d;
}

EXPORT void *plumb_guard_memset(void *d, int c, size_t n)
{
	plumb_guard_fill(d, d, c, n);
	return d;
}

/* The length of a string that may have lost its end, or be none. */
static size_t length(const char *s)
{
	size_t room = guard_room(s, s);

	return room == SIZE_MAX ? strlen(s) : strnlen(s, room);
}

/* n bytes of s and a zero, to d.  Gives the end. */
static char *put_string(const char *base, char *d, const char *s, size_t n, const void *caller)
{
	size_t fits = clip(GUARD_STORE, base, d, n + 1, caller);

	if (fits > 0)
		memmove(d, s, fits < n ? fits : n);
	if (fits > n)
		d[n] = 0;
	return d + n;
}

EXPORT char *plumb_guard_stpcpy(char *d, const char *s)
{
	return put_string(d, d, s, length(s), CALLER);
}

EXPORT char *plumb_guard_strcpy(char *d, const char *s)
{
	put_string(d, d, s, length(s), CALLER);
	return d;
}

EXPORT char *plumb_guard_strcat(char *d, const char *s)
{
	put_string(d, d + length(d), s, length(s), CALLER);
	return d;
}

EXPORT char *plumb_guard_strncat(char *d, const char *s, size_t n)
{
	size_t have = length(s);

	put_string(d, d + length(d), s, have < n ? have : n, CALLER);
	return d;
}

EXPORT char *plumb_guard_strncpy(char *d, const char *s, size_t n)
{
	size_t fits = n > 0 ? clip(GUARD_STORE, d, d, n, CALLER) : 0, have = length(s);

	if (have > fits)
		have = fits;
	if (fits > 0) {
		memmove(d, s, have);
		memset(d + have, 0, fits - have);
	}
	return d;
}

static int print(char *d, size_t n, const char *format, va_list args, const void *caller)
{
	size_t room = n > 0 ? guard_room(d, d) : 0, fits = n < room ? n : room;
	int len = vsnprintf(fits > 0 ? d : NULL, fits < INT32_MAX ? fits : INT32_MAX, format, args);

	if (len >= 0 && n > room && (size_t)len >= room)
		guard_event(GUARD_STORE, caller);
	return len;
}

EXPORT int plumb_guard_vsnprintf(char *d, size_t n, const char *format, va_list args)
{
	return print(d, n, format, args, CALLER);
}

EXPORT int plumb_guard_vsprintf(char *d, const char *format, va_list args)
{
	return print(d, SIZE_MAX, format, args, CALLER);
}

EXPORT int plumb_guard_snprintf(char *d, size_t n, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = print(d, n, format, args, CALLER);
	va_end(args);
	return len;
}

EXPORT int plumb_guard_sprintf(char *d, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = print(d, SIZE_MAX, format, args, CALLER);
	va_end(args);
	return len;
}

/*
 * Input.  What does not fit is not asked for; it is there for the next call.
 */

EXPORT ssize_t plumb_guard_read(int fd, void *p, size_t n)
{
	return read(fd, p, clip(GUARD_STORE, p, p, n, CALLER));
}

EXPORT ssize_t plumb_guard_recv(int fd, void *p, size_t n, int flags)
{
	return recv(fd, p, clip(GUARD_STORE, p, p, n, CALLER), flags);
}

EXPORT ssize_t plumb_guard_recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *from,
				    socklen_t *len)
{
	return recvfrom(fd, p, clip(GUARD_STORE, p, p, n, CALLER), flags, from, len);
}

EXPORT char *plumb_guard_fgets(char *p, int n, FILE *f)
{
	size_t fits = n > 0 ? clip(GUARD_STORE, p, p, (size_t)n, CALLER) : 0;

	return fits > 0 ? fgets(p, (int)fits, f) : NULL;
}

EXPORT size_t plumb_guard_fread(void *p, size_t size, size_t n, FILE *f)
{
	size_t all;

	if (size == 0 || __builtin_mul_overflow(size, n, &all))
		return fread(p, size, n, f);
	return fread(p, size, clip(GUARD_STORE, p, p, all, CALLER) / size, f);
}
