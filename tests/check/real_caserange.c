/* cases that follow each other are one range: a status of three digits is not negative */
#include <stdlib.h>
#include <string.h>

static int is_digit(int c)
{
	switch (c) {
	case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
		return 1;
	default:
		return 0;
	}
}

static int status_of(const char *p, const char *end, char **message)
{
	int status;

	if (end - p < 3 || !is_digit(p[0]) || !is_digit(p[1]) || !is_digit(p[2]))
		return -1;
	status = 100 * (p[0] - '0') + 10 * (p[1] - '0') + (p[2] - '0');
	*message = strdup(p + 3);
	return status;
}

int ask_ok(const char *head, const char *end)
{
	char *message = NULL;
	int status = status_of(head, end, &message);

	if (status < 0)
		return -1;
	free(message);
	return status;
}

int ask_bad(const char *head, const char *end)
{
	char *message = NULL;
	int status = status_of(head, end, &message); // LEAK(conditional)

	if (status < 100)
		return -1;
	free(message);
	return status;
}
