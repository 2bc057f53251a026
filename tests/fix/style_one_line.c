// Two statements on a line, a function on a line.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int len(const char *s) { char *p = strdup(s); int n = (int)strlen(p); return n; }

static int sum(const char *s)
{
	char *q = strdup(s); int n = 0;

	for (char *c = q; *c; c++) { n += *c; if (*c == '.') { n = 0; break; } }
	if (q[0] == 'c') { printf("big\n"); return n; } else { free(q); }
	return -n;
}

int main(void)
{
	printf("%d %d\n", len("abc"), len(""));
	printf("%d %d %d\n", sum("ab"), sum("cd"), sum("c."));
	return 0;
}
