// Two functions make such objects, and two release them: what is right for the one frees what is not the other's own.
// LEAKS: 5
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
	char *name, *shell;
	int shared;
};

static char common[] = "/bin/sh";

static struct user *user_new(const char *name)
{
	struct user *u = calloc(1, sizeof(*u));

	if (!u)
		abort();
	u->name = strdup(name);
	u->shell = strdup("/bin/own");
	return u;
}

static struct user *user_shared(const char *name)
{
	struct user *u = calloc(1, sizeof(*u));

	if (!u)
		abort();
	u->name = strdup(name);
	u->shell = common;
	u->shared = 1;
	return u;
}

static void user_free(struct user *u)
{
	free(u->name);
	if (!u->shared)
		free(u->shell);
	free(u);
}

static void user_free_all(struct user *u)
{
	free(u->name);
	free(u->shell);
	free(u);
}

static int of_its_own(int more)
{
	struct user *u = user_new("one");

	if (more)
		return (int)strlen(u->shell);
	user_free_all(u);
	return 0;
}

static int either(int shared, int more)
{
	struct user *u = shared ? user_shared("two") : user_new("two");

	if (more) {
		puts(u->name);
		return 1;
	}
	user_free(u);
	return 0;
}

int main(void)
{
	printf("%d %d\n", of_its_own(0), of_its_own(1));
	printf("%d %d\n", either(0, 0), either(1, 0));
	printf("%d\n", either(1, 1));
	puts(common);
	return 0;
}
