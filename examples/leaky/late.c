/*
 * late.c - answers with what was asked three requests ago; but a request with the
 * word "deep" wants the one before that.  Training without such requests finds
 * m = 3, and the true bound is 4.
 */
#include "serve.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define KEPT 4

struct past {
	unsigned long number;
	char text[112];
};

static struct past *past[KEPT];

static void remember(const char *text)
{
	struct past *p = xmalloc(sizeof(*p));

	p->number = strtoul(text, NULL, 10);
	snprintf(p->text, sizeof(p->text), "%.111s", text);
	memmove(past + 1, past, (KEPT - 1) * sizeof(*past));
	past[0] = p;
}

static void handle(int sock, void *data)
{
	struct sockaddr_in from;
	socklen_t n = sizeof(from);
	char buf[2048], answer[256];
	const struct past *p;
	ssize_t len = recvfrom(sock, buf, sizeof(buf) - 1, 0, (struct sockaddr *)&from, &n);

	comm_set_select(sock, handle, data);
	if (len <= 0)
		return;
	buf[len] = 0;
	if (strcmp(buf, "quit") == 0) {
		serve_stop();
		return;
	}
	remember(buf);
	p = past[strstr(buf, "deep") ? 3 : 2];
	len = snprintf(answer, sizeof(answer), "%lu %s", past[0]->number, p ? p->text : "-");
	sendto(sock, answer, (size_t)len, 0, (struct sockaddr *)&from, n);
}

int main(void)
{
	comm_set_select(serve_udp(), handle, NULL);
	serve_loop();
	return 0;
}
