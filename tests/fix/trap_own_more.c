// What the program's own allocator makes goes back to it by a function that is told where, too; the library's free() is
// given a block that, as far as one can see, could be such a one.
// LEAKS: 1
// EXPECT: refused
// REFUSED: dfree\(\), which releases it, takes more than the object
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HERE __FILE__, __LINE__

static void *keep[4];
static unsigned long outstanding;

static void *dmalloc(size_t n, const char *file, int line)
{
	void *p = malloc(n);

	if (!p)
		fprintf(stderr, "%s:%d: no memory\n", file, line);
	else
		outstanding++;
	return p;
}

static void dfree(void *p, const char *file, int line)
{
	if (!p) {
		fprintf(stderr, "%s:%d: null\n", file, line);
		return;
	}
	outstanding--;
	free(p);
}

static int text_make(int at, int n)
{
	char *s = dmalloc(8, HERE);

	if (!s)
		return -1;
	if (n < 0)
		return -1;
	strcpy(s, "text");
	keep[at] = s;
	return 0;
}

static void all_done(void)
{
	dfree(keep[0], HERE);
	dfree(keep[1], HERE);
	dfree(keep[2], HERE);
	free(keep[3]);
}

int main(void)
{
	keep[3] = strdup("plain");
	printf("%d %d %d\n", text_make(0, 3), text_make(1, 2), text_make(2, 2));
	printf("%d\n", text_make(3, -1));
	all_done();
	return 0;
}
