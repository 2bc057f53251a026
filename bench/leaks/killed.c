/*
 * killed.c - a service that loses memory and is ended by a signal, as services are.
 *
 * LEAK answer
 * FINE hot_start
 */
#include "leaks.h"

#include <signal.h>

NOINLINE static size_t answer(const char *text)
{
	char *copy = strcpy(checked(malloc(150)), text);

	return strlen(copy);
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	size_t sum = 0;

	for (hot_start(); now() < end; end_round())
		for (int i = 0; i < 20; i++)
			sum += answer("a question") + hot_use();
	raise(SIGTERM);
	return sum == 0;
}
