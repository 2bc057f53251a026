// The callee fills the variable on some ways and leaves it alone on others: it must begin as null.
// LEAKS: 3
// ONCE: ^\+\s*char \*v = NULL;$
// ONCE: ^\+\s*char \*head = NULL, \*tail;
// ONCE: ^\+\s*free\(v\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lookup(int n, char **out)
{
	if (n < 0)
		return 0;
	*out = strdup(n > 9 ? "many" : "few");
	return *out ? 1 : -1;
}

static int has(int n)
{
	char *v;
	int r = lookup(n, &v);

	if (r < 0)
		free(v);
	return r;
}

/* What was made first stays in the variable when the second part fails. */
static int split(const char *s, char **head, char **tail)
{
	const char *eq = strchr(s, '=');

	if (!eq)
		return -1;
	*head = strndup(s, (size_t)(eq - s));
	if (!*head)
		return -1;
	if (!eq[1])
		return -2;
	*tail = strdup(eq + 1);
	if (!*tail)
		return -1;
	return 0;
}

static int setting(const char *s)
{
	char *head, *tail; /* of the pair */
	int same;

	if (split(s, &head, &tail) < 0)
		return -1;
	same = strcmp(head, tail) == 0;
	free(head);
	free(tail);
	return same;
}

int main(void)
{
	printf("%d %d %d\n", has(-1), has(3), has(12));
	printf("%d %d %d %d\n", setting("a=a"), setting("a=b"), setting("none"), setting("a="));
	return 0;
}
