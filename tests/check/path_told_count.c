/* false and true: how many words a function finds decides whether the last round keeps the object */
#include <stdlib.h>
#include <string.h>

char *kept[100];

/* at least one, if the text is not empty */
static int count_letters(const char *text, int *n)
{
	int i, found = 0;

	for (i = 0; text[i]; i++)
		found++;
	*n = found;
	return 0;
}

/* perhaps none */
static int count_blanks(const char *text, int *n)
{
	int i, found = 0;

	for (i = 0; text[i]; i++)
		if (text[i] == ' ')
			found++;
	*n = found;
	return 0;
}

static void put(int n, char *data)
{
	for (int i = 0; i < n; i++)
		if (i + 1 >= n)
			kept[i % 100] = data;
}

void letters(const char *text)
{
	char *data;
	int n;

	if (*text == '\0')
		return;
	count_letters(text, &n);
	data = strdup(text); // FP(conditional,path)
	put(n, data);
}

void blanks(const char *text)
{
	char *data;
	int n;

	if (*text == '\0')
		return;
	count_blanks(text, &n);
	data = strdup(text); // LEAK(conditional)
	put(n, data);
}
