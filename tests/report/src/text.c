#include <stdlib.h>

struct label { char *text; };

void set(struct label *l, int große)
{
	/* Tabs, umlauts and wide characters before what is marked. */
	if (große) { char *größe = "日本語", *p = malloc(3); l->text = p; }
	l->text	=	malloc(große);	/* 🚰 a leak, 漏水 */ l->text = NULL;
}
