// The destructor frees the holder, not the member: on some ways that is the table's, or is handed out before.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rule { char *name, *pattern; };

static char *table[4];
static int used;

static struct rule *rule_new(const char *name, const char *pattern, int share)
{
	struct rule *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->name = strdup(name);
	r->pattern = strdup(pattern);
	if (share && used < 4)
		table[used++] = r->pattern;
	return r;
}

static void rule_free(struct rule *r)
{
	if (!r)
		return;
	free(r->name);
	free(r);
}

static int apply(const char *name, int share)
{
	struct rule *r = rule_new(name, "*", share);
	int w = r && r->pattern ? r->pattern[0] : 0;

	rule_free(r);
	return w;
}

struct parcel { char *from, *content; };

static char *unpack(const char *from, const char *content)
{
	struct parcel *p = calloc(1, sizeof(*p));
	char *c;

	if (!p)
		return NULL;
	p->from = strdup(from);
	p->content = strdup(content);
	c = p->content;
	free(p->from);
	free(p);
	return c;
}

int main(void)
{
	char *c = unpack("a", "b");

	printf("%d %d\n", apply("x", 0), apply("y", 1));
	puts(c);
	free(c);
	while (used)
		free(table[--used]);
	return 0;
}
