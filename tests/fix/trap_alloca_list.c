// Each round has a block of its own from alloca(), and all of them are in a list: what is in an older one is not overwritten.
// LEAKS: 0
// EXPECT: either
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct link {
	struct link *next;
	char *name;
};

static int collect(char **out, int n, const char *s)
{
	struct link *names = NULL;
	int found = 0;

	for (int i = 0; i < n; i++) {
		struct link *new = alloca(sizeof(*new));

		new->name = malloc(strlen(s) + 1);
		if (new->name == NULL)
			goto error;
		strcpy(new->name, s);
		new->next = names;
		names = new;
		found++;
	}
	for (; names != NULL; names = names->next)
		*out++ = names->name;
	return found;

error:
	while (names != NULL) {
		if (names->name != NULL)
			free(names->name);
		names = names->next;
	}
	return -1;
}

int main(void)
{
	char *v[4];
	int n = collect(v, 4, "abc");

	for (int i = 0; i < n; i++) {
		puts(v[i]);
		free(v[i]);
	}
	return 0;
}
