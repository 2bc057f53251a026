#include <stdlib.h>
#include <string.h>
struct var { int attr; };
struct l { struct l *next; char *w; };
char *expand(char *);
void bind(struct var *, const char *);
void f(struct var *v, struct l *list)
{
	char *val;
	int free_val;
	for (; list; list = list->next) {
		val = list->w;
		free_val = 0;
		if (v->attr & 64) {
			val = expand(val);
			if (val == 0) {
				val = malloc(1);
				if (!val) abort();
				val[0] = 0;
			}
			free_val = 1;
		}
		bind(v, val);
		if (free_val)
			free(val);
	}
}
