// The member is set again in a loop, and the destructor forgets it; but a logger that is given it may end its holder first.
// LEAKS: 4
// EXPECT: either
// NEVER: free\(m->kind\)
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mount { char *name, *kind; };

static void mount_free(struct mount *m)
{
	free(m->name);
	free(m);
}

static void last_words(struct mount *m, int n, ...)
{
	va_list ap;

	mount_free(m);
	va_start(ap, n);
	for (int i = 0; i < n; i++)
		puts(va_arg(ap, char *));
	va_end(ap);
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
	static const char *const texts[] = { "nk", "knk", "kx", "x" };

	for (int i = 0; i < 4; i++) {
		struct mount *m = parse(texts[i]);

		if (m)
			last_words(m, 1, m->kind);
	}
	return 0;
}
