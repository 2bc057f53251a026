// A callee keeps the object or not, and tells by a number, which is in a variable or is returned.
// LEAKS: 5
// ONCE: ^\+\s*if \(err < 0\)$
// ONCE: ^\+\s*int plumb_ret = bag_add\(b, malloc_result\);$
// PATCH: ^\+\s*if \(!plumb_ret\)$
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bag { char *item[2]; int n; };

static int bag_add(struct bag *b, char *p)
{
	if (b->n >= 2)
		return -1;
	b->item[b->n++] = p;
	return 0;
}

static int in_variable(struct bag *b, const char *s)
{
	char *l = strdup(s);
	int err;

	if (!l)
		return -1;
	err = bag_add(b, l);
	if (err == -2)
		free(l);
	return err;
}

static int returned(struct bag *b)
{
	return bag_add(b, malloc(8));
}

static bool set_insert(struct bag *b, char *key)
{
	if (b->item[0] && strcmp(b->item[0], key) == 0)
		return false;
	free(b->item[0]);
	b->item[0] = key;
	return true;
}

static bool note(struct bag *b, const char *word)
{
	char *k = strdup(word);

	return k && set_insert(b, k);
}

static int note_as_number(struct bag *b, const char *word)
{
	char *k = strdup(word);

	if (!k)
		return -1;
	if (word[0] == '#') {
		free(k);
		return 2;
	}
	return set_insert(b, k);
}

int main(void)
{
	struct bag a = {0}, b = {0}, c = {0};

	printf("%d", in_variable(&a, "x"));
	printf(" %d", in_variable(&a, "y"));
	printf(" %d\n", in_variable(&a, "z"));
	printf("%d", returned(&b));
	printf(" %d", returned(&b));
	printf(" %d", returned(&b));
	printf(" %d\n", returned(&b));
	printf("%d", note(&c, "x"));
	printf(" %d", note(&c, "x"));
	printf(" %d", note(&c, "y"));
	printf(" %d", note_as_number(&c, "#"));
	printf(" %d", note_as_number(&c, "z"));
	printf(" %d\n", note_as_number(&c, "z"));
	for (int i = 0; i < 2; i++) {
		free(a.item[i]);
		free(b.item[i]);
		free(c.item[i]);
	}
	return 0;
}
