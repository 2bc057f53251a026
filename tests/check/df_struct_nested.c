// Structs in structs, by value and by pointer.
#include <stdlib.h>
#include <string.h>

struct span { char *text; int len; };
struct line { int no; struct span span; };
struct page { struct line head; struct line *body; };

void inner_ok(const char *s)
{
	struct page p = {0};

	p.head.span.text = strdup(s);
	free(p.head.span.text);
}

void inner_bad(const char *s)
{
	struct page p = {0};

	p.head.span.text = strdup(s); // LEAK(never-freed)
	p.head.span.len = 3;
}

void two_levels_ok(const char *s)
{
	struct page p = {0};

	p.body = malloc(sizeof(*p.body));
	if (!p.body)
		return;
	p.body->span.text = strdup(s);
	free(p.body->span.text);
	free(p.body);
}

void two_levels_bad(const char *s)
{
	struct page p = {0};

	p.body = malloc(sizeof(*p.body));
	if (!p.body)
		return;
	p.body->span.text = strdup(s); // LEAK(never-freed)
	free(p.body);
}

void sibling_bad(const char *s)
{
	struct page *p = calloc(1, sizeof(*p));

	if (!p)
		return;
	p->head.span.text = strdup(s); // LEAK(never-freed)
	p->body = calloc(1, sizeof(*p->body));
	free(p->body);
	free(p);
}
