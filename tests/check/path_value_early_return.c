// A lexer on the stack with init and release; one return passes the release by.
#include <stdlib.h>
#include <string.h>

struct lexer { char *buf; int *marks; const char *p; };

static int lexer_init(struct lexer *l, const char *text)
{
	l->buf = strdup(text); // LEAK@buf: by words_bad()
	if (!l->buf)
		return -1;
	l->marks = calloc(16, sizeof(int)); // LEAK@marks
	if (!l->marks) {
		free(l->buf);
		return -1;
	}
	l->p = l->buf;
	return 0;
}

static void lexer_release(struct lexer *l)
{
	free(l->buf);
	free(l->marks);
}

int words_ok(const char *text)
{
	struct lexer l;
	int n = 0;

	if (lexer_init(&l, text) < 0)
		return -1;
	for (; *l.p; l.p++) {
		if (*l.p == '\\') {
			n = -1;
			break;
		}
		n += *l.p == ' ';
	}
	lexer_release(&l);
	return n;
}

int words_bad(const char *text)
{
	struct lexer l;
	int n = 0;

	if (lexer_init(&l, text) < 0) // LEAK@buf // LEAK@marks
		return -1;
	for (; *l.p; l.p++) {
		if (*l.p == '\\')
			return -1;
		n += *l.p == ' ';
	}
	lexer_release(&l);
	return n;
}
