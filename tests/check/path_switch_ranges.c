// A character class decides, with case ranges and falling through.
#include <stdlib.h>
#include <string.h>

int lex_ok(const char *s)
{
	char *word = NULL;
	int kind = 0;

	switch (*s) {
	case 'a' ... 'z':
	case 'A' ... 'Z':
	case '_':
		word = strdup(s);
		kind = 1;
		break;
	case '0' ... '9':
		kind = 2;
		break;
	case '"':
		word = strdup(s + 1);
		kind = 3;
		/* fall through */
	default:
		break;
	}
	if (kind == 1 || kind == 3)
		free(word);
	return kind;
}

int lex_bad(const char *s)
{
	char *word = NULL;
	int kind = 0;

	switch (*s) {
	case 'a' ... 'z':
	case '_':
		word = strdup(s);
		kind = 1;
		break;
	case '"':
		word = strdup(s + 1); // LEAK(conditional)
		kind = s[1] == '"' ? 0 : 3;
		break;
	default:
		break;
	}
	if (kind == 1 || kind == 3)
		free(word);
	return kind;
}
