/* kept in a loop that counts what it kept */
#include <stdlib.h>
#include <dlfcn.h>
struct b { void *handle; };
struct l { struct l *next; char *w; };
int load(const char *fn, struct l *l)
{
	void *h = dlopen(fn, RTLD_LAZY);
	int n;
	struct b *b;
	if (!h)
		return -1;
	for (n = 0; l; l = l->next) {
		b = dlsym(h, l->w);
		if (!b)
			continue;
		b->handle = h;
		n++;
	}
	if (n == 0) {
		dlclose(h);
		return -1;
	}
	return 0;
}
