// RUN: plumb check --at-exit %s
// With --at-exit: what a static or a global holds when the program ends.  Not whether any function ever
// looks at it or frees what is there counts, but who does so after it was put there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lib_lend(char **where);

/* One function hands the object to another by a static; that one only looks. */
static char *handed, *handed_over;

static void look_bad(void)
{
	char *p = handed;

	strcpy(p, "looked at");
	puts(p);
}

static void hand_bad(void)
{
	char *p = malloc(100); // LEAK(never-freed)

	if (!p)
		exit(1);
	handed = p;
	look_bad();
}

static void look_ok(void)
{
	char *p = handed_over;

	strcpy(p, "looked at");
	puts(p);
	free(p);
}

static void hand_ok(void)
{
	char *p = malloc(100);

	if (!p)
		exit(1);
	handed_over = p;
	look_ok();
}

/* The release runs before, not after. */
static char *title, *subtitle;

static void drop_title(void)
{
	free(title);
	title = NULL;
}

static void title_bad(void)
{
	title = strdup("title"); // LEAK(never-freed)
}

static void drop_subtitle(void)
{
	free(subtitle);
	subtitle = NULL;
}

static void subtitle_ok(void)
{
	subtitle = strdup("subtitle");
}

/* Nobody calls the function that would release it. */
static char *idle;

void never_called(void)
{
	free(idle);
}

static void idle_bad(void)
{
	idle = strdup("idle"); // LEAK(never-freed)
}

/* A list: the nodes and what they hold. */
struct node {
	struct node *next;
	char *text;
};

static struct node *kept, *released;

static void keep_bad(const char *s)
{
	struct node *n = malloc(sizeof(*n)); // LEAK(never-freed)

	if (!n)
		return;
	n->text = strdup(s);
	n->next = kept;
	kept = n;
}

static int count(void)
{
	int k = 0;

	for (struct node *n = kept; n; n = n->next)
		k += n->text != NULL;
	return k;
}

static void keep_ok(const char *s)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		return;
	n->text = strdup(s);
	n->next = released;
	released = n;
}

static void release_all(void)
{
	while (released) {
		struct node *n = released;

		released = n->next;
		free(n->text);
		free(n);
	}
}

/* A table that grows; the last one stays. */
static int *table;
static unsigned used;

static void grow_bad(int x)
{
	int *more = realloc(table, (used + 1) * sizeof(*more)); // FN(vfg): LEAK

	if (!more)
		exit(1);
	table = more;
	table[used++] = x;
}

static int sum(void)
{
	int s = 0;

	for (unsigned i = 0; i < used; i++)
		s += table[i];
	return s;
}

/* Released by a handler, by a destructor, under a flag. */
static char *log_name, *cache, *buffer;
static int have_buffer;

static void close_log(void)
{
	free(log_name);
}

static void open_log_ok(void)
{
	log_name = strdup("log");
	atexit(close_log);
}

__attribute__((destructor)) static void drop_cache(void)
{
	free(cache);
}

static void fill_cache_ok(void)
{
	cache = strdup("cache");
}

static void buffer_ok(void)
{
	buffer = malloc(5);
	have_buffer = 1;
}

static void drop_buffer(void)
{
	if (have_buffer)
		free(buffer);
	have_buffer = 0;
}

/* A library that was given the address may release it. */
static char *lent;

static void lend_ok(void)
{
	lib_lend(&lent);
	lent = strdup("lent");
}

int main(int argc, char **argv)
{
	hand_bad();
	hand_ok();
	drop_title();
	title_bad();
	subtitle_ok();
	idle_bad();
	puts(idle);
	for (int i = 0; i < argc; i++) {
		keep_bad(argv[i]);
		keep_ok(argv[i]);
		grow_bad(i);
	}
	open_log_ok();
	fill_cache_ok();
	buffer_ok();
	lend_ok();
	printf("%s: %d\n", title, count() + sum());
	drop_subtitle();
	drop_buffer();
	release_all();
	return 0;
}
