/*
 * archive.c - the members of an archive (ar, libx.a).
 *
 * The format is a magic line, then members, each a header of 60 bytes of text
 * (name 16, date 12, owner 6, group 6, mode 8, size 10, "`\n") and its bytes,
 * padded to an even length.  Names that do not fit are in a member "//" (GNU) or
 * before the data (BSD, "#1/length").  A thin archive holds headers only; the
 * members are separate files.
 *
 * The bytes may be anybody's: no length is believed before it is compared with
 * what is left of the archive (archive_check() says what then holds).
 */
#include "front/elf.h"

#include "base/error.h"
#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

#define MAGIC "!<arch>\n"
#define MAGIC_THIN "!<thin>\n"

enum { MAGIC_SIZE = 8, HEADER = 60, NAME = 16, SIZE_AT = 48, SIZE_CHARS = 10 };

bool elf_is_archive(const void *p, size_t n)
{
	if (n < MAGIC_SIZE)
		return false;
	return memcmp(p, MAGIC, MAGIC_SIZE) == 0 || memcmp(p, MAGIC_THIN, MAGIC_SIZE) == 0;
}

/* All that an open archive points to lies in its bytes. */
static void archive_check(const struct archive *a)
{
	const char *end = a->p + a->n, *data = a->data;

	assert(a->p && a->at >= MAGIC_SIZE && a->at <= a->n);
	assert(a->name == a->own);
	assert(!a->data || (data > a->p && a->size <= (size_t)(end - data)));
	assert(a->names ? a->names > a->p && a->nnames <= (size_t)(end - a->names) : a->nnames == 0);
}

int archive_open(struct archive *a, const void *p, size_t n)
{
	memset(a, 0, sizeof(*a));
	if (!elf_is_archive(p, n))
		return error_set("not an archive");
	a->p = p;
	a->n = n;
	a->at = MAGIC_SIZE;
	a->thin = memcmp(p, MAGIC_THIN, MAGIC_SIZE) == 0;
	return 0;
}

void archive_close(struct archive *a)
{
	free(a->own);
	memset(a, 0, sizeof(*a));
}

/* A decimal number of at most `width` characters, then blanks.  False if it is
 * something else. */
static bool read_number(const char *s, size_t width, size_t *out)
{
	size_t i = 0, x = 0;

	for (; i < width && isdigit((unsigned char)s[i]); i++)
		x = x * 10 + (size_t)(s[i] - '0');
	if (i == 0)
		return false;
	for (; i < width; i++)
		if (s[i] != ' ')
			return false;
	*out = x;
	return true;
}

static void set_name(struct archive *a, const char *s, size_t n)
{
	free(a->own);
	a->name = a->own = xstrndup(s, n);
}

/* Sets the name of the member with this header.  A name in front of the data is
 * cut off from *data and *size. */
static int member_name(struct archive *a, const char *h, const char **data, size_t *size)
{
	size_t x, n;

	if (h[0] == '/' && read_number(h + 1, NAME - 1, &x)) {
		const char *s;

		if (x >= a->nnames)
			return error_set("damaged archive: a member's name is missing");
		s = a->names + x;
		for (n = 0; n < a->nnames - x && s[n] != '\n'; n++)
			;
		set_name(a, s, n && s[n - 1] == '/' ? n - 1 : n);
	} else if (memcmp(h, "#1/", 3) == 0 && read_number(h + 3, NAME - 3, &x)) {
		if (!*data || x > *size)
			return error_set("damaged archive: a member's name is missing");
		set_name(a, *data, strnlen(*data, x));
		*data += x;
		*size -= x;
	} else {
		for (n = 0; n < NAME && h[n] != '/'; n++)
			;
		while (n && h[n - 1] == ' ')
			n--;
		set_name(a, h, n);
	}
	return 0;
}

int archive_next(struct archive *a)
{
	archive_check(a);
	for (;;) {
		const char *h = a->p + a->at, *data;
		bool table, names;
		size_t size;

		if (a->at >= a->n)
			return 0;
		if (a->n - a->at < HEADER || memcmp(h + HEADER - 2, "`\n", 2) != 0 ||
		    !read_number(h + SIZE_AT, SIZE_CHARS, &size))
			return error_set("damaged archive: bad member header");
		a->at += HEADER;
		names = memcmp(h, "// ", 3) == 0;
		table = names || memcmp(h, "/ ", 2) == 0 || memcmp(h, "/SYM64/ ", 8) == 0 ||
			memcmp(h, "__.SYMDEF", 9) == 0;
		data = a->thin && !table ? NULL : a->p + a->at;
		if (data && size > a->n - a->at)
			return error_set("damaged archive: cut short");
		if (data)
			a->at += MIN(size + (size & 1), a->n - a->at);
		if (names) {
			a->names = data;
			a->nnames = size;
		}
		if (table)
			continue;
		if (member_name(a, h, &data, &size) < 0)
			return -1;
		a->data = data;
		a->size = size;
		archive_check(a);
		return 1;
	}
}
