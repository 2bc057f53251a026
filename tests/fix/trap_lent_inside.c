// A callee leaves a message in a member, which is set again, but the callee has shown it to somebody behind the store.
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

static const char *seen;
static struct table *current;

static void look(void)
{
	seen = current->err;
}

static int read_row(const char *from, char *to, int n, char **err)
{
	if (!from || (int)strlen(from) < n) {
		*err = strdup("too short");
		look();
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
	else
		*err = strdup("bad row");
	return rc;
}

int main(void)
{
	static const char *const rows[] = { "one", "x", "xyz", "two" };
	struct table t = { .rows = 0 };

	current = &t;
	for (int i = 0; i < 4; i++)
		if (next_row(&t, rows[i], i == 4 - 1)) {
			puts(t.err ? t.err : "none");
			free(t.err);
			t.err = NULL;
		}
	printf("%d\n", t.rows);
	if (seen) {
		puts(seen);
		free((void *)seen);
	}
	return 0;
}
