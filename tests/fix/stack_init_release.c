// A struct on the stack with init and release.
// LEAKS: 1
// PATCH: ^\+.*(str_release\(&s\)|free\(s\.p\));
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct str {
	char *p;
	size_t n;
};

static void str_init(struct str *s)
{
	s->p = NULL;
	s->n = 0;
}

static void str_add(struct str *s, const char *t)
{
	size_t m = strlen(t);
	char *p = realloc(s->p, s->n + m + 1);

	if (!p)
		abort();
	memcpy(p + s->n, t, m + 1);
	s->p = p;
	s->n += m;
}

static void str_release(struct str *s)
{
	free(s->p);
	str_init(s);
}

static int line(const char *a, const char *b)
{
	struct str s;

	str_init(&s);
	str_add(&s, a);
	str_add(&s, "-");
	if (b[0] == 0) {
		printf("nothing to add\n");
		return 0;
	}
	str_add(&s, b);
	puts(s.p);
	str_release(&s);
	return 1;
}

int main(void)
{
	printf("%d\n", line("a", "b"));
	printf("%d\n", line("a", ""));
	return 0;
}
