/*
 * reject.c - after xinetd 2.3.10: a server that rejects connections, and forgets
 * about the entry it made for its log.
 *
 * Takes connections at the Unix-domain socket that is named, each with one line.
 * Every third client is served, the others are told why they are not.
 */
#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct log_entry {
	char service[32], reason[64];
	unsigned long number;
};

static unsigned long connections;

/* Why the client is turned away; the entry is the caller's. */
static struct log_entry *refuse(const char *line)
{
	struct log_entry *e = xmalloc(sizeof(*e));

	e->number = connections;
	snprintf(e->service, sizeof(e->service), "%.31s", line);
	snprintf(e->reason, sizeof(e->reason), "too many of %.20s", e->service);
	return e;
}

static int is_allowed(const char *line)
{
	return line[strcspn(line, "0123456789")] % 3 == 0;
}

static void svc_request(int conn, char *line)
{
	char answer[1024];	/* a line and a few words */
	int n;

	line[strcspn(line, "\n")] = 0;
	if (is_allowed(line)) {
		n = snprintf(answer, sizeof(answer), "welcome %s\n", line);
	} else {
		struct log_entry *e = refuse(line);

		n = snprintf(answer, sizeof(answer), "rejected %s: %s\n", e->service, e->reason);
	}
	if (write(conn, answer, (size_t)n) < 0)
		return;
}

static void accept_connection(int sock, void *data)
{
	char *line = xmalloc(512);
	int conn = accept(sock, NULL, NULL);
	ssize_t n;

	comm_set_select(sock, accept_connection, data);
	connections++;
	if (conn >= 0 && (n = read(conn, line, 511)) > 0) {
		line[n] = 0;
		if (strncmp(line, "quit", 4) == 0)
			serve_stop();
		else
			svc_request(conn, line);
	}
	if (conn >= 0)
		close(conn);
	free(line);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: reject SOCKET\n");
		return 2;
	}
	comm_set_select(serve_unix(argv[1]), accept_connection, NULL);
	serve_loop();
	unlink(argv[1]);
	return 0;
}
