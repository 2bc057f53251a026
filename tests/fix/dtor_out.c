// The destructor takes the address of the pointer and clears it.
// LEAKS: 2
// KNOWN: with it there would be a new finding, conditional
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct doc {
	char *text;
};

static int doc_open(struct doc **out, const char *t)
{
	struct doc *d = malloc(sizeof *d);

	if (!d)
		return -1;
	d->text = strdup(t);
	*out = d;
	return 0;
}

static void doc_close(struct doc **d)
{
	if (*d) {
		free((*d)->text);
		free(*d);
		*d = NULL;
	}
}

static int words(const char *t)
{
	struct doc *d = NULL;
	int n = 1;

	if (doc_open(&d, t) < 0)
		return -1;
	if (d->text[0] == 0)
		return 0;
	for (char *c = d->text; *c; c++)
		n += *c == ' ';
	doc_close(&d);
	return n;
}

int main(void)
{
	printf("%d %d\n", words("a b c"), words(""));
	return 0;
}
