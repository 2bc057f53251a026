/* false: the count is 1 until the spec is disposed of; what is called meanwhile counts others */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct spec { int refcount; unsigned options; char *prefix, *command, *filter; struct spec *next; };
static struct spec *specs;

extern const char *arg_prefix, *arg_command, *arg_filter;

#define STRDUP(x) ((x) ? strcpy(must(1 + strlen(x)), x) : NULL)
#define FREE(x) do { if (x) free(x); } while (0)

static void *must(size_t n)
{
	void *p = malloc(n);
	if (!p)
		abort();
	return p;
}

static struct spec *spec_create(void)
{
	struct spec *s = must(sizeof(*s));
	s->refcount = 0;
	s->options = 0;
	s->prefix = s->command = s->filter = NULL;
	s->next = NULL;
	return s;
}

static void spec_dispose(struct spec *s)
{
	s->refcount--;
	if (s->refcount == 0) {
		FREE(s->prefix);
		FREE(s->command);
		FREE(s->filter);
		free(s);
	}
}

static struct spec *spec_copy(const struct spec *from)
{
	struct spec *s = must(sizeof(*s));
	s->refcount = 1;
	s->options = from->options;
	s->prefix = STRDUP(from->prefix);
	s->command = STRDUP(from->command);
	s->filter = STRDUP(from->filter);
	s->next = NULL;
	return s;
}

static int complete_by(struct spec *s, const char *word, struct spec **last);

static int complete(const char *command, const char *word, struct spec **last)
{
	struct spec *s;
	int n;

	for (s = specs; s; s = s->next)
		if (s->command && strcmp(s->command, command) == 0)
			break;
	if (s == NULL || s == *last)
		return 0;
	if (*last)
		spec_dispose(*last);
	s->refcount++;
	*last = s;
	s = spec_copy(s);
	n = complete_by(s, word, last);
	spec_dispose(s);
	return n;
}

static int complete_by(struct spec *s, const char *word, struct spec **last)
{
	int n = 0;

	if (s->prefix)
		n += strncmp(s->prefix, word, strlen(s->prefix)) == 0;
	if (s->command)
		n += complete(s->command, word, last);
	if (s->filter)
		n -= strstr(word, s->filter) != NULL;
	return n;
}

int insert(const char *command)
{
	struct spec *s = spec_create();
	s->command = STRDUP(command);
	s->refcount++;
	s->next = specs;
	specs = s;
	return 0;
}

int compgen(const char *word)
{
	struct spec *s = spec_create(), *last = NULL;
	int n;

	s->refcount = 1;
	s->prefix = STRDUP(arg_prefix);
	s->command = STRDUP(arg_command);
	s->filter = STRDUP(arg_filter);
	n = complete_by(s, word, &last);
	if (last)
		spec_dispose(last);
	spec_dispose(s);
	return n;
}
