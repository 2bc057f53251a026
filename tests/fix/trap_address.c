// Pointers to pointers that may lead elsewhere, are given to others, or change while the program runs.
// LEAKS: 8
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept;

static void fill(char **to, const char *s) { *to = strdup(s); }
static void keep(char **from) { kept = *from; }

/* b is what is kept, whatever pp was before. */
static void moves(int n)
{
	char *a = NULL, *b = NULL;
	char **pp = &a;

	fill(pp, "a");
	for (int i = 0; i < n; i++)
		pp = pp == &a ? &b : &a;
	*pp = strdup("again");
	free(kept);
	keep(&b);
	puts(a ? a : "-");
}

/* The variable is set by its own name, to what is no heap object. */
static void by_name(int n)
{
	char text[] = "text";
	char *x = NULL;
	char **p = &x;

	*p = malloc(8);
	if (*p && n) {
		strcpy(*p, "heap");
		puts(*p);
		free(*p);
	}
	if (n)
		x = text;
	if (*p)
		puts(n ? *p : "alive");
}

struct ops { void (*end)(char *); };

static void drop(char *p) { free(p); }
static void none(char *p) { (void)p; }
static void pick(struct ops *o, int n) { o->end = n ? drop : none; }

/* Which function it is changes after the number was asked. */
static void changes(int n)
{
	void (*f)(char *) = n ? drop : none;
	struct ops o;
	char *p = strdup("p");

	pick(&o, !n);
	f = o.end;
	f(p);
	n = !n;
	printf("%d\n", n);
}

/* The number is not what it was. */
static void counted(int n)
{
	char *p = strdup("counted");

	if (n)
		free(p);
	n -= n;
	printf("%d\n", n);
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		moves(i);
	by_name(0);
	by_name(1);
	changes(0);
	changes(1);
	counted(0);
	counted(1);
	free(kept);
	return 0;
}
