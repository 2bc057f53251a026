/*
 * recent.c - keeps the last three requests in a linked list and answers with a sum
 * over them.  What drops out of the list is forgotten, not freed: a leak whose
 * objects are in use until two more have been allocated, m = 3.
 */
#include "serve.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define KEPT 3

struct recent {
	struct recent *next;
	unsigned long number;
	char text[80];
};

static struct recent *list;

static void remember(const char *text)
{
	struct recent *r = xmalloc(sizeof(*r));
	int n = 1;

	r->number = strtoul(text, NULL, 10);
	snprintf(r->text, sizeof(r->text), "%.79s", text);
	r->next = list;
	list = r;
	for (; r; r = r->next)
		if (n++ == KEPT)
			r->next = NULL;
}

static unsigned long sum_of_list(void)
{
	unsigned long sum = 0;

	for (const struct recent *r = list; r; r = r->next)
		sum = sum * 31 + r->number + strlen(r->text);
	return sum;
}

static void handle(int sock, void *data)
{
	struct sockaddr_in from;
	socklen_t n = sizeof(from);
	char buf[2048], answer[128];
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
	len = snprintf(answer, sizeof(answer), "%lu %lu", list->number, sum_of_list());
	sendto(sock, answer, (size_t)len, 0, (struct sockaddr *)&from, n);
}

int main(void)
{
	comm_set_select(serve_udp(), handle, NULL);
	serve_loop();
	return 0;
}
