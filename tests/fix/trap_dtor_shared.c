// The destructor frees a member that two holders share, or that the caller still needs: it
// must not be called for the one that is lost.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job { char *text; int n; };

static void job_free(struct job *j)
{
	free(j->text);
	free(j);
}

static struct job *job_new(char *text)
{
	struct job *j = malloc(sizeof *j);

	if (!j)
		exit(1);
	j->text = text;
	j->n = 0;
	return j;
}

static int twice(const char *s, int quit)
{
	char *t = strdup(s);
	struct job *a = job_new(t), *b = job_new(t);
	int r = a->text[0] + b->text[0];

	if (quit) {
		free(t);
		free(b);
		return r;	/* a alone is lost */
	}
	b->text = NULL;
	job_free(a);
	job_free(b);
	return r;
}

static int borrowed(char *s)
{
	struct job *j = job_new(s);

	return j->text[0];	/* s is the caller's */
}

int main(void)
{
	char *s = strdup("mine");

	printf("%d\n", twice("x", 0));
	printf("%d\n", twice("y", 1));
	printf("%d\n", borrowed(s));
	puts(s);
	free(s);
	return 0;
}
