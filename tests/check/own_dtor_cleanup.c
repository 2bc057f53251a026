// The constructor cleans up when it fails, a setter frees the old value: neither is the
// destructor, which forgets the member.  Released by a wrapper of free.
#include <stdlib.h>
#include <string.h>

struct account {
	char *name;
	char *mail;
	struct account *next;
};

struct bank {
	struct account *first;
};

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
	a->mail = strdup(mail); // FN(path): LEAK(never-freed) // FP(conditional,path)
	if (!a->name || !a->mail) {
		release(a->name);
		release(a->mail);
		release(a);
		return NULL;
	}
	return a;
}

static void account_free(struct account *a)
{
	release(a->name);
	release(a);
}

static int bank_add(struct bank *b, const char *name, const char *mail)
{
	struct account *a = account_new(name, mail);

	if (!a)
		return -1;
	a->next = b->first;
	b->first = a;
	return 0;
}

static int bank_rename(struct bank *b, const char *mail)
{
	char *copy = strdup(mail); // LEAK

	if (!copy)
		return -1;
	if (!b->first) {
		free(copy);
		return -1;
	}
	free(b->first->mail);
	b->first->mail = copy;
	return 0;
}

static void bank_close(struct bank *b)
{
	while (b->first) {
		struct account *a = b->first;

		b->first = a->next;
		account_free(a);
	}
}

int main(int argc, char **argv)
{
	struct bank b = {0};
	int rc = 0;

	for (int i = 0; i < argc; i++) {
		rc |= bank_add(&b, argv[i], "nobody");
		rc |= bank_rename(&b, argv[i]);
	}
	bank_close(&b);
	return rc != 0;
}
