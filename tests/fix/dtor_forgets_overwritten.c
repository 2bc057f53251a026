// Two leaks in one: the member is set again in a loop, and the destructor forgets it.  A logger gets it, as it gets anything.
// LEAKS: 3
// PATCH: ^\+\s*free\(m->kind\);$
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mount { char *name, *kind; };

static void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

static void mount_free(struct mount *m)
{
	free(m->name);
	free(m);
}

static struct mount *parse(const char *s)
{
	struct mount *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	for (; *s; s++) {
		if (*s == 'n') {
			free(m->name);
			m->name = strdup(s);
		} else if (*s == 'k') {
			m->kind = strdup(s);
		}
	}
	if (!m->name) {
		mount_free(m);
		return NULL;
	}
	return m;
}

int main(void)
{
	static const char *const texts[] = { "n", "knk", "kx", "x" };

	for (int i = 0; i < 4; i++) {
		struct mount *m = parse(texts[i]);

		if (!m)
			continue;
		note("%s %s\n", m->name, m->kind ? m->kind : "none");
		mount_free(m);
	}
	return 0;
}
