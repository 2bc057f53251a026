// The caller has the old pointer still, and is told that nothing was done: if realloc() did not move the object, what it
// holds is the new one.  (No long word is added here: ASan always moves it.)
// LEAKS: 0
// NEVER: ^\+.*free\(grown\);
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **add(char **list, const char *s)
{
	char **grown;
	size_t n = 0;

	while (list[n])
		n++;
	grown = realloc(list, (n + 2) * sizeof(*list));
	if (!grown)
		return NULL;
	grown[n] = strlen(s) > 5 ? NULL : strdup(s);
	if (!grown[n])
		return NULL;
	grown[n + 1] = NULL;
	return grown;
}

int main(int argc, char **argv)
{
	char **list = calloc(16, sizeof(*list)), **more;

	if (!list)
		return 1;
	if ((more = add(list, "one")))
		list = more;
	if (argc > 1 && (more = add(list, argv[1])))
		list = more;
	for (size_t i = 0; list[i]; i++) {
		puts(list[i]);
		free(list[i]);
	}
	free(list);
	return 0;
}
