/* false: a status made of three digits is not negative, and only then is there a message */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_digit(int c) { return c >= '0' && c <= '9'; }

static int status_of(const char *p, const char *end, char **message)
{
	int status;

	if (!p) {
		if (message)
			*message = strdup("no headers");
		return 200;
	}
	if (end - p < 4 || strncmp(p, "HTTP", 4) != 0)
		return -1;
	p += 4;
	while (p < end && *p == ' ')
		++p;
	if (end - p < 3 || !is_digit(p[0]) || !is_digit(p[1]) || !is_digit(p[2]))
		return -1;
	status = 100 * (p[0] - '0') + 10 * (p[1] - '0') + (p[2] - '0');
	p += 3;
	if (message)
		*message = strndup(p, end - p);
	return status;
}

int tunnel(const char *head, const char *end)
{
	char *message = NULL;
	int status = status_of(head, end, &message);

	if (status < 0) {
		puts("malformed status line");
		return -1;
	}
	puts(message ? message : "?");
	free(message);
	return status;
}
