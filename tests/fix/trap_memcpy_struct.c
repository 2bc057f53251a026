// The pointer travels with a memcpy.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec {
	int id;
	char *text;
};

static struct rec saved;

static int save(int id, const char *s)
{
	struct rec r = { id, strdup(s) };

	if (r.id < 0)
		return -1;
	memcpy(&saved, &r, sizeof r);
	return 0;
}

int main(void)
{
	printf("%d\n", save(-1, "lost"));
	printf("%d\n", save(1, "kept"));
	printf("%s\n", saved.text);
	free(saved.text);
	return 0;
}
