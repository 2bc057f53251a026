// Under other settings these names are not declared, or the variable is not set, where the object is lost.  The whole patch is compared.
// LEAKS: 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TINY
struct box { char *name; int n; };

static struct box *box_new(int n)
{
	struct box *b = malloc(sizeof(*b));

	if (!b)
		exit(1);
	b->name = strdup("box");
	b->n = n;
	return b;
}

static void box_free(struct box *b)
{
	free(b->name);
	free(b);
}
#endif

static int n_lines;

/* The place is in the text of all builds, the variable is not. */
static int declared(const char *s, int marked)
{
#ifndef TINY
	char *lead = NULL;

	if (marked)
		lead = strdup(s);
	n_lines++;
	if (lead && n_lines > 1) {
		puts(lead);
		free(lead);
	} else
#endif
	{
		puts(s);
		n_lines++;
	}
	return n_lines;
}

static int made(int n)
{
#ifndef TINY
	struct box *b = box_new(n);

	printf("%d\n", b->n);
#endif
	if (n > 2)
		return 1;
#ifndef TINY
	box_free(b);
#endif
	return 0;
}

/* Declared in all builds, set in some. */
static int set(const char *s, int n)
{
	char *later;

#ifdef TINY
	puts(s);
#else
	later = strdup(s);
	if (!later)
		return -1;
	puts(later);
#endif
	if (n > 2)
		return 1;
	puts("short");
#if !defined(TINY)
	free(later);
#endif
	return 0;
}

/* The other build sets it, too, and frees it. */
static int set_otherwise(const char *s, int n)
{
	char *both;

#ifdef TINY
	both = malloc(8);
#else
	both = strdup(s);
#endif
	if (!both)
		return -1;
	if (n > 2)
		return 1;
	puts(both);
	free(both);
	return 0;
}

/* The place asks the same. */
static int asked_again(const char *s, int n)
{
#ifndef TINY
	char *again = strdup(s);
#endif

	puts(s);
#ifdef TINY
	puts("tiny");
#else
	if (n > 2)
		return again != NULL;
	puts(again);
	free(again);
#endif
	return 0;
}

/* A variable of ours goes before the first #if. */
static int kept(const char *s, int n)
{
#ifndef TINY
	static int calls;

	calls++;
#endif
	const char *p = "fixed";

	if (n > 2)
		p = strdup(s);
	if (!p)
		return -1;
	puts(p);
	return 0;
}

int main(void)
{
	int n = declared("a", 1) + made(1) + made(3) + set("b", 1) + set("c", 3) + set_otherwise("d", 3) + asked_again("e", 3);

	printf("%d\n", n + kept("f", 3) + kept("g", 1));
	return 0;
}
