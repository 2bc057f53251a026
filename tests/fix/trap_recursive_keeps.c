// A function that calls itself keeps what it is given at the bottom, through a struct of its own.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct frame {
	struct frame *up;
	char *text;
	int depth;
};

static char *kept[4];
static int n_kept;

static int dive(struct frame *up, char *text, int depth)
{
	struct frame f = { up, text, depth };

	if (depth > 0)
		return dive(&f, f.text + 1, depth - 1) + 1;
	for (up = &f; up->up;)
		up = up->up;
	kept[n_kept++] = up->text;
	return 0;
}

static int start(const char *s, int depth)
{
	char *copy = strdup(s);

	if (!copy)
		return -1;
	if (dive(NULL, copy, depth) > 2) {
		puts("deep");
		return 1;
	}
	return 0;
}

int main(void)
{
	int n = start("hello", 3) + start("abc", 1);

	printf("%d\n", n);
	while (n_kept > 0) {
		puts(kept[--n_kept]);
		free(kept[n_kept]);
	}
	return 0;
}
