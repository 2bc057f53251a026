// A destructor looks at members that are not set yet: what is there is anything.
// LEAKS: 8
// PATCH: ^\+\t\tfree\(x\);$
// PATCH: ^\+\t\tfree\(x->name\);$
// PATCH: ^\+\t\tset_free\(x\);$
// PATCH: ^\+\t\tcleared_free\(x\);$
// NEVER: ^\+.*(early|flag|late)_free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *get(size_t n)
{
	void *p = malloc(n);

	if (!p)
		exit(1);
	return p;
}

/* The constructor sets nothing. */
struct early {
	char *name;
	int n;
};

static struct early *early_new(void)
{
	return get(sizeof(struct early));
}

static void early_free(struct early *x)
{
	free(x->name);
	free(x);
}

static int early(int n)
{
	struct early *x = early_new();

	if (n < 0)
		return -1;
	x->n = n;
	x->name = strdup("early");
	early_free(x);
	return 0;
}

/* It sets what is freed, but not what is asked for. */
struct flag {
	char *name;
	int loud;
};

static struct flag *flag_new(void)
{
	struct flag *x = malloc(sizeof(*x));

	if (!x)
		exit(1);
	x->name = strdup("flag");
	return x;
}

static void flag_free(struct flag *x)
{
	if (x->loud)
		puts(x->name);
	free(x->name);
	free(x);
}

static int flag(int n)
{
	struct flag *x = flag_new();

	if (n < 0)
		return -1;
	x->loud = n;
	flag_free(x);
	return 0;
}

/* It is set on some ways only. */
struct late {
	char *name;
	char *more;
};

static struct late *late_new(int n)
{
	struct late *x = malloc(sizeof(*x));

	if (!x)
		exit(1);
	x->name = NULL;
	if (n >= 0)
		x->more = NULL;
	return x;
}

static void late_free(struct late *x)
{
	free(x->name);
	free(x->more);
	free(x);
}

static int late(int n)
{
	struct late *x = late_new(n);

	if (n < 0)
		return -1;
	late_free(x);
	return 0;
}

/* All is set: by the constructor, which may fail, and by a function that it calls. */
struct set {
	char *name;
	char *more;
	int n;
};

static void set_numbers(struct set *x, int n)
{
	if (n > 0)
		x->n = n;
	else
		x->n = 0;
}

static struct set *set_new(int n)
{
	struct set *x = malloc(sizeof(*x));

	if (!x)
		return NULL;
	set_numbers(x, n);
	x->more = NULL;
	x->name = strdup("set");
	if (!x->name) {
		free(x);
		return NULL;
	}
	return x;
}

static void set_free(struct set *x)
{
	if (x->n > 100)
		puts("many");
	free(x->name);
	free(x->more);
	free(x);
}

static int set(int n)
{
	struct set *x = set_new(n);

	if (!x)
		return -2;
	if (n < 0)
		return -1;
	set_free(x);
	return 0;
}

/* All is cleared. */
struct cleared {
	char *name;
	char *more;
};

static void cleared_free(struct cleared *x)
{
	free(x->name);
	free(x->more);
	free(x);
}

static struct cleared *cleared_new(void)
{
	struct cleared *x = malloc(sizeof(*x));

	if (!x)
		exit(1);
	memset(x, 0, sizeof(*x));
	x->more = strdup("more");
	return x;
}

static int cleared(int n)
{
	struct cleared *x = cleared_new();

	if (n < 0)
		return -1;
	x->name = strdup("name");
	cleared_free(x);
	return 0;
}

int main(void)
{
	for (int n = -1; n < 2; n++)
		printf("%d %d %d %d %d\n", early(n), flag(n), late(n), set(n), cleared(n));
	return 0;
}
