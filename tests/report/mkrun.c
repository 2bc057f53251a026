/*
 * mkrun.c - run files of imaginary runs, for tests of their reports.
 *
 *	mkrun SCENARIO FILE
 *
 * some: a leak behind a wrapper, bloat, a table in use, and small fry.
 * none: everything was freed.	hostile: names that are markup.
 * many: more sites than anybody reads.	untracked: staleness was not watched.
 *
 * The frames are addresses in this very program, so that there is debug
 * information and source for them.
 */
#include "runimage.h"

#include "base/file.h"

#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DEPTH = 4 };

static uint64_t bias;
static uint32_t self;
static uint64_t stack[DEPTH];	/* of the last allocation */
static unsigned nstack;
extern const char __executable_start[], etext[];

static int first_module(struct dl_phdr_info *i, size_t n, void *ctx)
{
	(void)n;
	(void)ctx;
	bias = i->dlpi_addr;
	return 1;
}

/* Notes the return addresses of the call. */
__attribute__((noinline)) static void *allocate(size_t n)
{
	void *frames[2 * DEPTH];
	int depth = backtrace(frames, 2 * DEPTH), i = 0;

	nstack = 0;
	while (i < depth && frames[i] != __builtin_return_address(0))
		i++;
	for (; i < depth && nstack < DEPTH && (char *)frames[i] >= __executable_start && (char *)frames[i] < etext; i++)
		stack[nstack++] = run_frame(self, (uint64_t)(uintptr_t)frames[i] - bias);
	return malloc(n);
}

/* ---- the imaginary program ---- */

__attribute__((noinline)) static void *session_xmalloc(size_t n)
{
	void *p = allocate(n);

	if (!p)
		abort();
	return p;
}

__attribute__((noinline)) static char *session_open(int id)
{
	char *s = session_xmalloc(64);

	snprintf(s, 64, "session %d", id);
	return s;
}

__attribute__((noinline)) static int handle_request(int id)
{
	char *session = session_open(id);
	int first = session[0];

	free(session);
	return first;
}

__attribute__((noinline)) static void load_mime_types(const char *path)
{
	char *table = allocate(512);

	snprintf(table, 512, "%s", path);
	free(table);
}

static inline __attribute__((always_inline)) int *new_entry(int key)
{
	int *e = allocate(sizeof(*e) * 16);

	e[0] = key;
	return e;
}

__attribute__((noinline)) static void cache_insert(int key)
{
	free(new_entry(key));
}

/* ---- run files ---- */

static uint32_t site_here(struct image *im)
{
	return image_site(im, nstack, stack[0], stack[1], stack[2], stack[3]);
}

static void add_timeline(struct image *im, double live, double stale)
{
	for (int i = 1; i <= 60; i++) {
		double part = i / 60.0, wave = i % 7 * 0.02;

		vec_push(&im->timeline, ((struct run_point){
			image_ns(image_duration(im) * part),
			(uint64_t)(live * (0.3 + 0.7 * part + wave)), (uint64_t)(stale * part), 0 }));
	}
}

static void some(struct image *im)
{
	uint32_t s;

	handle_request(1);
	s = site_here(im);
	image_steady(im, s, 40000, 64);
	load_mime_types("/etc/mime.types");
	s = site_here(im);
	image_bloat(im, s, 300, 512);
	cache_insert(1);
	s = site_here(im);
	image_hot(im, s, 90000, 64);
	image_detail(im, s)->ntouch = 1;
	image_detail(im, s)->touch[0] = stack[1];
	image_detail(im, s)->touch_time = image_ns(30);
	s = image_site(im, 1, run_frame(0x77, 0x1234));
	image_count(im, s, 3, 0, 32);
	im->sites.v[0].first = 0;
	image_count(im, 0, 2, 0, 16);
	add_timeline(im, 8.4e6, 2.7e6);
}

static void hostile(struct image *im)
{
	static const char command[] = "<script>alert(1)</script>\0`x\xff\x1b[31m";
	uint32_t m = image_module(im, "/tmp/</td></table><b>\"'&\xe2\x80\xae.so", NULL, 0);

	memcpy(im->h.command, command, sizeof(command));
	im->h.command_size = sizeof(command);
	image_steady(im, image_site(im, 1, run_frame(m, 0xffffffffffff)), UINT32_MAX, UINT32_MAX);
	image_bloat(im, image_site(im, 1, run_frame(m, 0)), 1, 1);
}

static void many(struct image *im)
{
	handle_request(1);
	for (unsigned i = 0; i < 3000; i++) {
		uint32_t s = image_site(im, 3, stack[0], stack[1], run_frame(self, 0x1000 + i));

		if (i % 50 == 0)
			image_steady(im, s, 100 + i, 64);
		else
			image_count(im, s, 1 + i % 10, 0, 48);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc == 3 ? argv[1] : "";
	char exe[4096];
	struct image im;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	int ret;

	if (n < 0)
		return 2;
	exe[n] = '\0';
	dl_iterate_phdr(first_module, NULL);
	image_init(&im, str_eq(what, "many") ? 4000 : 95);
	self = image_module(&im, exe, NULL, 0);
	if (str_eq(what, "some"))
		some(&im);
	else if (str_eq(what, "untracked"))
		im.h.flags = RUN_UNTRACKED;
	else if (str_eq(what, "hostile"))
		hostile(&im);
	else if (str_eq(what, "many"))
		many(&im);
	else if (!str_eq(what, "none"))
		return 2;
	image_finish(&im);
	ret = file_write(argv[2], im.bytes.s, im.bytes.n);
	image_release(&im);
	return ret < 0;
}
