/*
 * list.c - what is to be scanned: one entry a line.
 *
 *	# comment
 *	zlib				a source package of Debian
 *	debian zlib 1:1.2.13.dfsg-1	that version of it
 *	https://host/x.git v1.2		a repository, at a tag, branch or commit
 *	./tools/ours name=ours		a folder
 *
 * A list may come from anywhere.  The name of an entry becomes the name of files: it has only characters
 * that mean nothing to a file system, a shell or make, and two entries never have the same name.
 *
 * needs: the text of a list.
 * gives: entries that scan_list_check() holds to be well formed; a message with the line where one is not.
 */
#include "scan/scan.h"

#include "base/error.h"
#include "base/file.h"

#include <assert.h>
#include <stdlib.h>

static const char *const kinds[] = { [SCAN_DEBIAN] = "debian", [SCAN_GIT] = "git", [SCAN_FOLDER] = "folder" };

const char *scan_kind_name(enum scan_kind k)
{
	assert((unsigned)k < ARRAY_LEN(kinds));
	return kinds[k];
}

static const char name_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";

static bool is_name(const char *s)
{
	return *s && *s != '.' && *s != '-' && !s[strspn(s, name_chars)] && strlen(s) <= 128;
}

static enum scan_kind kind_of(const char *source)
{
	if (strstr(source, "://") || str_ends(source, ".git"))
		return SCAN_GIT;
	return strchr(source, '/') || str_eq(source, ".") || str_eq(source, "..") ? SCAN_FOLDER : SCAN_DEBIAN;
}

static void entry_check(const struct scan_entry *e)
{
	assert(e->source && e->source[0] != '-');
	assert(e->name && is_name(e->name));
	assert(!e->version || e->version[0] != '-');
	assert(e->kind != SCAN_FOLDER || (e->source[0] == '/' && !e->version));
	assert(e->kind != SCAN_DEBIAN || is_name(e->source));
}

void scan_list_check(const struct scan_list *l)
{
	for (uint32_t i = 0; i < l->v.n; i++) {
		entry_check(&l->v.v[i]);
		assert(i == 0 || l->v.v[i].line > l->v.v[i - 1].line);
		for (uint32_t k = 0; k < i; k++)
			assert(!str_eq(l->v.v[k].name, l->v.v[i].name));
	}
}

/* "x" of "https://host/x.git" and of "/a/x/"; the caller's. */
static char *last_part(const char *source)
{
	size_t n = strlen(source), at;

	while (n && source[n - 1] == '/')
		n--;
	if (n > 4 && strncmp(source + n - 4, ".git", 4) == 0)
		n -= 4;
	for (at = n; at && source[at - 1] != '/' && source[at - 1] != ':';)
		at--;
	return xstrndup(source + at, n - at);
}

void scan_entry_release(struct scan_entry *e)
{
	free(e->name);
	free(e->source);
	free(e->version);
	*e = (struct scan_entry){0};
}

/* Gives the entry what its line leaves out.  Negative: the line is wrong; error_last(). */
static int entry_complete(struct scan_entry *e)
{
	if (!e->source)
		return error_set("a package, repository or folder is missing");
	if (e->source[0] == '-' || (e->version && e->version[0] == '-'))
		return error_set("'%s' would be taken for an option",
				 e->source[0] == '-' ? e->source : e->version);
	if (e->kind == SCAN_DEBIAN && !is_name(e->source))
		return error_set("'%s' is no name of a package", e->source);
	if (e->kind == SCAN_FOLDER && e->version)
		return error_set("a folder has no version: '%s'", e->version);
	if (e->kind == SCAN_FOLDER) {
		char *path = path_absolute(e->source);

		free(e->source);
		e->source = path;
	}
	if (!e->name)
		e->name = last_part(e->source);
	if (!is_name(e->name))
		return error_set("'%s' cannot be the name of a file; write name=NAME behind it", e->name);
	return 0;
}

int scan_entry_parse(struct scan_entry *e, const char *line)
{
	char *copy = xstrdup(line), *save = NULL, *word;
	bool kind_given = false;
	int ret;

	*e = (struct scan_entry){0};
	copy[strcspn(copy, "#\n")] = '\0';
	for (word = strtok_r(copy, " \t\r", &save); word; word = strtok_r(NULL, " \t\r", &save)) {
		bool is_kind = false;

		for (size_t k = 0; !e->source && !kind_given && k < ARRAY_LEN(kinds); k++)
			if (str_eq(word, kinds[k])) {
				e->kind = (enum scan_kind)k;
				is_kind = kind_given = true;
			}
		if (is_kind)
			continue;
		if (str_starts(word, "name=") && !e->name) {
			/* plumb-ignore: entry_complete() gives none a second name */
			e->name = xstrdup(word + 5);
		} else if (!e->source) {
			e->source = xstrdup(word);
			if (!kind_given)
				e->kind = kind_of(word);
		} else if (!e->version) {
			e->version = xstrdup(word);
		} else {
			ret = error_set("'%s' is one word too many", word);
			goto fail;
		}
	}
	free(copy);
	copy = NULL;
	if (!e->source && !e->name && !kind_given)
		return 0;
	if ((ret = entry_complete(e)) == 0)
		return 1;
fail:
	free(copy);
	scan_entry_release(e);
	return ret;
}

char *scan_entry_text(const struct scan_entry *e)
{
	const char *version = e->version ? e->version : "";

	assert(e->name && e->source);
	return xasprintf("%s %s%s%s name=%s", scan_kind_name(e->kind), e->source, *version ? " " : "",
			 version, e->name);
}

/* The entry of this name, NULL if there is none. */
static const struct scan_entry *find_name(const struct scan_list *l, const char *name)
{
	for (uint32_t i = 0; i < l->v.n; i++)
		if (str_eq(l->v.v[i].name, name))
			return &l->v.v[i];
	return NULL;
}

int scan_list_read(struct scan_list *l, const char *path)
{
	char *text, *line, *save = NULL;
	unsigned number = 0;
	size_t n;
	int ret;

	if ((ret = file_read(&text, &n, path)) < 0)
		return ret;
	for (line = text; line; line = save) {
		const struct scan_entry *same;
		struct scan_entry e;

		number++;
		save = strchr(line, '\n');
		if (save)
			*save++ = '\0';
		if ((ret = scan_entry_parse(&e, line)) < 0) {
			error_prefix("%s:%u: ", path, number);
			goto done;
		}
		if (!ret)
			continue;
		e.line = number;
		same = find_name(l, e.name);
		if (same) {
			ret = error_set("%s:%u: '%s' is also the name of line %u; "
					"write name=NAME behind one of them",
					path, number, e.name, same->line);
			scan_entry_release(&e);
			goto done;
		}
		vec_push(&l->v, e);
	}
	ret = 0;
#ifdef PLUMB_DEBUG
	scan_list_check(l);
#endif
done:
	free(text);
	return ret;
}

void scan_list_release(struct scan_list *l)
{
	for (uint32_t i = 0; i < l->v.n; i++)
		scan_entry_release(&l->v.v[i]);
	vec_release(&l->v);
}
