// RUN: plumb check %s -- -std=gnu89 -w
// Old C: no prototypes, implicit int, implicit declarations.
extern char *malloc();

struct ent { char *key; struct ent *next; };

struct ent *head;

save(s)
	char *s;
{
	register char *p;

	p = malloc(strlen(s) + 1);
	if (p == 0)
		return -1;
	strcpy(p, s);
	free(p);
	return 0;
}

lose_bad(s)
	char *s;
{
	char *p = malloc(strlen(s) + 1); /* no cast, no prototype */ // LEAK(never-freed)

	strcpy(p, s);
	return p[0];
}

keep_ok(s)
	char *s;
{
	struct ent *e = (struct ent *)malloc(sizeof(struct ent));

	e->key = s;
	e->next = head;
	head = e;
}
