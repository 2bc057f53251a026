// A function puts a message into a member of what it was given, and another one before anybody can have looked.
// LEAKS: 1
// PATCH: ^\+.*free\(t->err\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
	int rows;
	char *err;
};

static int add_row(struct table *t, const char *row)
{
	size_t n = strlen(row);

	if (n < 3) {
		t->err = strdup("too short");
		if (row[0] == 'x')
			t->err = strdup("too short, and bad");
		return 1;
	}
	t->rows++;
	return 0;
}

int main(void)
{
	static const char *const rows[] = { "one", "x", "y", "two" };
	struct table t = { 0, NULL };

	for (int i = 0; i < 4; i++)
		if (add_row(&t, rows[i])) {
			puts(t.err ? t.err : "none");
			free(t.err);
			t.err = NULL;
		}
	printf("%d\n", t.rows);
	return 0;
}
