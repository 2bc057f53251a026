/*
 * scope.c - see scope.h.
 */
#include "edit/scope.h"

#include "base/file.h"
#include "front/front.h"

#include <stdlib.h>

static bool is_top(const char *dir)
{
	char *path = path_join(dir, ".git");
	bool there = file_exists(path);

	free(path);
	return there;
}

/* The top of the project that a folder is in. */
static void add_folder(struct scope *s, const char *name)
{
	char *dir = realpath(name, NULL), *top = dir ? xstrdup(dir) : NULL;

	if (!dir)
		return;
	while (!is_top(top) && path_up(&top))
		;
	if (is_top(top)) {
		free(dir);
		dir = top;
	} else {
		free(top);
	}
	vec_push(&s->tops, dir);
}

/* Of a file the folder in which it is named, not the one where a link may lead. */
static void add_named(struct scope *s, const char *name)
{
	char *dir = is_dir(name) ? xstrdup(name) : path_dir(name);

	add_folder(s, dir);
	free(dir);
}

void scope_init(struct scope *s, const struct front_options *o)
{
	memset(s, 0, sizeof(*s));
	add_folder(s, ".");
	if (o->compdb)
		add_named(s, o->compdb);
	for (unsigned i = 0; i < o->ninputs; i++)
		add_named(s, o->inputs[i]);
}

void scope_release(struct scope *s)
{
	for (uint32_t i = 0; i < s->tops.n; i++)
		free(s->tops.v[i]);
	vec_release(&s->tops);
}

bool scope_has(const struct scope *s, const char *path)
{
	char *real = realpath(path, NULL);
	bool has = false;

	for (uint32_t i = 0; real && !has && i < s->tops.n; i++) {
		size_t n = strlen(s->tops.v[i]);

		has = str_starts(real, s->tops.v[i]) && (n == 1 || real[n] == '/');
	}
	free(real);
	return has;
}
