// A callee leaves a message in a member, which is set again, but not on all ways: where there is nothing more to be said the caller gets it.
// LEAKS: 0
// EXPECT: either
// NEVER: ^\+.*free\(\*err\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
	int rows;
	char *err;
};

static int read_row(const char *from, char *to, int n, char **err)
{
	if (!from || (int)strlen(from) < n) {
		*err = strdup("too short");
		return 1;
	}
	memcpy(to, from, (size_t)n);
	return 0;
}

static int next_row(struct table *t, const char *from, int blank)
{
	char **err = &t->err;
	char row[4] = "    ";
	int rc = 0;

	if (!blank)
		rc = read_row(from, row, 3, err);
	if (rc == 0)
		rc = row[0] == 'x';
	if (rc == 0)
		t->rows++;
	else if (row[0] == 'x')
		*err = strdup("bad row");
	return rc;
}

int main(void)
{
	static const char *const rows[] = { "one", "x", "xyz", "two" };
	struct table t = { .rows = 0 };

	for (int i = 0; i < 4; i++)
		if (next_row(&t, rows[i], i == 4 - 1)) {
			puts(t.err ? t.err : "none");
			free(t.err);
			t.err = NULL;
		}
	printf("%d\n", t.rows);
	return 0;
}
