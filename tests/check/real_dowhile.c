/* made in two loops, read in a third that may be left in the middle, then freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cons { struct cons *next; const char *name; };
int count(const char *name);

static char *append(int *rc, char *s, const char *t)
{
	char *ret = NULL;

	if (*rc == 0) {
		ret = malloc((s ? strlen(s) : 0) + strlen(t) + 1);
		if (ret)
			sprintf(ret, "%s%s", s ? s : "", t);
		else
			*rc = 7;
	}
	free(s);
	return ret;
}

int create(struct cons *eq, struct cons *tail)
{
	int rc = 0;

	if (eq || tail) {
		char *cols = NULL;
		unsigned h = 0;

		for (struct cons *c = eq; c; c = c->next)
			cols = append(&rc, cols, c->name);
		for (struct cons *c = tail; c; c = c->next)
			cols = append(&rc, cols, c->name);
		if (rc == 0) {
			int tries = 0;

			do {
				char name[40];

				for (int i = 0; cols[i]; i++)
					h += (h << 3) + (unsigned)cols[i];
				snprintf(name, sizeof(name), "i%08x", h);
				if (count(name) == 0) {
					tries = 0;
					break;
				}
				tries++;
			} while (tries < 50);
			if (tries)
				rc = 5;
		}
		free(cols);
	}
	return rc;
}
