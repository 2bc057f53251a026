// The result of a function is made by one of several calls below it; each of them is what the finding may be of.
// LEAKS: 3
// PATCH: ^\+.*free\(pipe_run\(d, cmd, &len\)\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
static void *xrealloc(void *q, size_t n) { void *p = realloc(q, n); if (!p) abort(); return p; }
struct data { int sel; const char *lines[4]; };
static void copy_line(struct data *d, char **buf, size_t *off, int i)
{
	const char *s;
	for (s = d->lines[i]; *s; s++) {
		*buf = xrealloc(*buf, *off + 1);
		memcpy(*buf + *off, s, 1);
		*off += 1;
	}
	if (i > 1) {
		*buf = xrealloc(*buf, (*off) + 1);
		(*buf)[(*off)++] = '\n';
	}
}
static char *match(struct data *d)
{
	char *buf = NULL, *cp;
	size_t len = 0;
	int i;
	if (d->sel > 5)
		return NULL;
	for (i = 0; i < d->sel; i++) {
		cp = d->lines[0] ? "y" : "x";
		buf = xrealloc(buf, len + 3);
		memcpy(buf + len, cp, 1);
		len++;
	}
	if (len != 0)
		buf[len] = 0;
	return buf;
}
static void *get_selection(struct data *d, size_t *len)
{
	char *buf;
	size_t off;
	int i;
	if (d->sel) {
		buf = match(d);
		if (buf != NULL)
			*len = strlen(buf);
		else
			*len = 0;
		return buf;
	}
	buf = xmalloc(1);
	off = 0;
	*buf = '\0';
	for (i = 0; i < 4; i++)
		copy_line(d, &buf, &off, i);
	if (off == 0) {
		free(buf);
		*len = 0;
		return NULL;
	}
	*len = off;
	return buf;
}
static void *pipe_run(struct data *d, const char *cmd, size_t *len)
{
	void *buf = get_selection(d, len);
	if (cmd != NULL && *cmd)
		fwrite(buf, 1, *len, stdout);
	return buf;
}
static void do_pipe(struct data *d, const char *cmd)
{
	size_t len;
	pipe_run(d, cmd, &len);
}
static void copy_pipe(struct data *d, const char *cmd)
{
	size_t len;
	void *buf = pipe_run(d, cmd, &len);
	if (buf != NULL) {
		fwrite(buf, 1, len, stdout);
		free(buf);
	}
}
int main(void)
{
	struct data d = { 0, { "a", "b", "c", "" } };
	do_pipe(&d, "c");
	do_pipe(&d, "");
	d.sel = 3;
	copy_pipe(&d, "c");
	do_pipe(&d, "c");
	return 0;
}
