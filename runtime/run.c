/*
 * run.c - how numbers get into the run file.
 *
 * Allocation starts long before environment variables can be read.  So addresses for
 * all sections of runfile.h (26 MB) are reserved at the first allocation, and numbers
 * are kept there in plain memory, as much of it as is needed.  Once the library is
 * initialised, what is there so far is written to the run file, which is then mapped
 * over the very same addresses.
 *
 * The file is mapped once, in its full size, and never opened again: the program may
 * close all descriptors, give up its user or change its root.  It is sparse, and grows
 * by being stored to.
 *
 * What can go wrong must stay ours.  A store into a mapped file whose disk is full
 * raises SIGBUS; so the kernel is made to store first, in a system call that fails
 * where a store of ours would kill (back_section()).  If it fails, the rest of the
 * section becomes plain memory again and the header tells that the file is cut.  A file
 * system that copies on write breaks the promise when it is full.  RLIMIT_FSIZE would
 * raise SIGXFSZ: it is asked before the file is made.
 *
 * After fork the child would count in its parent's file.  It writes what it has
 * inherited to a file of its own and maps that.  It is made by the folder's descriptor,
 * if the program was about to lose the way to it by name (run_keep()); if it cannot be
 * made, the parent's file counts a child that is missing.  Another thread of the parent
 * may count while the child copies; such a number is then off by what that thread did.
 * The heap itself does not depend on any number here.  A child made by a bare clone
 * system call is not seen: it counts for its parent.
 *
 * Nothing here allocates or uses stdio, and all of it may be called in a forked
 * child of a threaded process.
 */
#include "run.h"

#include "fds.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct run_header *run;
struct run_site *run_sites;
struct run_bin *run_bins;
struct run_detail *run_details;
struct run_module *run_modules;
struct run_point *run_timeline;

#define STEP ((size_t)32 * 1024)	/* sections grow in such pieces */

static char run_name[4096];	/* absolute; "" without a run file */
static size_t run_size;		/* bytes reserved */
static char run_path[sizeof(run_name) + 64];	/* of this process's file */
static size_t step = STEP;
static bool sealed;		/* nothing grows any more */
static bool mapped;		/* a file is under the sections */
static struct {
	size_t backed;		/* bytes that may be stored to */
	bool plain;		/* plain memory comes after them, not a hole of the file */
} state[RUN_SECTIONS];

static const struct {
	uint32_t kind, stride;
	uint64_t capacity, least;
} layout[] = {
	{ RUN_TIMELINE, sizeof(struct run_point), 1024, 128 },
	{ RUN_MODULES, sizeof(struct run_module), 4096, 64 },
	{ RUN_STRINGS, 1, 1 << 20, 4096 },
	{ RUN_SITES, sizeof(struct run_site), 32768, 128 },
	{ RUN_BINS, sizeof(struct run_bin), 131072, 512 },
	{ RUN_DETAILS, sizeof(struct run_detail), 4096, 16 },
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

/* A program that must live with few addresses gets small tables, a sixty-fourth of them: by
 * how many bits the capacities are shifted. */
static unsigned find_shift(void)
{
	size_t full = RUN_PAGE;
	unsigned shift = 0;

	for (size_t i = 0; i < NLAYOUT; i++)
		full += layout[i].capacity * layout[i].stride;
	while (shift < 8 && limited(RLIMIT_AS, (full >> shift) * 64))
		shift++;
	return shift;
}

static uint64_t capacity_of(size_t i, unsigned shift)
{
	uint64_t n = layout[i].capacity >> shift;

	return n > layout[i].least ? n : layout[i].least;
}

static size_t end_of(enum run_section_kind kind)
{
	return round_up(run->sections[kind].capacity * run->sections[kind].stride, step);
}

/* Bytes of a section that have to be kept, and can be stored to: the timeline is, as a whole. */
static size_t in_use(enum run_section_kind kind)
{
	return kind == RUN_TIMELINE ? end_of(kind) : round_up(run->sections[kind].count * run->sections[kind].stride, RUN_PAGE);
}

/* Plain memory that can be stored to; false: there is none. */
static bool allow(size_t from, size_t to)
{
	return os_syscall(SYS_mprotect, (long)((char *)run + from), (long)(to - from),
			  PROT_READ | PROT_WRITE, 0, 0, 0) == 0;
}

/* Addresses without memory, which count for no limit but that of addresses. */
static void *reserve(void *at, size_t n)
{
	return mmap(at, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0),
		    -1, 0);
}

/* Has the kernel store to each page of a hole, where it would get SIGBUS otherwise; false: the
 * disk is full.  What it stores, a mask of signals, is taken away again. */
static bool fill_hole(char *from, char *to)
{
	for (char *p = from; p < to; p += RUN_PAGE) {
		if (os_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)p, 8, 0, 0) < 0)
			return false;
		memset(p, 0, 8);
	}
	return true;
}

/* Lets bytes [0, need) of a section be stored to.  False: there is no room, or the file is
 * sealed. */
static bool back_section(enum run_section_kind kind, size_t need)
{
	const struct run_section *s = &run->sections[kind];
	size_t old = state[kind].backed, end = end_of(kind);
	size_t want = round_up(need, step) < end ? round_up(need, step) : end;
	char *from = section_at(kind);
	int saved = errno;
	bool ok = true;

	if (need <= old)
		return true;
	if (sealed)
		return false;
	if (!state[kind].plain && !fill_hole(from + old, from + want)) {
		atomic_fetch_or(&run->flags, RUN_CUT);
		state[kind].plain = reserve(from + old, end - old) != MAP_FAILED;
		ok = state[kind].plain;
	}
	if (state[kind].plain)
		ok = allow(s->offset + old, s->offset + want);
	if (ok)
		state[kind].backed = want;
	errno = saved;
	return ok;
}

/* What is stored to without run_add(): record 0 of each section, and the whole timeline. */
static bool back_first(void)
{
	bool ok = true;

	for (size_t i = 0; i < NLAYOUT; i++)
		ok &= back_section(layout[i].kind, in_use(layout[i].kind));
	return ok;
}

void run_seal(void)
{
	for (size_t i = 0; i < NLAYOUT; i++) {
		const struct run_section *s = &run->sections[layout[i].kind];
		size_t want = s->count * s->stride + 2 * step, most = s->capacity * s->stride;

		back_section(layout[i].kind, want < most ? want : most);
	}
	sealed = true;
}

bool run_reserve(void)
{
	size_t offset = RUN_PAGE, at[NLAYOUT];
	unsigned shift;
	char *p;

	if (run != NULL)
		return true;
	shift = find_shift();
	if (shift > 4)
		step = RUN_PAGE;
	for (size_t i = 0; i < NLAYOUT; i++) {
		at[i] = offset;
		offset += round_up(capacity_of(i, shift) * layout[i].stride, step);
	}
	p = reserve(NULL, offset);
	if (p == MAP_FAILED)
		return false;
	run = (struct run_header *)p;
	if (!allow(0, RUN_PAGE))
		goto fail;
	run_size = offset;
	for (size_t i = 0; i < NLAYOUT; i++) {
		struct run_section *s = &run->sections[layout[i].kind];

		s->offset = at[i];
		s->stride = layout[i].stride;
		s->capacity = capacity_of(i, shift);
		s->count = 1;	/* index 0 is never given out */
		state[layout[i].kind].backed = 0;
		state[layout[i].kind].plain = true;
	}
	if (!back_first())
		goto fail;
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
fail:
	os_unmap(p, offset);
	run = NULL;
	return false;
}

uint64_t run_since_start(uint64_t now)
{
	return now > run->start ? now - run->start : 0;
}

/*
 * Records
 */

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

void run_keep(void)
{
	char path[sizeof(run_name)];
	char *slash;
	int saved = errno;

	if (run_name[0] != 0 && !held_valid(&fds_folder)) {
		strcpy(path, run_name);
		slash = strrchr(path, '/');
		slash[slash == path] = 0;
		held_take(&fds_folder, open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
	}
	errno = saved;
}

/* Where run_path is looked for: by the folder if we hold that, otherwise by its whole name. */
static int folder(void)
{
	return held_valid(&fds_folder) ? fds_folder.fd : AT_FDCWD;
}

static const char *name_there(void)
{
	return folder() == AT_FDCWD ? run_path : strrchr(run_path, '/') + 1;
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
		fd = openat(folder(), name_there(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			    0600);
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

/* Writes what there is to the file, in whole pages, so that each has its blocks. */
static bool write_sections(int fd)
{
	if (ftruncate(fd, (off_t)run_size) < 0 || !write_all(fd, (char *)run, RUN_PAGE, 0))
		return false;
	for (size_t i = 0; i < NLAYOUT; i++)
		if (!write_all(fd, section_at(layout[i].kind), in_use(layout[i].kind),
			       run->sections[layout[i].kind].offset))
			return false;
	return true;
}

/* Puts a file with the present contents under the sections. */
static bool map_file(int fd)
{
	if (limited(RLIMIT_FSIZE, run_size) || !write_sections(fd))
		return false;
	if (mmap(run, run_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
	    MAP_FAILED)
		return false;	/* MAP_FIXED has failed before it unmapped */
	for (size_t i = 0; i < NLAYOUT; i++) {
		state[layout[i].kind].backed = in_use(layout[i].kind);
		state[layout[i].kind].plain = false;
	}
	mapped = true;
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
		unlinkat(folder(), name_there(), 0);
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

/* Replaces n bytes of the parent's file by a copy, in one step; false: no memory. */
static bool leave_piece(char *at, size_t n)
{
	char *copy;

	if (n == 0)
		return true;
	copy = os_map(n);
	if (copy == NULL)
		return false;
	memcpy(copy, at, n);
	if (mremap(copy, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
		os_unmap(copy, n);
		return false;
	}
	return true;
}

/* The same for all of it.  False: the child still counts in its parent's file. */
static bool leave_file(void)
{
	if (!leave_piece((char *)run, RUN_PAGE))
		return false;
	for (size_t i = 0; i < NLAYOUT; i++) {
		enum run_section_kind kind = layout[i].kind;
		size_t used = in_use(kind), end = end_of(kind);
		char *at = section_at(kind);

		if (!leave_piece(at, used))
			return false;
		if (used < end)
			reserve(at + used, end - used);
		state[kind].backed = used;
		state[kind].plain = true;
	}
	mapped = false;
	return true;
}

/* The header of the parent's file once more, elsewhere. */
static struct run_header *parent_header(void)
{
	void *p = mremap(run, 0, RUN_PAGE, MREMAP_MAYMOVE);

	return p == MAP_FAILED ? NULL : p;
}

void run_fork_child(void)
{
	int saved = errno;
	struct run_header *parent = mapped ? parent_header() : NULL;

	if (mapped && !leave_file())
		goto done;
	describe_process();
	atomic_fetch_or(&run->flags, RUN_FORKED);
	run->request = run->answered = 0;
	run->missing_children = run->unwatched_programs = 0;
	if (!os_filtered)
		open_file(false);
	if (parent != NULL && !mapped)
		atomic_fetch_add(&parent->missing_children, 1);
done:
	if (parent != NULL)
		os_unmap(parent, RUN_PAGE);
	errno = saved;
}

void run_program_left_out(void)
{
	if (run != NULL)
		atomic_fetch_add(&run->unwatched_programs, 1);
}

void run_end(enum run_state end, int status)
{
	run->exit_status = status;
	atomic_store(&run->state, end);
}
