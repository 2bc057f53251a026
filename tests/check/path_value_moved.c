// A struct copied away moves what it owns: one release is right, none is a leak.
#include <stdlib.h>
#include <string.h>

struct blob { char *p; int n; };
struct frame { struct blob body; };

static struct blob blob_of(const char *s)
{
	struct blob b;

	b.n = (int)strlen(s);
	b.p = strdup(s); // LEAK@p: by measure_bad()
	return b;
}

int wrap_ok(struct frame *f, const char *s)
{
	struct blob b = blob_of(s);

	if (!b.p)
		return -1;
	free(f->body.p);
	f->body = b;
	return 0;
}

int measure_ok(const char *s)
{
	struct blob a = blob_of(s), b = a;

	free(b.p);
	return b.n;
}

int measure_bad(const char *s, int deep)
{
	struct blob a = blob_of(s), b = a; // LEAK@p

	if (deep)
		free(b.p);
	return a.n;
}
