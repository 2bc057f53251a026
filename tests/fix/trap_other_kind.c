// Memory and files get into the same variables, as far as one can see: what closes files releases no memory, and what
// destroys structs takes no text.
// LEAKS: 2
// EXPECT: partial
// LEFT: 1
// REFUSED: dfree\(\), which releases it, takes more than the object
// PATCH: ^\+\t\titem_destroy\(x\);$
// NEVER: ^\+.*(fclose|item_destroy\(s)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	int n;
	char name[12];
};

static void *keep[4];

static void *dmalloc(size_t n, const char *file, int line)
{
	void *p = malloc(n);

	if (!p)
		fprintf(stderr, "%s:%d: no memory\n", file, line);
	return p;
}

static void dfree(void *p, const char *file, int line)
{
	if (!p) {
		fprintf(stderr, "%s:%d: null\n", file, line);
		return;
	}
	free(p);
}

static void item_destroy(struct item *x)
{
	x->n = 0;
	dfree(x, __FILE__, __LINE__);
}

static int item_make(int at, int n)
{
	struct item *x = dmalloc(sizeof(*x), __FILE__, __LINE__);

	if (!x)
		return -1;
	if (n < 0)
		return -1;
	x->n = n;
	strcpy(x->name, "item");
	keep[at] = x;
	return 0;
}

static int text_make(int at, int n)
{
	char *s = dmalloc(8, __FILE__, __LINE__);

	if (!s)
		return -1;
	if (n < 0)
		return -1;
	strcpy(s, "text");
	keep[at] = s;
	return 0;
}

static void file_make(int at)
{
	keep[at] = fopen("/dev/null", "r");
}

static void all_done(void)
{
	if (keep[0])
		fclose(keep[0]);
	if (keep[1])
		item_destroy(keep[1]);
	if (keep[2])
		dfree(keep[2], __FILE__, __LINE__);
}

int main(void)
{
	file_make(0);
	printf("%d %d\n", item_make(1, 3), item_make(3, -1));
	printf("%d %d\n", text_make(2, 3), text_make(3, -1));
	all_done();
	return 0;
}
