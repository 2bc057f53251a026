// The holder may be null where it is freed: its member can only be freed if it is not.
// LEAKS: 2
// PATCH: ^\+.*if \(k\)
// PATCH: ^\+.*free\(k->enc.name\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
	int n;
	char *name;
};

struct key {
	struct part enc, mac;
};

static struct key *keys[2];

static int name_of(const char *s, char **out)
{
	*out = strdup(s);
	return *out ? 0 : -1;
}

static int load(const char *s, int mode)
{
	struct key *k = NULL;
	struct part *enc, *mac;
	int r;

	if ((k = calloc(1, sizeof(*k))) == NULL) {
		r = -1;
		goto out;
	}
	enc = &k->enc;
	mac = &k->mac;
	if ((r = name_of(s, &enc->name)) != 0)
		goto out;
	mac->n = (int)strlen(s);
	if (mac->n > 3) {
		r = -2;
		goto out;
	}
	if (mac->n == 2) {
		r = -3;
		goto out;
	}
	keys[mode] = k;
	k = NULL;
	r = 0;
out:
	free(k);
	return r;
}

int main(void)
{
	printf("%d %d %d\n", load("abc", 0), load("abcd", 1), load("ab", 1));
	printf("%s\n", keys[0]->enc.name);
	free(keys[0]->enc.name);
	free(keys[0]);
	return 0;
}
