// The same with the release forgotten for names of one letter.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct token { int kind; char *text; };

int count_long_names_bad(const char *s)
{
	int n = 0;

	while (*s) {
		struct token t = { 0, NULL };
		const char *start = s;

		while (isalpha((unsigned char)*s))
			s++;
		if (s == start) {
			s++;
			continue;
		}
		t.kind = 1;
		t.text = strndup(start, s - start); // FN(path): LEAK(conditional) // FP(overwritten,path)
		if (!t.text)
			return -1;
		if (s - start == 1)
			continue;
		n++;
		free(t.text);
	}
	return n;
}
