/* plugin.c - a library that leaks, to be loaded by leaks.c. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void guilty_plugin(int i)
{
	char *p = malloc(120);

	snprintf(p, 120, "%100d", i);
}

void plugin_work(int i)
{
	guilty_plugin(i);
}
