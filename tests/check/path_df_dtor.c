// A field freed by hand before the destructor does it.
#include <stdlib.h>
#include <string.h>

struct req { char *uri; };

static void req_free(struct req *r)
{
	free(r->uri); // FN(vfg): DOUBLE-FREE@uri: by drop_bad()
	free(r);
}

static struct req *req_new(const char *uri)
{
	struct req *r = malloc(sizeof(*r));

	if (!r)
		return NULL;
	r->uri = strdup(uri);
	return r;
}

int drop_ok(const char *uri)
{
	struct req *r = req_new(uri);

	if (!r)
		return -1;
	free(r->uri);
	r->uri = NULL;
	req_free(r);
	return 0;
}

int drop_bad(const char *uri)
{
	struct req *r = req_new(uri);

	if (!r)
		return -1;
	free(r->uri);
	req_free(r); // FN(vfg): DOUBLE-FREE@uri
	return 0;
}
