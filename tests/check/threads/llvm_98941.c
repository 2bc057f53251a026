// llvm/llvm-project 98941: ownership_returns and ownership_takes with a class of their own, not only
// malloc.  What is not given back must be reported, and so must be what only free() was called for.
#include <stddef.h>

struct session;
struct session *session_open(const char *peer) __attribute__((ownership_returns(session)));
void session_close(struct session *s) __attribute__((ownership_takes(session, 1)));
void session_adopt(void *pool, struct session *s) __attribute__((ownership_holds(session, 2)));

int closed_ok(const char *peer)
{
	struct session *s = session_open(peer);

	if (!s)
		return -1;
	session_close(s);
	return 0;
}

int adopted_ok(void *pool, const char *peer)
{
	struct session *s = session_open(peer);

	if (!s)
		return -1;
	session_adopt(pool, s);
	return 0;
}

int open_bad(const char *peer, int n)
{
	struct session *s = session_open(peer); // LEAK(conditional)

	if (!s)
		return -1;
	if (n < 0)
		return -1;
	session_close(s);
	return 0;
}

int closed_twice_bad(const char *peer)
{
	struct session *s = session_open(peer);

	if (!s)
		return -1;
	session_close(s);
	session_close(s); // FN(vfg): DOUBLE-FREE
	return 0;
}
