/* a function with many ways through it hands back what it was given */
#include <stdlib.h>
#include <string.h>

struct word { char *text; int flags; };

static struct word *bare(const char *s)
{
	struct word *w = malloc(sizeof(*w));

	if (!w)
		abort();
	w->text = NULL;
	w->flags = 0;
	(void)s;
	return w;
}

static struct word *flagged(struct word *w, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '$':
			w->flags |= 1;
			break;
		case '"':
		case '\\':
			w->flags |= 2;
			break;
		case '~':
			if (s[1] == '/')
				w->flags |= 4;
			else if (s[1] == ':')
				w->flags |= 8;
			break;
		case '=':
			if (s[1])
				w->flags |= 16;
			break;
		case '[':
			if (s[1] == ']')
				w->flags |= 32;
			if (s[2])
				w->flags |= 64;
			break;
		}
		if (w->flags & 1 && s[1] == 'x')
			w->flags ^= 128;
		if (w->flags & 2 && s[1] == 'y')
			w->flags ^= 256;
		if (w->flags & 4 && s[1] == 'z')
			w->flags ^= 512;
		if (w->flags & 8 && s[1] == 'u')
			w->flags ^= 1024;
	}
	return w;
}

struct word *make_ok(const char *s)
{
	struct word *w = bare(s);

	return flagged(w, s);
}

int make_bad(const char *s)
{
	struct word *w = bare(s); // LEAK

	return w->flags + (*s == '$');
}
