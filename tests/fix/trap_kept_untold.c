// The callee does not always keep what it gets, and does not tell: whether the object is lost behind the call nobody knows there.
// LEAKS: 2
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NONE, TEXT };

struct value {
	enum kind kind;
	char text[16];
	struct value *next;
};

struct table {
	struct value *first;
	unsigned n;
};

static void table_set(struct table *t, struct value *v)
{
	if (v && v->kind != NONE) {
		v->next = t->first;
		t->first = v;
	}
	t->n++;
}

static int parse(struct table *t, const char *const *w)
{
	struct value *v;

	for (; *w; w++) {
		if ((*w)[0] == '#')
			continue;
		v = calloc(1, sizeof *v);
		if (!v)
			abort();
		v->kind = (*w)[0] ? TEXT : NONE;
		snprintf(v->text, sizeof v->text, "%s", *w);
		table_set(t, v);
		if (v->kind == NONE && t->n < 3)
			continue;
		printf("%u\n", t->n);
	}
	return t->n > 3 ? -1 : 0;
}

int main(void)
{
	static const char *const words[] = { "a", "", "#", "b", "", NULL };
	struct table t = { NULL, 0 };
	struct value *v;

	printf("%d\n", parse(&t, words));
	while ((v = t.first)) {
		t.first = v->next;
		puts(v->text);
		free(v);
	}
	return 0;
}
