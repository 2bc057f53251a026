// An xmalloc() of before `void *`: it returns char *, and the result is cast to what it is used as.
#include <stdlib.h>

struct lines {
	int n;
	char **text;
};

struct file {
	char *name;
	struct lines *lines;
};

static char *xmalloc(int bytes)
{
	char *p = (char *)malloc(bytes);

	if (!p)
		abort();
	return p;
}

static struct lines *lines_new(void)
{
	struct lines *l = (struct lines *)xmalloc(sizeof(*l));

	l->n = 0;
	l->text = NULL;
	return l;
}

static void lines_free(struct lines *l)
{
	free(l->text);
	free(l);
}

static void file_free(struct file *f)
{
	if (f->lines)
		lines_free(f->lines);
	free(f);
}

int file_ok(char *name)
{
	struct file *f;
	int n;

	f = (struct file *)xmalloc(sizeof(struct file));
	f->name = name;
	f->lines = lines_new();
	n = f->lines->n;
	file_free(f);
	return n;
}

int member_lost(char *name)
{
	struct file *f;
	int n;

	f = (struct file *)xmalloc(sizeof(struct file));
	f->name = name;
	f->lines = lines_new();	// LEAK(never-freed)
	n = f->lines->n;
	free(f);
	return n;
}

int text_ok(void)
{
	char *s = xmalloc(10);
	int c;

	s[0] = 'a';
	c = s[0];
	free(s);
	return c;
}
