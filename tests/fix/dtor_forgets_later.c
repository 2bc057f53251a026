// Destructors that forget a member: what is lost is seen in their callers.  One calls itself, one has the member set later.
// LEAKS: 5
// ONCE: ^\+\s*free\(r->pattern\);$
// ONCE: ^\+\s*free\(t->key\);$
// ONCE: ^\+\s*free\(c->cookie\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rule { char *name, *pattern; };

static struct rule *rule_new(const char *name, const char *pattern)
{
	struct rule *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->name = strdup(name);
	r->pattern = strdup(pattern);
	return r;
}

static void rule_free(struct rule *r)
{
	if (!r)
		return;
	free(r->name);
	free(r);
}

static int apply(const char *name)
{
	struct rule *r = rule_new(name, "*");
	int w = r && r->pattern ? r->pattern[0] : 0;

	rule_free(r);
	return w;
}

struct tree { char *key; struct tree *l, *r; };

static struct tree *leaf(const char *key)
{
	struct tree *t = calloc(1, sizeof(*t));

	if (!t)
		exit(1);
	t->key = strdup(key);
	return t;
}

static void tree_free(struct tree *t)
{
	if (!t)
		return;
	tree_free(t->l);
	tree_free(t->r);
	free(t);
}

static void keys(const char *a, const char *b)
{
	struct tree *t = leaf(a);

	t->l = leaf(b);
	puts(t->l->key ? t->l->key : "?");
	tree_free(t);
}

struct conn { char *host; char *cookie; };

static void conn_free(struct conn *c)
{
	if (!c)
		return;
	free(c->host);
	free(c);
}

static struct conn *conn_new(const char *host)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->host = strdup(host);
	if (!c->host || host[0] == '!') {
		conn_free(c);
		return NULL;
	}
	return c;
}

static int conn_login(struct conn *c, const char *cookie)
{
	c->cookie = strdup(cookie);
	return c->cookie ? 0 : -1;
}

static int fetch(const char *host, int login)
{
	struct conn *c = conn_new(host);
	int err = 1;

	if (!c)
		return -1;
	if (login)
		err = conn_login(c, "guest");
	conn_free(c);
	return err;
}

int main(void)
{
	printf("%d\n", apply("x"));
	keys("a", "b");
	printf("%d %d %d\n", fetch("h", 1), fetch("h", 0), fetch("!", 1));
	printf("%d\n", fetch("i", 1));
	return 0;
}
