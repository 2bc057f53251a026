/*
 * apply.c - edited texts, in memory and on the disk.
 *
 * Files are replaced as a whole by renaming, so that nobody ever sees half of one, and all of
 * them or none: everything that can fail is done before the first rename.  A link is followed,
 * so that it stays a link; owner (where that is allowed) and permissions stay as they are.
 */
#include "fix/edit.h"

#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- in memory ---- */

static void apply_file(struct fix_files *out, struct arena *arena, const struct edit *xs, uint32_t n)
{
	const struct ast_file *f = xs->file;
	struct fix_file *x = vec_add(out, 1);
	struct sbuf b = {0};
	uint32_t at = 0;

	x->path = arena_strdup(arena, f->path);
	x->old = arena_copy(arena, f->text, (size_t)f->n + 1);
	x->nold = f->n;
	for (uint32_t i = 0; i < n; i++) {
		struct fix_shift s = { .n = (uint32_t)strlen(xs[i].text), .old = xs[i].begin, .nold = xs[i].end - xs[i].begin };

		assert(xs[i].begin >= at);
		sbuf_add(&b, f->text + at, xs[i].begin - at);
		s.at = (uint32_t)b.n;
		sbuf_adds(&b, xs[i].text);
		vec_push(&x->shifts, s);
		at = xs[i].end;
	}
	sbuf_add(&b, f->text + at, f->n - at);
	x->text = arena_copy(arena, sbuf_str(&b), b.n + 1);
	x->n = (uint32_t)b.n;
	sbuf_release(&b);
}

void apply_edits(struct fix_files *out, struct arena *arena, const struct edits *xs)
{
	for (uint32_t i = 0, k; i < xs->n; i = k) {
		for (k = i; k < xs->n && xs->v[k].file == xs->v[i].file; k++)
			;
		apply_file(out, arena, &xs->v[i], k - i);
	}
}

void fix_files_release(struct fix_files *fs)
{
	for (uint32_t i = 0; i < fs->n; i++)
		vec_release(&fs->v[i].shifts);
	vec_release(fs);
}

void fix_file_back(const struct fix_file *f, unsigned *line, unsigned *column)
{
	const char *p = f->text, *end = f->text + f->n, *q;
	uint32_t at, old;

	for (unsigned l = 1; l < *line; l++) {
		if (!(p = memchr(p, '\n', (size_t)(end - p))))
			return;
		p++;
	}
	at = (uint32_t)(p - f->text) + (*column ? *column - 1 : 0);
	old = at;
	for (uint32_t i = 0; i < f->shifts.n; i++) {
		const struct fix_shift *s = &f->shifts.v[i];

		if (s->at + s->n <= at)
			old = at - (s->at + s->n) + s->old + s->nold;
		else if (s->at <= at)
			old = s->old + s->nold;
	}
	old = MIN(old, f->nold);
	*line = 1;
	for (p = f->old; (q = memchr(p, '\n', (size_t)(f->old + old - p))); p = q + 1)
		++*line;
	if (*column)
		*column = (unsigned)(f->old + old - p) + 1;
}

/* ---- on the disk ---- */

struct target {
	char *path;		/* with links followed */
	char *tmp;
	int fd;
};

static int write_copy(struct target *t, const struct fix_file *f)
{
	struct stat st;
	char *now = NULL;
	size_t n;
	int ret;

	if (!(t->path = realpath(f->path, NULL)))
		return error_sys("%s", f->path);
	if (stat(t->path, &st) < 0)
		return error_sys("%s", f->path);
	if ((ret = file_read(&now, &n, t->path)) < 0)
		return ret;
	if (n != f->nold || memcmp(now, f->old, n) != 0)
		ret = error_set("%s: the file has changed meanwhile", f->path);
	free(now);
	if (ret < 0)
		return ret;
	if (access(t->path, W_OK) < 0)
		return error_sys("%s: cannot be written", f->path);
	t->tmp = xasprintf("%s.plumb-XXXXXX", t->path);
	if ((t->fd = mkostemp(t->tmp, O_CLOEXEC)) < 0) {
		ret = error_sys("%s: no new file can be made beside it", f->path);
		free(t->tmp);
		t->tmp = NULL;
		return ret;
	}
	if (fd_write_all(t->fd, f->text, f->n) < 0)
		return error_sys("%s", t->tmp);
	if (fchown(t->fd, st.st_uid, st.st_gid) < 0 && errno != EPERM)
		return error_sys("%s", t->tmp);
	if (fchmod(t->fd, st.st_mode & 07777) < 0 || fsync(t->fd) < 0)
		return error_sys("%s", t->tmp);
	return 0;
}

int fix_files_write(const struct fix_files *fs)
{
	struct target *ts = xcalloc(MAX(fs->n, 1), sizeof(*ts));
	int ret = 0;

	for (uint32_t i = 0; i < fs->n; i++)
		ts[i].fd = -1;
	for (uint32_t i = 0; ret == 0 && i < fs->n; i++)
		ret = write_copy(&ts[i], &fs->v[i]);
	for (uint32_t i = 0; ret == 0 && i < fs->n; i++) {
		if (rename(ts[i].tmp, ts[i].path) < 0)
			ret = error_sys("%s: cannot be replaced", ts[i].path);
		else
			ts[i].tmp[0] = '\0';
	}
	for (uint32_t i = 0; i < fs->n; i++) {
		if (ts[i].fd >= 0)
			close(ts[i].fd);
		if (ts[i].tmp && *ts[i].tmp)
			unlink(ts[i].tmp);
		free(ts[i].tmp);
		free(ts[i].path);
	}
	free(ts);
	return ret;
}
