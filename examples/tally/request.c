#include "tally.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *word;
	enum verb verb;
	int name, number;	/* are wanted */
} verbs[] = {
	{ "add", ADD, 1, 1 },
	{ "get", GET, 1, 0 },
	{ "drop", DROP, 1, 0 },
	{ "top", TOP, 0, 1 },
	{ "stats", STATS, 0, 0 },
	{ "quit", QUIT, 0, 0 },
};

size_t next_word(const char **text, const char **word)
{
	size_t n;

	*text += strspn(*text, " \t\r\n");
	*word = *text;
	n = strcspn(*text, " \t\r\n");
	*text += n;
	return n;
}

static int find_verb(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strlen(verbs[i].word) == n && strncmp(verbs[i].word, word, n) == 0)
			return (int)i;
	return -1;
}

static int read_number(const char *word, size_t n, long *out)
{
	char *end;

	*out = strtol(word, &end, 10);
	return n > 0 && end == word + n ? 0 : -1;
}

struct request *request_parse(const char *line)
{
	struct request *rq;
	const char *word;
	size_t n = next_word(&line, &word);
	int v = find_verb(word, n), bad = 0;

	if (v < 0)
		return NULL;
	rq = xmalloc(sizeof(*rq));
	rq->verb = verbs[v].verb;
	rq->n = 0;
	n = verbs[v].name ? next_word(&line, &word) : 0;
	rq->name = xstrndup(word, n);
	if (verbs[v].name && n == 0)
		bad = 1;
	if (verbs[v].number) {
		n = next_word(&line, &word);
		bad |= read_number(word, n, &rq->n) < 0;
	}
	rq->tags = xstrndup(line, strlen(line));
	if (bad) {
		request_free(rq);
		return NULL;
	}
	return rq;
}

void request_free(struct request *rq)
{
	free(rq->tags);
	free(rq->name);
	free(rq);
}
