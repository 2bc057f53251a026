/* a flag tells whether t is ours */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
extern char *trap_list[];
int ignored(int);
char *nm(int);
char *sq(const char *s) { char *r = malloc(strlen(s) + 3); if (!r) abort(); strcpy(r, s); return r; }
void showtrap(int i, int show)
{
	char *t, *p, *sn;
	int free_t = 1;
	p = trap_list[i];
	if (p == 0 && ignored(i) == 0) {
		if (show)
			t = "-";
		else
			return;
		free_t = 0;
	} else if (ignored(i))
		t = NULL;
	else
		t = (p == (char *)1) ? NULL : sq(p);
	sn = nm(i);
	if (strncmp(sn, "SIGJUNK", 7) == 0 || strncmp(sn, "unknown", 7) == 0)
		printf("trap -- %s %d\n", t ? t : "''", i);
	else
		printf("trap -- %s %s\n", t ? t : "''", sn);
	if (free_t)
		do { if (t) free(t); } while (0);
}
