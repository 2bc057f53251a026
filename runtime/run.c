/*
 * run.c - how numbers get into the run file.
 *
 * Allocation starts long before environment variables can be read.  So room for
 * all sections of runfile.h is reserved as plain memory at the first allocation
 * (26 MB of addresses; memory only as far as it is used), and numbers are kept
 * there.  Once the library is initialised, what is there so far is written to the
 * run file, which is then mapped over the very same addresses.
 *
 * What can go wrong must stay ours.  A store into a mapped file whose disk is full
 * raises SIGBUS; so the file's blocks are allocated (fallocate) before records in
 * them are given out.  If that fails, the rest of the section becomes plain memory
 * again and the header tells that the file is cut.  A file system that copies on
 * write breaks the promise when it is full.  RLIMIT_FSIZE would raise SIGXFSZ: it is
 * asked first.
 *
 * After fork the child would count in its parent's file.  It writes what it has
 * inherited to a file of its own and maps that.  Another thread of the parent may
 * count while the child copies; such a number is then off by what that thread did.
 * The heap itself does not depend on any number here.  A child made by a bare clone
 * system call is not seen: it counts for its parent.
 *
 * Nothing here allocates or uses stdio, and all of it may be called in a forked
 * child of a threaded process.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct run_header *run;
struct run_site *run_sites;
struct run_bin *run_bins;
struct run_detail *run_details;
struct run_module *run_modules;
struct run_point *run_timeline;

#define STEP ((size_t)32 * 1024)	/* a file's blocks come in such pieces */

static char run_name[4096];	/* absolute; "" without a run file */
static size_t run_size;		/* bytes reserved */
static char run_path[sizeof(run_name) + 64];	/* of this process's file */
static dev_t run_dev;		/* which file that is */
static ino_t run_ino;
static size_t backed[RUN_SECTIONS];	/* bytes of a section that may be stored to */
static bool mapped;		/* a file is under the sections */

static const struct {
	uint32_t kind, stride;
	uint64_t capacity;
} layout[] = {
	{ RUN_TIMELINE, sizeof(struct run_point), 1024 },
	{ RUN_MODULES, sizeof(struct run_module), 4096 },
	{ RUN_STRINGS, 1, 1 << 20 },
	{ RUN_SITES, sizeof(struct run_site), 32768 },
	{ RUN_BINS, sizeof(struct run_bin), 131072 },
	{ RUN_DETAILS, sizeof(struct run_detail), 4096 },
};
#define NLAYOUT (sizeof(layout) / sizeof(layout[0]))

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static void *section_at(enum run_section_kind kind)
{
	return (char *)run + run->sections[kind].offset;
}

static bool limited(int resource, size_t n)
{
	struct rlimit l;

	return getrlimit(resource, &l) == 0 && l.rlim_cur != RLIM_INFINITY && l.rlim_cur < n;
}

bool run_reserve(void)
{
	size_t offset = RUN_PAGE, at[NLAYOUT];
	unsigned shift;
	char *p;

	if (run != NULL)
		return true;
	/* A program that must live with little gets small tables. */
	shift = limited(RLIMIT_AS, (size_t)2 << 30) ? 4 : 0;
	for (size_t i = 0; i < NLAYOUT; i++) {
		at[i] = offset;
		offset += round_up((layout[i].capacity >> shift) * layout[i].stride, STEP);
	}
	p = mmap(NULL, offset, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return false;
	run_size = offset;
	run = (struct run_header *)p;
	for (size_t i = 0; i < NLAYOUT; i++) {
		struct run_section *s = &run->sections[layout[i].kind];

		s->offset = at[i];
		s->stride = layout[i].stride;
		s->capacity = layout[i].capacity >> shift;
		s->count = 1;	/* index 0 is never given out */
		backed[layout[i].kind] = SIZE_MAX;
	}
	run->sections[RUN_TIMELINE].count = run->sections[RUN_MODULES].count = 0;
	run_sites = section_at(RUN_SITES);
	run_bins = section_at(RUN_BINS);
	run_details = section_at(RUN_DETAILS);
	run_modules = section_at(RUN_MODULES);
	run_timeline = section_at(RUN_TIMELINE);
	run->version = RUN_VERSION;
	run->header_size = sizeof(*run);
	run->page_size = RUN_PAGE;
	run->exit_status = -1;
	run->start = os_now();
	run->interval = 1000000000;
	run->depth = 4;
	return true;
}

uint64_t run_since_start(uint64_t now)
{
	return now > run->start ? now - run->start : 0;
}

/*
 * Records
 */

/* Makes blocks for bytes [from, to) of the file; false: the disk is full, or a limit. */
static bool allocate_blocks(int fd, size_t from, size_t to)
{
	static const char zeros[4096];

	if (limited(RLIMIT_FSIZE, to))
		return false;
	if (fallocate(fd, 0, (off_t)from, (off_t)(to - from)) == 0)
		return true;
	if (errno != EOPNOTSUPP && errno != ENOSYS)
		return false;
	for (size_t i = from; i < to; i += sizeof(zeros))
		if (pwrite(fd, zeros, sizeof(zeros), (off_t)i) != (ssize_t)sizeof(zeros))
			return false;
	return true;
}

/* The file, opened again: no descriptor is kept, programs close those they do not
 * know.  -1 if it is not the file that is mapped. */
static int reopen(void)
{
	struct stat st;
	int fd = open(run_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_dev != run_dev || st.st_ino != run_ino)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool sealed;

/* Lets bytes [0, need) of a section be stored to.  False: the file is sealed. */
static bool back_section(enum run_section_kind kind, size_t need)
{
	const struct run_section *s = &run->sections[kind];
	size_t old = backed[kind], want = round_up(need, STEP), from = s->offset + old;
	size_t end = s->offset + round_up(s->capacity * s->stride, STEP);
	int saved = errno, fd;

	if (need <= old)
		return true;
	if (sealed)
		return false;
	fd = reopen();
	if (fd >= 0 && allocate_blocks(fd, from, s->offset + want)) {
		backed[kind] = want;
	} else {
		mmap((char *)run + from, end - from, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
		backed[kind] = SIZE_MAX;
		atomic_fetch_or(&run->flags, RUN_CUT);
	}
	if (fd >= 0)
		close(fd);
	errno = saved;
	return true;
}

void run_seal(void)
{
	for (size_t i = 0; i < NLAYOUT; i++) {
		enum run_section_kind kind = layout[i].kind;
		const struct run_section *s = &run->sections[kind];
		size_t want = s->count * s->stride + 2 * STEP, most = s->capacity * s->stride;

		back_section(kind, want < most ? want : most);
	}
	sealed = true;
}

uint32_t run_add(enum run_section_kind kind)
{
	struct run_section *s = &run->sections[kind];
	uint64_t i = s->count;

	if (i >= s->capacity || !back_section(kind, (i + 1) * s->stride)) {
		atomic_fetch_or(&run->flags, RUN_CUT);
		return 0;
	}
	atomic_store_explicit(&s->count, i + 1, memory_order_release);
	return (uint32_t)i;
}

uint64_t run_add_string(const char *string)
{
	struct run_section *s = &run->sections[RUN_STRINGS];
	size_t n = strlen(string) + 1;
	uint64_t at = s->count;

	if (n > s->capacity - at || !back_section(RUN_STRINGS, at + n)) {
		atomic_fetch_or(&run->flags, RUN_CUT);
		return 0;	/* an empty string */
	}
	memcpy((char *)section_at(RUN_STRINGS) + at, string, n);
	atomic_store_explicit(&s->count, at + n, memory_order_release);
	return at;
}

/*
 * The file
 */

/* Appends s to the string in buf, of size n; false if it does not fit. */
static bool append(char *buf, size_t n, const char *s)
{
	size_t len = strlen(buf), k = strlen(s);

	if (len + k >= n)
		return false;
	memcpy(buf + len, s, k + 1);
	return true;
}

static bool append_number(char *buf, size_t n, unsigned long v)
{
	char digits[24], *p = digits + sizeof(digits) - 1;

	*p = 0;
	do
		*--p = (char)('0' + v % 10);
	while ((v /= 10) != 0);
	return append(buf, n, p);
}

/* Keeps the name that the environment gives, made absolute: the program may
 * change its folder before it forks. */
static void set_name(const char *name)
{
	run_name[0] = 0;
	if (name == NULL || *name == 0)
		return;
	if (*name != '/' &&
	    (getcwd(run_name, sizeof(run_name) - 1) == NULL ||
	     !append(run_name, sizeof(run_name), "/"))) {
		run_name[0] = 0;
		return;
	}
	if (!append(run_name, sizeof(run_name), name))
		run_name[0] = 0;
}

/* A new file, by the rule of names in runfile.h; its descriptor or -1. */
static int create_file(bool first)
{
	for (unsigned try = first ? 0 : 1; try < 100; try++) {
		int fd;

		strcpy(run_path, run_name);
		if (try > 0 && (!append(run_path, sizeof(run_path), ".") ||
				!append_number(run_path, sizeof(run_path),
					       (unsigned long)getpid())))
			return -1;
		if (try > 1 && (!append(run_path, sizeof(run_path), ".") ||
				!append_number(run_path, sizeof(run_path), try)))
			return -1;
		fd = open(run_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static bool write_all(int fd, const char *p, size_t n, size_t at)
{
	while (n > 0) {
		ssize_t k = pwrite(fd, p, n, (off_t)at);

		if (k <= 0)
			return false;
		p += k;
		at += (size_t)k;
		n -= (size_t)k;
	}
	return true;
}

/* Writes what there is to the file, and allocates the blocks around it. */
static bool write_sections(int fd, size_t now_backed[RUN_SECTIONS])
{
	if (!allocate_blocks(fd, 0, RUN_PAGE) || !write_all(fd, (char *)run, sizeof(*run), 0))
		return false;
	for (int k = 0; k < RUN_SECTIONS; k++) {
		const struct run_section *s = &run->sections[k];
		size_t used = s->count * s->stride, want = round_up(used + 1, STEP);

		if (s->offset == 0)
			continue;
		if (k == RUN_TIMELINE)
			want = round_up(s->capacity * s->stride, STEP);
		if (!allocate_blocks(fd, s->offset, s->offset + want) ||
		    !write_all(fd, section_at(k), used, s->offset))
			return false;
		now_backed[k] = want;
	}
	return ftruncate(fd, (off_t)run_size) == 0;
}

/* Puts a file with the present contents under the sections. */
static bool map_file(int fd)
{
	size_t now_backed[RUN_SECTIONS] = { 0 };
	struct stat st;

	if (fstat(fd, &st) < 0 || limited(RLIMIT_FSIZE, run_size) || !write_sections(fd, now_backed))
		return false;
	if (mmap(run, run_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
	    MAP_FAILED)
		return false;	/* MAP_FIXED has failed before it unmapped */
	memcpy(backed, now_backed, sizeof(backed));
	mapped = true;
	run_dev = st.st_dev;
	run_ino = st.st_ino;
	atomic_thread_fence(memory_order_release);
	memcpy(run->magic, RUN_MAGIC, sizeof(run->magic));
	return true;
}

static void read_command(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = 0, k;
	char more;

	if (fd < 0)
		return;
	while (n < RUN_COMMAND && (k = read(fd, run->command + n, (size_t)(RUN_COMMAND - n))) > 0)
		n += k;
	if (n == RUN_COMMAND && read(fd, &more, 1) > 0) {
		run->command[n - 1] = 0;
		atomic_fetch_or(&run->flags, RUN_COMMAND_CUT);
	}
	run->command_size = (uint32_t)n;
	close(fd);
}

static void describe_process(void)
{
	struct timespec now = { 0, 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	memset(run->magic, 0, sizeof(run->magic));
	run->pid = (uint32_t)getpid();
	run->parent = (uint32_t)getppid();
	run->start_realtime = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec -
			      (os_now() - run->start);
	atomic_store(&run->state, RUN_LIVE);
}

static void open_file(bool first)
{
	int fd;

	if (run_name[0] == 0 || getauxval(AT_PAGESZ) != RUN_PAGE || (fd = create_file(first)) < 0)
		return;
	if (!map_file(fd))
		unlink(run_path);
	close(fd);
}

void run_start(void)
{
	int saved = errno;

	set_name(secure_getenv("PLUMB_RUN_FILE"));
	describe_process();
	read_command();
	open_file(true);
	errno = saved;
}

/* Replaces the parent's file under the sections by a copy in plain memory. */
static void leave_file(void)
{
	char *copy = mmap(NULL, run_size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (copy != MAP_FAILED) {
		memcpy(copy, run, sizeof(*run));
		for (int k = 0; k < RUN_SECTIONS; k++)
			memcpy(copy + run->sections[k].offset, section_at(k),
			       run->sections[k].count * run->sections[k].stride);
		if (mremap(copy, run_size, run_size, MREMAP_MAYMOVE | MREMAP_FIXED, run) ==
		    MAP_FAILED)
			munmap(copy, run_size);
	}
	for (int k = 0; k < RUN_SECTIONS; k++)
		backed[k] = SIZE_MAX;
	mapped = false;
}

void run_fork_child(void)
{
	int saved = errno;

	if (mapped)
		leave_file();
	describe_process();
	atomic_fetch_or(&run->flags, RUN_FORKED);
	run->request = run->answered = 0;
	if (!os_filtered)
		open_file(false);
	errno = saved;
}

void run_end(enum run_state state, int status)
{
	run->exit_status = status;
	atomic_store(&run->state, state);
}
