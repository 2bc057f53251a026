/* A function with more paths than can be gone along gives back what it was given, or a pointer into it. */
#include <stdlib.h>
#include <string.h>

struct word { char *text; int flags; };

static struct word *word_new(const char *s)
{
	struct word *w = calloc(1, sizeof(*w));

	if (!w)
		abort();
	w->text = strdup(s);
	return w;
}

static struct word *word_mark(struct word *w, const char *s)
{
	size_t i = 0, n = strlen(s);

	while (i < n) {
		switch (s[i]) {
		case '$': w->flags |= 1; break;
		case '\\': break;
		case '\'': case '`': case '"': w->flags |= 2; break;
		}
		if (s[i] & 0x80 && i + 1 < n && s[i + 1] & 0x80 && i + 2 < n && s[i + 2] & 0x80 && i + 3 < n)
			i += 4;
		else if (s[i] & 0x80 && i + 1 < n && s[i + 1] & 0x80 && i + 2 < n)
			i += 3;
		else if (s[i] & 0x80 && i + 1 < n)
			i += 2;
		else
			i++;
		if (i < n && s[i] == '#' && w->flags & 4 && s[i - 1] == ' ')
			w->flags |= 8;
		if (i < n && s[i] == '!' && w->flags & 8 && s[i - 1] == ' ')
			w->flags |= 16;
		if (i < n && s[i] == '=' && w->flags & 16 && s[i - 1] != ' ')
			w->flags |= 32;
	}
	return w;
}

struct word *word_make_ok(const char *s)
{
	struct word *w = word_new(s);

	return word_mark(w, s);
}

int word_make_bad(const char *s)
{
	struct word *w = word_new(s); // LEAK(never-freed)

	return word_mark(w, s)->flags;
}
