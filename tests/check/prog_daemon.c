// A server loop that never ends: what each round loses is lost, what is held before it is held.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int get_request(char *buf, int n);

static void handle_bad(const char *req)
{
	char *copy = strdup(req); // LEAK(conditional)

	if (!copy)
		return;
	if (!strncmp(copy, "PING", 4))
		return;
	puts(copy);
	free(copy);
}

static void handle_ok(const char *req)
{
	char *copy = strdup(req);

	if (copy)
		puts(copy);
	free(copy);
}

int main(void)
{
	char *buf = malloc(1024);
	int *stats = calloc(16, sizeof(*stats));

	if (!buf || !stats)
		return 1;
	for (;;) {
		char *each = malloc(16); // FN(vfg,all): LEAK(never-freed)

		if (get_request(buf, 1024) < 0)
			continue;
		stats[0]++;
		if (each)
			each[0] = buf[0];
		handle_ok(buf);
		handle_bad(buf);
	}
}
