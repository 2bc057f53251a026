// RUN: plumb dump fix %s
// Members, constructors, out-parameters, partners.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conn { char *host, *user; int fd; };

static struct conn *conn_new(const char *host)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->host = strdup(host);
	return c;
}

static void conn_free(struct conn *c)
{
	if (!c)
		return;
	free(c->host);
	free(c->user);
	free(c);
}

int partner(const char *host, int n)
{
	struct conn *c = conn_new(host);

	if (n < 0)
		return -1;
	conn_free(c);
	return 0;
}

struct pair { char *a, *b; };

int members(const char *s, int n)
{
	struct pair *p = calloc(1, sizeof(*p));

	if (!p)
		return -1;
	p->a = strdup(s);
	if (n < 0)
		return -2;
	p->b = strdup(s);
	if (n > 3) {
		free(p);
		return -3;
	}
	free(p->a);
	free(p->b);
	free(p);
	return 0;
}

static int load(const char *s, char **out)
{
	*out = NULL;
	if (!*s)
		return -1;
	*out = strdup(s);
	return *out ? 0 : -1;
}

int out_parameter(const char *s, int n)
{
	char *p;

	if (load(s, &p) < 0)
		return -1;
	if (n)
		return n;
	free(p);
	return 0;
}

int file(const char *path, int n)
{
	FILE *f = fopen(path, "r"), *g = fopen(path, "w");

	if (!f || !g)
		return -1;
	if (n < 0)
		return -2;
	fclose(f);
	fclose(g);
	return 0;
}

/* A variable that may hold something else: a second pointer. */
int literal_or_heap(const char *s, int n)
{
	const char *p = "none";

	if (n > 0)
		p = strdup(s);
	return puts(p);
}

char *overwritten(const char *s, int n)
{
	char *p = malloc(3);

	if (n)
		p = strdup(s);
	return p;
}
