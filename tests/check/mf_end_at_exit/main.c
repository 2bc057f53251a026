// RUN: plumb check --at-exit %s
// A global hands the object from one unit to another, whose function looks at it or frees it.  What was set
// before the last release is released; what is set after it stays.
#include <stdlib.h>
#include <string.h>

char *shown, *taken, *again;

void show_it(void);
void take_it(void);
void take_again(void);

static void show_bad(void)
{
	char *p = calloc(20, 1); // LEAK(never-freed)

	if (!p)
		exit(1);
	memcpy(p, "shown", 6);
	shown = p;
	show_it();
}

static void take_ok(void)
{
	char *p = calloc(20, 1);

	if (!p)
		exit(1);
	memcpy(p, "taken", 6);
	taken = p;
	take_it();
}

static void set_bad(void)
{
	again = strdup("again"); // LEAK(never-freed)
}

int main(void)
{
	show_bad();
	take_ok();
	set_bad();
	take_again();
	set_bad();
	return again != NULL;
}
