// What a pointer to a pointer leads to is known on each way; a number tells the ways apart.
// LEAKS: 6
// PATCH: ^\+.*free\(b\);
// PATCH: ^\+.*if \(n\)
// PATCH: ^\+.*if \(!n\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void one_of_two(int n)
{
	char *a = NULL, *b = NULL;
	char **pp = n ? &a : &b;

	*pp = strdup("one");
	printf("%s %s\n", a ? a : "-", b ? b : "-");
	free(a);
}

static void set_again(void)
{
	char *x;
	char **p = &x;

	*p = strdup("first");
	*p = strdup("second");
	puts(x ? x : "-");
	free(x);
}

static void perhaps_set_again(int n)
{
	char *x, *y = NULL;
	char **p = n ? &x : &y;

	x = strdup("x");
	*p = strdup("p");
	printf("%s %s\n", x ? x : "-", y ? y : "-");
	free(x);
	free(y);
}

static void drop(char *p) { puts(p ? p : "-"); free(p); }
static void show(char *p) { puts(p ? p : "-"); }

static void either(int n)
{
	void (*f)(char *) = n ? drop : show;
	char *p = strdup("either");

	f(p);
}

/* A pointer that is hashed is not kept. */
static int bucket(const char *s)
{
	char *p = strdup(s);

	return (int)((size_t)p >> 4) == 0 ? 1 : 2;
}

struct opts { char *sep; int width; };

static struct opts *opts_new(void)
{
	struct opts *o = malloc(sizeof(*o));

	if (!o)
		return NULL;
	o->sep = strdup(",");
	o->width = 80;
	return o;
}

static void opts_free(struct opts *o)
{
	free(o->sep);
	free(o);
}

static int default_replaced(const char *sep)
{
	struct opts *o = opts_new();
	int n;

	if (!o)
		return -1;
	o->sep = strdup(sep);
	n = o->sep ? o->sep[0] + o->width : 0;
	opts_free(o);
	return n;
}

int main(void)
{
	one_of_two(0);
	one_of_two(1);
	set_again();
	perhaps_set_again(0);
	perhaps_set_again(1);
	either(0);
	either(1);
	printf("%d %d\n", bucket("a"), default_replaced(";"));
	return 0;
}
