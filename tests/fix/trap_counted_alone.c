// The destructor would free too much, so the object is freed alone: by what the destructor calls for that, which keeps count, never by free().
// LEAKS: 1
// PATCH: ^\+.*counted_free\(v\);
// NEVER: ^\+.*[^_]free\(
// NEVER: ^\+.*view_free\(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t live;

static void *counted_alloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	live++;
	return p;
}

static void counted_free(void *p)
{
	if (!p)
		return;
	live--;
	free(p);
}

struct view {
	char *text;
	size_t from;
};

static struct view *view_new(char *text, size_t from)
{
	struct view *v = counted_alloc(sizeof(*v));

	v->text = text;
	v->from = from;
	return v;
}

static void view_free(struct view *v)
{
	counted_free(v->text);
	counted_free(v);
}

/* Here the view has the text for itself, */
static int of_own(const char *s)
{
	char *text = counted_alloc(strlen(s) + 1);
	struct view *v = view_new(strcpy(text, s), 1);
	int c = v->text[v->from];

	view_free(v);
	return c;
}

/* and here it is the caller's. */
static int of_other(char *text, size_t from)
{
	struct view *v = view_new(text, from);

	if (v->from > strlen(v->text))
		return -1;
	puts(v->text + v->from);
	counted_free(v);
	return 0;
}

int main(int argc, char **argv)
{
	char *text = counted_alloc(4);

	strcpy(text, "abc");
	printf("%d %d %d\n", of_own("xy"), of_other(text, 1), of_other(text, 9));
	puts(text);
	counted_free(text);
	if (argc > 9)
		printf("%zu\n", live);
	return 0;
}
