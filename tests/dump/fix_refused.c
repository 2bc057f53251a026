// RUN: plumb dump fix %s
// Leaks that no free may mend: each would be wrong on some path.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int limit;
void unknown(char *p);
extern char *kept;

/* The other name is used later, and freed on one way. */
int alias(int n, const char *s)
{
	char *p = strdup(s), *q = p;

	if (n < 0)
		return -1;
	if (n > 3)
		puts(q);
	if (n > limit)
		free(q);
	return 0;
}

/* Freed or not, by something that nobody here knows. */
static int maybe_free(char *p)
{
	if (limit) {
		free(p);
		return 1;
	}
	return 1;
}

int may_be_freed(const char *s)
{
	char *p = strdup(s);

	return maybe_free(p);
}

/* The start of the object is in no variable. */
int interior(const char *s)
{
	char *p = strdup(s);

	if (!p)
		return 0;
	while (*p == ' ')
		p++;
	return *p;
}

/* The result is not kept. */
size_t dropped(const char *s)
{
	return strlen(strdup(s));
}

static jmp_buf env;

int jumps(const char *s)
{
	char *p = strdup(s);

	if (setjmp(env))
		return -1;
	free(p);
	return 0;
}

/* Null behind `&p` is the callee's affair. */
static void move(char **to, char **from)
{
	if (limit)
		*to = *from;
}

int moved(const char *s)
{
	char *p = strdup(s), *q = NULL;

	move(&q, &p);
	if (limit > 3)
		return -1;
	free(q);
	return 0;
}

union both { char *text; long number; };

int in_union(const char *s, int n)
{
	union both b;

	b.text = strdup(s);
	if (n)
		b.number = n;
	return (int)b.number;
}

/* A loop passes the place twice. */
int round_and_round(const char *s, int n)
{
	char *p = strdup(s);

	while (n-- > 0) {
		if (n == limit)
			puts("here");
		if (n == 2)
			puts(p);
	}
	return 0;
}

int step(void);

/* Handed to the caller on one way: freed on the other, and not before. */
int handed_out(char **out)
{
	char *p = malloc(8);
	int err;

	if (!p)
		return -1;
	err = step();
	if (!err)
		*out = p;
	return err;
}

struct holder { char *text; struct holder *next; };
extern struct holder *list;

int hung_up(const char *s)
{
	struct holder *h = malloc(sizeof(*h));
	char *p = strdup(s);

	if (!h)
		return -1;
	h->text = p;
	if (step()) {
		h->next = list;
		list = h;
		return 0;
	}
	free(h);
	return -2;
}

/* Who else calls maybe_free() counts on what that leaves. */
int frees_the_rest(const char *s)
{
	char *p = strdup(s);
	int r = maybe_free(p);

	if (!limit)
		free(p);
	return r;
}
