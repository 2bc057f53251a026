// Freed on some ways only, and these meet the others: what keeps the object must forget it
// where it is freed, or handed on.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int last_round(int n)
{
	char *p = malloc(8);

	for (int i = 0; i < n; i++)
		if (i == n - 1)
			free(p);	/* not if n is 0 */
	return n;
}

static char *out;

static int publish(const char *s, int code)
{
	char *p = strdup(s);
	int ret = code;

	if (!p)
		return -1;
	if (ret != 0)
		goto done;
	out = p;
done:
	if (ret < 0)
		free(p);
	return ret;
}

int main(void)
{
	printf("%d %d %d\n", last_round(0), last_round(1), last_round(3));
	printf("%d\n", publish("a", -1));
	printf("%d\n", publish("b", 5));
	printf("%d\n", publish("c", 7));
	printf("%d\n", publish("d", 0));
	puts(out);
	free(out);
	return 0;
}
