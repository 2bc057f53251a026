/*
 * fileset.c - files and folders that somebody named, to be found again under other names.
 *
 * Paths are compared as text first, which is nearly always enough.  The disk is asked, for
 * symbolic links on the way, only about a path with the same last part as a file's entry, and
 * about any path where the entry is a folder that was named through a link.
 */
#include "base/fileset.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void fileset_add(struct fileset *s, const char *path)
{
	struct fileset_entry e = { .path = path_absolute(path), .is_folder = is_dir(path) };

	e.real = realpath(path, NULL);
	vec_push(&s->v, e);
}

void fileset_release(struct fileset *s)
{
	for (uint32_t i = 0; i < s->v.n; i++) {
		free(s->v.v[i].path);
		free(s->v.v[i].real);
	}
	vec_release(&s->v);
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	return strncmp(path, folder, n) == 0 && path[n] == '/';
}

bool fileset_entry_has(const struct fileset_entry *e, const char *path)
{
	bool may_be_other_name;
	char *real;
	bool ok;

	if (e->is_folder ? is_below(path, e->path) : str_eq(path, e->path))
		return true;
	if (!e->real)
		return false;
	if (e->is_folder)
		may_be_other_name = !str_eq(e->path, e->real);
	else
		may_be_other_name = str_eq(path_base(path), path_base(e->path));
	if (!may_be_other_name)
		return false;
	real = realpath(path, NULL);
	ok = real && (e->is_folder ? is_below(real, e->real) : str_eq(real, e->real));
	free(real);
	return ok;
}

bool fileset_has(const struct fileset *s, const char *path)
{
	for (uint32_t i = 0; i < s->v.n; i++)
		if (fileset_entry_has(&s->v.v[i], path))
			return true;
	return false;
}
