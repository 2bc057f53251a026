/*
 * small.c - the plain leak, but only a handful of small objects in the whole run: less than
 * a page, and nothing that grows.
 *
 * LEAK setting_copy
 * FINE hot_start
 */
#include "leaks.h"

NOINLINE static size_t setting_copy(const char *text)
{
	char *copy = strcpy(checked(malloc(40)), text);

	return strlen(copy);
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	size_t sum = 0;

	hot_start();
	for (int i = 0; i < 10; i++)
		sum += setting_copy("a setting");
	for (; now() < end; end_round())
		sum += hot_use();
	hot_end();
	return sum == 0;
}
