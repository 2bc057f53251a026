// A struct is returned by value, out of the object.
// LEAKS: 2
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>

struct point {
	int x, y;
};

static struct point mirror(struct point a)
{
	struct point *p = malloc(sizeof *p);

	if (!p)
		abort();
	p->x = a.y;
	p->y = a.x;
	return *p;
}

int main(void)
{
	struct point a = mirror((struct point){ 1, 2 }), b = mirror(a);

	printf("%d %d %d %d\n", a.x, a.y, b.x, b.y);
	return 0;
}
