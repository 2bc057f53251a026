// What is called by a pointer is one of two functions.  Both make an object exactly if they return 0.
#include <stdlib.h>

struct log {
	struct ops *ops;
	void *data;
};

struct ops {
	int (*init)(struct log *, int);
	void (*fini)(struct log *);
};

struct file {
	int fd;
};

int open_it(int);

static int file_init(struct log *x, int a)
{
	struct file *f = malloc(sizeof(*f));

	if (!f)
		return 1;
	f->fd = open_it(a);
	if (f->fd == -1) {
		free(f);
		return 2;
	}
	x->data = f;
	return 0;
}

static int system_init(struct log *x, int a)
{
	struct file *f = malloc(sizeof(*f));

	if (!f)
		return 1;
	f->fd = a;
	x->data = f;
	return 0;
}

static void fini(struct log *x)
{
	free(x->data);
	x->data = NULL;
}

static struct ops file_ops = { file_init, fini }, system_ops = { system_init, fini };
static struct row {
	struct ops *ops;
	int type;
} rows[] = { { &file_ops, 1 }, { &system_ops, 2 }, { NULL, 0 } };

static struct ops *lookup(int type)
{
	struct row *r;

	for (r = &rows[0]; r->ops; r++)
		if (r->type == type)
			break;
	return r->ops;
}

struct log *log_new(int type)
{
	struct log *x = malloc(sizeof(*x));

	if (!x)
		return NULL;
	x->ops = lookup(type);
	if (x->ops && (*x->ops->init)(x, type) == 0)
		return x;
	free(x);
	return NULL;
}

void log_free(struct log *x)
{
	(*x->ops->fini)(x);
	free(x);
}

struct log *log_opened(int type)
{
	struct log *x = malloc(sizeof(*x));

	if (!x)
		return NULL;
	x->ops = lookup(type);
	if (x->ops && (*x->ops->init)(x, type) == 0 && type != 3) // FN(path): LEAK(conditional)
		return x;
	free(x);
	return NULL;
}

static struct log *logs[2];

int start(void)
{
	logs[0] = log_new(1);
	logs[1] = log_opened(2);
	return logs[0] && logs[1] ? 0 : -1;
}

void stop(void)
{
	if (logs[0])
		log_free(logs[0]);
	if (logs[1])
		log_free(logs[1]);
}
