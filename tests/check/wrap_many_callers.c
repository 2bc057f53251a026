// One wrapper, many callers: each call is a source of its own.
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s)
{
	char *p = strdup(s);

	if (!p)
		exit(2);
	return p;
}

void c1_ok(const char *s) { free(copy(s)); }
void c2_bad(const char *s) { copy(s); } // LEAK(never-freed)
char *c3_ok(const char *s) { return copy(s); }
void c4_ok(const char *s) { char *p = copy(s); p[0] = 0; free(p); }
void c5_bad(const char *s) { char *p = copy(s); p[0] = 0; } // LEAK(never-freed)
int c6_ok(const char *s) { char *p = copy(s); int r = p[0]; free(p); return r; }
int c7_bad(const char *s) { char *p = copy(s); if (p[0]) return 1; free(p); return 0; } // LEAK(conditional)
void c8_ok(char **out, const char *s) { *out = copy(s); }
