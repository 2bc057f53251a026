// Two structs on the stack with one destructor: what the finding tells says which of them was forgotten.
// LEAKS: 1
// ONCE: ^\+.*text_free\(&b\);
// NEVER: ^\+.*text_free\(&a\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char *z;
	size_t n, size;
};

static void text_init(struct text *t)
{
	memset(t, 0, sizeof(*t));
}

static void text_free(struct text *t)
{
	free(t->z);
	text_init(t);
}

static void text_add(struct text *t, const char *s)
{
	size_t n = strlen(s);

	if (!t->z || t->n + n >= t->size) {
		t->size = t->size * 2 + n + 20;
		t->z = realloc(t->z, t->size);
		if (!t->z)
			abort();
	}
	memcpy(t->z + t->n, s, n + 1);
	t->n += n;
}

static int work(int n)
{
	struct text a, b;
	int i;

	text_init(&a);
	for (i = 0; i < 2; i++) {
		if (n == 1 && i == 0) {
			puts("one");
			return 1;
		}
		text_add(&a, "x");
	}
	puts(a.z);
	text_free(&a);
	text_init(&b);
	text_add(&b, "y");
	for (i = 0; i < 2; i++) {
		if (n == 2 && i == 1) {
			puts("two");
			return 2;
		}
		text_add(&b, "z");
	}
	puts(b.z);
	text_free(&b);
	return 0;
}

int main(void)
{
	printf("%d\n", work(0));
	printf("%d\n", work(1));
	printf("%d\n", work(2));
	return 0;
}
