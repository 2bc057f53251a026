// Handed out on success, lost on failure after it was handed out by a local alias.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_it(const char *name, char **out)
{
	char *h = malloc(strlen(name) + 4);

	if (!h)
		return -1;
	sprintf(h, "h:%s", name);
	if (strlen(h) > 6) {
		printf("too long\n");
		return -2;
	}
	*out = h;
	return 0;
}

int main(void)
{
	char *h = NULL;

	printf("%d\n", open_it("a", &h));
	printf("%s\n", h);
	free(h);
	h = NULL;
	printf("%d\n", open_it("abcdefg", &h));
	printf("%d\n", h == NULL);
	return 0;
}
