/*
 * clang.c - loads libclang.
 */
#include "edit/clang.h"
#include "edit/edit.h"

#include "base/error.h"
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct clang_functions clang__fns;
static bool loaded;

static void load(void)
{
	static const char *const names[] = {
		PLUMB_LIBCLANG, "libclang-" PLUMB_LLVM ".so." PLUMB_LLVM, "libclang-" PLUMB_LLVM ".so.1",
		"libclang-" PLUMB_LLVM ".so",
	};
	void *lib = NULL;

	for (size_t i = 0; !lib && i < sizeof(names) / sizeof(names[0]); i++)
		lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);	/* plumb-ignore: stays loaded */
	if (!lib)
		return;
#define X(f) \
	clang__fns.f = (__typeof__(clang__fns.f))dlsym(lib, "clang_" #f); \
	if (!clang__fns.f) \
		return;
	CLANG_FUNCTIONS(X)
#undef X
	loaded = true;
}

int clang_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return loaded ? 0 : error_set("libclang " PLUMB_LLVM " is not installed, which is needed "
				      "to edit C source "
				      "(install libclang1-" PLUMB_LLVM ")");
}

int fix_ready(void)
{
	return clang_load();
}
