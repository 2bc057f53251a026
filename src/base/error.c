/*
 * error.c - the message of the last expected failure, one for each thread.
 *
 * The text lives in a fixed buffer, so that reporting a failure can neither
 * fail nor leak when a thread ends.  A message that does not fit ends in
 * "...".  Arguments may be the present message itself, as in
 * error_set("%s: %s", path, error_last()): text is made elsewhere and copied.
 */
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ERROR_MAX = 8192 };	/* two longest paths and then some */

static _Thread_local char message[ERROR_MAX];

/* Makes `text` the message; `room` is the size of its buffer, `want` the length
 * that the text would have with enough room. */
static void set_message(char *text, size_t room, size_t want)
{
	size_t n = want < room ? want : room - 1;

	assert(room >= ERROR_MAX && text != message);
	if (n > ERROR_MAX - 1)
		n = ERROR_MAX - 1;
	if (n < want)
		memcpy(text + n - 3, "...", 3);
	memcpy(message, text, n);
	message[n] = '\0';
}

/* The length of the text by snprintf's result, which may be more than the buffer has. */
static size_t length(int k)
{
	return k < 0 ? 0 : (size_t)k;
}

int error_set(const char *fmt, ...)
{
	char text[ERROR_MAX] = "";
	va_list ap;
	int k;

	va_start(ap, fmt);
	k = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	set_message(text, sizeof(text), length(k));
	return -1;
}

int error_sys(const char *fmt, ...)
{
	int err = errno;
	char text[ERROR_MAX] = "", both[ERROR_MAX + 256], reason[128];
	va_list ap;
	int k;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	k = snprintf(both, sizeof(both), "%s: %s", text,
		     strerror_r(err, reason, sizeof(reason)));
	set_message(both, sizeof(both), length(k));
	errno = err;
	return -1;
}

int error_prefix(const char *fmt, ...)
{
	char text[ERROR_MAX] = "", both[2 * ERROR_MAX];
	va_list ap;
	int k;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	k = snprintf(both, sizeof(both), "%s%s", text, message);
	set_message(both, sizeof(both), length(k));
	return -1;
}

const char *error_last(void)
{
	return message[0] ? message : "unknown error";
}
