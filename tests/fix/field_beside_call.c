// A callee gets the address of another member of the same object, and looks at nothing else of it.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
	char *text;
	struct line *next;
};

struct page {
	char *title;
	struct line *lines;
	struct page *next;
};

static struct page *pages;

static void add_line(struct line **to, const char *text)
{
	struct line *l = calloc(1, sizeof *l);

	if (!l)
		abort();
	l->text = strdup(text);
	while (*to)
		to = &(*to)->next;
	*to = l;
}

static void add_page(const char *const *w)
{
	struct page *p = calloc(1, sizeof *p);

	if (!p)
		abort();
	for (; *w; w++)
		if (**w == '=')
			p->title = strdup(*w + 1);
		else
			add_line(&p->lines, *w);
	p->next = pages;
	pages = p;
}

int main(void)
{
	static const char *const one[] = { "=old", "text", "=new", "more", NULL };
	static const char *const two[] = { "alone", NULL };
	struct page *p;
	struct line *l;

	add_page(one);
	add_page(two);
	while ((p = pages)) {
		pages = p->next;
		puts(p->title ? p->title : "-");
		while ((l = p->lines)) {
			p->lines = l->next;
			puts(l->text);
			free(l->text);
			free(l);
		}
		free(p->title);
		free(p);
	}
	return 0;
}
