// A callee frees what it is given but after an error; one of its callers counts on that, by another variable.
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

static int last(const char *const *words, size_t limit)
{
	char *all = NULL, *before = NULL;
	int err = 0;

	for (; *words && err == 0; words++) {
		if (strlen(*words) > limit)
			err = 1;
		before = all;
		all = append(&err, all, *words);
	}
	if (err && before) {
		puts(before);
		free(before);
	}
	free(all);
	return err;
}

int main(void)
{
	static const char *const words[] = { "one", "two", "three", NULL };

	printf("%d\n", join(words, 5));
	printf("%d\n", join(words, 4));
	printf("%d\n", last(words, 5));
	printf("%d\n", last(words, 4));
	return 0;
}
