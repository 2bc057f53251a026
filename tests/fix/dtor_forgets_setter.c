// The setter frees the old value, the constructor that fails cleans up; the destructor forgets the member.
// LEAKS: 3
// ONCE: ^\+\s*release\(a->mail\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account { char *name, *mail; };

static void release(void *p)
{
	free(p);
}

static struct account *account_new(const char *name, const char *mail)
{
	struct account *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->name = strdup(name);
	a->mail = strdup(mail);
	if (!a->name || !a->mail || name[0] == '!') {
		release(a->name);
		release(a->mail);
		release(a);
		return NULL;
	}
	return a;
}

static int account_set_mail(struct account *a, const char *mail)
{
	char *copy = strdup(mail);

	if (!copy)
		return -1;
	if (mail[0] == '!') {
		free(copy);
		return -1;
	}
	free(a->mail);
	a->mail = copy;
	return 0;
}

static void account_free(struct account *a)
{
	release(a->name);
	release(a);
}

static int use(const char *name, const char *mail)
{
	struct account *a = account_new(name, "nobody");
	int n;

	if (!a)
		return -1;
	n = mail ? account_set_mail(a, mail) : 1;
	puts(a->mail);
	account_free(a);
	return n;
}

int main(void)
{
	printf("%d\n", use("a", NULL));
	printf("%d\n", use("b", "x"));
	printf("%d\n", use("c", "!"));
	printf("%d\n", use("!", "x"));
	return 0;
}
