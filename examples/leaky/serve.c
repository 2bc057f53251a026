/*
 * serve.c - sockets and the loop.
 */
#include "serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKETS 1024

#ifdef PLUMB_OBLIVIOUS	/* plumb cc --oblivious leaves loops that go round too often */
#define ENDLESS __attribute__((annotate("plumb-endless")))
#else
#define ENDLESS
#endif

static struct {
	serve_handler *handler;
	void *data;
} table[SOCKETS];
static int stopped;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		fail("malloc");
	return p;
}

char *xstrdup(const char *s)
{
	return strcpy(xmalloc(strlen(s) + 1), s);
}

void comm_set_select(int sock, serve_handler *handler, void *data)
{
	if (sock < 0 || sock >= SOCKETS)
		return;
	table[sock].handler = handler;
	table[sock].data = data;
}

int serve_udp(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0 || bind(s, (struct sockaddr *)&a, n) < 0 ||
	    getsockname(s, (struct sockaddr *)&a, &n) < 0)
		fail("socket");
	printf("port %d\n", ntohs(a.sin_port));
	fflush(stdout);
	return s;
}

int serve_unix(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM, 0);

	if (strlen(path) >= sizeof(a.sun_path)) {
		errno = ENAMETOOLONG;
		fail(path);
	}
	strcpy(a.sun_path, path);
	unlink(path);
	if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof(a)) < 0 || listen(s, 64) < 0)
		fail(path);
	printf("port %s\n", path);
	fflush(stdout);
	return s;
}

void serve_stop(void)
{
	stopped = 1;
}

/* Calls the handlers of the sockets that are ready; each is asked for once. */
static void dispatch(const struct pollfd *p, int n)
{
	for (int i = 0; i < n; i++) {
		serve_handler *handler = table[p[i].fd].handler;

		if (!p[i].revents || !handler)
			continue;
		table[p[i].fd].handler = NULL;
		handler(p[i].fd, table[p[i].fd].data);
	}
}

void serve_loop(void)
{
	struct pollfd p[SOCKETS];

	while (!stopped) {
		ENDLESS int n = 0;
		int ready;

		for (int i = 0; i < SOCKETS; i++)
			if (table[i].handler)
				p[n++] = (struct pollfd){ .fd = i, .events = POLLIN };
		if (n == 0)
			return;
		ready = poll(p, (nfds_t)n, 60000);
		if (ready == 0 || (ready < 0 && errno != EINTR))
			return;
		if (ready > 0)
			dispatch(p, n);
	}
}
