// Globals that do not own what they point to, or that others have a pointer to: nothing may be
// freed when they are set again.
// LEAKS: 1
// HELD: 4
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *begun = "begun";		/* no object at first */
static char *asked;			/* others read it and keep that */
static char *grown;			/* the new one is made of the old one */
static char *stale;			/* freed, but not set */

static void set_begun(const char *s)
{
	begun = strdup(s);
}

static char *get_asked(const char *s)
{
	char *old = asked;

	asked = strdup(s);
	return old;
}

static char *join(const char *a, const char *b)
{
	char *r = malloc(strlen(a) + strlen(b) + 1);

	if (!r)
		exit(1);
	strcpy(r, a);
	strcat(r, b);
	return r;
}

static void grow(const char *s)
{
	grown = join(grown ? grown : "", s);
}

static void set_stale(const char *s)
{
	stale = strdup(s);
}

static void drop_stale(void)
{
	puts(stale);
	free(stale);
}

int main(void)
{
	char *a, *b;

	set_begun("now");
	puts(begun);
	a = get_asked("x");
	b = get_asked("y");
	printf("%s %s\n", a ? a : "-", b);
	free(b);
	grow("ab");
	grow("cd");
	puts(grown);
	set_stale("s");
	drop_stale();
	set_stale("t");
	puts(stale);
	return 0;
}
