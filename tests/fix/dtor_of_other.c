// One allocator makes structs of two kinds, and a destructor of the one is no releaser of the other.
// LEAKS: 2
// PATCH: ^\+.*free\(new\);
// NEVER: ^\+.*list_free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
	long type;
	char *text;
	struct value *next;
};

struct list {
	struct value *head;
	long n;
};

static void *zalloc(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		abort();
	return p;
}

static char *copy(const char *s)
{
	char *p = strdup(s);

	if (!p)
		abort();
	return p;
}

static void list_free(struct list *l)
{
	struct value *v, *next;

	for (v = l->head; v; v = next) {
		next = v->next;
		free(v->text);
		free(v);
	}
	free(l);
}

static void list_add(struct list *l, struct value *v)
{
	v->next = l->head;
	l->head = v;
	l->n++;
}

static struct list *parse(const char *const *words, int n)
{
	struct list *l = zalloc(sizeof(*l));

	for (int i = 0; i < n; i++) {
		struct value *new = zalloc(sizeof(*new));

		if (!words[i][0]) {
			if (words[i] == words[0]) {
				list_free(l);
				return NULL;
			}
			puts("empty");
			continue;
		}
		new->type = 1;
		new->text = copy(words[i]);
		list_add(l, new);
	}
	return l;
}

int main(void)
{
	const char *words[] = { "a", "", "b" };
	struct list *l = parse(words, 3);

	printf("%ld %s\n", l->n, l->head->text);
	list_free(l);
	l = parse(words + 1, 2);
	printf("%d\n", l != NULL);
	return 0;
}
