/* after an assertion the same test again, for builds without assertions */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct child { struct child *next; };
struct url { char *user; };
struct url *url_parse(const char *s);
void url_free(struct url *u);
int next(char *buf);
void visit(const struct child *c, const char *file);
extern struct child *children;

void retrieve(int descend)
{
	char buf[80];

	while (next(buf)) {
		char *file = strdup(buf);

		if (descend && children) {
			struct url *u = url_parse(buf);

			assert(u != NULL);
			if (!u)
				continue;
			for (struct child *c = children; c; c = c->next)
				visit(c, buf);
			url_free(u);
		}
		free(file);
	}
}
