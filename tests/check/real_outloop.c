/* kept over the rounds of the outer loop, inner loops in between */
#include <stdlib.h>
#include <string.h>
struct d { struct d *next; char *name; };
extern struct d *suffix;
extern char *goal;
char *rl(void);
void def(const char *);
void eval(void)
{
	size_t len = 200;
	char *commands = malloc(200);
	if (!commands) abort();
	while (1) {
		char *l = rl();
		if (!l)
			break;
		if (*l == 0)
			continue;
		if (strlen(l) + 2 > len) {
			len = (strlen(l) + 2) * 2;
			commands = realloc(commands, len);
			if (!commands) abort();
		}
		strcpy(commands, l);
		if (*goal == 0) {
			struct d *a, *b;
			int reject = 0;
			for (a = suffix; a; a = a->next) {
				for (b = suffix; b; b = b->next) {
					if (strncmp(l, b->name, 3) != 0)
						continue;
					if (!strcmp(l, a->name)) {
						reject = 1;
						break;
					}
				}
				if (reject)
					break;
			}
			if (!reject)
				def(l);
		}
	}
	free(commands);
}
