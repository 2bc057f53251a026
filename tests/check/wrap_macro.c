// Allocation through macros: the line of the use counts.
#include <stdlib.h>
#include <string.h>

#define NEW(type) ((type *)malloc(sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)calloc((n), sizeof(type)))
#define ZAP(p) do { free(p); (p) = NULL; } while (0)

struct point { int x, y; };

void new_ok(void)
{
	struct point *p = NEW(struct point);

	ZAP(p);
}

void new_bad(void)
{
	struct point *p = NEW(struct point); // LEAK(never-freed)

	if (p)
		p->x = 0;
}

void array_bad(int n)
{
	struct point *v = NEW_ARRAY(struct point, n); // LEAK(conditional)

	if (n > 8)
		ZAP(v);
}

void array_ok(int n)
{
	struct point *v = NEW_ARRAY(struct point, n);

	if (n > 8 && v)
		v[8].x = 1;
	ZAP(v);
}
