/*
 * file.c - files, read and written whole, and paths.
 *
 * An output is written to a temporary file in the target's own folder (rename
 * does not cross file systems) and renamed at the end, so that whoever reads
 * the target sees the old bytes or the new ones.  There is no fsync: after a
 * power cut the file may be empty, as with any compiler's output.  A symbolic
 * link is followed, and stays, if its target is in the folder of the link or below: a
 * checkout may have come with a link, and a report that is written over it must not
 * overwrite a file elsewhere.  The other names of a hard link keep the old file.
 *
 * Temporary files that are still open when the process exits, or is ended by a
 * signal it can catch, are removed; after SIGKILL or an overflown stack one may
 * stay behind.  Their names are kept in a list that a signal handler can read
 * at any moment: nodes are never freed, only their name comes and goes.  A node
 * belongs to the process that made it: a forked worker that exits removes
 * nothing of its parent's.
 */
#include "base/file.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/sbuf.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

/* Pipes and devices are read where the user has named the path, and the path says that one is meant:
 * /dev/stdin, a shell's <(command).  Any other may have come with a checkout, or with a report, program or
 * #line that names it: a device has no end, and the reader of a pipe that nobody writes to waits for ever. */
static bool may_be_stream(const char *path)
{
	return str_starts(path, "/dev/") || str_starts(path, "/proc/");
}

static int open_read(const char *path, struct stat *st, bool named)
{
	bool streams = named && may_be_stream(path);
	int fd;

	/* before open(): opening a device can have an effect */
	if (!streams && stat(path, st) == 0 && !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
		return error_set("%s: not a regular file", path);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (streams ? 0 : O_NONBLOCK));

	if (fd < 0)
		return error_sys("%s", path);
	if (fstat(fd, st) < 0) {
		error_sys("%s", path);
		close(fd);
		return -1;
	}
	if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode) && !streams) {
		close(fd);
		return error_set("%s: not a regular file", path);
	}
	if (S_ISDIR(st->st_mode)) {
		close(fd);
		errno = EISDIR;
		return error_sys("%s", path);
	}
	return fd;
}

/* Adds the rest of fd's bytes to b. */
static int read_all(struct sbuf *b, int fd, const char *path)
{
	char piece[65536];
	ssize_t k;

	for (;;) {
		k = read(fd, piece, sizeof(piece));
		if (k == 0)
			return 0;
		if (k > 0)
			sbuf_add(b, piece, (size_t)k);
		else if (errno != EINTR)
			return error_sys("%s", path);
	}
}

/* A pipe or a device: read it, and make it look like a mapping. */
static int map_stream(struct filemap *m, int fd, const char *path)
{
	struct sbuf b = {0};
	void *p;
	int ret;

	if ((ret = read_all(&b, fd, path)) < 0 || b.n == 0)
		goto done;
	p = mmap(NULL, b.n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		ret = error_sys("%s", path);
		goto done;
	}
	m->p = memcpy(p, b.s, b.n);
	m->n = b.n;
done:
	sbuf_release(&b);
	return ret;
}

/* Files of /proc have size 0 and are empty here: their text is about the system and the user (the
 * environment), and the reader of some of them waits for more.
 *
 * A file that another program cuts short while it is mapped ends this process
 * by SIGBUS at the first access beyond its new end: readers of files that may
 * change use file_read. */
static int map_file(struct filemap *m, const char *path, bool named)
{
	struct stat st;
	void *p;
	int fd, ret = 0;

	m->p = "";	/* also what the caller has after a failure */
	m->n = 0;
	if ((fd = open_read(path, &st, named)) < 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		ret = map_stream(m, fd, path);
		goto done;
	}
	if (st.st_size == 0)
		goto done;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) {
		ret = error_sys("%s", path);
		goto done;
	}
	m->p = p;
	m->n = (size_t)st.st_size;
done:
	close(fd);
	return ret;
}

int filemap_open(struct filemap *m, const char *path)
{
	return map_file(m, path, false);
}

int filemap_open_named(struct filemap *m, const char *path)
{
	return map_file(m, path, true);
}

void filemap_close(struct filemap *m)
{
	if (m->n)
		munmap((void *)m->p, m->n);
	m->p = "";
	m->n = 0;
}

static int read_file(char **out, size_t *n, const char *path, bool named)
{
	struct sbuf b = {0};
	struct stat st;
	int fd, ret = 0;

	if ((fd = open_read(path, &st, named)) < 0)
		return -1;
	if ((!S_ISREG(st.st_mode) || st.st_size) && (ret = read_all(&b, fd, path)) < 0) {
		sbuf_release(&b);
	} else {
		if (n)
			*n = b.n;
		*out = sbuf_detach(&b);
	}
	close(fd);
	return ret;
}

int file_read(char **out, size_t *n, const char *path)
{
	return read_file(out, n, path, false);
}

int file_read_named(char **out, size_t *n, const char *path)
{
	return read_file(out, n, path, true);
}

/* ---- temporary files that must not outlive us ---- */

struct pending {
	struct pending *next;
	_Atomic(const char *) path;	/* NULL: free for reuse */
	_Atomic(pid_t) owner;
};

static _Atomic(struct pending *) pending_list;

/* Only what a signal handler may call. */
static void pending_unlink_all(void)
{
	pid_t self = getpid();

	for (struct pending *p = atomic_load(&pending_list); p; p = p->next) {
		const char *path = atomic_load(&p->path);

		if (path && atomic_load(&p->owner) == self)
			unlink(path);
	}
}

/* Installed with SA_RESETHAND: the second time the signal ends the process. */
static void on_signal(int sig)
{
	int saved = errno;

	pending_unlink_all();
	raise(sig);
	errno = saved;
}

static const int fatal_signals[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU,
	SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL,
};

/* A signal that somebody ignores (nohup) or handles is left alone. */
static void pending_setup(void)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND }, old;

	if (atomic_flag_test_and_set(&done))
		return;
	atexit(pending_unlink_all);
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		if (sigaction(fatal_signals[i], NULL, &old) == 0 &&
		    !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
			sigaction(fatal_signals[i], &sa, NULL);
}

static void pending_add(const char *path)
{
	struct pending *p;

	assert(path[0]);
	for (p = atomic_load(&pending_list); p; p = p->next) {
		const char *none = NULL;

		if (atomic_compare_exchange_strong(&p->path, &none, path)) {
			atomic_store(&p->owner, getpid());
			return;
		}
	}
	p = xcalloc(1, sizeof(*p));
	atomic_init(&p->path, path);
	atomic_init(&p->owner, getpid());
	p->next = atomic_load(&pending_list);
	while (!atomic_compare_exchange_weak(&pending_list, &p->next, p))
		;
}

/* By address: two outputs never share the string. */
static void pending_remove(const char *path)
{
	for (struct pending *p = atomic_load(&pending_list); p; p = p->next) {
		const char *mine = path;

		if (atomic_compare_exchange_strong(&p->path, &mine, NULL))
			return;
	}
	assert(!"a temporary file that is not on the list");
}

/* ---- writing ---- */

/* The file that path finally names, through symbolic links; it need not exist.
 * NULL, with errno set, if they lead in circles. */
static char *follow_links(const char *path)
{
	char *at = xstrdup(path), *dir, *next, link[PATH_MAX];
	ssize_t k;

	for (int hops = 0; hops < 40; hops++) {
		k = readlink(at, link, sizeof(link) - 1);
		if (k < 0)
			return at;	/* no link */
		link[k] = '\0';
		dir = path_dir(at);
		next = path_join(dir, link);
		free(dir);
		free(at);
		at = next;
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

/* Is the folder `below` the same as `above`, or below it?  Both are absolute, without links. */
static bool is_same_or_below(const char *below, const char *above)
{
	size_t n = strlen(above);

	assert(below[0] == '/' && above[0] == '/');
	return str_starts(below, above) && (n == 1 || !below[n] || below[n] == '/');
}

/* Is the target of the link `path` neither in the folder of the link nor below it? */
static bool leads_out(const char *path, const char *target)
{
	char *from = path_dir(path), *to = path_dir(target);
	char *from_real = realpath(from, NULL), *to_real = realpath(to, NULL);
	bool inside = from_real && to_real && is_same_or_below(to_real, from_real);

	free(from);
	free(to);
	free(from_real);
	free(to_real);
	return !inside;
}

/* Creates a file of a new name beside target and puts it on the pending list
 * before a signal can come between.  The descriptor, or -1 with errno set. */
static int create_beside(char **tmp, const char *target)
{
	static atomic_uint counter;
	char *dir = path_dir(target);
	sigset_t block, old;
	int fd = -1, err;

	pending_setup();
	sigemptyset(&block);
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaddset(&block, fatal_signals[i]);
	sigprocmask(SIG_BLOCK, &block, &old);
	for (int tries = 0; fd < 0 && tries < 1000; tries++) {
		char name[64];

		snprintf(name, sizeof(name), ".plumb-%ld-%u.tmp", (long)getpid(),
			 atomic_fetch_add(&counter, 1));
		*tmp = path_join(dir, name);
		fd = open(*tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			break;
		err = errno;
		free(*tmp);
		*tmp = NULL;
		errno = err;
		if (err != EEXIST && err != EINTR)
			break;
	}
	err = errno;
	assert((fd >= 0) == (*tmp != NULL));
	if (fd >= 0)
		pending_add(*tmp);
	sigprocmask(SIG_SETMASK, &old, NULL);
	free(dir);
	errno = err;
	return fd;
}

/* Owner and mode of the old file for the new one.  Only root can give files
 * away; where that fails the file is ours and must not run as ours. */
static void take_attributes(int fd, const struct stat *st)
{
	bool same = fchown(fd, st->st_uid, st->st_gid) == 0 ||
		    (fchown(fd, (uid_t)-1, st->st_gid) == 0 && st->st_uid == geteuid());

	fchmod(fd, st->st_mode & (same ? 07777 : 0777));
}

int fileout_open(struct fileout *o, const char *path)
{
	struct stat st;
	char *target = NULL;
	bool old, is_stream;
	int fd;

	memset(o, 0, sizeof(*o));
	if (str_eq(path, "-")) {
		o->f = stdout;
		o->path = xstrdup("standard output");
		return 0;
	}
	if (!path[0]) {
		errno = ENOENT;
		goto fail;
	}
	/* /dev/stdout is a link to what is no path; so is /proc/self/fd/1 */
	is_stream = may_be_stream(path);
	if (is_stream && stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		target = xstrdup(path);
	else
		target = follow_links(path);
	if (!target)
		goto fail;
	if (!str_eq(target, path) && !is_stream && leads_out(path, target)) {
		error_set("cannot write %s: it is a symbolic link to %s, in another folder "
			  "(name that file itself)", path, target);
		free(target);
		memset(o, 0, sizeof(*o));
		return -1;
	}
	old = stat(target, &st) == 0;
	if (old && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		goto fail;
	}
	if (old && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) < 0)
		goto fail;
	if (old && !S_ISREG(st.st_mode))
		fd = open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	else
		fd = create_beside(&o->tmp, target);
	if (fd < 0)
		goto fail;
	if (old && o->tmp)
		take_attributes(fd, &st);
	o->f = fdopen(fd, "w");
	if (!o->f)
		mem_exhausted(BUFSIZ);
	o->path = target;
	return 0;
fail:
	error_sys("cannot write %s", path);
	free(target);
	memset(o, 0, sizeof(*o));
	return -1;
}

/* Writes the buffer and closes the file; standard output stays open.  0, or the
 * errno value of the failure.  stdio forgets that value when a write fails in the
 * middle: then one more byte is written to a temporary file, which is lost anyway,
 * for the same failure again. */
static int finish_stream(const struct fileout *o)
{
	int err = 0;

	errno = 0;
	if (fflush(o->f) != 0 || ferror(o->f)) {
		if (!errno && o->tmp && write(fileno(o->f), "", 1) == 1)
			errno = 0;
		err = errno ? errno : EIO;
	}
	if (o->f == stdout)
		clearerr(o->f);
	else if (fclose(o->f) != 0 && !err)
		err = errno ? errno : EIO;
	return err;
}

static void forget(struct fileout *o)
{
	if (o->tmp)
		pending_remove(o->tmp);
	free(o->tmp);
	free(o->path);
	memset(o, 0, sizeof(*o));
}

int fileout_commit(struct fileout *o)
{
	int err;

	assert(o->f && o->path);
	err = finish_stream(o);
	if (!err && o->tmp && rename(o->tmp, o->path) < 0)
		err = errno;
	if (err) {
		if (o->tmp)
			unlink(o->tmp);
		errno = err;
		error_sys("cannot write %s", o->path);
	}
	forget(o);
	return err ? -1 : 0;
}

void fileout_abort(struct fileout *o)
{
	if (o->f && o->f != stdout)
		fclose(o->f);
	if (o->tmp)
		unlink(o->tmp);
	forget(o);
}

int file_write(const char *path, const void *p, size_t n)
{
	struct fileout o;

	if (fileout_open(&o, path) < 0)
		return -1;
	if (n)
		fwrite(p, 1, n, o.f);	/* commit sees what failed */
	return fileout_commit(&o);
}

int fd_write_all(int fd, const void *p, size_t n)
{
	const char *at = p;
	ssize_t k;

	while (n > 0) {
		k = write(fd, at, n);
		if (k < 0 && errno != EINTR)
			return -1;
		if (k > 0) {
			at += k;
			n -= (size_t)k;
		}
	}
	return 0;
}

/* ---- folders and tests ---- */

int make_dirs(const char *path)
{
	char *p = xstrdup(path);
	size_t i = 0;
	int ret = 0;

	do {
		while (p[i] == '/')
			i++;
		while (p[i] && p[i] != '/')
			i++;
		p[i] = '\0';
		if (mkdir(p, 0777) < 0 && !is_dir(p)) {
			if (errno == EEXIST)
				errno = ENOTDIR;
			ret = error_sys("cannot create folder %s", p);
			break;
		}
		p[i] = path[i];
	} while (p[i]);
	free(p);
	return ret;
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* Leaves errno alone. */
bool is_dir(const char *path)
{
	struct stat st;
	int saved = errno;
	bool yes = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	errno = saved;
	return yes;
}

/*
 * ---- paths, as text ----
 *
 * Only path_absolute and path_exe_dir look at the disk: path_normal removes
 * "x/.." even where x is a symbolic link that leads elsewhere.  The paths come
 * from compilers, which do the same.
 */

char *path_join(const char *dir, const char *rel)
{
	if (rel[0] == '/' || !dir[0])
		return xstrdup(rel);
	if (!rel[0])
		return xstrdup(dir);
	return xasprintf("%s%s%s", dir, str_ends(dir, "/") ? "" : "/", rel);
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The part before path_base(), without the slashes between. */
char *path_dir(const char *path)
{
	size_t n = (size_t)(path_base(path) - path);

	if (n == 0)
		return xstrdup(".");
	while (n > 1 && path[n - 1] == '/')
		n--;
	return xstrndup(path, n);
}

bool path_up(char **dir)
{
	char *up;

	if (str_eq(*dir, "/") || str_eq(*dir, "."))
		return false;
	up = path_dir(*dir);
	free(*dir);
	*dir = up;
	return true;
}

const char *path_ext(const char *path)
{
	const char *base = path_base(path), *dot;

	base += strspn(base, ".");	/* ".profile" and ".." have none */
	dot = strrchr(base, '.');
	return dot ? dot : base + strlen(base);
}

/* Is the last component of the relative or absolute path in b ".."? */
static bool ends_in_up(const struct sbuf *b)
{
	return str_eq(path_base(sbuf_str(b)), "..");
}

/* Removes the last component; root is the length of the part that stays. */
static void drop_last(struct sbuf *b, size_t root)
{
	assert(b->n >= root && root <= 1);
	while (b->n > root && b->s[b->n - 1] != '/')
		b->n--;
	if (b->n > root)
		b->n--;		/* the slash */
	b->s[b->n] = '\0';
}

char *path_normal(const char *path)
{
	struct sbuf b = {0};
	size_t root = path[0] == '/';
	const char *p = path;

	if (root)
		sbuf_addc(&b, '/');
	for (;;) {
		bool is_up;
		size_t n;

		p += strspn(p, "/");
		n = strcspn(p, "/");
		if (n == 0)
			break;
		is_up = n == 2 && p[0] == '.' && p[1] == '.';
		if (is_up && b.n > 0 && !ends_in_up(&b)) {
			drop_last(&b, root);
		} else if (n != 1 || p[0] != '.') {
			if (b.n > root)
				sbuf_addc(&b, '/');
			sbuf_add(&b, p, n);
		}
		p += n;
	}
	if (b.n == 0)
		sbuf_addc(&b, '.');
	return sbuf_detach(&b);
}

char *path_from(const char *dir, const char *rel)
{
	char *joined = path_join(dir, rel), *path = path_normal(joined);

	free(joined);
	return path;
}

/* In a current directory that was deleted, a relative path stays relative. */
char *path_absolute(const char *path)
{
	char *cwd = path[0] == '/' ? NULL : getcwd(NULL, 0);
	char *whole = cwd ? path_join(cwd, path) : xstrdup(path);
	char *r = path_normal(whole);

	free(cwd);
	free(whole);
	return r;
}

/* Both are compared in normal form; dir itself is ".". */
char *path_relative(const char *path, const char *dir)
{
	char *p = path_normal(path), *d = path_normal(dir), *r = NULL;
	size_t n = strlen(d);

	if (str_eq(p, d)) {
		r = xstrdup(".");
	} else if (str_eq(d, ".")) {
		if (p[0] != '/' && !str_eq(p, "..") && !str_starts(p, "../"))
			r = xstrdup(p);
	} else if (str_starts(p, d)) {
		const char *rest = p + n;

		if (d[n - 1] == '/')		/* d is "/" */
			r = xstrdup(rest);
		else if (rest[0] == '/' && !str_eq(rest, "/..") && !str_starts(rest, "/../"))
			r = xstrdup(rest + 1);
	}
	if (!r)
		r = xstrdup(path);
	free(p);
	free(d);
	return r;
}

/* "." if /proc is not there. */
char *path_exe_dir(void)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n <= 0)
		return xstrdup(".");
	exe[n] = '\0';
	return path_dir(exe);
}

char *file_temp_dir(const char *parent, const char *prefix)
{
	char *path = xasprintf("%s/%sXXXXXX", parent, prefix);

	if (mkdtemp(path))
		return path;
	error_sys("%s", path);
	free(path);
	return NULL;
}

void file_remove_dir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);	/* a link is not followed */
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (!str_eq(e->d_name, ".") && !str_eq(e->d_name, ".."))
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(path);
}
