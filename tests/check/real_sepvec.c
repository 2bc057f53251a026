/* false: the elements go with their vector, which is merged into the one of an option; a table tells
 * where that is */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { char **accepts, **domains, **no_proxy; } opt;

static void *more(void *p, size_t n)
{
	p = realloc(p, n);
	if (!p)
		abort();
	return p;
}

static char *part(const char *from, const char *to)
{
	char *s = more(NULL, to - from + 1);
	memcpy(s, from, to - from);
	s[to - from] = '\0';
	return s;
}

static char **separate(const char *s)
{
	char **res = NULL;
	const char *p = s;
	int i = 0;

	if (!s || !*s)
		return NULL;
	while (*s) {
		if (*s == ',') {
			res = more(res, (i + 2) * sizeof(*res));
			res[i] = part(p, s); // FP(conditional,path)
			res[++i] = NULL;
			++s;
			p = s;
		} else {
			++s;
		}
	}
	res = more(res, (i + 2) * sizeof(*res));
	res[i] = part(p, s); // FP(conditional,path)
	res[i + 1] = NULL;
	return res;
}

static void free_vec(char **vec)
{
	if (vec) {
		for (char **p = vec; *p; p++)
			free(*p);
		free(vec);
	}
}

static char **merge(char **v1, char **v2)
{
	int i, j;

	if (!v1)
		return v2;
	if (!v2)
		return v1;
	if (!*v2) {
		free(v2);
		return v1;
	}
	for (i = 0; v1[i]; i++)
		;
	for (j = 0; v2[j]; j++)
		;
	v1 = more(v1, (i + j + 1) * sizeof(*v1));
	memcpy(v1 + i, v2, (j + 1) * sizeof(*v1));
	free(v2);
	return v1;
}

static int set_vector(const char *val, void *place)
{
	char ***vec = place;

	if (*val) {
		*vec = merge(*vec, separate(val));
	} else {
		free_vec(*vec);
		*vec = NULL;
	}
	return 1;
}

static int set_directories(const char *val, void *place)
{
	char ***vec = place;

	if (*val) {
		char **seps = separate(val);
		for (char **t = seps; t && *t; t++) {
			size_t n = strlen(*t);
			if (n > 1 && (*t)[n - 1] == '/')
				(*t)[n - 1] = '\0';
		}
		*vec = merge(*vec, seps);
	} else {
		free_vec(*vec);
		*vec = NULL;
	}
	return 1;
}

static const struct { const char *name; void *place; int (*set)(const char *, void *); } commands[] = {
	{ "accept", &opt.accepts, set_vector },
	{ "domains", &opt.domains, set_directories },
	{ "noproxy", &opt.no_proxy, set_vector },
};

int main(int argc, char **argv)
{
	if (getenv("no_proxy"))
		opt.no_proxy = separate(getenv("no_proxy"));
	for (int i = 1; i + 1 < argc; i += 2)
		for (size_t k = 0; k < sizeof(commands) / sizeof(*commands); k++)
			if (strcmp(argv[i], commands[k].name) == 0)
				commands[k].set(argv[i + 1], commands[k].place);
	puts(opt.accepts ? opt.accepts[0] : "");
	free_vec(opt.accepts);
	free_vec(opt.domains);
	free_vec(opt.no_proxy);
	return 0;
}
