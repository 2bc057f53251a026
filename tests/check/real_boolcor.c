/* the same bool before and after a loop */
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>
struct c { struct c *next; };
struct u { char *user; };
int dl(struct c *, const char *);
struct u *up(const char *);
void uf(struct u *);
char *next(void);
void tree(struct c *ch)
{
	char *url;
	while ((url = next())) {
		struct u *p = up(url);
		char *ref = url;
		bool strip = (p && p->user);
		struct c *k = ch;
		if (strip) {
			ref = strdup(p->user);
			if (!ref) abort();
		}
		for (; k; k = k->next) {
			if (!k->next)
				continue;
			if (dl(k, ref))
				continue;
		}
		if (strip)
			free(ref);
		uf(p);
	}
}
