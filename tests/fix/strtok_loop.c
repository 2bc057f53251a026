// strtok() goes on with its text when it is given null: the text is freed behind the last of these calls.
// LEAKS: 6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int only_counted(const char *s)
{
	char *copy = strdup(s);
	char *w = strtok(copy, " ");
	int n = 0;

	while (w) {
		n++;
		w = strtok(NULL, " ");
	}
	return n;
}

static int null_when_it_comes_round(const char *s)
{
	char *copy = strdup(s), *p;
	int n = 0;

	for (p = copy; strtok(p, ","); p = NULL)
		n++;
	return n;
}

static int two_words(const char *s)
{
	char *copy = strdup(s);
	int n;

	if (!copy)
		return -1;
	n = atoi(strtok(copy, ","));
	printf("%d\n", n);
	return n + (strtok(NULL, ",") != NULL);
}

int main(void)
{
	printf("%d %d\n", only_counted("a b c"), only_counted("d"));
	printf("%d %d\n", null_when_it_comes_round("a,b"), null_when_it_comes_round("c"));
	printf("%d %d\n", two_words("1,2"), two_words("3"));
	return 0;
}
