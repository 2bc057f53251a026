// A callee frees what it is given but after an error; a caller passes on what is its own caller's, who knows of that.
// LEAKS: 1
// EXPECT: either
// NEVER: ^\+.*free\(in\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *append(int *err, char *in, const char *s)
{
	char *out = NULL;
	size_t n = in ? strlen(in) : 0;

	if (*err == 0) {
		out = malloc(n + strlen(s) + 1);
		if (out) {
			if (in)
				memcpy(out, in, n);
			strcpy(out + n, s);
		} else {
			*err = 2;
		}
		free(in);
	}
	return out;
}

static int join(const char *const *words, size_t limit)
{
	char *all = NULL;
	int err = 0;

	for (; *words && err == 0; words++) {
		if (strlen(*words) > limit)
			err = 1;
		all = append(&err, all, *words);
	}
	if (err == 0)
		puts(all);
	free(all);
	return err;
}

static char *append_pair(int *err, char *in, const char *a)
{
	char *text = in;

	text = append(err, text, ", ");
	text = append(err, text, a);
	return text;
}

static int pairs(const char *a, const char *b, int err)
{
	char *first = strdup(a), *all;

	if (!first)
		return -1;
	all = append_pair(&err, first, b);
	if (err == 1) {
		puts(first);
		free(first);
	} else {
		puts(all ? all : "none");
	}
	free(all);
	return err;
}

int main(void)
{
	static const char *const words[] = { "one", "two", "three", NULL };

	printf("%d\n", join(words, 5));
	printf("%d\n", join(words, 4));
	printf("%d\n", pairs("a", "b", 0));
	printf("%d\n", pairs("c", "d", 1));
	return 0;
}
