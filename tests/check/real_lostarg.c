/* true ones: what a function makes is copied by another and never freed */
#include <stdlib.h>
#include <string.h>

static char *quote(const char *s)
{
	char *out = malloc(strlen(s) * 2 + 1), *at = out;

	if (!out)
		abort();
	for (; *s; s++) {
		if (*s == '#')
			*at++ = '#';
		*at++ = *s;
	}
	*at = '\0';
	return out;
}

char *quoted_bad(char *found, int how)
{
	char *saved;

	if (how & 1) {
		saved = found;
		found = strdup(quote(saved)); // LEAK(never-freed)
		free(saved);
	}
	return found;
}

/* kept only as text to look at, in a loop over what was asked for */
int show(const char *s, const char *format);

int format_bad(const char **arg, int n)
{
	const char *format = NULL;

	for (int i = 0; i < n; i++) {
		switch (arg[i][0]) {
		case 'f':
			format = quote(arg[i] + 1); // LEAK(never-freed)
			break;
		case 'p':
			return 1;
		}
	}
	if (format)
		return strlen(format) > 3;
	return 0;
}

/* one of two things is forgotten on the way out through the error label */
struct value { char *s; };
struct result { int bad; };
static struct result parse(const struct value *v, int n)
{
	struct result r = { .bad = n > 0 && v[0].s[0] == '!' };
	return r;
}

int command_bad(int argc, char **argv)
{
	struct value *v = calloc((size_t)argc, sizeof(*v)); // LEAK(conditional)
	struct result r;

	if (!v)
		return -1;
	for (int i = 0; i < argc; i++)
		v[i].s = argv[i];
	r = parse(v, argc);
	if (r.bad)
		goto error;
	free(v);
	return 0;
error:
	free(argv[0]);
	return -1;
}
