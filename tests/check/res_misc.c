// Other things of the library that must be given back.
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

int glob_ok(const char *pat)
{
	glob_t g;
	int n = 0;

	if (glob(pat, 0, NULL, &g) == 0) {
		n = (int)g.gl_pathc;
		globfree(&g);
	}
	return n;
}

int glob_bad(const char *pat)
{
	glob_t g;

	if (glob(pat, 0, NULL, &g) != 0) // LEAK(never-freed)
		return 0;
	return (int)g.gl_pathc;
}

int strndup_bad(const char *s)
{
	char *p = strndup(s, 3); // LEAK(never-freed)

	return p ? p[0] : 0;
}

int posix_memalign_ok(void)
{
	void *p;

	if (posix_memalign(&p, 64, 256) != 0)
		return -1;
	free(p);
	return 0;
}

int posix_memalign_bad(void)
{
	void *p;

	if (posix_memalign(&p, 64, 256) != 0) // LEAK(never-freed)
		return -1;
	memset(p, 0, 256);
	return 0;
}

int aligned_alloc_ok(void)
{
	void *p = aligned_alloc(64, 256);

	free(p);
	return 0;
}
