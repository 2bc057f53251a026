// Members of an object that is made here are overwritten when an option comes twice.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct site {
	char *host;
	char *user;
	char *path;
	struct site *next;
};

struct sites {
	struct site *first;
};

static void site_free(struct site *s)
{
	if (s->host)
		free(s->host);
	if (s->user)
		free(s->user);
	if (s->path)
		free(s->path);
	free(s);
}

static void add_site(struct sites *all, const char *const *opt)
{
	struct site *s = calloc(1, sizeof *s);
	struct site *last = all->first;

	if (!s)
		abort();
	for (; *opt; opt++) {
		if (**opt == 'h') {
			s->host = strdup(*opt + 1);
		} else if (**opt == 'u')
			s->user = strdup(*opt + 1);
		else if (**opt == 'p')
			s->path = strdup(*opt + 1);
	}
	if (!s->host) {
		site_free(s);
		return;
	}
	while (last && last->next)
		last = last->next;
	if (last)
		last->next = s;
	else
		all->first = s;
}

int main(void)
{
	static const char *const one[] = { "hone", "uann", "p/x", "htwo", "ubob", "p/y", "x", NULL };
	static const char *const two[] = { "uann", "ubob", NULL };
	static const char *const three[] = { "hsix", "p/", NULL };
	struct sites all = { NULL };
	struct site *s;

	add_site(&all, one);
	add_site(&all, two);
	add_site(&all, three);
	while ((s = all.first)) {
		all.first = s->next;
		printf("%s %s %s\n", s->host, s->user ? s->user : "-", s->path ? s->path : "-");
		site_free(s);
	}
	return 0;
}
