// Codes and an out-parameter across units: C_AGAIN comes with nothing, C_FAIL with
// nothing, C_OK with a reply.
#include "codes.h"

#include <stdlib.h>
#include <string.h>

enum code reply_read(struct reply **out, int fd)
{
	struct reply *r;

	if (!fd_ready(fd))
		return C_AGAIN;
	r = malloc(sizeof(*r));
	if (!r)
		return C_FAIL;
	r->text = strdup("250 ok");
	if (!r->text) {
		free(r);
		return C_FAIL;
	}
	r->status = fd_status(fd);
	*out = r;
	return C_OK;
}

void reply_free(struct reply *r)
{
	free(r->text);
	free(r);
}
