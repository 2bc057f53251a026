// && and || decide what is evaluated.
#include <stdlib.h>
#include <string.h>

int ready(void);
int busy(void);

void allocated_in_the_test_bad(const char *s)
{
	char *copy;

	if (ready() && (copy = strdup(s)) != NULL && !busy()) // LEAK(conditional)
		free(copy);
}

void allocated_in_the_test_ok(const char *s)
{
	char *copy = NULL;

	if (ready() && (copy = strdup(s)) != NULL && !busy())
		copy[0] = 0;
	free(copy);
}

int or_return_bad(const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)

	if (!copy || busy())
		return -1;
	free(copy);
	return 0;
}

int or_return_ok(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		return -1;
	if (busy() || !ready()) {
		free(copy);
		return -1;
	}
	free(copy);
	return 0;
}

int free_in_and_bad(const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)

	return ready() && (free(copy), 1);
}
