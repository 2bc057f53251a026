// Structs passed and returned by value carry their pointers.
#include <stdlib.h>
#include <string.h>

struct str { char *s; size_t len; };
struct big { char *s; long pad[6]; };

static struct str str_make(const char *text)
{
	struct str r;

	r.len = strlen(text);
	r.s = malloc(r.len + 1); // FP(conditional,vfg,all) // FP(never-freed,path)
	if (r.s)
		strcpy(r.s, text);
	return r;
}

static void str_free(struct str t)
{
	free(t.s);
}

void small_ok(const char *t)
{
	struct str s = str_make(t);

	str_free(s);
}

void small_bad(const char *t)
{
	struct str s = str_make(t); // FN: LEAK(never-freed)

	if (s.len > 3)
		s.s[0] = 0;
}

static struct big big_make(const char *text)
{
	struct big r = {0};

	r.s = strdup(text); // FP(conditional,vfg,all) // FP(never-freed,path)
	return r;
}

static void big_free(struct big b)
{
	free(b.s);
}

void large_ok(const char *t)
{
	struct big b = big_make(t);

	big_free(b);
}

void large_bad(const char *t)
{
	struct big b = big_make(t); // FN: LEAK(never-freed)

	b.pad[0] = 1;
}

void assigned_ok(const char *t)
{
	struct big a = big_make(t), b;

	b = a;
	free(b.s);
}
