/*
 * brief.c - the plain leak in a program that is over in a tenth of a second, as tests are.
 *
 * LEAK parse
 * FINE hot_start
 */
#include "leaks.h"

NOINLINE static size_t parse(const char *text)
{
	char *copy = strcpy(checked(malloc(100)), text);

	return strlen(copy);
}

int main(void)
{
	double end = now() + 0.1;
	size_t sum = 0;

	for (hot_start(); now() < end; end_round())
		for (int i = 0; i < 200; i++)
			sum += parse("some text") + hot_use();
	hot_end();
	return sum == 0;
}
