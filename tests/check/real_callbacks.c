/* false: each caller passes its own function and context: what the one makes does not come back to the
 * other */
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <netdb.h>

static int run(double timeout, void (*fun)(void *), void *arg)
{
	if (timeout == 0) {
		fun(arg);
		return 0;
	}
	fun(arg);
	return 0;
}

struct lookup { const char *node; const struct addrinfo *hints; struct addrinfo **res; int code; };
struct dial { int fd; const struct sockaddr *addr; socklen_t len; int result; };

static void lookup_callback(void *arg)
{
	struct lookup *ctx = arg;
	ctx->code = getaddrinfo(ctx->node, NULL, ctx->hints, ctx->res);
}

static void dial_callback(void *arg)
{
	struct dial *ctx = arg;
	ctx->result = connect(ctx->fd, ctx->addr, ctx->len);
}

int dial(int fd, const struct sockaddr *addr, socklen_t len, double timeout)
{
	struct dial ctx = { fd, addr, len, 0 };

	if (run(timeout, dial_callback, &ctx))
		return -1;
	return ctx.result;
}

static int lookup(const char *node, const struct addrinfo *hints, struct addrinfo **res, double timeout)
{
	struct lookup ctx = { node, hints, res, 0 };

	if (run(timeout, lookup_callback, &ctx))
		return EAI_SYSTEM;
	return ctx.code;
}

int addresses(const char *node, double timeout)
{
	struct addrinfo hints = { 0 }, *res;
	int n = 0, err = lookup(node, &hints, &res, timeout);

	if (err != 0 || res == NULL)
		return -1;
	for (struct addrinfo *a = res; a; a = a->ai_next)
		n++;
	freeaddrinfo(res);
	return n;
}
