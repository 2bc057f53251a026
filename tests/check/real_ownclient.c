/* false: the file's client is the caller's c, which is not NULL there, so that its list has the file */
#include <stdlib.h>

typedef void done_fn(void *data);
struct client;
struct file { struct client *client; done_fn *done; void *data; struct file *next; };
struct client { int flags; int peer; struct file *files; };
extern int peer_send(int peer, const char *path);

static void *must(size_t n)
{
	void *p = calloc(1, n);
	if (!p)
		abort();
	return p;
}

static struct file *file_create(struct client *c, done_fn *done, void *data)
{
	struct file *f;

	if (c != NULL && (c->flags & 1))
		c = NULL;
	f = must(sizeof(*f));
	f->client = c;
	f->done = done;
	f->data = data;
	if (f->client != NULL) {
		f->next = f->client->files;
		f->client->files = f;
	}
	return f;
}

static void file_done(struct file *f)
{
	f->done(f->data);
	free(f);
}

static void file_read(struct client *c, const char *path, done_fn *done, void *data)
{
	struct file *f = file_create(c, done, data);

	if (c == NULL || (c->flags & 1))
		goto done;
	if (peer_send(c->peer, path) != 0) {
		c->files = f->next;
		goto done;
	}
	return;
done:
	file_done(f);
}

struct load { char *name; };

static void load_done(void *data)
{
	struct load *l = data;
	free(l->name);
	free(l);
}

void load(struct client *c, const char *path)
{
	struct load *l = must(sizeof(*l));
	file_read(c, path, load_done, l);
}

void client_lost(struct client *c)
{
	struct file *f;

	while ((f = c->files)) {
		c->files = f->next;
		file_done(f);
	}
}
