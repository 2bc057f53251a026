// while loops: freed by the body, by the way out, or by neither.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int next_char(void);

void read_words_bad(void)
{
	int c;

	while ((c = next_char()) != EOF) {
		char *word = malloc(32); // LEAK(conditional)

		if (c == '#')
			continue;
		word[0] = (char)c;
		free(word);
	}
}

void read_words_ok(void)
{
	int c;
	char *word = malloc(32);

	if (!word)
		return;
	while ((c = next_char()) != EOF) {
		if (c == '#')
			continue;
		word[0] = (char)c;
	}
	free(word);
}

void leave_by_break_ok(void)
{
	char *word = malloc(32);

	while (1) {
		int c = next_char();

		if (c == EOF)
			break;
		word[0] = (char)c;
	}
	free(word);
}

void leave_by_return_bad(void)
{
	char *word = malloc(32); // LEAK(conditional)

	while (1) {
		int c = next_char();

		if (c == EOF)
			break;
		if (c == 0)
			return;
		word[0] = (char)c;
	}
	free(word);
}

void endless_ok(void)
{
	char *word = malloc(32);

	for (;;)
		word[0] = (char)next_char();
}
