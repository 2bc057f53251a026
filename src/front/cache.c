/*
 * cache.c - IR records of units that were compiled before.
 *
 * A record is good for as long as compiling again would give the same.  The
 * obvious key is a hash of the preprocessed text, but preprocessing is a third
 * of the work at -O0; a second run must cost almost nothing.  So we do as ccache
 * does in its direct mode, which runs no other program at all:
 *
 *   manifest  DIR/ab/cd..ef.man, named by a hash of all that is known before
 *             anything is read: source path, folder, flags, environment, clang,
 *             and this plumb.  It has a few entries, the newest first.  Each
 *             names all files that were read to make a record (from -MD), with
 *             size, times and a hash of their contents
 *   record    DIR/12/34..56.ir, named by a hash of the manifest's name and the
 *             contents of those files
 *   results   DIR/78/9a..bc.res: what engines found out (results.h)
 *
 * An entry is good if each file is as it was: same size, same times, both
 * clearly older than the compilation, or else the same contents.  A file is
 * looked at once in the life of a process, however many units include it.
 *
 * Where this errs: a header that appears earlier in the include path than the
 * one that was read, or that a __has_include did not find, is not noticed.
 * ccache has the same gap.  `--no-cache` helps.
 *
 * Several plumbs may use one cache.  Files appear by rename and are never
 * changed, so a reader sees all of one or nothing.  Two writers of one manifest
 * may lose an entry, which costs a compilation.  Damage is found by checksums;
 * what is damaged is removed and made again.
 *
 * The records go into the analysis, and from there into what plumb fix writes, so nobody else may have
 * written them: the folder is made for us alone, and is not used if somebody else owns it, can write to it
 * or could replace it (base/owner.h).
 *
 * Size: a hit sets a record's time at most once an hour; when there is reason
 * to look (much was added, or an hour has passed) the oldest files go until the
 * rest is below the limit.
 */
#include "front/cache.h"

#include "front/lower.h"
#include "front/unit.h"

#include "base/bytes.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/owner.h"
#include "base/sbuf.h"
#include "ir/io.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "plumbman"
#define STAMP "cleaned"

enum {
	CACHE_VERSION = 3,
	MAX_ENTRIES = 8,		/* of a manifest */
	HOUR = 3600,
};
#define DEFAULT_LIMIT (1ull << 30)
#define NS 1000000000ll
#define CLEARLY_OLDER (2 * NS)		/* the coarsest clock of a file system */

struct file_state {
	int64_t mtime, ctime;	/* nanoseconds */
	uint64_t size;
	uint64_t hash;
	bool exists, hashed;
};

#define MAP_NAME states
#define MAP_KEY const char *
#define MAP_VAL struct file_state
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct cache {
	char *dir;
	uint64_t limit;
	uint64_t added;			/* bytes, by us and our workers */
	int64_t begun;			/* when this process began to look */
	struct hash128 base;		/* what all keys have in common */
	struct states states;
	struct args paths;		/* owns the keys of states */
};

static void cache_check(const struct cache *c)
{
	assert(c->dir[0] == '/');
	assert(c->limit > 0);
	assert(c->states.n == c->paths.n);
}

/* ---- files ---- */

static int64_t ns(struct timespec t)
{
	return t.tv_sec * NS + t.tv_nsec;
}

static bool look(struct file_state *s, const char *path)
{
	struct stat st;

	memset(s, 0, sizeof(*s));
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	s->exists = true;
	s->size = (uint64_t)st.st_size;
	s->mtime = ns(st.st_mtim);
	s->ctime = ns(st.st_ctim);
	return true;
}

static bool same_state(const struct file_state *a, const struct file_state *b)
{
	return a->size == b->size && a->mtime == b->mtime && a->ctime == b->ctime;
}

static bool hash_file(struct file_state *s, const char *path)
{
	struct filemap m;

	if (!s->exists || filemap_open(&m, path) < 0)
		return false;
	s->hash = hash_bytes(m.p, m.n, 0);
	s->hashed = m.n == s->size;
	filemap_close(&m);
	return s->hashed;
}

static struct file_state *remember(struct cache *c, const char *path, bool *is_new)
{
	struct file_state *s = states_get(&c->states, path);

	*is_new = !s;
	if (s)
		return s;
	args_push(&c->paths, path);
	return states_put(&c->states, vec_last(&c->paths), NULL);
}

/* The file as it was when this process first asked. */
static struct file_state *state_of(struct cache *c, const char *path)
{
	bool is_new;
	struct file_state *s = remember(c, path, &is_new);

	if (is_new)
		look(s, path);
	return s;
}

/* ---- the clock ---- */

/* File systems stamp with the coarse clock, which ticks some hundred times a second; newer ones sometimes
 * with the fine one, which is ahead of it. */
static int64_t now_on(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return ns(t);
}

/* Waits until stamps are later than t, but no longer than so many milliseconds: t may lie in the future. */
static void wait_for_tick(int64_t t, int limit)
{
	struct timespec ms = { 0, NS / 1000 };

	for (int i = 0; i < limit && t >= now_on(CLOCK_REALTIME_COARSE); i++)
		nanosleep(&ms, NULL);
}

/* ---- opening ---- */

static char *default_dir(void)
{
	const char *own = getenv("PLUMB_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (own)
		return *own ? path_absolute(own) : NULL;
	if (xdg && xdg[0] == '/')
		return path_join(xdg, "plumb");
	if (home && home[0] == '/')
		return path_join(home, ".cache/plumb");
	return NULL;
}

static void add_identity(struct hash128 *h, const char *path)
{
	struct file_state s;

	look(&s, path);
	hash128_str(h, path);
	hash128_add(h, &s.size, sizeof(s.size));
	hash128_add(h, &s.mtime, sizeof(s.mtime));
}

static void add_env(struct hash128 *h, const char *name)
{
	const char *s = getenv(name);

	hash128_str(h, name);
	hash128_str(h, s ? s : "");
}

/* The folder, made if need be, by its real name, the caller's.  NULL: there is no place for it. */
static char *made_dir(const char *path)
{
	char *parent = path_dir(path), *real = NULL;

	if (make_dirs(parent) == 0 && (mkdir(path, 0700) == 0 || errno == EEXIST))
		real = realpath(path, NULL);
	if (!real)
		diag_verbose("no cache: cannot create folder %s: %s", path, strerror(errno));
	free(parent);
	return real;
}

static bool (*is_safe)(const char *dir);

void cache_allow(bool (*safe)(const char *dir))
{
	is_safe = safe;
}

/* False, after a warning that says why. */
static bool is_trusted(const char *dir)
{
	if (owner_check_folder(dir) < 0) {
		diag_warn("the cache is not used: %s", error_last());
		return false;
	}
	if (owner_check_above(dir) < 0 && !(is_safe && is_safe(dir))) {
		diag_warn("the cache is not used: %s "
			  "(`safe-directory = %s` in your own settings lets it count)", error_last(), dir);
		return false;
	}
	return true;
}

/* What is in the cache is believed, so nobody else may have put it there.  A process looks, and warns, once
 * for each folder.  The caller's; NULL: there is no such folder, or it is not trusted. */
static char *trusted_dir(const char *path)
{
	static char *asked, *answer;

	if (!asked || !str_eq(asked, path)) {
		free(asked);
		free(answer);
		asked = xstrdup(path);
		answer = made_dir(path);
		if (answer && !is_trusted(answer)) {
			free(answer);
			answer = NULL;
		}
	}
	return answer ? xstrdup(answer) : NULL;
}

struct cache *cache_new(const char *dir, uint64_t limit, const char *clang)
{
	char *path = dir ? path_absolute(dir) : default_dir();
	char *real = path ? trusted_dir(path) : NULL;
	int versions[] = { CACHE_VERSION, IR_VERSION };
	struct cache *c;

	free(path);
	if (!real)
		return NULL;
	c = xcalloc(1, sizeof(*c));
	c->dir = real;
	c->limit = limit ? limit : DEFAULT_LIMIT;
	c->begun = now_on(CLOCK_REALTIME);
	hash128_init(&c->base);
	hash128_add(&c->base, versions, sizeof(versions));
	hash128_str(&c->base, lower_version());
	add_identity(&c->base, "/proc/self/exe");
	add_identity(&c->base, clang);
	add_env(&c->base, "CPATH");
	add_env(&c->base, "C_INCLUDE_PATH");
	return c;
}

struct hash128 cache_base(const struct cache *c)
{
	return c->base;
}

void cache_key(const struct cache *c, const struct unit *u, char key[CACHE_KEY_SIZE])
{
	struct hash128 h = c->base;

	hash128_str(&h, u->dir);
	hash128_str(&h, u->path);
	hash128_str(&h, u->preprocessed ? "i" : "c");
	for (uint32_t i = 0; i < u->flags.n; i++)
		hash128_str(&h, u->flags.v[i]);
	hash128_hex(&h, key);
}

char *cache_path(const struct cache *c, const char *name, const char *ext)
{
	assert(strlen(name) == CACHE_KEY_SIZE - 1);
	return xasprintf("%s/%.2s/%s%s", c->dir, name, name + 2, ext);
}

/* ---- manifests ---- */

struct dep {
	const char *path;	/* in the manifest's text, or in the list of files */
	struct file_state state;
};

struct entry {
	char record[CACHE_KEY_SIZE];
	int64_t moment;
	VEC(struct dep) deps;
};

struct manifest {
	char *text;		/* owns the strings */
	VEC(struct entry) entries;
};

/* Whatever the file said: few entries, each with the name of a record, and a hash for each file. */
static void manifest_check(const struct manifest *m)
{
	assert(m->entries.n <= MAX_ENTRIES);
	assert(!m->entries.n || m->text);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < m->entries.n; i++) {
		const struct entry *e = &m->entries.v[i];

		assert(strlen(e->record) == CACHE_KEY_SIZE - 1);
		for (uint32_t k = 0; k < e->deps.n; k++)
			assert(e->deps.v[k].path && e->deps.v[k].state.exists && e->deps.v[k].state.hashed);
	}
#endif
}

static void manifest_release(struct manifest *m)
{
	for (uint32_t i = 0; i < m->entries.n; i++)
		vec_release(&m->entries.v[i].deps);
	vec_release(&m->entries);
	free(m->text);
	m->text = NULL;
}

static void read_entry(struct bytes *r, struct entry *e)
{
	const char *record = get_str(r);
	uint64_t n;

	if (strlen(record) != CACHE_KEY_SIZE - 1 || strspn(record, "0123456789abcdef") != CACHE_KEY_SIZE - 1)
		r->bad = true;
	else
		memcpy(e->record, record, CACHE_KEY_SIZE);
	e->moment = (int64_t)get_u64(r);
	n = get_u64(r);
	for (uint64_t i = 0; i < n && !r->bad; i++) {
		struct dep d = { .path = get_str(r) };

		d.state.size = get_u64(r);
		d.state.mtime = (int64_t)get_u64(r);
		d.state.ctime = (int64_t)get_u64(r);
		d.state.hash = get_u64(r);
		d.state.exists = d.state.hashed = true;
		vec_push(&e->deps, d);
	}
}

/* Magic, checksum of the rest, version, number of entries, entries. */
static bool parse_manifest(struct manifest *m, size_t size)
{
	struct bytes r = { m->text, m->text + size, false };
	uint64_t sum, n;

	if (size < 8 || memcmp(m->text, MAGIC, 8) != 0)
		return false;
	r.p += 8;
	sum = get_u64(&r);
	if (r.bad || sum != hash_bytes(r.p, (size_t)(r.end - r.p), 0) || get_u64(&r) != CACHE_VERSION)
		return false;
	n = get_u64(&r);
	for (uint64_t i = 0; i < n && i < MAX_ENTRIES && !r.bad; i++)
		read_entry(&r, vec_add(&m->entries, 1));
	return !r.bad;
}

/* An empty one if there is none or it is damaged (then it is removed). */
static void read_manifest(struct manifest *m, const char *path)
{
	size_t n;

	memset(m, 0, sizeof(*m));
	if (access(path, R_OK) < 0 || file_read(&m->text, &n, path) < 0)
		return;
	if (!parse_manifest(m, n)) {
		diag_verbose("%s: damaged cache entry, removed", path);
		unlink(path);
		manifest_release(m);
	}
	manifest_check(m);
}

static void write_entry(struct sbuf *b, const struct entry *e)
{
	assert(strlen(e->record) == CACHE_KEY_SIZE - 1);
	put_str(b, e->record);
	put_u64(b, (uint64_t)e->moment);
	put_u64(b, e->deps.n);
	for (uint32_t i = 0; i < e->deps.n; i++) {
		const struct dep *d = &e->deps.v[i];

		put_str(b, d->path);
		put_u64(b, d->state.size);
		put_u64(b, (uint64_t)d->state.mtime);
		put_u64(b, (uint64_t)d->state.ctime);
		put_u64(b, d->state.hash);
	}
}

/* The new entry, then those of the old manifest that name another record. */
static void print_manifest(struct sbuf *out, const struct entry *e, const struct manifest *old)
{
	struct sbuf b = {0}, entries = {0};
	uint64_t n = 1;

	write_entry(&entries, e);
	for (uint32_t i = 0; i < old->entries.n && n < MAX_ENTRIES; i++) {
		if (str_eq(old->entries.v[i].record, e->record))
			continue;
		write_entry(&entries, &old->entries.v[i]);
		n++;
	}
	put_u64(&b, CACHE_VERSION);
	put_u64(&b, n);
	sbuf_add(&b, entries.s, entries.n);
	sbuf_adds(out, MAGIC);
	put_u64(out, hash_bytes(b.s, b.n, 0));
	sbuf_add(out, b.s, b.n);
	sbuf_release(&entries);
	sbuf_release(&b);
}

/* ---- looking up ---- */

static bool dep_is_good(struct cache *c, const struct dep *d, int64_t moment)
{
	struct file_state *now = state_of(c, d->path);

	if (!now->exists || now->size != d->state.size)
		return false;
	if (same_state(now, &d->state) && MAX(now->mtime, now->ctime) < moment - CLEARLY_OLDER)
		return true;
	return (now->hashed || hash_file(now, d->path)) && now->hash == d->state.hash;
}

static bool entry_is_good(struct cache *c, const struct entry *e)
{
	for (uint32_t i = 0; i < e->deps.n; i++)
		if (!dep_is_good(c, &e->deps.v[i], e->moment))
			return false;
	return e->deps.n > 0;
}

void cache_touch(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && time(NULL) - st.st_mtim.tv_sec > HOUR)
		utimensat(AT_FDCWD, path, NULL, 0);
}

static void add_files(struct args *files, const struct entry *e)
{
	for (uint32_t i = 0; i < e->deps.n; i++)
		args_push(files, e->deps.v[i].path);
}

bool cache_get(struct cache *c, const char *key, struct cache_hit *hit, struct args *files)
{
	char *path = cache_path(c, key, ".man");
	struct manifest m;
	bool found = false;

	cache_check(c);
	read_manifest(&m, path);
	for (uint32_t i = 0; i < m.entries.n && !found; i++) {
		if (!entry_is_good(c, &m.entries.v[i]))
			continue;
		/* plumb-ignore: freed below if it was not found */
		hit->path = cache_path(c, m.entries.v[i].record, ".ir");
		found = filemap_open(&hit->record, hit->path) == 0;
		if (!found)
			free(hit->path);
		else if (files)
			add_files(files, &m.entries.v[i]);
	}
	if (found) {
		cache_touch(path);
		cache_touch(hit->path);
	}
	manifest_release(&m);
	free(path);
	return found;
}

void cache_hit_release(struct cache_hit *hit)
{
	filemap_close(&hit->record);
	free(hit->path);
	hit->path = NULL;
}

void cache_hit_remove(struct cache_hit *hit)
{
	diag_verbose("%s: damaged cache entry, removed: %s", hit->path, error_last());
	unlink(hit->path);
}

/* ---- adding ---- */

/* The headers are not known before clang has read them, but what was written before this process began has
 * an older stamp than begun: so only the first unit ever waits for it, at most one tick of the clock. */
int64_t cache_moment(const struct cache *c, const struct unit *u)
{
	char *path = path_join(u->dir, u->path);
	struct file_state s;

	look(&s, path);
	free(path);
	wait_for_tick(c->begun, 1000);
	wait_for_tick(MAX(s.mtime, s.ctime), 20);
	return now_on(CLOCK_REALTIME_COARSE);
}

/* The file as it is now, with its hash.  Unlike state_of() this looks at the disk
 * each time: clang has just read the file, and what clang has read counts. */
static bool state_now(struct cache *c, const char *path, struct file_state *out)
{
	struct file_state s, *known;
	bool is_new;

	if (!look(&s, path))
		return false;
	known = remember(c, path, &is_new);
	if (!known->hashed || !same_state(known, &s)) {
		*known = s;
		if (!hash_file(known, path))
			return false;
	}
	assert(known->exists && known->hashed);
	*out = *known;
	return true;
}

/* Fills e.  False if clang may have seen something else than we see. */
static bool make_entry(struct cache *c, struct entry *e, const char *key, const struct args *files,
		       int64_t moment)
{
	struct hash128 h;

	hash128_init(&h);
	hash128_str(&h, key);
	e->moment = moment;
	for (uint32_t i = 0; i < files->n; i++) {
		struct dep d = { .path = files->v[i] };

		if (!state_now(c, d.path, &d.state) || MAX(d.state.mtime, d.state.ctime) >= moment)
			return false;
		hash128_str(&h, d.path);
		hash128_add(&h, &d.state.hash, sizeof(d.state.hash));
		vec_push(&e->deps, d);
	}
	hash128_hex(&h, e->record);
	return files->n > 0;
}

/* What a file takes on the disk: most records are small, so that their last blocks count. */
static uint64_t on_disk(uint64_t bytes)
{
	return (bytes + 4095) / 4096 * 4096;
}

int cache_write(struct cache *c, const char *path, const void *p, size_t n)
{
	char *dir = path_dir(path);
	int ret = make_dirs(dir);

	if (ret == 0)
		ret = file_write(path, p, n);
	if (ret == 0)
		c->added += on_disk(n);
	else
		diag_verbose("not cached: %s", error_last());
	free(dir);
	return ret;
}

void cache_put(struct cache *c, const char *key, const struct args *files, int64_t moment,
	       const void *record, size_t n)
{
	char *man = cache_path(c, key, ".man"), *rec = NULL;
	struct manifest old = {0};
	struct entry e = {0};
	struct sbuf b = {0};

	cache_check(c);
	assert(n > 0);
	if (!make_entry(c, &e, key, files, moment))
		goto done;
	rec = cache_path(c, e.record, ".ir");
	if (cache_write(c, rec, record, n) < 0)
		goto done;
	read_manifest(&old, man);
	print_manifest(&b, &e, &old);
	cache_write(c, man, b.s, b.n);
done:
	manifest_release(&old);
	vec_release(&e.deps);
	sbuf_release(&b);
	free(rec);
	free(man);
}

void cache_note(struct cache *c, uint64_t bytes)
{
	c->added += on_disk(bytes) + on_disk(1);	/* the record, its manifest */
}

/* ---- the limit ---- */

struct old_file {
	char *path;
	time_t used;
	uint64_t size;
};

VEC_TYPE(old_files, struct old_file);

static void list_folder(struct old_files *out, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *de;

	if (!d)
		return;
	while ((de = readdir(d))) {
		struct old_file f;
		struct stat st;
		bool is_ours;

		if (fstatat(dirfd(d), de->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		f.path = path_join(dir, de->d_name);
		f.used = st.st_mtim.tv_sec;
		f.size = MAX((uint64_t)st.st_size, (uint64_t)st.st_blocks * 512);
		is_ours = str_ends(f.path, ".ir") || str_ends(f.path, ".man") || str_ends(f.path, ".res");
		/* What a killed writer left behind is removed first. */
		if (!is_ours && time(NULL) - f.used > HOUR)
			f.used = 0;
		vec_push(out, f);
	}
	closedir(d);
}

static int by_use(const void *a, const void *b)
{
	const struct old_file *x = a, *y = b;

	return x->used < y->used ? -1 : x->used > y->used;
}

/* Removes the oldest files if there is too much.  Only what looks like ours: the
 * 256 folders of two hex digits. */
static void clean(const struct cache *c)
{
	struct old_files files = {0};
	uint64_t total = 0, goal;
	unsigned removed = 0;

	for (unsigned i = 0; i < 256; i++) {
		char *dir = xasprintf("%s/%02x", c->dir, i);

		list_folder(&files, dir);
		free(dir);
	}
	for (uint32_t i = 0; i < files.n; i++)
		total += files.v[i].size;
	goal = total > c->limit ? c->limit / 10 * 9 : c->limit;
	if (files.n)
		qsort(files.v, files.n, sizeof(*files.v), by_use);
	for (uint32_t i = 0; i < files.n; i++) {
		struct old_file *f = &files.v[i];

		if ((!f->used || total > goal) && unlink(f->path) == 0) {
			assert(f->size <= total);
			total -= f->size;
			removed++;
		}
		free(f->path);
	}
	vec_release(&files);
	diag_verbose("cache: %u files removed, %llu bytes left", removed, (unsigned long long)total);
}

/* Cleans if there is reason to: much was added, or nobody has looked for an hour.
 * One process at a time cleans; the others do not wait for it. */
static void clean_sometimes(struct cache *c)
{
	char *stamp;
	struct stat st;
	int fd;

	if (!c->added)
		return;
	stamp = path_join(c->dir, STAMP);
	fd = open(stamp, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	free(stamp);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    (c->added > c->limit / 16 || time(NULL) - st.st_mtim.tv_sec > HOUR)) {
		clean(c);
		futimens(fd, NULL);
	}
	close(fd);
}

void cache_free(struct cache *c)
{
	if (!c)
		return;
	cache_check(c);
	clean_sometimes(c);
	states_release(&c->states);
	args_release(&c->paths);
	free(c->dir);
	free(c);
}
