// facebook/infer 8: a variable with a cleanup function that is set after its declaration was reported as
// lost at the end of its block.  One whose cleanup function does nothing is lost.
#include <stdlib.h>
#include <string.h>

static void drop(char **p)
{
	free(*p);
}

static void leave(char **p)
{
	(void)p;
}

void set_later_ok(const char *from)
{
	__attribute__((cleanup(drop))) char *s;

	s = strdup(from);
	if (s)
		s[0] = 'x';
}

void set_twice_bad(const char *from)
{
	__attribute__((cleanup(drop))) char *s;

	s = strdup(from); // LEAK
	s = strdup("other");
	if (s)
		s[0] = 'x';
}

void left_alone_bad(const char *from)
{
	__attribute__((cleanup(leave))) char *s;

	s = strdup(from); // LEAK(never-freed)
	if (s)
		s[0] = 'x';
}
