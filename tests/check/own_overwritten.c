// Members, statics and globals that get another value while they alone hold an object.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conf { char *host, *user; int n; };

static struct conf global;
static char *banner;

void twice_in_a_row_bad(const char *a, const char *b)
{
	global.host = strdup(a); // LEAK(overwritten)
	global.host = strdup(b); // FN(path): LEAK(overwritten)
}

void freed_between_ok(const char *a, const char *b)
{
	free(global.user);
	global.user = strdup(a);
	puts(global.user);
	free(global.user);
	global.user = strdup(b);
}

void asked_before_ok(const char *a, const char *b)
{
	free(global.user);
	global.user = strdup(a);
	if (global.user == NULL)
		global.user = strdup(b);
}

void other_member_ok(struct conf *c, const char *a, const char *b)
{
	c->host = strdup(a);
	c->user = strdup(b);
}

void other_object_ok(struct conf *c, struct conf *d, const char *a)
{
	c->host = strdup(a);
	d->host = NULL;
}

void each_key_bad(struct conf *c, char **line, int n)
{
	for (int i = 0; i < n; i++)
		if (strncmp(line[i], "host=", 5) == 0)
			c->host = strdup(line[i] + 5); // LEAK(overwritten)
}

void each_key_ok(struct conf *c, char **line, int n)
{
	for (int i = 0; i < n; i++)
		if (strncmp(line[i], "host=", 5) == 0) {
			free(c->host);
			c->host = strdup(line[i] + 5);
		}
}

void each_object_ok(struct conf **c, char **line, int n)
{
	for (int i = 0; i < n; i++)
		c[i]->host = strdup(line[i]);
}

static void drop(struct conf *c)
{
	free(c->host);
	c->host = NULL;
}

void dropped_by_callee_ok(struct conf *c, const char *a, const char *b)
{
	c->host = strdup(a);
	drop(c);
	c->host = strdup(b);
}

void moved_first_ok(struct conf *c, struct conf *d, const char *a)
{
	c->host = strdup(a);
	d->host = c->host;
	c->host = NULL;
}

void kept_once_ok(void)
{
	if (!banner)
		banner = strdup("hello");
	puts(banner);
}

void still_known_ok(struct conf *c, const char *a)
{
	char *p = strdup(a);

	c->host = p;
	puts(c->host);
	c->host = NULL;
	free(p);
}
