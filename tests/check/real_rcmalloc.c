/* memory, or NULL and an error code through a parameter */
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; char text[]; };
struct list { struct item *first; };

static void *alloc(int *rc, size_t n)
{
	void *p = malloc(n);

	if (p)
		memset(p, 0, n);
	else
		*rc = 7;
	return p;
}

int add(struct list *l, const char *s)
{
	int rc = 0;
	struct item *i = alloc(&rc, sizeof(*i) + strlen(s) + 1);

	if (rc == 0) {
		strcpy(i->text, s);
		i->next = l->first;
		l->first = i;
	}
	return rc;
}

/* filled only where the result is 0 */
static int read_item(const char *s, struct item **out)
{
	int rc = 0;
	struct item *i = calloc(1, sizeof(*i) + strlen(s) + 1);

	if (i == NULL)
		rc = 7;
	else if (s[0] == '!')
		rc = 1;
	else
		strcpy(i->text, s);
	if (rc != 0)
		free(i);
	else
		*out = i;
	return rc;
}

int add_all(struct list *l, char **v, int n)
{
	int rc = 0;

	for (int k = 0; rc == 0 && k < n; k++) {
		struct item *i = NULL;

		rc = read_item(v[k], &i);
		if (rc == 0) {
			i->next = l->first;
			l->first = i;
		}
	}
	return rc;
}
