// A callee frees what it is given but after an error; what is in the member is also in that of another struct, which is used then.
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

struct page {
	char *head;
	int lines;
};

static int add_line(struct page *p, const char *s)
{
	int err = p->lines == 2;

	p->head = append(&err, p->head, s);
	p->lines++;
	return err;
}

int main(void)
{
	static const char *const words[] = { "one", "two", "three", NULL };
	struct page *p = calloc(1, sizeof(*p)), *q = calloc(1, sizeof(*q));

	printf("%d\n", join(words, 5));
	printf("%d\n", join(words, 4));
	if (!p || !q)
		return 1;
	for (int i = 0; i < 3; i++) {
		q->head = p->head;
		if (add_line(p, words[i]))
			puts(q->head);
	}
	free(q->head);
	free(q);
	free(p->head);
	free(p);
	return 0;
}
