// A callee hands the object on to one that keeps it or does not touch it; on that way a message is written, by a function that may
// change other objects of the kind.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conf {
	char *name;
	int n;
};

struct service {
	struct conf *conf;
	int state;
};

static struct conf *current;
static int room = 1;

static void conf_free(struct conf *c)
{
	free(c->name);
	free(c);
}

static struct conf *conf_make(const char *name)
{
	struct conf *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->name = strdup(name);
	if (!c->name) {
		free(c);
		return NULL;
	}
	return c;
}

static void message(const char *text)
{
	if (current) {
		free(current->name);
		current->name = NULL;
		current->n++;
	}
	printf("%s\n", text);
}

static struct service *service_new(struct conf *c)
{
	struct service *s = room-- > 0 ? malloc(sizeof(*s)) : NULL;

	if (s == NULL) {
		message("no room");
		return NULL;
	}
	memset(s, 0, sizeof(*s));
	s->conf = c;
	return s;
}

static struct service *service_make(struct conf *c)
{
	struct service *s;

	if ((s = service_new(c)) == NULL) {
		message("no service");
		return NULL;
	}
	s->state = 1;
	return s;
}

static struct service *setup(const char *name)
{
	struct conf *c;

	if ((c = conf_make(name)) == NULL)
		return NULL;
	return service_make(c);
}

int main(void)
{
	struct service *a, *b;

	current = conf_make("current");
	a = setup("a");
	b = setup("b");
	printf("%d %d\n", a != NULL, b != NULL);
	if (a) {
		conf_free(a->conf);
		free(a);
	}
	if (current)
		conf_free(current);
	return 0;
}
