// What hangs on an object is released by a function that is told how much there is, as on the other way out.
// LEAKS: 8
// PATCH: ^\+.*values_clear\(values, n\);
// PATCH: ^\+.*names_free\(names, count\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
	int type;
	char *text;
};

static void *zalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

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

static struct value *values_from(int n, const char *const *words)
{
	struct value *values = zalloc((size_t)n, sizeof(*values));

	for (int i = 0; i < n; i++) {
		values[i].type = 1;
		values[i].text = copy(words[i]);
	}
	return values;
}

static void value_clear(struct value *v)
{
	if (v->type == 1)
		free(v->text);
}

static void values_clear(struct value *values, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		value_clear(&values[i]);
}

static int length(const struct value *values, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += (int)strlen(values[i].text);
	return sum;
}

static int parse(int n, const char *const *words)
{
	struct value *values;
	int sum;

	if (n == 0)
		n = 1;
	values = values_from(n, words);
	sum = length(values, n);
	switch (sum) {
	case 5:
		puts("five");
		return -1;
	case 6:
		break;
	}
	values_clear(values, (unsigned)n);
	free(values);
	return sum;
}

static int names_read(const char *s, char ***names, unsigned *count)
{
	if (!s[0])
		return -1;
	*count = 0;
	*names = NULL;
	for (; *s; s++) {
		char *name = copy(s);

		*names = realloc(*names, (*count + 1) * sizeof(**names));
		if (!*names)
			abort();
		(*names)[(*count)++] = name;
	}
	return 0;
}

static void names_free(char **names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

static int show(const char *s, int fail)
{
	char **names = NULL;
	unsigned count = 0;

	if (fail < 3 && names_read(s, &names, &count) != 0) {
		puts("none");
		return 1;
	}
	if (fail) {
		puts("fail");
		return 2;
	}
	for (unsigned i = 0; i < count; i++)
		puts(names[i]);
	names_free(names, count);
	return 0;
}

int main(void)
{
	const char *words[] = { "one", "to", "x" };

	printf("%d %d %d\n", parse(1, words), parse(2, words), parse(3, words));
	printf("%d %d %d %d\n", show("", 1), show("ab", 0), show("abcd", 1), show("ab", 3));
	return 0;
}
