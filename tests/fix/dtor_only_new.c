// A destructor whose members may point to unknown memory for all that the analysis knows: only what is stored to them tells that they are the object's own.
// LEAKS: 3
// PATCH: ^\+.*iri_free\(pi\);
// NEVER: ^\+.*[^_]free\(pi\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct iri {
	char *uri_encoding;
	char *content_encoding;
	int utf8;
};

static char *locale_of[2];

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static char *xstrdup(const char *s)
{
	return strcpy(xmalloc(strlen(s) + 1), s);
}

struct iri *iri_new(void)
{
	struct iri *i = xmalloc(sizeof *i);

	i->uri_encoding = locale_of[0] ? xstrdup(locale_of[0]) : NULL;
	i->content_encoding = NULL;
	i->utf8 = 1;
	return i;
}

void iri_free(struct iri *i)
{
	if (i) {
		free(i->uri_encoding);
		i->uri_encoding = NULL;
		free(i->content_encoding);
		i->content_encoding = NULL;
		free(i);
	}
}

void set_uri_encoding(struct iri *i, const char *charset, int force)
{
	if (!i->utf8 && !force)
		return;
	if (i->uri_encoding) {
		if (charset && !strcmp(i->uri_encoding, charset))
			return;
		free(i->uri_encoding);
		i->uri_encoding = NULL;
	}
	i->uri_encoding = charset ? xstrdup(charset) : NULL;
}

static int parse(const char *url, struct iri *i)
{
	if (strchr(url, '!'))
		return -1;
	return (int)strlen(url) + (i->uri_encoding ? (int)strlen(i->uri_encoding) : 0);
}

static int convert(char **urls, int n)
{
	int sum = 0;

	for (int k = 0; k < n; k++) {
		struct iri *pi = iri_new();
		int u;

		set_uri_encoding(pi, locale_of[1], 1);
		u = parse(urls[k], pi);
		if (u < 0)
			continue;
		sum += u;
		iri_free(pi);
	}
	return sum;
}

int main(void)
{
	char *urls[] = { "http://a/", "!", "http://b/" };

	printf("%d\n", convert(urls, 3));
	locale_of[0] = "ascii";
	locale_of[1] = "utf-8";
	printf("%d\n", convert(urls, 3));
	return 0;
}
