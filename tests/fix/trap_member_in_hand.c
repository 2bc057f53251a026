// The destructor forgets a member, but the caller still has it in hand when it is called.
// LEAKS: 2
// EXPECT: refused
// REFUSED: in hand
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	char *key;
	char *val;
};

static struct pair *pair_new(const char *key, const char *val)
{
	struct pair *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	p->key = strdup(key);
	p->val = strdup(val);
	return p;
}

static void pair_free(struct pair *p)
{
	free(p->key);
	free(p);
}

static const char *value(const struct pair *p)
{
	return p->val;
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		struct pair *p = pair_new("k", i ? "one" : "none");
		const char *v;

		if (!p)
			return 1;
		v = value(p);
		pair_free(p);
		puts(v);
	}
	return 0;
}
