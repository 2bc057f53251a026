// The callee says by an argument whether what it returns is new.
// LEAKS: 3
// PATCH: ^\+.*if \(created\)
// PATCH: ^\+.*if \(must_free\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user { char name[8]; int uid; };

static struct user *known[4];

static struct user *user_get(const char *name, int *created)
{
	struct user *u;

	*created = 0;
	for (int i = 0; i < 4; i++)
		if (known[i] && strcmp(known[i]->name, name) == 0)
			return known[i];
	u = malloc(sizeof(*u));
	if (!u)
		return NULL;
	snprintf(u->name, sizeof(u->name), "%s", name);
	u->uid = 0;
	*created = 1;
	return u;
}

static int add(const char *name, int slot)
{
	int created;
	struct user *u = user_get(name, &created);

	if (!u)
		return -1;
	if (slot < 0 || slot >= 4 || known[slot])
		return -2;
	if (created)
		known[slot] = u;
	return created;
}

static const char *month(int n, int *must_free)
{
	static const char *const names[] = { "jan", "feb", "mar" };
	char *s;

	*must_free = 0;
	if (n >= 0 && n < 3)
		return names[n];
	s = malloc(16);
	if (!s)
		return "?";
	snprintf(s, 16, "month %d", n);
	*must_free = 1;
	return s;
}

static int print(int n)
{
	int must_free, len;
	const char *m = month(n, &must_free);

	puts(m);
	len = (int)strlen(m);
	if (must_free && len > 8)
		free((char *)m);
	return len;
}

int main(void)
{
	static const int months[] = { 1, 7, 12345 };

	printf("%d\n", add("a", 0));
	printf("%d\n", add("a", 1));
	printf("%d\n", add("b", 0));
	printf("%d\n", add("b", 7));
	printf("%d\n", add("a", 7));
	for (int i = 0; i < 3; i++)
		printf("%d\n", print(months[i]));
	free(known[0]);
	return 0;
}
