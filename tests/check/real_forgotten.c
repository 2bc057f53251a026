/* true ones of daily life */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* given to a function that only reads it, among others that are freed */
static int display(const char *cwd, const char *title)
{
	return chdir(cwd) == 0 && puts(title) >= 0;
}

int popup_bad(const char *dir, const char *t)
{
	char *cwd = strdup(dir), *title; // LEAK(never-freed)

	title = strdup(t);
	if (!cwd || !title)
		abort();
	if (!display(cwd, title)) {
		free(title);
		return -1;
	}
	free(title);
	return 0;
}

/* one variable for several texts one after another, one free at the end */
static char *text_of(int n)
{
	char *s = malloc(20);

	if (!s)
		abort();
	snprintf(s, 20, "%d", n);
	return s;
}

void draw_bad(int value, int window, int global)
{
	char *s = text_of(value); // LEAK(overwritten)

	if (puts(s) < 0)
		goto out;
	if (window) {
		s = text_of(window); // LEAK(overwritten)
		if (puts(s) < 0)
			goto out;
	}
	if (global) {
		s = text_of(global);
		puts(s);
	}
out:
	free(s);
}

/* nothing of it can be used */
size_t paste_bad(const char *data, char *into)
{
	char *v = malloc(strlen(data) + 1), *p = v; // LEAK(conditional)
	size_t n;

	if (!v)
		abort();
	for (; *data >= ' '; data++)
		*p++ = *data;
	n = (size_t)(p - v);
	if (n == 0)
		return 0;
	memcpy(into, v, n);
	free(v);
	return n;
}

/* a buffer or memory, kept only if the file is there */
int newer_bad(const char *name)
{
	struct stat st;
	char buf[64], *orig, *found = NULL;
	size_t n = strlen(name);

	if (n + 6 > sizeof(buf))
		orig = malloc(n + 6); // LEAK(conditional)
	else
		orig = buf;
	if (!orig)
		abort();
	memcpy(orig, name, n);
	memcpy(orig + n, ".orig", 6);
	if (stat(orig, &st) == 0)
		found = orig;
	if (found == NULL)
		return -1;
	if (found != buf)
		free(found);
	return 0;
}

/* made, then found to be of no use */
struct client { void *data; };
struct state { const char *header; };

int create_bad(const struct state *s, struct client *c)
{
	char **d = calloc(1, sizeof(*d)); // LEAK(conditional)
	int ret = -1;

	if (d && s->header) {
		d[0] = (char *)s->header;
		c->data = d;
		ret = 0;
	}
	return ret;
}

/* an element given twice takes the place of the first */
struct server { struct server *next; char *host; int interval; };
struct element { struct element *next; const char *name, *text; };
static struct server *servers;

void add_server_bad(const struct element *e)
{
	struct server *s = calloc(1, sizeof(*s));

	if (!s)
		abort();
	for (; e; e = e->next) {
		if (strcmp(e->name, "host") == 0)
			s->host = strdup(e->text); // LEAK
		else if (strcmp(e->name, "interval") == 0)
			s->interval = atoi(e->text);
	}
	if (s->host) {
		s->next = servers;
		servers = s;
	} else {
		free(s);
	}
}

/* the destructor does not know of a member */
struct mount { struct mount *next; char *name, *type, *subtype; };
static struct mount *mounts;

static void mount_free(struct mount *m)
{
	free(m->name);
	free(m->type);
	free(m);
}

void add_mount_bad(const struct element *e)
{
	struct mount *m = calloc(1, sizeof(*m));

	if (!m)
		abort();
	for (; e; e = e->next) {
		if (strcmp(e->name, "name") == 0 && !m->name)
			m->name = strdup(e->text);
		else if (strcmp(e->name, "subtype") == 0 && !m->subtype)
			m->subtype = strdup(e->text); // LEAK
	}
	if (m->name == NULL) {
		mount_free(m);
		return;
	}
	m->next = mounts;
	mounts = m;
}

/* the array is given to a function that fails, and forgotten */
static int execute(char **v)
{
	return v[0][0] == '/' ? -1 : 127;
}

int exec_bad(const char *s)
{
	char **args = calloc(2, sizeof(*args)); // LEAK(overwritten)
	int ret = -1;

	if (!args)
		return -1;
	args[0] = (char *)s;
	if (s[0] == '\0')
		goto out;
	ret = execute(args);
	args = NULL;
out:
	free(args);
	return ret;
}

/* it hands the old text back only if all went well before */
static char *append(int *rc, char *s, const char *t)
{
	char *ret = NULL;

	if (*rc == 0) {
		ret = malloc((s ? strlen(s) : 0) + strlen(t) + 1);
		if (ret)
			sprintf(ret, "%s%s", s ? s : "", t);
		else
			*rc = 7;
		free(s);
	}
	return ret;
}

int columns_bad(const char **v, int n)
{
	char *cols = NULL, *order = NULL;
	int rc = 0;

	for (int i = 0; rc == 0 && i < n; i++) {
		cols = append(&rc, cols, v[i]);
		order = append(&rc, order, "x"); // LEAK(overwritten)
	}
	if (rc == 0)
		puts(cols);
	free(cols);
	free(order);
	return rc;
}

/* kept in a slot, if there is one */
static FILE *slots[4];

static int slot_for(FILE *f)
{
	for (int i = 0; f && i < 4; i++)
		if (!slots[i]) {
			slots[i] = f;
			return i;
		}
	return -1;
}

int open_slot_bad(const char *name)
{
	FILE *f = fopen(name, "a"); // LEAK(conditional)
	int id = slot_for(f);

	if (id >= 0)
		setvbuf(slots[id], NULL, _IOLBF, 0);
	return id;
}
