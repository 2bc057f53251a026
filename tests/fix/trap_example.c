// A function that releases what hangs on an object must not be called as on the other way where less is there, or other numbers are.
// LEAKS: 4
// EXPECT: either
// NEVER: ^\+.*values_clear
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
	int type;
	char *text;
};

static struct value *values_new(int n)
{
	struct value *values = malloc((size_t)n * sizeof(*values));

	if (!values)
		abort();
	return values;
}

static int fill(struct value *values, int n, const char *const *words)
{
	for (int i = 0; i < n; i++) {
		if (!words[i])
			return -1;
		values[i].type = 1;
		values[i].text = strdup(words[i]);
	}
	return 0;
}

static void values_clear(struct value *values, int n)
{
	for (int i = 0; i < n; i++)
		if (values[i].type == 1)
			free(values[i].text);
}

static int partly(int n, const char *const *words)
{
	struct value *values = values_new(n);

	if (fill(values, n, words) < 0) {
		puts("word missing");
		return -1;
	}
	puts(values[0].text);
	values_clear(values, n);
	free(values);
	return n;
}

static struct value *values_from(int n, const char *const *words)
{
	struct value *values = values_new(n);

	for (int i = 0; i < n; i++) {
		values[i].type = 1;
		values[i].text = strdup(words[i]);
	}
	return values;
}

static int counted(int n, const char *const *words)
{
	struct value *values = values_from(n, words);
	int k = n;

	if (n == 1) {
		n = 100;
		printf("%d\n", n);
		return k;
	}
	puts(values[0].text);
	values_clear(values, n);
	free(values);
	return n;
}

int main(void)
{
	const char *words[] = { "one", NULL };
	const char *both[] = { "one", "two" };

	printf("%d %d\n", partly(1, words), partly(2, words));
	printf("%d %d\n", counted(1, both), counted(2, both));
	return 0;
}
