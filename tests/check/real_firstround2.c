#include <stdlib.h>
#include <string.h>
struct el { struct el *next; char *v; };
char *join(struct el *s)
{
	char *r = NULL;
	int rsize = 0, rlen = 0;
	for (struct el *e = s; e; e = e->next) {
		if (rsize == 0) {
			r = malloc(rsize = 64);
			if (!r) abort();
		}
		if (e->v) {
			int n = strlen(e->v);
			if (rlen + n + 1 >= rsize) {
				while (rlen + n + 1 >= rsize)
					rsize += rsize;
				r = realloc(r, rsize);
				if (!r) abort();
			}
			strcpy(r + rlen, e->v);
			rlen += n;
		}
	}
	return r;
}
void use(struct el *s) { free(join(s)); }
