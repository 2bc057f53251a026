// A parameter that the callee frees, keeps, or leaves alone.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static void consume(char *s)
{
	puts(s);
	free(s);
}

static void look(const char *s)
{
	puts(s);
}

static void consume_if(char *s, int n)
{
	if (n)
		free(s);
}

void consumed_ok(const char *s)
{
	consume(strdup(s));
}

void looked_at_bad(const char *s)
{
	look(strdup(s)); // LEAK(never-freed)
}

void looked_at_ok(const char *s)
{
	char *c = strdup(s);

	look(c);
	free(c);
}

void conditionally_bad(const char *s, int n)
{
	consume_if(strdup(s), n); // LEAK(conditional)
}

void conditionally_constant_ok(const char *s)
{
	consume_if(strdup(s), 1);
}

static void deep3(char *s) { free(s); }
static void deep2(char *s) { deep3(s); }
static void deep1(char *s) { deep2(s); }

void three_deep_ok(const char *s)
{
	deep1(strdup(s));
}
