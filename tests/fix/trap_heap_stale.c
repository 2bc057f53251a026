// A callee that fails has freed a member, and left it as it is: the destructor would free it again.
// LEAKS: 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
	char *name, *mail;
};

static struct user *user_new(void)
{
	struct user *u = calloc(1, sizeof(*u));

	if (!u)
		exit(1);
	return u;
}

static void user_free(struct user *u)
{
	if (!u)
		return;
	free(u->name);
	free(u->mail);
	free(u);
}

static int fill(struct user *u, const char *s)
{
	u->name = strdup(s);
	u->mail = strdup("mail");
	if (!strcmp(s, "x")) {
		free(u->name);
		return -1;
	}
	return 0;
}

static int parse(struct user *u, const char *s)
{
	char *mail = strdup("m");

	u->name = strdup(s);
	u->mail = mail;
	if (!strcmp(s, "x")) {
		free(mail);
		return -1;
	}
	return 0;
}

static int by_fill(const char *s)
{
	struct user *u = user_new();

	if (fill(u, s) < 0) {
		printf("bad %s\n", s);
		return -1;
	}
	printf("%s %s\n", u->name, u->mail);
	user_free(u);
	return 0;
}

static int by_parse(const char *s)
{
	struct user *u = user_new();

	if (parse(u, s) < 0)
		return -1;
	printf("%s %s\n", u->name, u->mail);
	user_free(u);
	return 0;
}

static int by_hand(const char *s)
{
	struct user *u = user_new();

	u->name = strdup(s);
	if (!strcmp(s, "x")) {
		free(u->name);
		return -1;
	}
	printf("%s\n", u->name);
	user_free(u);
	return 0;
}

int main(void)
{
	int n = by_fill("a") + by_fill("x") + by_parse("b") + by_parse("x") + by_hand("c") + by_hand("x");

	printf("%d\n", n);
	return 0;
}
