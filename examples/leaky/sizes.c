/*
 * sizes.c - keeps a copy of each request, of any size, to work on, and never frees
 * it.
 */
#include "serve.h"

#include <ctype.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* The words of a request, sorted: the copy is the caller's. */
static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static unsigned long digest(const char *text)
{
	char *copy = xstrdup(text), *words[256], *word;
	unsigned long h = 5381;
	size_t n = 0;

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	for (word = strtok(copy, " "); word && n < 256; word = strtok(NULL, " "))
		words[n++] = word;
	qsort(words, n, sizeof(*words), by_text);
	for (size_t i = 0; i < n; i++)
		for (const char *p = words[i]; *p; p++)
			h = h * 33 + (unsigned char)*p;
	return h;
}

static void handle(int sock, void *data)
{
	struct sockaddr_in from;
	socklen_t n = sizeof(from);
	char buf[4096], answer[64];
	ssize_t len = recvfrom(sock, buf, sizeof(buf) - 1, 0, (struct sockaddr *)&from, &n);

	comm_set_select(sock, handle, data);
	if (len <= 0)
		return;
	buf[len] = 0;
	if (strcmp(buf, "quit") == 0) {
		serve_stop();
		return;
	}
	len = snprintf(answer, sizeof(answer), "%lu %lu", strtoul(buf, NULL, 10), digest(buf));
	sendto(sock, answer, (size_t)len, 0, (struct sockaddr *)&from, n);
}

int main(void)
{
	comm_set_select(serve_udp(), handle, NULL);
	serve_loop();
	return 0;
}
