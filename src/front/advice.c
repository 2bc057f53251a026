/*
 * advice.c - what to name instead of an input that cannot be analysed.
 *
 * libtool puts scripts and lists where users look for programs, libraries and objects; the real files lie
 * in the folder .libs beside them.  A list consists of lines key='value'; its paths are relative to its own
 * folder.
 *
 * Nobody looks whether the file that is named in the advice exists.
 */
#include "front/advice.h"

#include "base/file.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

#define WRAPPER " - temporary wrapper script for "

enum { HEAD = 4096 };		/* a file says in its first bytes what it is */

/* The rest of the line behind the first `what`, up to one of the bytes of `end`; the caller's.  NULL: there
 * is no `what` in the text. */
static char *text_behind(const char *text, size_t n, const char *what, const char *end)
{
	const char *at = memmem(text, n, what, strlen(what)), *stop = text + n, *e;

	if (!at)
		return NULL;
	at += strlen(what);
	for (e = at; e < stop && *e != '\n' && !strchr(end, *e); e++)
		;
	return xstrndup(at, (size_t)(e - at));
}

/* The value of a list's key as a path, in a folder relative to that of the list; NULL: there is none. */
static char *path_in_list(const char *list, const char *text, size_t n, const char *key, const char *folder)
{
	char *value = text_behind(text, n, key, "'"), *dir = path_dir(list), *below, *path;

	if (!value || !*value || str_eq(value, "none")) {
		free(dir);
		free(value);
		return NULL;
	}
	below = path_from(dir, folder);
	path = path_from(below, value);
	free(below);
	free(dir);
	free(value);
	return path;
}

/* The advice as text.  Frees path; NULL: there is nothing to name. */
static char *format_advice(const char *what, char *path)
{
	char *s = path ? xasprintf("%s: name %s instead", what, path)
		       : xasprintf("%s, of nothing that can be analysed", what);

	free(path);
	return s;
}

static bool contains(const char *text, size_t n, const char *what)
{
	return memmem(text, n, what, strlen(what)) != NULL;
}

char *advice_for(const char *path, const char *text, size_t n)
{
	size_t head = MIN(n, HEAD);
	char *found = NULL;

	if (contains(text, head, WRAPPER) && contains(text, head, "libtool")) {
		char *name = text_behind(text, head, WRAPPER, " "), *dir = path_dir(path);

		assert(name);
		found = path_from(dir, name);
		free(dir);
		free(name);
		return format_advice("a libtool wrapper script", found);
	}
	if (contains(text, head, " - a libtool library file")) {
		found = path_in_list(path, text, n, "\ndlname='", ".libs");
		if (!found)
			found = path_in_list(path, text, n, "\nold_library='", ".libs");
		return format_advice("a libtool library file", found);
	}
	if (contains(text, head, " - a libtool object file")) {
		found = path_in_list(path, text, n, "\npic_object='", ".");
		if (!found)
			found = path_in_list(path, text, n, "\nnon_pic_object='", ".");
		return format_advice("a libtool object file", found);
	}
	if (n > 2 && memcmp(text, "#!", 2) == 0)
		return xstrdup("a script: name the sources, or the program that it starts");
	return NULL;
}
