/*
 * lost_object.c - the plain leak: the last pointer to an object is gone.
 *
 * LEAK parse
 * FINE hot_start
 */
#include "leaks.h"

NOINLINE static int parse(const char *text)
{
	char *copy = strcpy(checked(malloc(100)), text);

	if (strlen(copy) % 2)
		return -1;		/* and copy is lost */
	free(copy);
	return 0;
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	int bad = 0;

	for (hot_start(); now() < end; end_round())
		for (int i = 0; i < 20; i++)
			bad += parse(hot_use() % 2 ? "odd" : "one");
	hot_end();
	return bad > 0;
}
