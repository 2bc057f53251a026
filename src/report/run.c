/*
 * run.c - the report of a run: the choice of the format, and words that all formats use.
 *
 * needs: watch_judge().
 */
#include "report/run.h"

#include "base/error.h"
#include "base/file.h"
#include "base/near.h"
#include "base/sbuf.h"
#include "report/priv.h"
#include "report/utf8.h"

#include <assert.h>

static const struct {
	const char *name, *ext;
} formats[] = {
	[RUN_FORMAT_JSON] = { "json", ".json" },
	[RUN_FORMAT_HTML] = { "html", ".html" },
	[RUN_FORMAT_PPROF] = { "pprof", ".pb.gz" },
};

static const char *format_name(unsigned i)
{
	static_assert(ARRAY_LEN(formats) == RUN__FORMATS, "a name for each format");
	return i < RUN__FORMATS ? formats[i].name : NULL;
}

int run_format_parse(enum run_format *out, const char *name, size_t n)
{
	char *word = xstrndup(name, n);
	int i = near_choice("format", word, format_name);

	if (i >= 0)
		*out = (enum run_format)i;
	free(word);
	return i < 0 ? i : 0;
}

const char *run_format_ext(enum run_format fmt)
{
	assert(fmt < RUN__FORMATS);
	return formats[fmt].ext;
}

#ifdef PLUMB_DEBUG
/* What all formats rely on, whatever file the run was read from. */
static void check_sites(const struct watch_run *r)
{
	assert(r->ended);
	for (uint32_t i = 0; i < r->sites.n; i++) {
		const struct watch_site *s = &r->sites.v[i];

		assert(s->reason);
		assert(s->frames.n == 0 || s->at < s->frames.n);
		for (uint32_t k = 0; k < s->frames.n; k++)
			assert(s->frames.v[k].module && s->frames.v[k].function && s->frames.v[k].file);
	}
}
#endif

int run_report_write(struct watch_run *r, struct findings *fs, enum run_format fmt, FILE *f)
{
	int ret = 0;

#ifdef PLUMB_DEBUG
	check_sites(r);
#endif
	switch (fmt) {
	case RUN_FORMAT_JSON: report__run_json(r, fs, f); break;
	case RUN_FORMAT_HTML: report__run_html(r, fs, f); break;
	case RUN_FORMAT_PPROF: ret = report__run_pprof(r, fs, f); break;
	case RUN__FORMATS: assert(0);
	}
	if (ret == 0 && (fflush(f) != 0 || ferror(f)))
		ret = error_sys("cannot write the report");
	return ret;
}

void run_report_count(struct sbuf *b, const struct watch_run *r)
{
	unsigned leaks = watch_count(r, WATCH_LEAK), bloat = watch_count(r, WATCH_BLOAT);
	const char *comma = leaks ? ", " : "";

	if (leaks)
		sbuf_printf(b, "%u %s", leaks, leaks == 1 ? "leak" : "leaks");
	if (bloat)
		sbuf_printf(b, "%s%u %s of bloat", comma, bloat, bloat == 1 ? "site" : "sites");
	if (leaks || bloat)
		return;
	if (r->untracked) {
		sbuf_adds(b, "staleness could not be watched");
	} else if (r->unjudged_bytes && r->unjudged_bytes >= r->live_bytes / 20 * 19) {
		sbuf_printf(b, "too %s to tell whether it leaks",
			    watch_is_short(r) ? "short" : "little memory, or too young,");
	} else if (r->unjudged_bytes) {
		sbuf_adds(b, "no leaks in what was judged (");
		run_report_bytes(b, (double)r->unjudged_bytes);
		sbuf_adds(b, " too young or too small)");
	} else {
		sbuf_adds(b, "no leaks");
	}
}

/* The place of a frame that has no name. */
void report__frame_text(struct sbuf *b, const struct watch_frame *f)
{
	sbuf_printf(b, "%s+0x%llx", f->module[0] ? path_base(f->module) : "?", (unsigned long long)f->offset);
}

void run_report_site(struct sbuf *out, struct findings *fs, const struct watch_site *s)
{
	const struct watch_frame *f = watch_site_frame(s);
	struct sbuf text = {0}, *b = &text;

	if (!f) {
		sbuf_adds(out, "an unknown place");
		return;
	}
	if (f->function[0])
		sbuf_printf(b, "%s%s", f->function, strchr(f->function, '(') ? "" : "()");
	else
		report__frame_text(b, f);
	if (f->file[0])
		sbuf_printf(b, " (%s:%u)", finding_path(fs, f->file), f->line);
	else if (f->function[0] && f->module[0])
		sbuf_printf(b, " (%s)", path_base(f->module));
	utf8_clean(out, sbuf_str(b), b->n);
	sbuf_release(b);
}

void run_report_bytes(struct sbuf *b, double bytes)
{
	static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
	unsigned i = 0;

	while (bytes >= 999.5 && i + 1 < ARRAY_LEN(units)) {
		bytes /= 1000;
		i++;
	}
	sbuf_printf(b, i && bytes < 99.95 ? "%.1f %s" : "%.0f %s", bytes, units[i]);
}

void run_report_time(struct sbuf *b, double seconds)
{
	uint64_t s = (uint64_t)MIN(MAX(seconds, 0), 1e15);

	if (seconds < 0.9995)
		sbuf_printf(b, "%.0f ms", seconds * 1e3);
	else if (seconds < 120)
		sbuf_printf(b, "%.1f s", seconds);
	else if (seconds < 2 * 3600)
		sbuf_printf(b, "%u min %u s", (unsigned)(s / 60), (unsigned)(s % 60));
	else if (seconds < 48 * 3600)
		sbuf_printf(b, "%u h %u min", (unsigned)(s / 3600), (unsigned)(s % 3600 / 60));
	else
		sbuf_printf(b, "%llu days", (unsigned long long)(s / 86400));
}
