/*
 * plugin.c - a library that is opened at run time loses memory, and is closed before the
 * program ends.  Built twice: with -DPLUGIN as the library plugin.so, beside the program.
 *
 * LEAK plugin_filter
 * FINE hot_start
 */
#include "leaks.h"

#ifdef PLUGIN

size_t plugin_filter(const char *text)
{
	char *copy = strcpy(checked(malloc(150)), text);

	return strlen(copy);
}

#else

#include <dlfcn.h>

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	char path[4096];
	size_t (*filter)(const char *), sum = 0;
	void *library;

	snprintf(path, sizeof(path), "%s.so", argv[0]);
	library = dlopen(path, RTLD_NOW);
	if (!library)
		return 2;
	*(void **)&filter = dlsym(library, "plugin_filter");
	for (hot_start(); now() < end; end_round())
		for (int i = 0; i < 20; i++)
			sum += filter("a line") + hot_use();
	dlclose(library);
	hot_end();
	return sum == 0;
}

#endif
