// The member is freed before its holder by the callers, and left as it is: the destructor must not free it again.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account { char *name, *mail; };

static struct account *account_new(const char *name, const char *mail)
{
	struct account *a = calloc(1, sizeof(*a));

	if (!a)
		exit(1);
	a->name = strdup(name);
	a->mail = strdup(mail);
	return a;
}

static void account_free(struct account *a)
{
	free(a->name);
	free(a);
}

static void forget_mail(struct account *a)
{
	free(a->mail);
}

int main(void)
{
	struct account *a = account_new("a", "x"), *b = account_new("b", "y"), *c = account_new("c", "z");

	puts(a->mail);
	free(a->mail);
	account_free(a);
	forget_mail(b);
	account_free(b);
	account_free(c);
	return 0;
}
