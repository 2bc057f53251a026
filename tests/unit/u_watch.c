/*
 * u_watch.c - run files: what is read from them, and how sites are judged.
 */
#include "unit.h"

#include "base/error.h"
#include "base/file.h"
#include "finding/finding.h"
#include "report/run.h"
#include "run/watch.h"
#include "runimage.h"

#include <math.h>
#include <sys/wait.h>

static struct watch_run *parse(struct image *im)
{
	struct watch_run *r = NULL;

	image_finish(im);
	if (watch_parse(&r, im->bytes.s, im->bytes.n, "test") < 0)
		FAIL("%s", error_last());
	return r;
}

static struct watch_run *judged(struct image *im)
{
	struct watch_run *r = parse(im);

	watch_judge(r);
	return r;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * MAX(fabs(a), fabs(b));
}

TEST(process)
{
	struct image im;
	struct watch_run *r;
	uint32_t m, s;

	image_init(&im, 12.5);
	im.h.flags = RUN_FORKED;
	im.h.exit_status = 3;
	m = image_module(&im, "/usr/bin/prog", "\1\2\3", 3);
	s = image_site(&im, 2, run_frame(m, 0x10), run_frame(m, 0x20));
	image_count(&im, s, 10, 4, 16);
	image_count(&im, s, 5, 0, 32);
	vec_push(&im.timeline, ((struct run_point){ image_ns(1), 100, 50, 200 }));
	vec_push(&im.timeline, ((struct run_point){ image_ns(2), 150, 50, 200 }));
	vec_push(&im.timeline, ((struct run_point){ image_ns(1.5), 99, 99, 0 }));	/* out of order */
	r = parse(&im);
	CHECK_EQ_INT(r->pid, 4711);
	CHECK_EQ_INT(r->command.n, 2);
	CHECK_EQ_STR(r->command.v[1], "--flag");
	CHECK(near(r->duration, 12.5));
	CHECK(r->forked && !r->cut && !r->untracked);
	CHECK_EQ_INT(r->state, WATCH_EXITED);
	CHECK_EQ_INT(r->exit_status, 3);
	CHECK_EQ_INT(r->allocations, 15);
	CHECK_EQ_INT(r->frees, 4);
	CHECK_EQ_INT(r->live_bytes, 6 * 16 + 5 * 32);
	CHECK_EQ_INT(r->sites.n, 1);
	CHECK_EQ_INT(r->sites.v[0].objects, 11);
	CHECK_EQ_INT(r->sites.v[0].raw_frames.n, 2);
	CHECK_EQ_INT(r->modules.n, 2);
	CHECK_EQ_STR(r->modules.v[m].path, "/usr/bin/prog");
	CHECK_EQ_INT(r->memory.n, 3);
	CHECK(near(vec_last(&r->memory).when, 12.5));
	watch_free(r);
	image_release(&im);
}

/* What was freed is no site; what came after the tick counts as touched; what went
 * after it takes staleness with it. */
TEST(exact_counts_and_ticks)
{
	struct image im;
	struct watch_run *r;
	uint32_t gone, more, less;

	image_init(&im, 10);
	gone = image_site(&im, 1, run_frame(0, 1));
	image_count(&im, gone, 7, 7, 64);
	more = image_site(&im, 1, run_frame(0, 2));
	image_count(&im, more, 10, 0, 1024);
	image_stale(&im, more, 10 * 1024, 5);
	im.bins.v[im.bins.n - 1].allocated += 10;
	less = image_site(&im, 1, run_frame(0, 3));
	image_count(&im, less, 10, 0, 1024);
	image_stale(&im, less, 10 * 1024, 5);
	im.bins.v[im.bins.n - 1].freed += 9;
	less = image_site(&im, 1, run_frame(0, 4));
	image_count(&im, less, 10, 0, 1024);
	image_stale(&im, less, 5 * 1024, 5);
	im.bins.v[im.bins.n - 1].freed += 9;
	r = parse(&im);
	CHECK_EQ_INT(r->sites.n, 3);
	CHECK_EQ_INT(r->sites.v[0].bytes, 20 * 1024);
	CHECK_EQ_INT(r->sites.v[0].stale_bytes, 10 * 1024);
	CHECK_EQ_INT(r->sites.v[0].ages.n, 2);
	CHECK(r->sites.v[0].ages.v[0].staleness == 0 && near(r->sites.v[0].ages.v[0].bytes, 10 * 1024));
	CHECK(r->sites.v[0].ages.v[1].staleness <= 5);
	CHECK_EQ_INT(r->sites.v[1].bytes, 1024);
	CHECK_EQ_INT(r->sites.v[1].stale_bytes, 1024);
	CHECK_EQ_INT(r->sites.v[2].bytes, 1024);	/* nobody knows which ones went */
	CHECK_EQ_INT(r->sites.v[2].stale_bytes, 0);
	watch_free(r);
	image_release(&im);
}

/* Large objects have bytes of their own. */
TEST(large_objects)
{
	struct image im;
	struct watch_run *r;
	struct run_bin *b;
	uint32_t s;

	image_init(&im, 1);
	s = image_site(&im, 1, run_frame(0, 1));
	b = vec_add(&im.bins, 1);
	b->site = s;
	b->allocated = 3;
	b->freed = 1;
	b->bytes_allocated = 3000000;
	b->bytes_freed = 1000000;
	r = parse(&im);
	CHECK_EQ_INT(r->sites.v[0].objects, 2);
	CHECK_EQ_INT(r->sites.v[0].bytes, 2000000);
	watch_free(r);
	image_release(&im);
}

/* The same library, loaded twice at different places. */
TEST(same_site_is_one)
{
	struct image im;
	struct watch_run *r;
	uint32_t a, b, other;

	image_init(&im, 10);
	a = image_module(&im, "/lib/plugin.so", "\7\7", 2);
	b = image_module(&im, "/lib/plugin.so", "\7\7", 2);
	other = image_module(&im, "/lib/plugin.so", "\7\10", 2);
	image_steady(&im, image_site(&im, 1, run_frame(a, 0x100)), 100, 64);
	image_steady(&im, image_site(&im, 1, run_frame(b, 0x100)), 300, 64);
	image_steady(&im, image_site(&im, 1, run_frame(other, 0x100)), 10, 64);
	image_steady(&im, image_site(&im, 1, run_frame(b, 0x200)), 10, 64);
	r = parse(&im);
	CHECK_EQ_INT(r->sites.n, 3);
	CHECK_EQ_INT(r->sites.v[0].objects, 400);
	CHECK_EQ_INT(r->sites.v[0].bytes, 400 * 64);
	CHECK_EQ_INT(r->sites.v[0].growth.n, IMAGE_STEPS);
	CHECK(near(r->sites.v[0].growth.v[19].bytes, 200 * 64));
	CHECK_EQ_INT(strlen(r->sites.v[0].id), 16);
	watch_free(r);
	image_release(&im);
}

TEST(kinds)
{
	struct image im;
	struct watch_run *r;

	image_init(&im, 20);
	image_steady(&im, image_site(&im, 1, run_frame(0, 1)), 1000, 64);
	image_bloat(&im, image_site(&im, 1, run_frame(0, 2)), 500, 64);
	image_hot(&im, image_site(&im, 1, run_frame(0, 3)), 100000, 64);
	r = judged(&im);
	CHECK_EQ_INT(r->sites.n, 3);
	for (uint32_t i = 0; i < 3; i++)
		CHECK_EQ_INT(r->sites.v[i].rank, i + 1);
	CHECK_EQ_INT(r->sites.v[0].kind, WATCH_LEAK);
	CHECK_EQ_INT(r->sites.v[1].kind, WATCH_BLOAT);
	CHECK_EQ_INT(r->sites.v[2].kind, WATCH_LIVE);
	CHECK_EQ_INT(watch_count(r, WATCH_LEAK), 1);
	watch_free(r);
	image_release(&im);
}

static enum watch_kind kind_of(struct image *im)
{
	struct watch_run *r = judged(im);
	enum watch_kind k = r->sites.v[0].kind;

	watch_free(r);
	image_release(im);
	return k;
}

TEST(kind_of_a_leak_among_hot_objects)
{
	struct image im;
	uint32_t s;

	image_init(&im, 20);
	s = image_site(&im, 1, run_frame(0, 1));
	image_steady(&im, s, 1000, 64);
	image_count(&im, s, 50000, 40000, 64);
	for (unsigned i = 0; i < IMAGE_STEPS; i++)	/* the hot ones are there all the time */
		image_detail(&im, s)->growth[i].bytes += 10000 * 64;
	CHECK_EQ_INT(kind_of(&im), WATCH_LEAK);
}

TEST(kind_without_a_curve)
{
	struct image im;
	uint32_t s;

	/* spread staleness, and it grew until now */
	image_init(&im, 20);
	s = image_site(&im, 1, run_frame(0, 1));
	image_steady(&im, s, 1000, 64);
	image_detail(&im, s)->npoints = 1;
	CHECK_EQ_INT(kind_of(&im), WATCH_LEAK);

	/* the same, but it has stopped long ago */
	image_init(&im, 20);
	s = image_site(&im, 1, run_frame(0, 1));
	image_steady(&im, s, 1000, 64);
	image_detail(&im, s)->npoints = 1;
	im.sites.v[s].last_grown = image_ns(9);
	CHECK_EQ_INT(kind_of(&im), WATCH_LIVE);

	/* one large block from the beginning: there are no details at all */
	image_init(&im, 20);
	s = image_site(&im, 1, run_frame(0, 1));
	image_bloat(&im, s, 1, 65536);
	im.sites.v[s].detail = 0;
	CHECK_EQ_INT(kind_of(&im), WATCH_BLOAT);
}

TEST(kind_errs_to_live)
{
	struct image im;
	uint32_t s;

	image_init(&im, 20);		/* a small one */
	image_steady(&im, image_site(&im, 1, run_frame(0, 1)), 40, 64);
	CHECK_EQ_INT(kind_of(&im), WATCH_LIVE);

	image_init(&im, 0.1);		/* a short run */
	image_steady(&im, image_site(&im, 1, run_frame(0, 1)), 10000, 64);
	CHECK_EQ_INT(kind_of(&im), WATCH_LIVE);

	image_init(&im, 20);		/* began only now */
	s = image_site(&im, 1, run_frame(0, 1));
	image_bloat(&im, s, 10000, 64);
	im.sites.v[s].first = image_ns(19);
	CHECK_EQ_INT(kind_of(&im), WATCH_LIVE);

	image_init(&im, 20);		/* bloat of which two thirds are used after all */
	s = image_site(&im, 1, run_frame(0, 1));
	image_bloat(&im, s, 10000, 64);
	image_detail(&im, s)->hist[run_bucket(image_ns(18))] /= 3;
	image_detail(&im, s)->hist[0] = 10000 * 64 * 2 / 3;
	CHECK_EQ_INT(kind_of(&im), WATCH_LIVE);

	image_init(&im, 20);		/* grew for a while, then stopped: a cache that is full */
	s = image_site(&im, 1, run_frame(0, 1));
	image_steady(&im, s, 10000, 64);
	for (unsigned i = IMAGE_STEPS / 2; i < IMAGE_STEPS; i++)
		image_detail(&im, s)->growth[i] = (struct run_point){
			image_ns(0.5 * (i + 1)), 10000 * 64, 9500 * 64, 0 };
	CHECK_EQ_INT(kind_of(&im), WATCH_LIVE);

	image_init(&im, 20);		/* grows, and is gone through every five seconds */
	s = image_site(&im, 1, run_frame(0, 1));
	image_count(&im, s, 10000, 0, 64);
	im.sites.v[s].last_grown = im.h.now;
	for (unsigned i = 1; i <= IMAGE_STEPS; i++)
		image_point(&im, s, 0.5 * i, 16000 * i, i % 10 ? 0 : 15000 * i);
	image_stale(&im, s, 9000 * 64, 4.9);
	CHECK_EQ_INT(kind_of(&im), WATCH_LIVE);

	image_init(&im, 20);		/* staleness was not watched */
	im.h.flags = RUN_UNTRACKED;
	image_steady(&im, image_site(&im, 1, run_frame(0, 1)), 1000, 64);
	CHECK_EQ_INT(kind_of(&im), WATCH_LIVE);
}

/* Nobody says "no leaks" of what was not judged. */
static void check_count(struct image *im, double live, const char *want)
{
	struct watch_run *r = judged(im);
	struct sbuf b = {0};

	r->live_bytes = (uint64_t)live;
	run_report_count(&b, r);
	CHECK_EQ_STR(sbuf_str(&b), want);
	sbuf_release(&b);
	watch_free(r);
	image_release(im);
}

TEST(no_leaks_in_what_was_judged)
{
	struct image im;
	uint32_t s;

	image_init(&im, 0.1);		/* a short run */
	image_steady(&im, image_site(&im, 1, run_frame(0, 1)), 10000, 64);
	check_count(&im, 640000, "too short to tell whether it leaks");

	image_init(&im, 20);		/* a site that began only now */
	s = image_site(&im, 1, run_frame(0, 1));
	image_hot(&im, s, 10000, 64);
	im.sites.v[s].first = image_ns(19);
	check_count(&im, 2000000, "no leaks in what was judged (640 kB too young or too small)");

	image_init(&im, 20);		/* the same, but less than a page */
	s = image_site(&im, 1, run_frame(0, 1));
	image_hot(&im, s, 40, 64);
	im.sites.v[s].first = image_ns(19);
	check_count(&im, 2000000, "no leaks in what was judged (2.6 kB too young or too small)");

	image_init(&im, 20);
	im.h.flags = RUN_UNTRACKED;
	image_hot(&im, image_site(&im, 1, run_frame(0, 1)), 10000, 64);
	check_count(&im, 2000000, "staleness could not be watched");
}

/* A program that no longer allocates: drag in seconds decides. */
TEST(rank_when_allocation_time_stands_still)
{
	struct image im;
	struct watch_run *r;

	image_init(&im, 20);
	image_bloat(&im, image_site(&im, 1, run_frame(0, 1)), 100, 64);
	image_bloat(&im, image_site(&im, 1, run_frame(0, 2)), 1000, 64);
	im.sites.v[1].drag_allocations = im.sites.v[2].drag_allocations = 0;
	r = judged(&im);
	CHECK_EQ_INT(r->sites.v[0].objects, 1000);
	watch_free(r);
	image_release(&im);
}

/* ---- places ---- */

/* The number of frames that are passed over before one names the site. */
static uint32_t wrappers(const char *const *functions, const char *module)
{
	struct watch_run *r;
	struct image im;
	uint32_t at;

	image_init(&im, 1);
	image_count(&im, image_site(&im, 1, run_frame(0, 1)), 1, 0, 16);
	r = parse(&im);
	for (; *functions; functions++)
		vec_push(&r->sites.v[0].frames, ((struct watch_frame){
			.function = *functions, .file = "", .module = module }));
	watch_mark_wrappers(r, NULL);
	at = r->sites.v[0].at;
	watch_free(r);
	image_release(&im);
	return at;
}

#define WRAPPERS(...) wrappers((const char *const[]){ __VA_ARGS__, NULL }, "/bin/prog")

TEST(wrapper_names)
{
	CHECK_EQ_INT(WRAPPERS("xmalloc", "load"), 1);
	CHECK_EQ_INT(WRAPPERS("xmalloc.constprop.0", "xstrdup", "load"), 2);
	CHECK_EQ_INT(WRAPPERS("zmalloc_usable", "createClient"), 1);
	CHECK_EQ_INT(WRAPPERS("ngx_palloc", "ngx_http"), 1);
	CHECK_EQ_INT(WRAPPERS("g_malloc0", "MemAlloc2", "poolAllocate", "f"), 3);
	CHECK_EQ_INT(WRAPPERS("operator new(unsigned long)", "f()"), 1);
	CHECK_EQ_INT(WRAPPERS("pool::Arena<int>::allocate(unsigned long)", "f()"), 1);
	CHECK_EQ_INT(WRAPPERS("std::pair<Iter<T*>, bool> Map<T*, MallocAllocator>::emplace<T*>(Ref, T*&&)", "f()"), 0);
	CHECK_EQ_INT(WRAPPERS("(anonymous namespace)::calloc_like::run(int)", "f()"), 0);
	CHECK_EQ_INT(WRAPPERS("load", "xmalloc"), 0);		/* only from the inside */
	CHECK_EQ_INT(WRAPPERS("alloc_context", "main"), 0);	/* makes something of its own */
	CHECK_EQ_INT(WRAPPERS("", "main"), 0);
	CHECK_EQ_INT(WRAPPERS("xmalloc", "xrealloc"), 0);	/* all of them: then the first */
	CHECK_EQ_INT(wrappers((const char *const[]){ "getdelim", "getline", NULL }, "/lib/libc.so.6"), 0);
}

TEST(findings_meet_sites)
{
	struct finding *f[3];
	struct findings fs;
	struct watch_run *r;
	struct image im;

	findings_init(&fs);
	fs.root = "/src/proj";
	for (unsigned i = 0; i < 3; i++) {
		f[i] = finding_new(&fs);
		f[i]->alloc = (struct finding_loc){ "/src/proj/lib/a.c", i == 2 ? 50 : 41, 1, "load" };
		f[i]->allocator = i == 1 ? "xstrdup" : "xmalloc";
	}
	image_init(&im, 1);
	image_count(&im, image_site(&im, 1, run_frame(0, 1)), 1, 0, 16);
	image_count(&im, image_site(&im, 1, run_frame(0, 2)), 1, 0, 16);
	image_count(&im, image_site(&im, 1, run_frame(0, 3)), 1, 0, 16);
	r = parse(&im);
	/* two calls on one line are told apart by what they call */
	vec_push(&r->sites.v[0].frames, ((struct watch_frame){ .module = "", .function = "xstrdup", .file = "/src/proj/x.c", .line = 9 }));
	vec_push(&r->sites.v[0].frames, ((struct watch_frame){ .module = "", .function = "load", .file = "/src/proj/lib/a.c", .line = 41 }));
	/* a path that was made relative */
	vec_push(&r->sites.v[1].frames, ((struct watch_frame){ .module = "", .function = "load", .file = "lib/a.c", .line = 50 }));
	/* another file that ends the same */
	vec_push(&r->sites.v[2].frames, ((struct watch_frame){ .module = "", .function = "load", .file = "/src/proj/lib/ba.c", .line = 50 }));
	watch_link(r, &fs);
	CHECK_EQ_INT(r->sites.v[0].findings.n, 1);
	CHECK(r->sites.v[0].findings.v[0] == f[1]);
	CHECK_EQ_INT(r->sites.v[1].findings.n, 1);
	CHECK(r->sites.v[1].findings.v[0] == f[2]);
	CHECK_EQ_INT(r->sites.v[2].findings.n, 0);
	watch_free(r);
	image_release(&im);
	findings_release(&fs);
}

static void check_text(void (*how)(struct sbuf *, double), double x, const char *want)
{
	struct sbuf b = {0};

	how(&b, x);
	CHECK_EQ_STR(sbuf_str(&b), want);
	sbuf_release(&b);
}

TEST(words)
{
	check_text(run_report_bytes, 0, "0 bytes");
	check_text(run_report_bytes, 999, "999 bytes");
	check_text(run_report_bytes, 1000, "1.0 kB");
	check_text(run_report_bytes, 99940, "99.9 kB");
	check_text(run_report_bytes, 99960, "100 kB");
	check_text(run_report_bytes, 999600, "1.0 MB");
	check_text(run_report_bytes, 2.5e9, "2.5 GB");
	check_text(run_report_time, 0.0004, "0 ms");
	check_text(run_report_time, 0.25, "250 ms");
	check_text(run_report_time, 0.9996, "1.0 s");
	check_text(run_report_time, 119.94, "119.9 s");
	check_text(run_report_time, 200, "3 min 20 s");
	check_text(run_report_time, 2.5 * 3600, "2 h 30 min");
	check_text(run_report_time, 3.5 * 86400, "3 days");
}

/* ---- damage ---- */

TEST(refused)
{
	struct image im;
	struct watch_run *r = NULL;

	image_init(&im, 1);
	image_finish(&im);
	CHECK(watch_parse(&r, im.bytes.s, 100, "x") < 0);
	CHECK(watch_parse(&r, "", 0, "x") < 0);
	im.bytes.s[0] = 0;
	CHECK(watch_parse(&r, im.bytes.s, im.bytes.n, "x.run") < 0);
	CHECK(strstr(error_last(), "x.run"));
	im.h.version = RUN_VERSION + 1;
	image_finish(&im);
	CHECK(watch_parse(&r, im.bytes.s, im.bytes.n, "x") < 0);
	CHECK(strstr(error_last(), "version"));
	CHECK(watch_read(&r, "/dev/null") < 0);
	CHECK(watch_read(&r, "/nonexistent/file") < 0);
	CHECK(watch_request("/nonexistent/file", 0) < 0);
	CHECK(watch_request("/dev/null", 0) < 0);
	CHECK(r == NULL);
	image_release(&im);
}

static void use(struct watch_run *r)
{
	struct symbols *s = symbols_new();

	watch_want_symbols(r, s);
	symbols_free(s);
	watch_mark_wrappers(r, NULL);
	watch_judge(r);
	for (uint32_t i = 0; i < r->sites.n; i++) {
		const struct watch_site *x = &r->sites.v[i];

		CHECK(x->stale_bytes <= x->bytes);
		CHECK(x->growth.n > 0);
		CHECK(x->max_staleness <= r->duration);
		for (uint32_t k = 1; k < x->growth.n; k++)
			CHECK(x->growth.v[k].when > x->growth.v[k - 1].when);
		for (uint32_t k = 1; k < x->ages.n; k++)
			CHECK(x->ages.v[k].staleness >= x->ages.v[k - 1].staleness);
	}
}

TEST(damaged)
{
	struct unit_rng g = { 5 };
	struct image im;
	char *copy;
	uint32_t m;

	image_init(&im, 20);
	m = image_module(&im, "/usr/bin/prog", "\1\2\3", 3);
	image_steady(&im, image_site(&im, 2, run_frame(m, 0x10), run_frame(m, 0x20)), 1000, 64);
	image_bloat(&im, image_site(&im, 1, run_frame(m, 0x30)), 500, 64);
	image_hot(&im, image_site(&im, 1, run_frame(9, 0x30)), 500, 64);
	image_finish(&im);
	copy = xmalloc(im.bytes.n);
	for (int round = 0; round < 3000; round++) {
		size_t n = unit_below(&g, 4) ? im.bytes.n : unit_below(&g, (uint32_t)im.bytes.n);
		unsigned changes = 1 + unit_below(&g, 20);
		struct watch_run *r = NULL;

		memcpy(copy, im.bytes.s, im.bytes.n);
		while (changes--) {
			size_t where = unit_below(&g, 3) ? 8 + unit_below(&g, sizeof(struct run_header) - 16) :
							   unit_below(&g, (uint32_t)im.bytes.n - 8);
			uint64_t x = unit_rand(&g) >> unit_below(&g, 64);

			memcpy(copy + where, &x, 1 + unit_below(&g, 8));
		}
		if (watch_parse(&r, copy, n, "test") == 0)
			use(r);
		watch_free(r);
	}
	free(copy);
	image_release(&im);
}

/* ---- asking a process ---- */

TEST(request)
{
	char path[] = "/tmp/u_watch.XXXXXX";
	struct image im;
	pid_t child;
	int fd, status;

	image_init(&im, 1);
	image_finish(&im);
	CHECK((fd = mkstemp(path)) >= 0);
	close(fd);
	CHECK(file_write(path, im.bytes.s, im.bytes.n) == 0);
	CHECK_EQ_INT(watch_request(path, 0.05), 0);
	CHECK((child = fork()) >= 0);
	if (child == 0) {	/* answers, as the library does */
		struct filemap m;
		struct run_header *h;

		h = filemap_open(&m, path) == 0 ? (struct run_header *)xmalloc(sizeof(*h)) : NULL;
		for (int i = 0; h && i < 500; i++) {
			FILE *f;

			memcpy(h, m.p, sizeof(*h));
			if (h->request == 2 && (f = fopen(path, "r+"))) {
				fseek(f, offsetof(struct run_header, answered), SEEK_SET);
				fwrite(&h->request, sizeof(uint64_t), 1, f);
				fclose(f);
				_exit(0);
			}
			usleep(10000);
		}
		_exit(1);
	}
	CHECK_EQ_INT(watch_request(path, 5), 1);
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	unlink(path);
	image_release(&im);
}
