/* the callee says 0 whatever happens, so its failure is not dealt with */
#include <stdlib.h>
#include <string.h>

static char *table[256];

static int translate(const char *s, char *out, int *len)
{
	int n = 0;

	for (; *s; s++)
		out[n++] = *s == '^' && s[1] ? *++s & 31 : *s;
	out[n] = '\0';
	*len = n;
	return 0;
}

static int bind(const char *seq, char *data)
{
	char *keys;
	int n;

	if (seq == NULL || *seq == '\0') {
		free(data);
		return -1;
	}
	keys = malloc(strlen(seq) + 1);
	if (!keys)
		abort();
	if (translate(seq, keys, &n)) {
		free(keys);
		return -1;
	}
	free(table[(unsigned char)keys[0]]);
	table[(unsigned char)keys[0]] = data;
	free(keys);
	return 0;
}

int bind_text(const char *seq, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -1;
	bind(seq, copy);
	return 0;
}
