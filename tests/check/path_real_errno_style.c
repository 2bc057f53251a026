// The result is in a variable of the object; functions return nothing.
#include <stdlib.h>
#include <string.h>

struct writer { char *buf; int err; };

int disk_full(void);

static void writer_open(struct writer *w)
{
	w->err = 0;
	w->buf = malloc(1000);
	if (!w->buf)
		w->err = 12;
}

static void writer_put(struct writer *w, const char *s)
{
	if (w->err)
		return;
	if (disk_full()) {
		w->err = 28;
		return;
	}
	strncpy(w->buf, s, 999);
}

static int writer_close(struct writer *w)
{
	free(w->buf);
	w->buf = NULL;
	return w->err;
}

int save_ok(const char *s)
{
	struct writer w;

	writer_open(&w);
	writer_put(&w, s);
	return writer_close(&w);
}

int save_early_ok(const char *s)
{
	struct writer w;

	writer_open(&w);
	if (w.err)
		return w.err;	/* there is no buffer */
	writer_put(&w, s);
	return writer_close(&w);
}

int save_bad(const char *s)
{
	struct writer w;

	writer_open(&w); // LEAK(conditional)
	writer_put(&w, s);
	if (w.err)
		return w.err;
	return writer_close(&w);
}
