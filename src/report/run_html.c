/*
 * run_html.c - a run as one page that needs nothing else.
 *
 * From top to bottom: what was found, memory over time, a bar to filter, and the
 * table of sites by rank.  A site is a <tbody> of two rows: its figures, and its
 * details, which the script folds away; without the script all details are shown.
 * A site has the address #s-ID.
 *
 * Curves are drawn here, as SVG of 100 x 100 units that is stretched to the space
 * on the page; labels are text beside the curve and stay readable on a phone.
 * The staleness curve of a site is that of Figure 10 of the Hound paper: share of
 * its bytes (upwards) that have been stale for so long or less (to the right).  A
 * leak that grows steadily follows the diagonal, which is drawn for comparison;
 * bloat is flat and then jumps at the right end.
 *
 * needs: watch_judge(); findings of the sites, if any, by watch_link().
 */
#include "report/priv.h"

#include "base/mem.h"
#include "base/sbuf.h"
#include "finding/source.h"
#include "report/page.h"
#include "report/run.h"
#include "report/story.h"

#include <assert.h>
#include <math.h>

enum {
	ROWS = 2000,		/* sites in the table; JSON has all */
	DETAILS = 200,		/* of them with details */
	CONTEXT_LINES = 3,	/* of source around the line that allocates */
};

struct page {
	struct sbuf b;
	struct findings *fs;
	const struct watch_run *r;
};

static void put(struct page *p, const char *s)
{
	page_text(&p->b, s);
}

static void raw(struct page *p, const char *html)
{
	sbuf_adds(&p->b, html);
}

/* ---- curves ---- */

/* A point in the 100 x 100 units of a plot; the origin is the lower left. */
static void put_point(struct page *p, char op, double x, double y)
{
	sbuf_printf(&p->b, "%c%.2f %.2f", op, 100 * MIN(MAX(x, 0), 1), 100 - 100 * MIN(MAX(y, 0), 1));
}

/* Points and the range that the plot shows of them. */
struct curve {
	const struct watch_points *points;
	double xmax, ymax;
};

/* A line through the points of a curve, from its first point on, or the area below the
 * line; of the stale bytes or of all. */
static void put_curve(struct page *p, const char *class, const struct curve *c, bool stale, bool area)
{
	const struct watch_points *v = c->points;

	assert(c->xmax > 0 && c->ymax > 0);
	sbuf_printf(&p->b, "<path class=\"%s\" d=\"", class);
	for (uint32_t i = 0; i < v->n; i++) {
		double y = stale ? v->v[i].stale_bytes : v->v[i].bytes;

		if (i == 0 && area)
			put_point(p, 'M', v->v[i].when / c->xmax, 0);
		put_point(p, i || area ? 'L' : 'M', v->v[i].when / c->xmax, y / c->ymax);
	}
	if (area && v->n)
		put_point(p, 'L', vec_last(v).when / c->xmax, 0);
	raw(p, area ? "Z\"/>" : "\"/>");
}

static void begin_plot(struct page *p, const char *title, const char *label, const char *ytop)
{
	raw(p, "<figure><figcaption>");
	raw(p, title);
	raw(p, "</figcaption>\n<div class=\"plot\"><span class=\"ytop\">");
	raw(p, ytop);
	raw(p, "</span>\n<svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" "
	       "role=\"img\" aria-label=\"");
	put(p, label);
	raw(p, "\">");
}

static void end_plot(struct page *p, const char *xleft, const char *xright)
{
	raw(p, "</svg>\n<span class=\"xleft\">");
	raw(p, xleft);
	raw(p, "</span><span class=\"xright\">");
	raw(p, xright);
	raw(p, "</span></div></figure>\n");
}

static double curve_max(const struct watch_points *c)
{
	double max = 0;

	for (uint32_t i = 0; i < c->n; i++)
		max = MAX(max, c->v[i].bytes);
	return max;
}

/* Bytes over the time of the run. */
static struct curve growth_of(const struct page *p, const struct watch_points *points)
{
	return (struct curve){
		.points = points, .xmax = MAX(p->r->duration, 1e-9), .ymax = MAX(curve_max(points), 1),
	};
}

/* Bytes over time, with the stale part. */
static void put_growth(struct page *p, const char *title, const struct watch_points *c)
{
	struct sbuf label = {0}, top = {0}, end = {0};
	struct curve curve = growth_of(p, c);

	run_report_bytes(&top, curve.ymax);
	run_report_time(&end, p->r->duration);
	sbuf_printf(&label, "%s: up to %s, ", title, sbuf_str(&top));
	run_report_bytes(&label, c->n ? vec_last(c).bytes : 0);
	sbuf_adds(&label, " at the end, of which ");
	run_report_bytes(&label, c->n ? vec_last(c).stale_bytes : 0);
	sbuf_adds(&label, " stale");
	begin_plot(p, title, sbuf_str(&label), sbuf_str(&top));
	put_curve(p, "area-live", &curve, false, true);
	put_curve(p, "area-stale", &curve, true, true);
	put_curve(p, "line-live", &curve, false, false);
	put_curve(p, "line-stale", &curve, true, false);
	end_plot(p, "0 s", sbuf_str(&end));
	sbuf_release(&label);
	sbuf_release(&top);
	sbuf_release(&end);
}

static void put_cdf(struct page *p, const struct watch_site *s)
{
	struct curve curve = { .xmax = MAX(s->max_staleness, 1e-9), .ymax = 1 };
	struct sbuf label = {0}, end = {0}, right = {0};
	struct watch_points cdf = {0};

	if (!s->stale_bytes)
		return;
	watch_cdf(&cdf, s);
	run_report_time(&end, s->max_staleness);
	sbuf_printf(&label, "Staleness: %.0f%% of the bytes are stale, the longest for %s",
		    100 * (double)s->stale_bytes / MAX((double)s->bytes, 1), sbuf_str(&end));
	begin_plot(p, "Share of bytes by staleness", sbuf_str(&label), "100%");
	raw(p, "<path class=\"diagonal\" d=\"M0 100L100 0\"/>");
	curve.points = &cdf;
	put_curve(p, "line-cdf", &curve, false, false);
	sbuf_printf(&right, "untouched for %s", sbuf_str(&end));
	end_plot(p, "touched lately", sbuf_str(&right));
	sbuf_release(&label);
	sbuf_release(&end);
	sbuf_release(&right);
	vec_release(&cdf);
}

/* ---- places ---- */

static const char *call_mark(const char *function)
{
	return strchr(function, '(') ? "" : "()";
}

/* "load() src/a.c:41" or "prog+0x1234" */
static void put_place(struct page *p, const struct watch_frame *f)
{
	struct sbuf b = {0};

	raw(p, "<b>");
	if (f->function[0]) {
		put(p, f->function);
		raw(p, call_mark(f->function));
	} else {
		report__frame_text(&b, f);
		put(p, sbuf_str(&b));
	}
	raw(p, "</b> <span class=\"file\">");
	if (f->file[0]) {
		put(p, finding_path(p->fs, f->file));
		sbuf_printf(&p->b, ":%u", f->line);
	} else if (f->function[0]) {
		sbuf_clear(&b);
		report__frame_text(&b, f);
		put(p, sbuf_str(&b));
	}
	raw(p, "</span>");
	sbuf_release(&b);
}

/* Lines around a frame's place, if its source can be read. */
static bool put_excerpt(struct page *p, const struct watch_frame *f, unsigned around, const char *message,
			enum story_role role)
{
	const struct source *src = f->file[0] && f->line ? source_get(p->fs, f->file) : NULL;
	struct story_block block = { .file = "", .function = "" };
	size_t n;

	if (!source_line(src, f->line, &n))
		return false;
	for (unsigned k = f->line > around ? f->line - around : 1; k <= f->line + around; k++) {
		struct story_line line = { .number = k };

		if (!(line.text = source_line(src, k, &line.n)))
			break;
		if (k == f->line) {
			struct story_mark m = { .role = role, .message = message };

			m.span = span_at(line.text, line.n, 0);
			/* plumb-ignore: the line is put into the block, whose lines are released below */
			vec_push(&line.marks, m);
		}
		vec_push(&block.lines, line);
	}
	page_excerpt(&p->b, &block, false);
	for (uint32_t i = 0; i < block.lines.n; i++)
		vec_release(&block.lines.v[i].marks);
	vec_release(&block.lines);
	return true;
}

/* Frames, innermost first; `what` is the message at the frame that names the site. */
static void put_stack(struct page *p, const struct watch_frames *frames, uint32_t at, const char *what)
{
	raw(p, "<ol class=\"context\">\n");
	assert(at < frames->n);
	for (uint32_t i = 0; i < frames->n; i++) {
		const struct watch_frame *f = &frames->v[i];
		bool here = i == at;

		if (f->wrapper)
			raw(p, "<li class=\"wrapper\">");
		else
			raw(p, here ? "<li class=\"here\">" : "<li>");
		put_place(p, f);
		if (f->inlined)
			raw(p, " <span class=\"tag\">inlined</span>");
		if (f->wrapper)
			raw(p, " <span class=\"tag\">allocator</span>");
		raw(p, "\n");
		if (here)
			put_excerpt(p, f, CONTEXT_LINES, what, STORY_ALLOC);
		else if (!f->wrapper)
			put_excerpt(p, f, 0, "", STORY_STEP);
		raw(p, "</li>\n");
	}
	raw(p, "</ol>\n");
}

static void put_context(struct page *p, const struct watch_site *s)
{
	struct sbuf what = {0};

	if (!s->frames.n) {
		raw(p, "<p class=\"quiet\">Nothing is known of where it was allocated.</p>\n");
		return;
	}
	sbuf_printf(&what, "allocates here; %llu live %s, ", (unsigned long long)s->objects,
		    s->objects == 1 ? "object" : "objects");
	run_report_bytes(&what, (double)s->bytes);
	raw(p, "<h3>Calling context</h3>\n");
	put_stack(p, &s->frames, s->at, sbuf_str(&what));
	sbuf_release(&what);
}

static void put_touch(struct page *p, const struct watch_site *s)
{
	if (!s->touch.n)
		return;
	raw(p, "<h3>Last touched</h3>\n<p class=\"quiet\">Stale memory of this site was last used at ");
	run_report_time(&p->b, s->touch_time);
	raw(p, " by</p>\n<ol class=\"context\">\n");
	for (uint32_t i = 0; i < s->touch.n; i++) {
		raw(p, "<li>");
		put_place(p, &s->touch.v[i]);
		raw(p, "</li>\n");
	}
	raw(p, "</ol>\n");
}

/* ---- what the static engines know ---- */

static void put_finding(struct page *p, const struct finding *f)
{
	struct sbuf b = {0};

	story_headline(&b, f, '`');
	sbuf_printf(&p->b, "<li><span class=\"kind\">%s</span> ", finding_kind_name(f->kind));
	page_prose(&p->b, sbuf_str(&b));
	if (f->leak.file && f->leak.file[0]) {
		raw(p, "; the last chance to free it passes at <code>");
		put(p, finding_path(p->fs, f->leak.file));
		sbuf_printf(&p->b, ":%u</code>", f->leak.line);
	}
	if (f->fix == FINDING_FIX_AVAILABLE)
		raw(p, " <span class=\"fixable\">fix available: <code>plumb fix</code></span>");
	sbuf_printf(&p->b, " <span class=\"file\">%s</span></li>\n", f->id);
	sbuf_release(&b);
}

static void put_findings(struct page *p, const struct watch_site *s)
{
	if (!s->findings.n)
		return;
	raw(p, "<h3>What plumb check says of it</h3>\n<ul class=\"findings\">\n");
	for (uint32_t i = 0; i < s->findings.n; i++)
		put_finding(p, s->findings.v[i]);
	raw(p, "</ul>\n");
}

/* ---- a site ---- */

/* Figures and curves. */
static void put_evidence(struct page *p, const struct watch_site *s)
{
	sbuf_printf(&p->b, "<p class=\"reason\"><b>%s</b>: ", watch_kind_name(s->kind));
	put(p, s->reason[0] ? s->reason : "judged by plumb watch");
	raw(p, ".</p>\n<div class=\"plots\">\n");
	put_cdf(p, s);
	put_growth(p, "Live and stale bytes over time", &s->growth);
	raw(p, "</div>\n");
	if (!s->allocations)
		return;		/* read from a file that does not have these figures */
	sbuf_printf(&p->b, "<p class=\"quiet\">Allocated %llu times, freed %llu times; first at ",
		    (unsigned long long)s->allocations, (unsigned long long)s->frees);
	run_report_time(&p->b, s->first);
	raw(p, ", last seen to grow at ");
	run_report_time(&p->b, s->last_grown);
	raw(p, "; at most ");
	run_report_bytes(&p->b, (double)s->peak_bytes);
	sbuf_printf(&p->b, " at once. Untouched for up to %llu allocations.</p>\n",
		    (unsigned long long)s->max_staleness_allocations);
}

static void put_details(struct page *p, const struct watch_site *s)
{
	put_evidence(p, s);
	put_findings(p, s);
	put_context(p, s);
	put_touch(p, s);
	sbuf_printf(&p->b, "<p class=\"foot\"><a href=\"#s-%s\">%s</a></p>\n", s->id, s->id);
}

static void put_cell(struct page *p, const char *class, void (*how)(struct sbuf *, double), double x)
{
	sbuf_printf(&p->b, "<td class=\"%s\">", class);
	if (x > 0)
		how(&p->b, x);
	else
		raw(p, "<span class=\"zero\">&#8211;</span>");
	raw(p, "</td>");
}

/* 5e9 as "5.0e9": figures to compare by, not to read. */
static void put_drag(struct sbuf *b, double x)
{
	int e = x >= 1 ? (int)floor(log10(x)) : 0;

	if (x < 10000)
		sbuf_printf(b, "%.0f", x);
	else
		sbuf_printf(b, "%.1f&#8201;&#215;&#8201;10<sup>%d</sup>", x / pow(10, e), e);
}

static void put_count(struct sbuf *b, double x)
{
	sbuf_printf(b, "%.0f", x);
}

void report__run_cell(struct sbuf *b, const char *class, void (*how)(struct sbuf *, double), double x)
{
	struct page p = { .b = *b };

	put_cell(&p, class, how, x);
	*b = p.b;
}

void report__run_site(struct sbuf *b, struct findings *fs, const struct watch_run *r,
		      const struct watch_site *s)
{
	struct page p = { .b = *b, .fs = fs, .r = r };

	put_evidence(&p, s);
	put_context(&p, s);
	put_touch(&p, s);
	*b = p.b;
}

void report__run_stack(struct sbuf *b, struct findings *fs, const struct watch_frames *frames, uint32_t at,
		       const char *what)
{
	struct page p = { .b = *b, .fs = fs };

	put_stack(&p, frames, at, what);
	*b = p.b;
}

void report__run_place(struct sbuf *b, struct findings *fs, const struct watch_frame *f)
{
	struct page p = { .b = *b, .fs = fs };

	put_place(&p, f);
	*b = p.b;
}

static void put_site_name(struct page *p, const struct watch_site *s)
{
	const char *kind = watch_kind_name(s->kind);

	sbuf_printf(&p->b, "<span class=\"badge %s\">%s</span> ", kind, kind);
	if (watch_site_frame(s))
		put_place(p, watch_site_frame(s));
	else
		raw(p, "<b>unknown place</b>");
}

static void put_spark(struct page *p, const struct watch_site *s)
{
	struct curve curve = growth_of(p, &s->growth);

	raw(p, "<td class=\"wide spark\">"
	       "<svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
	put_curve(p, "area-live", &curve, false, true);
	put_curve(p, "area-stale", &curve, true, true);
	put_curve(p, "line-live", &curve, false, false);
	raw(p, "</svg></td>");
}

static void put_site(struct page *p, const struct watch_site *s)
{
	bool details = s->rank <= DETAILS;

	sbuf_printf(&p->b, "<tbody class=\"site\" id=\"s-%s\" data-kind=\"%s\" data-rank=\"%u\" ",
		    s->id, watch_kind_name(s->kind), s->rank);
	sbuf_printf(&p->b, "data-stale=\"%llu\" data-live=\"%llu\" data-objects=\"%llu\" ",
		    (unsigned long long)s->stale_bytes, (unsigned long long)s->bytes,
		    (unsigned long long)s->objects);
	sbuf_printf(&p->b, "data-age=\"%.6f\" data-drag=\"%.6g\">\n", s->max_staleness, s->drag);
	sbuf_printf(&p->b, "<tr class=\"row\"><td class=\"rank\">%u</td><td class=\"name\">", s->rank);
	if (details)
		raw(p, "<button type=\"button\" class=\"open\" aria-expanded=\"true\">");
	put_site_name(p, s);
	raw(p, details ? "</button></td>" : "</td>");
	put_cell(p, "num", run_report_bytes, (double)s->stale_bytes);
	put_cell(p, "num mid", run_report_time, s->max_staleness);
	put_cell(p, "num wide", run_report_bytes, (double)s->bytes);
	put_cell(p, "num wide", put_count, (double)s->objects);
	put_cell(p, "num wide", put_drag, s->drag);
	put_spark(p, s);
	raw(p, "</tr>\n");
	if (details) {
		raw(p, "<tr class=\"detail\"><td colspan=\"8\">\n");
		put_details(p, s);
		raw(p, "</td></tr>\n");
	}
	raw(p, "</tbody>\n");
}

/* ---- the page ---- */

void report__run_command(struct sbuf *b, const struct watch_run *r)
{
	for (uint32_t i = 0; i < r->command.n; i++)
		sbuf_printf(b, "%s%s", i ? " " : "", r->command.v[i]);
	if (r->command_cut)
		sbuf_adds(b, " ...");
	if (!r->command.n)
		sbuf_adds(b, "a program");
}

static void put_fact(struct page *p, const char *name, void (*how)(struct sbuf *, double), double x)
{
	sbuf_printf(&p->b, "<div><dt>%s</dt><dd>", name);
	how(&p->b, x);
	raw(p, "</dd></div>\n");
}

static void put_notes(struct page *p)
{
	if (!p->r->notes.n)
		return;
	raw(p, "<div class=\"failed\" role=\"note\"><ul>\n");
	for (uint32_t i = 0; i < p->r->notes.n; i++) {
		raw(p, "<li>");
		page_prose(&p->b, p->r->notes.v[i]);
		raw(p, "</li>\n");
	}
	raw(p, "</ul></div>\n");
}

static void put_head(struct page *p)
{
	const struct watch_run *r = p->r;
	struct sbuf count = {0}, command = {0};
	bool some = watch_count(r, WATCH_LEAK) || watch_count(r, WATCH_BLOAT) || r->untracked ||
		    r->unjudged_bytes;

	run_report_count(&count, r);
	report__run_command(&command, r);
	page_begin(&p->b, sbuf_str(&count), report__run_css);
	sbuf_printf(&p->b, "<h1 class=\"%s\">", some ? "some" : "none");
	put(p, sbuf_str(&count));
	raw(p, "</h1>\n<p class=\"summary\"><code>");
	put(p, sbuf_str(&command));
	sbuf_printf(&p->b, "</code> (process %u), watched for ", r->pid);
	run_report_time(&p->b, r->duration);
	if (r->ended[0]) {
		raw(p, ", ");
		put(p, r->ended);
	}
	raw(p, "</p>\n");
	put_notes(p);
	raw(p, "<dl class=\"figures\">\n");
	put_fact(p, "Live memory at the end", run_report_bytes, (double)r->live_bytes);
	put_fact(p, "of which stale", run_report_bytes, (double)r->stale_bytes);
	put_fact(p, "Peak", run_report_bytes, (double)r->peak_bytes);
	put_fact(p, "Allocations", put_count, (double)r->allocations);
	raw(p, "</dl>\n");
	put_growth(p, "Memory over time", &r->memory);
	raw(p, "<p class=\"legend\"><span class=\"key live\"></span> live "
	       "<span class=\"key stale\"></span> stale: live, but untouched for a while</p>\n");
	sbuf_release(&count);
	sbuf_release(&command);
}

static void put_bar(struct page *p)
{
	static const enum watch_kind order[] = { WATCH_LEAK, WATCH_BLOAT, WATCH_LIVE };
	unsigned kinds = 0;

	page_bar_begin(&p->b, "Search functions, files, source", "Search sites");
	for (unsigned i = 0; i < ARRAY_LEN(order); i++)
		kinds += watch_count(p->r, order[i]) > 0;
	for (unsigned i = 0; kinds > 1 && i < ARRAY_LEN(order); i++) {
		const char *kind = watch_kind_name(order[i]);
		unsigned n = watch_count(p->r, order[i]);

		if (n)
			sbuf_printf(&p->b, "<button type=\"button\" data-kind=\"%s\" aria-pressed=\"false\">"
				    "%s <b>%u</b></button>\n", kind, kind, n);
	}
	page_bar_end(&p->b, "open all");
}

static void put_columns(struct page *p)
{
	static const struct page_column columns[] = {
		{ "rank", "#", "rank", "by drag" },
		{ NULL, "Allocation site", "name", NULL },
		{ "stale", "Stale", "num", "bytes that are live but untouched for a while" },
		{ "age", "Untouched", "num mid", "the longest, at least" },
		{ "live", "Live", "num wide", "bytes not freed" },
		{ "objects", "Objects", "num wide", "not freed" },
		{ "drag", "Drag", "num wide", "bytes x staleness in allocations" },
		{ NULL, "Growth", "wide", NULL },
	};

	page_columns(&p->b, columns, ARRAY_LEN(columns));
}

void report__run_html(struct watch_run *r, struct findings *fs, FILE *f)
{
	struct page p = { .fs = fs, .r = r };

	put_head(&p);
	if (r->sites.n)
		put_bar(&p);
	raw(&p, "</header>\n<main>\n");
	if (r->sites.n) {
		raw(&p, "<table id=\"sites\">\n");
		put_columns(&p);
		for (uint32_t i = 0; i < r->sites.n && i < ROWS; i++) {
			put_site(&p, &r->sites.v[i]);
			page_flush(&p.b, f);
		}
		raw(&p, "</table>\n");
	} else {
		raw(&p, "<p class=\"quiet\">Everything that was allocated has been freed.</p>\n");
	}
	if (r->sites.n > DETAILS)
		sbuf_printf(&p.b, "<p class=\"quiet\">Details are given for the first %u of %u sites; "
			    "the JSON report has all.</p>\n", DETAILS, r->sites.n);
	raw(&p, "</main>\n<footer><p>Staleness never exceeds the truth: what is called stale has not been "
		"touched for that long at least. Keys: <kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> "
		"next and previous site, <kbd>Enter</kbd> open or close.</p></footer>\n");
	page_end(&p.b, report__run_js);
	page_flush(&p.b, f);
	sbuf_release(&p.b);
}
