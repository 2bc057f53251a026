#include "codes.h"

int hello_ok(int fd)
{
	struct reply *r;
	enum code c;
	int st;

	while ((c = reply_read(&r, fd)) == C_AGAIN)
		;
	if (c == C_FAIL)
		return -1;
	st = r->status;
	reply_free(r);
	return st;
}

int hello_bad(int fd)
{
	struct reply *r;
	enum code c;

	while ((c = reply_read(&r, fd)) == C_AGAIN) // LEAK(conditional)
		;
	if (c == C_FAIL)
		return -1;
	if (r->status >= 400)
		return r->status;
	reply_free(r);
	return 0;
}
