/*
 * advice.c - see advice.h.
 *
 * libtool leaves scripts and lists where one looks for programs, libraries and objects; these lie in .libs beside them.
 * A list has lines key='value', paths relative to its folder.
 */
#include "front/advice.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdlib.h>

enum { HEAD = 4096 };		/* what a file is, it says at its beginning */

/* The rest of the line behind the first `what`, up to one of the bytes of `end`; NULL: there is no such. */
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

/* A value of a list as a path; NULL: it has none. */
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

static char *instead(const char *what, char *path)
{
	char *s = path ? xasprintf("%s: name %s instead", what, path) : xasprintf("%s, of nothing that can be analysed", what);

	free(path);
	return s;
}

static bool has(const char *text, size_t n, const char *what)
{
	return memmem(text, n, what, strlen(what)) != NULL;
}

char *advice_for(const char *path, const char *text, size_t n)
{
	size_t head = MIN(n, HEAD);
	char *found = NULL;

	if (has(text, head, " - temporary wrapper script for ") && has(text, head, "libtool")) {
		char *name = text_behind(text, head, " - temporary wrapper script for ", " "), *dir = path_dir(path);

		found = path_from(dir, name);
		free(dir);
		free(name);
		return instead("a libtool wrapper script", found);
	}
	if (has(text, head, " - a libtool library file")) {
		found = path_in_list(path, text, n, "\ndlname='", ".libs");
		return instead("a libtool library file", found ? found : path_in_list(path, text, n, "\nold_library='", ".libs"));
	}
	if (has(text, head, " - a libtool object file")) {
		found = path_in_list(path, text, n, "\npic_object='", ".");
		return instead("a libtool object file", found ? found : path_in_list(path, text, n, "\nnon_pic_object='", "."));
	}
	if (n > 2 && memcmp(text, "#!", 2) == 0)
		return xstrdup("a script: name the sources, or the program that it starts");
	return NULL;
}
