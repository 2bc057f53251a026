/*
 * loading.c - modules that would go past us to libc's own malloc and free.
 *
 * Preloaded functions stand in front of libc's because symbols are looked up in the order in
 * which libraries were loaded.  Two calls of the dynamic linker leave that order, and lead a
 * module to libc's free() with memory that is ours:
 *
 *  - dlopen(RTLD_DEEPBIND) searches a module's own dependencies first, libc among them (PHP
 *    opens its extensions in this way).  The flag is taken away.  dlmopen() into the
 *    program's own namespace is the same; another namespace has a libc of its own, whose
 *    memory nobody may pass on anyway.
 *  - dlsym() on the handle of libc, or of any library that needs it (ctypes, P/Invoke): where
 *    it finds the next definition behind ours, the answer is ours.
 *
 * dlopen, dlmopen and dlsym ask who calls them: $ORIGIN, RUNPATH, the namespace and what
 * RTLD_NEXT means are the caller's, and libc knows the caller by the return address.  So we
 * leave them by a jump, with the caller's address still on the stack.
 *
 * In libplumb.so and in libplumb-run.so.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * dlsym
 */

/* An address as dlsym() gives it: ISO C has no conversion from functions. */
#define ADDRESS(f) ((void *)(uintptr_t)(f))

/* What the program calls by this name, if the name is of malloc's family, otherwise NULL. */
static void *family(const char *name)
{
	static const struct {
		const char *name;
		void *f;
	} members[] = {
		{ "malloc", ADDRESS(malloc) },
		{ "calloc", ADDRESS(calloc) },
		{ "realloc", ADDRESS(realloc) },
		{ "reallocarray", ADDRESS(reallocarray) },
		{ "free", ADDRESS(free) },
		{ "memalign", ADDRESS(memalign) },
		{ "aligned_alloc", ADDRESS(aligned_alloc) },
		{ "posix_memalign", ADDRESS(posix_memalign) },
		{ "valloc", ADDRESS(valloc) },
		{ "pvalloc", ADDRESS(pvalloc) },
		{ "malloc_usable_size", ADDRESS(malloc_usable_size) },
	};

	for (size_t i = 0; name != NULL && i < sizeof(members) / sizeof(members[0]); i++)
		if (strcmp(name, members[i].name) == 0)
			return members[i].f;
	return NULL;
}

static bool is_ours(const void *f)
{
	Dl_info me, it;

	return dladdr(&family, &me) != 0 && dladdr(f, &it) != 0 && me.dli_fbase == it.dli_fbase;
}

/* Where the three go on, filled in by loading_find(). */
extern void *loading_next[3];
void *loading_next[3];
void loading_find(void);
void *loading_symbol(void *handle, const char *name);

__attribute__((used)) void loading_find(void)
{
	/* dlvsym is not ours: it finds the others.  Any version of them will do. */
	static const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.3.4" };
	static const char *const names[] = { "dlopen", "dlmopen", "dlsym" };

	for (size_t i = 0; i < 3; i++)
		for (size_t v = 0; v < 3 && loading_next[i] == NULL; v++)
			loading_next[i] = dlvsym(RTLD_NEXT, names[i], versions[v]);
}

/* dlsym() for a handle.  The caller does not matter there. */
__attribute__((used)) void *loading_symbol(void *handle, const char *name)
{
	void *found = ((void *(*)(void *, const char *))loading_next[2])(handle, name);
	void *mine = found != NULL ? family(name) : NULL;

	if (mine == NULL || mine == found || !is_ours(mine))
		return found;
	return found == dlsym(RTLD_NEXT, name) ? mine : found;
}

_Static_assert(RTLD_DEEPBIND == 8 && LM_ID_BASE == 0, "as in the code below");

/* STUB(name, n, code): looks for loading_next[n] at its first call, runs the code, and jumps. */
#define STUB(name, n, code) \
	__asm__(".text\n" \
		".globl " name "\n" \
		".type " name ", @function\n" \
		name ":\n" \
		"	endbr64\n" \
		"	cmpq $0, loading_next+8*" n "(%rip)\n" \
		"	jne 1f\n" \
		"	pushq %rdi\n" \
		"	pushq %rsi\n" \
		"	pushq %rdx\n" \
		"	call loading_find\n" \
		"	popq %rdx\n" \
		"	popq %rsi\n" \
		"	popq %rdi\n" \
		"1:\n" \
		code \
		"	jmp *loading_next+8*" n "(%rip)\n" \
		".size " name ", .-" name "\n")

STUB("dlopen", "0",
     "	andl $~8, %esi\n");
STUB("dlmopen", "1",
     "	testq %rdi, %rdi\n"
     "	jne 2f\n"
     "	andl $~8, %edx\n"
     "2:\n");
/* RTLD_DEFAULT (0) and RTLD_NEXT (-1) mean something to the caller only. */
STUB("dlsym", "2",
     "	leaq 1(%rdi), %rax\n"
     "	cmpq $1, %rax\n"
     "	ja loading_symbol\n");
