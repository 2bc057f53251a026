// Several resources of different kinds, undone in reverse.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plugin { void *lib; char *name; int (*init)(void); };

struct plugin *plugin_load_ok(const char *path)
{
	struct plugin *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->lib = dlopen(path, RTLD_NOW);
	if (!p->lib)
		goto fail;
	p->init = (int (*)(void))dlsym(p->lib, "init");
	if (!p->init)
		goto fail_lib;
	p->name = strdup(path);
	if (!p->name)
		goto fail_lib;
	return p;
fail_lib:
	dlclose(p->lib);
fail:
	free(p);
	return NULL;
}

struct plugin *plugin_load_bad(const char *path)
{
	struct plugin *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->lib = dlopen(path, RTLD_NOW); // LEAK(conditional)
	if (!p->lib) {
		free(p);
		return NULL;
	}
	p->init = (int (*)(void))dlsym(p->lib, "init");
	if (!p->init) {
		free(p);
		return NULL;
	}
	return p;
}

int has_symbol_bad(const char *path, const char *sym)
{
	void *lib = dlopen(path, RTLD_NOW); // LEAK(conditional)

	if (!lib)
		return -1;
	if (!dlsym(lib, sym))
		return 0;
	dlclose(lib);
	return 1;
}
