// The callee clears the variable before it fills it: the text of the round before is lost.
// LEAKS: 2
// ONCE: ^\+\s*free\(err\);$
// ONCE: ^\+\s*free\(r\.key\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int execute(const char *sql, char **err)
{
	if (err)
		*err = NULL;
	if (sql[0] == '!') {
		if (err)
			*err = strdup(sql + 1);
		return 1;
	}
	return 0;
}

static int run(const char *const *v, int n)
{
	char *err = NULL;
	int bad = 0;

	for (int i = 0; i < n; i++) {
		bad += execute(v[i], &err);
		if (err)
			puts(err);
	}
	execute("!last", NULL);
	execute("done", &err);
	free(err);
	return bad;
}

struct rec { char *key; int n; };

static void rec_init(struct rec *r)
{
	r->key = NULL;
	r->n = 0;
}

static void rec_read(struct rec *r, const char *s)
{
	r->key = strdup(s);
	r->n = 1;
}

static int all(const char *const *v, int n)
{
	struct rec r;
	int sum = 0;

	rec_init(&r);
	for (int i = 0; i < n; i++) {
		rec_read(&r, v[i]);
		sum += r.n;
	}
	free(r.key);
	return sum;
}

int main(void)
{
	static const char *const v[] = { "a", "!b" };

	printf("%d\n", run(v, 2));
	printf("%d\n", all(v, 2));
	return 0;
}
