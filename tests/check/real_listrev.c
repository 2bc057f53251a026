/* a list turned round through a generic list type */
#include <stdlib.h>
#include <string.h>
struct gl { struct gl *next; };
struct wd { char *word; int flags; };
struct wl { struct wl *next; struct wd *word; };
static struct gl *rev(struct gl *l)
{
	struct gl *n, *p;
	for (p = NULL; l; ) {
		n = l->next;
		l->next = p;
		p = l;
		l = n;
	}
	return p;
}
static struct wl *mk(struct wd *w, struct wl *l)
{
	struct wl *t = malloc(sizeof *t);
	if (!t) abort();
	t->word = w;
	t->next = l;
	return t;
}
static void disp(struct wl *l)
{
	struct wl *t;
	while (l) {
		t = l;
		l = l->next;
		free(t->word->word);
		free(t->word);
		free(t);
	}
}
static char *quote(const char *s) { if (!s) return (char *)s; return strdup(s); }
int xf(struct wl *list)
{
	struct wl *new = NULL, *l;
	struct wd *w;
	char *t;
	for (l = list; l; l = l->next) {
		t = quote(l->word->word);
		w = malloc(sizeof *w);
		if (!w) abort();
		w->word = t ? t : strdup("");
		new = mk(w, new);
	}
	l = (new && new->next) ? (struct wl *)rev((struct gl *)new) : new;
	t = l ? l->word->word : NULL;
	int r = t ? t[0] : 0;
	disp(l);
	return r;
}
