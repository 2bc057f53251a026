/*
 * load.c - the client of the leaky servers.
 *
 *	load [-p PID] [-m EVERY] [-d EACH] [-q] PORT|SOCKET COUNT
 *
 * Sends COUNT requests, the same ones each time it is called, a few at a time, and
 * prints a digest of the answers.  -p and -m: after every EVERY requests prints
 * "memory REQUESTS KB", the resident size of process PID.  -d: each EACH-th request
 * has the word "deep".  -q: asks the server to end.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define WINDOW 16	/* requests under way */

static unsigned long deep;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int make_request(char *buf, size_t n, unsigned long i)
{
	unsigned long words = 1 + i * 2654435761u % 7;
	int len = snprintf(buf, n, "%lu %s", i, i % 50 == 49 ? "secret" : "public");

	if (deep && i % deep == deep - 1)
		len += snprintf(buf + len, n - (size_t)len, " deep");
	for (unsigned long w = 0; w < words; w++)
		len += snprintf(buf + len, n - (size_t)len, " 1.3.6.1.%lu.%lu", w, i % 1000);
	/* Now and then a long one. */
	for (unsigned long w = 0; i % 101 == 100 && w < i % 40; w++)
		len += snprintf(buf + len, n - (size_t)len, " long.%lu", w);
	return len;
}

static uint64_t add(uint64_t h, const char *p, ssize_t n)
{
	for (ssize_t k = 0; k < n; k++)
		h = (h ^ (unsigned char)p[k]) * UINT64_C(0x100000001b3);
	return h;
}

/* The resident size, in kB.  The sums in .../status may lag behind by some 100 kB: the
 * kernel counts on each processor for itself. */
static unsigned long resident(int pid)
{
	static const char *const files[] = { "smaps_rollup", "status" };
	unsigned long kb = 0;
	char path[64], line[256];

	for (size_t i = 0; i < 2 && kb == 0; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/%s", pid, files[i]);
		if (!(f = fopen(path, "r")))
			continue;
		while (kb == 0 && fgets(line, sizeof(line), f))
			if (strncmp(line, "Rss:", 4) == 0 || strncmp(line, "VmRSS:", 6) == 0)
				kb = strtoul(strchr(line, ':') + 1, NULL, 10);
		fclose(f);
	}
	return kb;
}

static void tell_memory(int pid, unsigned long done)
{
	unsigned long kb = resident(pid);

	if (kb > 0)
		printf("memory %lu %lu\n", done, kb);
	fflush(stdout);
}

static int connect_udp(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct timeval limit = { 20, 0 };
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0 || connect(s, (struct sockaddr *)&a, sizeof(a)) < 0 ||
	    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0)
		fail("connect");
	return s;
}

#define LINE 256	/* the server takes no longer ones over a connection */

/* One exchange over a connection of its own. */
static uint64_t ask_unix(const char *path, const char *text, int n, uint64_t h)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	char answer[4096];
	ssize_t k;

	n = n < LINE ? n : LINE;
	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	if (s < 0 || connect(s, (struct sockaddr *)&a, sizeof(a)) < 0 || write(s, text, (size_t)n) != n)
		fail(path);
	while ((k = read(s, answer, sizeof(answer))) > 0)
		h = add(h, answer, k);
	close(s);
	return h;
}

static uint64_t receive(int sock, uint64_t h)
{
	char answer[4096];
	ssize_t k = recv(sock, answer, sizeof(answer), 0);

	if (k < 0)
		fail("no answer");
	return add(h, answer, k);
}

int main(int argc, char **argv)
{
	unsigned long count, every = 0;
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	int pid = 0, quit = 0, opt, sock, under_way = 0;
	char buf[8192];

	while ((opt = getopt(argc, argv, "p:m:d:q")) != -1)
		switch (opt) {
		case 'p': pid = atoi(optarg); break;
		case 'm': every = strtoul(optarg, NULL, 10); break;
		case 'd': deep = strtoul(optarg, NULL, 10); break;
		case 'q': quit = 1; break;
		default: return 2;
		}
	if (argc - optind != 2) {
		fprintf(stderr, "usage: load [-p PID] [-m EVERY] [-d EACH] [-q] PORT|SOCKET COUNT\n");
		return 2;
	}
	count = strtoul(argv[optind + 1], NULL, 10);
	sock = strchr(argv[optind], '/') ? -1 : connect_udp(atoi(argv[optind]));
	for (unsigned long i = 0; i < count; i++) {
		int n = make_request(buf, sizeof(buf), i);

		if (sock < 0) {
			h = ask_unix(argv[optind], buf, n, h);
		} else {
			if (send(sock, buf, (size_t)n, 0) < 0)
				fail("send");
			if (++under_way == WINDOW)
				for (; under_way > 0; under_way--)
					h = receive(sock, h);
		}
		if (every && (i + 1) % every == 0)
			tell_memory(pid, i + 1);
	}
	for (; under_way > 0; under_way--)
		h = receive(sock, h);
	printf("answers %016llx\n", (unsigned long long)h);
	if (quit && sock < 0)
		ask_unix(argv[optind], "quit\n", 5, 0);
	else if (quit && send(sock, "quit", 4, 0) < 0)
		fail("send");
	return 0;
}
