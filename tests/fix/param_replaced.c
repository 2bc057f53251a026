// A callee returns a longer text and frees the one that it was given; but after an error it does neither.  All callers put the result where the argument was.
// LEAKS: 1
// ONCE: ^\+\s*free\(in\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page {
	char *head;
	int lines;
};

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

static char *append_pair(int *err, char *in, const char *a, const char *b)
{
	char *text = in;

	if (text)
		text = append(err, text, ", ");
	if (b)
		text = append(err, text, a);
	else
		text = append(err, text, "none");
	return text;
}

static int join(const char *const *words, int limit)
{
	char *all = NULL, *pairs = NULL;
	int err = 0;

	for (; *words && err == 0; words++) {
		pairs = append_pair(&err, pairs, words[0], words[1]);
		if (strlen(*words) > (size_t)limit)
			err = 1;
		all = append(&err, all, *words);
	}
	if (err == 0)
		printf("%s: %s\n", all, pairs);
	free(all);
	free(pairs);
	return err;
}

static int number(struct page *p, const char *s)
{
	int err = 0;

	p->head = append(&err, p->head, s);
	p->lines++;
	return err;
}

int main(void)
{
	static const char *const words[] = { "one", "two", "three", NULL };
	struct page *p = calloc(1, sizeof(*p));

	printf("%d\n", join(words, 5));
	printf("%d\n", join(words, 4));
	printf("%d\n", join(words + 2, 4));
	if (!p)
		return 1;
	printf("%d\n", number(p, "a") + number(p, "b"));
	puts(p->head);
	free(p->head);
	free(p);
	return 0;
}
