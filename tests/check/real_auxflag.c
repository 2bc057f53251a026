/* compiled here or cached: a flag says who keeps it */
#include <stdlib.h>
#include <string.h>

struct re { char *text; const char *error; int hits; };
struct sqlite3_context;
void *sqlite3_get_auxdata(struct sqlite3_context *, int);
void sqlite3_set_auxdata(struct sqlite3_context *, int, void *, void (*)(void *));
void *sqlite3_malloc(int);
void sqlite3_free(void *);

static void re_free(struct re *re)
{
	if (re) {
		sqlite3_free(re->text);
		sqlite3_free(re);
	}
}

static const char *compile(struct re **out, const char *s)
{
	struct re *re;

	*out = NULL;
	re = sqlite3_malloc(sizeof(*re));
	if (re == NULL)
		return "out of memory";
	memset(re, 0, sizeof(*re));
	re->text = sqlite3_malloc((int)strlen(s) + 1);
	if (re->text == NULL) {
		re_free(re);
		return "out of memory";
	}
	strcpy(re->text, s);
	if (s[0] != '!') {
		*out = re;
	} else {
		re_free(re);
		return "bad";
	}
	return re->error;
}

void match(struct sqlite3_context *ctx, const char *pattern, const char *s)
{
	struct re *re = sqlite3_get_auxdata(ctx, 0);
	const char *error;
	int keep = 0;

	if (re == NULL) {
		error = compile(&re, pattern);
		if (error) {
			re_free(re);
			return;
		}
		if (re == NULL)
			return;
		keep = 1;
	}
	if (s != NULL)
		re->hits += strcmp(re->text, s) == 0;
	if (keep)
		sqlite3_set_auxdata(ctx, 0, re, (void (*)(void *))re_free);
}
