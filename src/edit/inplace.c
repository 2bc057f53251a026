/*
 * inplace.c - edited texts on the disk: all of the files or none, whenever we are killed.
 *
 * New contents are written beside the files and put on the disk, then each is exchanged with its
 * file, in one system call, so that nobody ever sees half of one.  What can fail is done before the
 * first exchange, and an exchange that fails undoes those before it.  A link is followed, so that it
 * stays a link; owner (where that is allowed) and permissions stay as they are.
 *
 * For a run that is killed there is a journal.  It names the files, what is written beside them, and
 * the digests of the old and new texts, and goes through three states:
 *
 *	empty			nothing is begun
 *	written			there may be new contents beside files: they are removed
 *	with a mark behind	all new contents are on the disk: the exchanges are done
 *
 * The next plumb fix reads it, under a lock, and acts as the right column says.  A file that has
 * neither the old nor the new text was edited in between: it is left alone.
 *
 * The journal is not in the project but in the user's own folder ($XDG_STATE_HOME/plumb, else
 * ~/.local/state/plumb), which must belong to the user and be writable to nobody else.  So a checkout
 * cannot bring one along.  And what it names is done only if it is what was left there: the digests
 * must be right, what is removed has a name of ours beside its file, and no link is followed.
 *
 * Where a file system cannot exchange, files are renamed over the old ones: then an exchange that fails,
 * which it has no reason to, leaves those before it changed, and says so.
 */
#include "edit/files.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/sbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* One file. */
struct step {
	char *path;		/* with links followed */
	char *tmp;		/* path.plumb-XXXXXXXXXXXX */
	struct hash128 old, new;
	bool there;		/* tmp is */
	bool kept;		/* path has the new text, and tmp the old one */
};

VEC_TYPE(steps, struct step);

static void steps_release(struct steps *ss)
{
	for (uint32_t i = 0; i < ss->n; i++) {
		free(ss->v[i].path);
		free(ss->v[i].tmp);
	}
	vec_release(ss);
}

/* ---- files ---- */

static struct hash128 digest_of(const void *text, size_t n)
{
	struct hash128 h;

	hash128_init(&h);
	hash128_add(&h, text, n);
	return h;
}

static bool same_digest(const struct hash128 *a, const struct hash128 *b)
{
	return a->a == b->a && a->b == b->b;
}

/* What is at a place: the old text, the new one, another file, or nothing. */
enum found { FOUND_OLD, FOUND_NEW, FOUND_OTHER, FOUND_NOTHING };

static enum found look(const char *path, const struct step *s)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	enum found r = FOUND_OTHER;
	struct stat st;
	struct hash128 h;
	char *text;
	ssize_t k;
	size_t n = 0;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? FOUND_NOTHING : FOUND_OTHER;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < UINT32_MAX) {
		text = xmalloc((size_t)st.st_size + 1);
		while (n <= (size_t)st.st_size && (k = read(fd, text + n, (size_t)st.st_size + 1 - n)) > 0)
			n += (size_t)k;
		h = digest_of(text, n);
		r = same_digest(&h, &s->new) ? FOUND_NEW : same_digest(&h, &s->old) ? FOUND_OLD : FOUND_OTHER;
		free(text);
	}
	close(fd);
	return r;
}

/* Links in the folders above it included: false if it is not what it was when it was named. */
static bool leads_there(const char *path)
{
	char *dir = path_dir(path), *real = realpath(dir, NULL);
	bool ok = real && str_eq(real, dir);

	free(real);
	free(dir);
	return ok;
}

static void sync_dirs(const struct steps *ss)
{
	char *last = NULL;

	for (uint32_t i = 0; i < ss->n; i++) {
		char *dir = path_dir(ss->v[i].path);
		int fd = last && str_eq(dir, last) ? -1 : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd >= 0) {
			fsync(fd);	/* some file systems cannot */
			close(fd);
		}
		free(last);
		last = dir;
	}
	free(last);
}

/* Puts tmp where path is, and path where tmp is if that can be done: then *kept. */
static int exchange(const char *tmp, const char *path, bool *kept)
{
	*kept = renameat2(AT_FDCWD, tmp, AT_FDCWD, path, RENAME_EXCHANGE) == 0;
	if (*kept)
		return 0;
	if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)
		return rename(tmp, path);
	return -1;
}

/* ---- the journal ---- */

static const char head[] = "plumb-fix 1\n";
static const char mark = '!';

struct journal {
	char *path;
	int fd;			/* open and locked; -1: there is none */
	size_t n;		/* without the mark */
};

static char *state_dir(void)
{
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		return path_join(xdg, "plumb");
	if (home && home[0] == '/')
		return path_join(home, ".local/state/plumb");
	return NULL;
}

/* 0, or why a journal there would not be ours alone. */
static int check_owner(int fd, mode_t type, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_sys("%s", path);
	if ((st.st_mode & S_IFMT) != type)
		return error_set("%s: it is %s", path, type == S_IFDIR ? "no folder" : "no regular file");
	if (st.st_uid != geteuid())
		return error_set("%s: it belongs to another user", path);
	if (st.st_mode & 022)
		return error_set("%s: others can write to it", path);
	return 0;
}

/* Another plumb fix has it for as long as it takes to write files. */
static int lock(const struct journal *j)
{
	for (int tries = 0; flock(j->fd, LOCK_EX | LOCK_NB) < 0; tries++) {
		if (errno != EWOULDBLOCK || tries == 300)
			return error_sys("%s: cannot be locked", j->path);
		usleep(100000);
	}
	return 0;
}

/* Is the journal empty, or does another process write it? */
static bool is_idle(int fd)
{
	struct stat st;

	return (fstat(fd, &st) == 0 && st.st_size == 0) ||
	       (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK);
}

static void journal_close(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
	free(j->path);
	j->path = NULL;
}

/* To write one: makes it, and waits.  Else: 0 with no descriptor if there is nothing to be read. */
static int journal_open(struct journal *j, bool to_write)
{
	char *dir = state_dir(), *above = NULL;
	int at = -1, ret = -1;
	bool idle = false;

	*j = (struct journal){ .fd = -1 };
	if (!dir) {
		ret = to_write ? error_set("neither XDG_STATE_HOME nor HOME names a folder") : 0;
		goto done;
	}
	above = path_dir(dir);
	if (to_write && (ret = make_dirs(above)) < 0)
		goto done;
	if (to_write && mkdir(dir, 0700) < 0 && errno != EEXIST) {
		ret = error_sys("cannot create folder %s", dir);
		goto done;
	}
	j->path = path_join(dir, "fix-journal");
	if ((at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0)
		j->fd = openat(at, "fix-journal",
			       O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (to_write ? O_CREAT : 0), 0600);
	if (j->fd < 0)
		ret = !to_write && (errno == ENOENT || errno == ENOTDIR) ? 0 : error_sys("%s", j->path);
	else if ((idle = !to_write && is_idle(j->fd)))
		ret = 0;
	else if ((ret = check_owner(at, S_IFDIR, dir)) == 0 &&
		 (ret = check_owner(j->fd, S_IFREG, j->path)) == 0)
		ret = lock(j);
done:
	if (at >= 0)
		close(at);
	free(above);
	free(dir);
	if (ret < 0 || idle)
		journal_close(j);
	return ret;
}

static int journal_fail(const struct journal *j)
{
	int ret = error_sys("%s", j->path);

	if (ftruncate(j->fd, 0) < 0) {
		/* what is there has no end, and counts for nothing */
	}
	return ret;
}

static int journal_write(struct journal *j, const struct steps *ss)
{
	struct sbuf b = {0};
	struct hash128 h;
	int ret = 0;

	sbuf_adds(&b, head);
	for (uint32_t i = 0; i < ss->n; i++) {
		const struct step *s = &ss->v[i];

		sbuf_add(&b, s->path, strlen(s->path) + 1);
		sbuf_add(&b, s->tmp, strlen(s->tmp) + 1);
		sbuf_add(&b, &s->old, sizeof(s->old));
		sbuf_add(&b, &s->new, sizeof(s->new));
	}
	h = digest_of(b.s, b.n);
	sbuf_add(&b, &h, sizeof(h));
	if (ftruncate(j->fd, 0) < 0 ||
	    lseek(j->fd, 0, SEEK_SET) < 0 || fd_write_all(j->fd, b.s, b.n) < 0 || fsync(j->fd) < 0)
		ret = journal_fail(j);
	j->n = b.n;
	sbuf_release(&b);
	return ret;
}

static int journal_mark(struct journal *j)
{
	if (pwrite(j->fd, &mark, 1, (off_t)j->n) != 1 || fsync(j->fd) < 0)
		return journal_fail(j);
	return 0;
}

static void journal_clear(struct journal *j)
{
	if (j->fd >= 0 && (ftruncate(j->fd, 0) < 0 || fsync(j->fd) < 0))
		diag_warn("%s: cannot be emptied: %s", j->path, strerror(errno));
}

/* Is tmp a name of ours beside path? */
static bool is_beside(const char *tmp, const char *path)
{
	static const char infix[] = ".plumb-";
	size_t n = strlen(path), k = sizeof(infix) - 1;

	return path[0] == '/' && str_starts(tmp, path) &&
	       str_starts(tmp + n, infix) && strlen(tmp + n + k) == 12 &&
	       strspn(tmp + n + k, "0123456789abcdef") == 12;
}

static const char *take_text(const char **p, const char *end)
{
	const char *s = *p, *nul = memchr(s, '\0', (size_t)(end - s));

	if (nul)
		*p = nul + 1;
	return nul ? s : NULL;
}

/* One step of a journal; false: it is not whole, or none of ours. */
static bool take_step(struct steps *ss, const char **p, const char *end)
{
	const char *path = take_text(p, end), *tmp = path ? take_text(p, end) : NULL;
	struct step s = {0};

	if (!tmp || (size_t)(end - *p) < sizeof(s.old) + sizeof(s.new) || !is_beside(tmp, path))
		return false;
	memcpy(&s.old, *p, sizeof(s.old));
	memcpy(&s.new, *p + sizeof(s.old), sizeof(s.new));
	*p += sizeof(s.old) + sizeof(s.new);
	s.path = xstrdup(path);
	s.tmp = xstrdup(tmp);
	vec_push(ss, s);
	return true;
}

/* What a run has left: nothing if it ended before its journal was whole. */
static bool journal_parse(struct steps *ss, bool *marked, const char *text, size_t n)
{
	const char *p = text + sizeof(head) - 1, *end;
	struct hash128 h, is;

	*marked = n && text[n - 1] == mark;
	for (int k = *marked; k >= 0; k--) {	/* the digest's last byte may look like a mark */
		if (n < sizeof(head) - 1 + sizeof(h) + (size_t)k || memcmp(text, head, sizeof(head) - 1) != 0)
			return false;
		end = text + n - (size_t)k - sizeof(h);
		memcpy(&is, end, sizeof(is));
		h = digest_of(text, (size_t)(end - text));
		*marked = k;
		if (same_digest(&h, &is))
			break;
		if (!k)
			return false;
	}
	while (p < end)
		if (!take_step(ss, &p, end))
			return false;
	return true;
}

/* ---- what was left ---- */

static void add_names(struct sbuf *b, const struct steps *ss)
{
	enum { SHOWN = 5 };

	for (uint32_t i = 0; i < ss->n && i < SHOWN; i++)
		sbuf_printf(b, "%s%s", i ? ", " : "", ss->v[i].path);
	if (ss->n > SHOWN)
		sbuf_printf(b, " and %u more", ss->n - SHOWN);
}

/* New contents are beside files, whole or not; no file was changed. */
static void undo_unmarked(const struct steps *ss)
{
	struct sbuf names = {0};
	unsigned removed = 0;
	struct stat st;

	for (uint32_t i = 0; i < ss->n; i++) {
		const char *tmp = ss->v[i].tmp;

		if (leads_there(tmp) && lstat(tmp, &st) == 0 && S_ISREG(st.st_mode))
			removed += unlink(tmp) == 0;
	}
	add_names(&names, ss);
	diag_note("an earlier plumb fix --in-place was killed "
		  "before it changed a file (%s): %u temporary file%s of it removed",
		  sbuf_str(&names), removed, removed == 1 ? "" : "s");
	sbuf_release(&names);
}

/* A step that is not done, and why. */
static void say_left(const struct step *s, const char *why)
{
	diag_warn("%s: an earlier plumb fix --in-place was killed "
		  "while it changed this file, and %s", s->path, why);
}

/* True: the step is done, or was left out with a message. */
static bool finish_step(const struct step *s)
{
	enum found at = leads_there(s->path) ? look(s->path, s) : FOUND_OTHER;
	enum found beside = at == FOUND_OTHER && !leads_there(s->tmp) ? FOUND_OTHER : look(s->tmp, s);
	bool kept;

	if (at == FOUND_OLD && beside == FOUND_NEW) {
		if (exchange(s->tmp, s->path, &kept) < 0) {
			diag_warn("%s: what an earlier plumb fix --in-place was killed in "
				  "cannot be finished: %s", s->path, strerror(errno));
			return false;
		}
		beside = kept ? FOUND_OLD : FOUND_NOTHING;
	} else if (at == FOUND_NOTHING) {
		say_left(s, "it is no longer there");
	} else if (at == FOUND_OLD) {
		say_left(s, "its new text is gone: it is left as it was, run plumb fix again");
	} else if (at == FOUND_OTHER) {
		say_left(s, "it was edited since: it is left as it is, run plumb fix again");
	}
	if (beside == FOUND_OLD || beside == FOUND_NEW)
		unlink(s->tmp);
	return true;
}

static bool finish(const struct steps *ss)
{
	struct sbuf names = {0};
	bool all = true;

	for (uint32_t i = 0; i < ss->n; i++)
		all &= finish_step(&ss->v[i]);
	sync_dirs(ss);
	add_names(&names, ss);
	if (all)
		diag_note("an earlier plumb fix --in-place was killed "
			  "while it changed files: finished (%s)", sbuf_str(&names));
	sbuf_release(&names);
	return all;
}

static void recover(struct journal *j)
{
	char *text = NULL, *self = xasprintf("/proc/self/fd/%d", j->fd);
	struct steps ss = {0};
	bool marked, done = true;
	size_t n = 0;

	if (file_read(&text, &n, self) == 0 && n) {
		if (journal_parse(&ss, &marked, text, n) && ss.n) {
			if (marked)
				done = finish(&ss);
			else
				undo_unmarked(&ss);
		}
		if (done)
			journal_clear(j);
	}
	steps_release(&ss);
	free(text);
	free(self);
}

void fix_files_recover(void)
{
	struct journal j;

	if (journal_open(&j, false) < 0) {
		diag_note("%s: what an earlier run may have left is not looked at", error_last());
		return;
	}
	if (j.fd >= 0)
		recover(&j);
	journal_close(&j);
}

/* ---- writing ---- */

static void name_beside(struct step *s)
{
	uint64_t x;

	if (getrandom(&x, sizeof(x), 0) != sizeof(x))
		x = hash_join((uint64_t)getpid(), (uint64_t)(uintptr_t)s);
	s->tmp = xasprintf("%s.plumb-%012llx", s->path, (unsigned long long)(x & 0xffffffffffff));
}

/* What is to be done to a file.  Nothing is changed yet. */
static int add_step(struct steps *ss, const struct fix_file *f)
{
	struct step *s = vec_add(ss, 1);
	char *now = NULL;
	size_t n;
	int ret;

	s->old = digest_of(f->old, f->nold);
	s->new = digest_of(f->text, f->n);
	if (!(s->path = realpath(f->path, NULL)))
		return error_sys("%s", f->path);
	if ((ret = file_read(&now, &n, s->path)) < 0)
		return ret;
	if (n != f->nold || memcmp(now, f->old, n) != 0)
		ret = error_set("%s: the file has changed meanwhile", f->path);
	free(now);
	if (ret < 0)
		return ret;
	if (access(s->path, W_OK) < 0)
		return error_sys("%s: cannot be written", f->path);
	name_beside(s);		// plumb-ignore: steps_release() releases all; the loop adds a step each time
	return 0;
}

static int write_beside(struct step *s, const struct fix_file *f)
{
	struct stat st;
	int fd, ret = -1;

	if (stat(s->path, &st) < 0)
		return error_sys("%s", s->path);
	if ((fd = open(s->tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)) < 0)
		return error_sys("%s: no new file can be made beside it", f->path);
	s->there = true;
	if (fd_write_all(fd, f->text, f->n) < 0)
		error_sys("%s", s->tmp);
	else if (fchown(fd, st.st_uid, st.st_gid) < 0 && errno != EPERM)
		error_sys("%s", s->tmp);
	else if (fchmod(fd, st.st_mode & 07777) < 0 || fsync(fd) < 0)
		error_sys("%s", s->tmp);
	else
		ret = 0;
	close(fd);
	return ret;
}

/* Those before step n back again. */
static int exchange_back(struct steps *ss, uint32_t n)
{
	unsigned changed = 0;
	bool kept;

	while (n-- > 0) {
		struct step *s = &ss->v[n];

		changed += !s->kept || exchange(s->tmp, s->path, &kept) < 0;
	}
	if (changed)
		error_prefix("%u file%s changed already; ", changed, changed == 1 ? " is" : "s are");
	return -1;
}

static int exchange_all(struct steps *ss)
{
	for (uint32_t i = 0; i < ss->n; i++) {
		struct step *s = &ss->v[i];

		if (exchange(s->tmp, s->path, &s->kept) < 0) {
			error_sys("%s: cannot be replaced", s->path);
			return exchange_back(ss, i);
		}
		s->there = s->kept;
	}
	return 0;
}

/* The journal is to be there before anything else is. */
static void begin_journal(struct journal *j, const struct steps *ss)
{
	if (j->fd < 0 || journal_write(j, ss) == 0)
		return;
	diag_warn("%s: should this run be killed half-way, the next one cannot finish it", error_last());
	journal_close(j);
}

static int write_steps(struct journal *j, struct steps *ss, const struct fix_files *fs)
{
	int ret = 0;

	begin_journal(j, ss);
	for (uint32_t i = 0; ret == 0 && i < fs->n; i++)
		ret = write_beside(&ss->v[i], &fs->v[i]);
	if (ret == 0)
		sync_dirs(ss);
	if (ret == 0 && j->fd >= 0)
		ret = journal_mark(j);
	if (ret == 0 && (ret = exchange_all(ss)) == 0)
		sync_dirs(ss);
	for (uint32_t i = 0; i < ss->n; i++)
		if (ss->v[i].there)
			unlink(ss->v[i].tmp);
	journal_clear(j);
	return ret;
}

/* A signal that ends us waits until the files are written. */
static void hold_signals(sigset_t *before)
{
	static const int at_once[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < ARRAY_LEN(at_once); i++)
		sigdelset(&all, at_once[i]);
	sigprocmask(SIG_BLOCK, &all, before);
}

int fix_files_write(const struct fix_files *fs)
{
	struct steps ss = {0};
	struct journal j;
	sigset_t before;
	int ret = 0;

	if (!fs->n)
		return 0;
	hold_signals(&before);
	if (journal_open(&j, true) < 0)
		diag_warn("%s: should this run be killed half-way, "
			  "the next one cannot finish it", error_last());
	else
		recover(&j);
	for (uint32_t i = 0; ret == 0 && i < fs->n; i++)
		ret = add_step(&ss, &fs->v[i]);
	if (ret == 0)
		ret = write_steps(&j, &ss, fs);
	journal_close(&j);
	steps_release(&ss);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}
