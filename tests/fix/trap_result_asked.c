// The number does not tell: it is the same whether the object was kept or not, was changed since, or has no value yet.
// LEAKS: 3
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bag { char *item[2]; int n; };

static int bag_add(struct bag *b, char *p)
{
	if (b->n < 2)
		b->item[b->n++] = p;
	return b->n < 2 ? 0 : -1;
}

static int same(struct bag *b, const char *s)
{
	char *l = strdup(s);

	return l ? bag_add(b, l) : -2;
}

static int put(struct bag *b, char *p)
{
	if (b->n >= 2)
		return -1;
	b->item[b->n++] = p;
	return 0;
}

static int changed(struct bag *b, const char *s)
{
	char *l = strdup(s);
	int err;

	if (!l)
		return -1;
	err = put(b, l);
	if (err == 0)
		err = -3;
	else
		err = 0;
	return err;
}

static int late(struct bag *b, const char *s, int n)
{
	char *l = strdup(s);
	int err;

	if (!l)
		return -1;
	if (n) {
		free(l);
		return 7;
	}
	err = put(b, l);
	return err - err;
}

int main(void)
{
	struct bag a = {0}, b = {0}, c = {0};

	for (int i = 0; i < 3; i++) {
		printf("%d", same(&a, "x"));
		printf(" %d", changed(&b, "y"));
		printf(" %d\n", late(&c, "z", 0));
	}
	printf("%d\n", late(&c, "z", 1));
	for (int i = 0; i < 2; i++) {
		free(a.item[i]);
		free(b.item[i]);
		free(c.item[i]);
	}
	return 0;
}
