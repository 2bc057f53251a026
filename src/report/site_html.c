/*
 * site_html.c - all that plumb knows of a program's allocations, on one page.
 *
 * A table of sites by rank, with the style, script and curves of the page of a run.  Each
 * site opens to its verdicts (what check, watch, train and fix say, a sentence each), the
 * findings as on the page of findings, what was seen in runs, and the bounds.  A site has
 * the address #s-ID, a finding #f-ID.
 *
 * Here the parts meet: a site that is stale in a run is shown with the path that leaks it,
 * and a leak that plumb fix refused with the bound with which the program can run for ever.
 *
 * needs: sites_merge().
 */
#include "report/priv.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "report/page.h"
#include "report/run.h"
#include "report/site.h"
#include "report/story.h"

#include <assert.h>

enum {
	ROWS = 2000,		/* sites in the table */
	DETAILS = 300,		/* of them with details */
	CONTEXTS = 5,		/* of a site in a run or in training */
	RUNS_SHOWN = 20,	/* rows of a table of training runs */
};

struct page {
	struct sbuf b;
	struct sites *t;
	struct findings *fs;
};

static void put(struct page *p, const char *s)
{
	page_text(&p->b, s);
}

static void raw(struct page *p, const char *html)
{
	sbuf_adds(&p->b, html);
}

static unsigned long long llu(uint64_t x)
{
	return x;
}

static bool counts(const struct finding *f)
{
	return !f->suppressed && !f->in_baseline;
}

static const char *plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

/* The finding to name first: of those that count, the one with the highest confidence. */
static const struct finding *main_finding(const struct site *s)
{
	const struct finding *best = NULL;

	for (uint32_t i = 0; i < s->findings.n; i++) {
		const struct finding *f = s->findings.v[i];

		if (counts(f) && (!best || f->confidence > best->confidence))
			best = f;
	}
	return best;
}

/* ---- verdicts ---- */

static void begin_verdict(struct page *p, const char *part)
{
	sbuf_printf(&p->b, "<li><span class=\"part\">%s</span><span>", part);
}

static void end_verdict(struct page *p)
{
	raw(p, "</span></li>\n");
}

static void link_finding(struct page *p, const struct finding *f, const char *text)
{
	sbuf_printf(&p->b, "<a href=\"#f-%s\">%s</a>", f->id, text);
}

static void say_finding(struct page *p, const struct finding *f)
{
	const char *confidence = finding_confidence_name(f->confidence);
	struct sbuf b = {0};

	begin_verdict(p, "check");
	story_headline(&b, f, '`');
	page_prose(&p->b, sbuf_str(&b));
	sbuf_printf(&p->b, " <span class=\"conf %s\">%s confidence</span>", confidence, confidence);
	if (!counts(f))
		raw(p, f->in_baseline ? " (in the baseline)" : " (suppressed)");
	end_verdict(p);
	sbuf_release(&b);
}

/* For stale memory: the path that leaks it, or that plumb check has found none. */
static void say_explained(struct page *p, const struct site *s)
{
	const struct finding *f = main_finding(s);

	if (f) {
		raw(p, "; ");
		link_finding(p, f, "the path that leaks it");
		raw(p, " is known");
	} else if (p->fs->units_analysed) {
		raw(p, "; <code>plumb check</code> knows no path that leaks it");
	}
}

static void say_seen(struct page *p, const struct site *s, const struct site_seen *x)
{
	const struct watch_site *at = x->at;
	struct sbuf command = {0};

	begin_verdict(p, "watch");
	report__run_command(&command, x->run);
	sbuf_printf(&p->b, "<b>%s</b>: ", watch_kind_name(at->kind));
	run_report_bytes(&p->b, (double)at->stale_bytes);
	sbuf_printf(&p->b, " stale of ");
	run_report_bytes(&p->b, (double)at->bytes);
	sbuf_printf(&p->b, " in %llu live %s", llu(at->objects), plural(at->objects, "object", "objects"));
	if (at->stale_bytes) {
		raw(p, ", untouched for up to ");
		run_report_time(&p->b, at->max_staleness);
	}
	raw(p, ", in the run of <code>");
	put(p, path_base(sbuf_str(&command)));
	raw(p, "</code>");
	if (at->kind != WATCH_LIVE)
		say_explained(p, s);
	end_verdict(p);
	sbuf_release(&command);
}

static unsigned runs_executed(const struct trained_site *s)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < s->counts.runs.n; i++)
		n += s->counts.runs.v[i].allocated > 0;
	return n;
}

static void say_bound(struct page *p, const struct site_bound *b)
{
	const struct bounds_site *c = &b->at->counts;
	bool stable = bounds_is_stable(c), leaking = bounds_is_leaking(c);
	unsigned n = runs_executed(b->at);
	uint64_t m = bounds_m(c);

	begin_verdict(p, "train");
	if (stable && leaking)
		sbuf_printf(&p->b, "leaks, and can run for ever with a bound of <b>%llu</b> %s: ", llu(m),
			    plural(m, "object", "objects"));
	else if (stable)
		sbuf_printf(&p->b, "does not leak; at most <b>%llu</b> %s in use: ", llu(m),
			    plural(m, "object is", "objects are"));
	else if (leaking)
		raw(p, "leaks, and no bound holds for all runs: ");
	else
		raw(p, "does not leak; no bound holds for all runs: ");
	sbuf_printf(&p->b, "%u %s of training", n, plural(n, "run", "runs"));
	if (stable && n > 1)
		raw(p, ", all agree");
	if (c->raised)
		raw(p, "; <code>plumb run</code> has raised it");
	end_verdict(p);
}

/* The bound that helps while a leak is not fixed, if the site has one. */
static void say_bound_helps(struct page *p, const struct site_bound *b)
{
	if (!b || !bounds_is_stable(&b->at->counts) || !bounds_is_leaking(&b->at->counts))
		return;
	sbuf_printf(&p->b, ". Until it is fixed by hand, its bound of <b>%llu</b> keeps the program alive: "
		    "<code>plumb run --bounds ", llu(bounds_m(&b->at->counts)));
	put(p, b->file ? b->file : "FILE");
	raw(p, "</code>");
}

static void say_fix(struct page *p, const struct site *s)
{
	const struct finding *f = NULL;

	for (uint32_t i = 0; i < s->findings.n; i++)
		if (s->findings.v[i]->fix != FINDING_FIX_NONE && (!f || f->fix == FINDING_FIX_REFUSED))
			f = s->findings.v[i];
	if (!f)
		return;
	begin_verdict(p, "fix");
	if (f->fix == FINDING_FIX_AVAILABLE) {
		raw(p, "<span class=\"fixable\">a patch is ready</span>: ");
		link_finding(p, f, "below");
	} else {
		raw(p, "no safe patch: ");
		page_prose(&p->b, f->fix_reason);
		say_bound_helps(p, site_best_bound(s));
	}
	end_verdict(p);
}

static void put_verdicts(struct page *p, const struct site *s)
{
	const struct site_bound *b = site_best_bound(s);

	raw(p, "<ul class=\"verdicts\">\n");
	for (uint32_t i = 0; i < s->findings.n; i++)
		say_finding(p, s->findings.v[i]);
	for (uint32_t i = 0; i < s->seen.n && i < CONTEXTS; i++)
		say_seen(p, s, &s->seen.v[i]);
	if (b)
		say_bound(p, b);
	say_fix(p, s);
	raw(p, "</ul>\n");
}

/* ---- details ---- */

static void put_findings(struct page *p, const struct site *s)
{
	bool stale = s->says & (SITE_LEAK | SITE_BLOAT);

	if (!s->findings.n)
		return;
	raw(p, stale ? "<h3>The path that leaks it</h3>\n" : "<h3>What plumb check found</h3>\n");
	for (uint32_t i = 0; i < s->findings.n; i++)
		report__card(&p->b, p->fs, s->findings.v[i], i == 0);
}

static void put_not_shown(struct page *p, uint32_t n)
{
	if (n > CONTEXTS)
		sbuf_printf(&p->b, "<p class=\"quiet\">%u more calling contexts are not shown.</p>\n",
			    n - CONTEXTS);
}

static void put_seen(struct page *p, const struct site *s)
{
	for (uint32_t i = 0; i < s->seen.n && i < CONTEXTS; i++) {
		const struct site_seen *x = &s->seen.v[i];
		struct sbuf command = {0};

		report__run_command(&command, x->run);
		raw(p, "<h3>Seen in the run of <code>");
		put(p, sbuf_str(&command));
		sbuf_printf(&p->b, "</code> (process %u)</h3>\n", x->run->pid);
		report__run_site(&p->b, p->fs, x->run, x->at);
		sbuf_release(&command);
	}
	put_not_shown(p, s->seen.n);
}

static void put_bound_run(struct page *p, const struct trained *t, uint32_t i, const struct bounds_count *c)
{
	raw(p, "<tr><td class=\"name\"><code>");
	for (uint32_t k = 0; i < t->b.runs.n && k < t->b.runs.v[i].ncommand; k++) {
		raw(p, k ? " " : "");
		put(p, t->b.runs.v[i].command[k]);
	}
	raw(p, "</code></td>");
	sbuf_printf(&p->b, "<td class=\"num\">%llu</td>", llu(c->allocated));
	sbuf_printf(&p->b, "<td class=\"num\">%llu</td>", llu(c->freed));
	sbuf_printf(&p->b, "<td class=\"num\">%llu</td>", llu(c->bound));
	raw(p, "</tr>\n");
}

static void put_bound(struct page *p, const struct site_bound *b)
{
	const struct bounds_site *c = &b->at->counts;
	struct sbuf what = {0};

	raw(p, "<table class=\"runs\"><thead><tr><th scope=\"col\">Run</th>"
	       "<th scope=\"col\" class=\"num\">Allocated</th><th scope=\"col\" class=\"num\">Freed</th>"
	       "<th scope=\"col\" class=\"num\">Bound</th></tr></thead>\n<tbody>\n");
	for (uint32_t i = 0; i < c->runs.n && i < RUNS_SHOWN; i++)
		put_bound_run(p, b->by, i, &c->runs.v[i]);
	raw(p, "</tbody></table>\n");
	if (c->runs.n > RUNS_SHOWN)
		sbuf_printf(&p->b, "<p class=\"quiet\">and %u more runs</p>\n", c->runs.n - RUNS_SHOWN);
	sbuf_adds(&what, "allocates here; objects of up to ");
	run_report_bytes(&what, (double)c->max_size);
	raw(p, "<details><summary>Calling context</summary>\n");
	report__run_stack(&p->b, p->fs, &b->at->frames, b->at->at, sbuf_str(&what));
	raw(p, "</details>\n");
	sbuf_release(&what);
}

static void put_bounds(struct page *p, const struct site *s)
{
	if (!s->bounds.n)
		return;
	raw(p, "<h3>Bounds from training <code>");
	put(p, path_base(s->bounds.v[0].by->b.program));
	raw(p, "</code></h3>\n");
	for (uint32_t i = 0; i < s->bounds.n && i < CONTEXTS; i++)
		put_bound(p, &s->bounds.v[i]);
	put_not_shown(p, s->bounds.n);
}

/* ---- a row ---- */

static const struct {
	unsigned bit;
	const char *kind, *title, *help;
} marks[] = {
	{ SITE_FOUND, "found", "found by check", "plumb check has a path on which it leaks" },
	{ SITE_LEAK, "leak", "leaks in a run", "plumb watch saw its stale memory grow" },
	{ SITE_BLOAT, "bloat", "bloat", "plumb watch saw it allocated early and then left alone" },
	{ SITE_TRAINED_LEAK, "trained", "leaks in training", "more objects were left than are ever used" },
	{ SITE_BOUNDED, "bounded", "bounded", "it leaks, and can run for ever with a bound" },
	{ SITE_PATCH, "patch", "patch ready", "plumb fix has a patch that was proved" },
	{ SITE_REFUSED, "refused", "no safe patch", "plumb fix has looked and found none that is safe" },
};

static void put_kinds_of(struct page *p, const struct site *s)
{
	bool first = true;

	for (unsigned i = 0; i < ARRAY_LEN(marks); i++)
		if (s->says & marks[i].bit) {
			sbuf_printf(&p->b, "%s%s", first ? "" : " ", marks[i].kind);
			first = false;
		}
	if (!(s->says & (SITE_LEAKS | SITE_BLOAT)))
		raw(p, first ? "live" : " live");
}

static void put_badges(struct page *p, const struct site *s)
{
	const struct finding *f = main_finding(s);

	if (f)
		sbuf_printf(&p->b, "<span class=\"badge found\">%s</span> ", finding_kind_name(f->kind));
	if (s->says & SITE_LEAK)
		raw(p, "<span class=\"badge leak\">leaks in a run</span> ");
	else if (s->says & SITE_BLOAT)
		raw(p, "<span class=\"badge bloat\">bloat</span> ");
	if (s->says & SITE_BOUNDED)
		raw(p, "<span class=\"badge bounded\">bounded</span> ");
	else if (s->says & SITE_TRAINED_LEAK)
		raw(p, "<span class=\"badge leak\">leaks in training</span> ");
	if (s->says & SITE_PATCH)
		raw(p, "<span class=\"badge patch\">patch ready</span> ");
	raw(p, s->says & (SITE_LEAKS | SITE_BLOAT) ? "<br>" : "<span class=\"badge\">no leak seen</span> ");
}

static void put_name(struct page *p, const struct site *s)
{
	struct watch_frame f = {
		.module = s->module, .offset = s->offset,
		.function = s->function, .file = s->file, .line = s->line,
	};

	put_badges(p, s);
	report__run_place(&p->b, p->fs, &f);
}

static void put_bound_cell(struct page *p, const struct site_bound *b)
{
	raw(p, "<td class=\"num\">");
	if (!b)
		raw(p, "<span class=\"zero\">&#8211;</span>");
	else if (bounds_is_stable(&b->at->counts))
		sbuf_printf(&p->b, "%llu", llu(bounds_m(&b->at->counts)));
	else
		raw(p, "<span class=\"zero\">varies</span>");
	raw(p, "</td>");
}

static void put_word_cell(struct page *p, const char *word)
{
	raw(p, "<td class=\"wide\">");
	raw(p, word ? word : "<span class=\"zero\">&#8211;</span>");
	raw(p, "</td>");
}

static void put_row(struct page *p, const struct site *s, bool details)
{
	const struct site_bound *b = site_best_bound(s);
	const struct finding *f = main_finding(s);
	const char *patch = NULL;

	if (s->says & SITE_PATCH)
		patch = "ready";
	else if (s->says & SITE_REFUSED)
		patch = "refused";
	sbuf_printf(&p->b, "<tr class=\"row\"><td class=\"rank\">%u</td><td class=\"name\">", s->rank);
	if (details)
		raw(p, "<button type=\"button\" class=\"open\" aria-expanded=\"true\">");
	put_name(p, s);
	raw(p, details ? "</button></td>" : "</td>");
	put_word_cell(p, f ? finding_confidence_name(f->confidence) : NULL);
	report__run_cell(&p->b, "num", run_report_bytes, (double)s->stale_bytes);
	report__run_cell(&p->b, "num wide", run_report_time, s->staleness);
	put_bound_cell(p, b);
	put_word_cell(p, patch);
	raw(p, "</tr>\n");
}

/* The opening tag of a site, with what the script filters and sorts by. */
static void begin_site(struct page *p, const struct site *s)
{
	const struct site_bound *b = site_best_bound(s);
	const struct finding *f = main_finding(s);
	long long bound = -1;
	int patch = 0;

	if (b && bounds_is_stable(&b->at->counts))
		bound = (long long)bounds_m(&b->at->counts);
	if (s->says & SITE_PATCH)
		patch = 2;
	else if (s->says & SITE_REFUSED)
		patch = 1;
	sbuf_printf(&p->b, "<tbody class=\"site\" id=\"s-%s\" data-kind=\"", s->id);
	put_kinds_of(p, s);
	sbuf_printf(&p->b, "\" data-rank=\"%u\" data-place=\"%u\" data-check=\"%u\" ", s->rank, s->order,
		    f ? 1 + (unsigned)f->confidence : 0);
	sbuf_printf(&p->b, "data-stale=\"%llu\" data-age=\"%.6f\" ", llu(s->stale_bytes), s->staleness);
	sbuf_printf(&p->b, "data-bound=\"%lld\" data-patch=\"%d\">\n", bound, patch);
}

static void put_site(struct page *p, const struct site *s)
{
	bool details = s->rank <= DETAILS;

	assert(s->rank > 0 && s->order > 0);	/* sites_merge() comes first */
	begin_site(p, s);
	put_row(p, s, details);
	if (details) {
		raw(p, "<tr class=\"detail\"><td colspan=\"7\">\n");
		put_verdicts(p, s);
		put_findings(p, s);
		put_seen(p, s);
		put_bounds(p, s);
		sbuf_printf(&p->b, "<p class=\"foot\"><a href=\"#s-%s\">link to this site</a></p>\n", s->id);
		raw(p, "</td></tr>\n");
	}
	raw(p, "</tbody>\n");
}

/* ---- the page ---- */

static void put_run_input(struct page *p, const struct watch_run *r)
{
	struct sbuf b = {0};

	raw(p, "<li><span class=\"part\">watch</span><span><code>");
	report__run_command(&b, r);
	put(p, sbuf_str(&b));
	sbuf_printf(&p->b, "</code> (process %u), watched for ", r->pid);
	run_report_time(&p->b, r->duration);
	if (r->ended[0]) {
		raw(p, ", ");
		put(p, r->ended);
	}
	raw(p, ": ");
	sbuf_clear(&b);
	run_report_count(&b, r);
	put(p, sbuf_str(&b));
	for (uint32_t i = 0; i < r->notes.n; i++) {
		raw(p, "<br><small>");
		page_prose(&p->b, r->notes.v[i]);
		raw(p, "</small>");
	}
	raw(p, "</span></li>\n");
	sbuf_release(&b);
}

static void put_trained_input(struct page *p, const struct sites_bounds *x)
{
	uint32_t runs = x->t->b.runs.n;
	unsigned leaking = 0, bounded = 0;

	for (uint32_t i = 0; i < x->t->sites.n; i++) {
		const struct bounds_site *c = &x->t->sites.v[i].counts;

		leaking += bounds_is_leaking(c);
		bounded += bounds_is_leaking(c) && bounds_is_stable(c);
	}
	raw(p, "<li><span class=\"part\">train</span><span><code>");
	put(p, x->t->b.program[0] ? x->t->b.program : "a program");
	assert(bounded <= leaking);
	sbuf_printf(&p->b, "</code>, %u %s of training: %u calling %s, %u of them bounded</span></li>\n",
		    runs, plural(runs, "run", "runs"),
		    leaking, plural(leaking, "context leaks", "contexts leak"), bounded);
}

static void put_inputs(struct page *p)
{
	struct sbuf b = {0};

	raw(p, "<ul class=\"verdicts\">\n");
	if (p->fs->units_analysed || p->fs->v.n || p->fs->failed.n) {
		raw(p, "<li><span class=\"part\">check</span><span>");
		story_summary(&b, p->fs);
		put(p, sbuf_str(&b));
		raw(p, "</span></li>\n");
	}
	for (uint32_t i = 0; i < p->t->runs.n; i++)
		put_run_input(p, p->t->runs.v[i]);
	for (uint32_t i = 0; i < p->t->trained.n; i++)
		put_trained_input(p, &p->t->trained.v[i]);
	raw(p, "</ul>\n");
	sbuf_release(&b);
}

static void put_head(struct page *p)
{
	unsigned n = sites_count(p->t, SITE_LEAKS);
	const struct coverage *c = &p->fs->coverage;
	bool part = p->fs->failed.n > 0;
	bool unjudged = !c->known || c->judged < c->allocations;	/* a run judges what it has seen */
	struct sbuf title = {0}, css = {0};

	sbuf_printf(&css, "%s%s", report__run_css, report__site_css);
	if (n)
		sbuf_printf(&title, "%u allocation %s", n, plural(n, "site leaks", "sites leak"));
	else if (part)
		sbuf_adds(&title, "no leaks in what was analysed");
	else
		sbuf_printf(&title, "no leaks%s", unjudged ? " in what was judged" : "");
	if (n && part)
		sbuf_adds(&title, " (not complete)");
	page_begin(&p->b, sbuf_str(&title), sbuf_str(&css));
	sbuf_printf(&p->b, "<h1 class=\"%s\">", n || part ? "some" : "none");
	put(p, sbuf_str(&title));
	sbuf_printf(&p->b, "</h1>\n<p class=\"summary\">of %u that are known</p>\n", p->t->v.n);
	put_inputs(p);
	report__failures(&p->b, p->fs);
	sbuf_release(&title);
	sbuf_release(&css);
}

static void put_bar(struct page *p)
{
	unsigned leaks = sites_count(p->t, SITE_LEAKS | SITE_BLOAT);

	page_bar_begin(&p->b, "Search functions, files, source", "Search sites");
	for (unsigned i = 0; i < ARRAY_LEN(marks); i++) {
		unsigned n = sites_count(p->t, marks[i].bit);

		if (n)
			sbuf_printf(&p->b, "<button type=\"button\" data-kind=\"%s\" aria-pressed=\"false\" "
				    "title=\"%s\">%s <b>%u</b></button>\n",
				    marks[i].kind, marks[i].help, marks[i].title, n);
	}
	if (leaks < p->t->v.n)
		sbuf_printf(&p->b, "<button type=\"button\" id=\"quiet\" aria-pressed=\"%s\">"
			    "show those that do not leak <b>%u</b></button>\n",
			    leaks ? "false" : "true", p->t->v.n - leaks);
	page_bar_end(&p->b, "open all");
}

static void put_columns(struct page *p)
{
	static const struct page_column columns[] = {
		{ "rank", "#", "rank", "what several parts agree on first" },
		{ "place", "Allocation site", "name", "by file and line" },
		{ "check", "Check", "wide", "how sure plumb check is of the leak" },
		{ "stale", "Stale", "num", "bytes that a run had stopped using" },
		{ "age", "Untouched", "num wide", "the longest, at least" },
		{ "bound", "Bound", "num", "objects that are ever in use, by training" },
		{ "patch", "Patch", "wide", "by plumb fix" },
	};

	page_columns(&p->b, columns, ARRAY_LEN(columns));
}

static void put_table(struct page *p, FILE *f)
{
	raw(p, "<table id=\"sites\">\n");
	put_columns(p);
	for (uint32_t i = 0; i < p->t->v.n && i < ROWS; i++) {
		put_site(p, &p->t->v.v[i]);
		page_flush(&p->b, f);
	}
	raw(p, "</table>\n");
	if (p->t->v.n > DETAILS)
		sbuf_printf(&p->b, "<p class=\"quiet\">%u sites are listed, the first %u with details, "
			    "of %u.</p>\n", MIN(p->t->v.n, (unsigned)ROWS), DETAILS, p->t->v.n);
}

int sites_write_html(struct sites *t, FILE *f)
{
	struct page p = { .t = t, .fs = t->fs };

	put_head(&p);
	if (t->v.n)
		put_bar(&p);
	raw(&p, "</header>\n<main>\n");
	if (t->v.n)
		put_table(&p, f);
	else
		raw(&p, "<p class=\"quiet\">No allocation site is known to any of the files.</p>\n");
	raw(&p, "</main>\n<footer><p>Keys: <kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous "
		"site, <kbd>Enter</kbd> open or close.</p></footer>\n");
	page_end(&p.b, report__run_js);
	page_flush(&p.b, f);
	sbuf_release(&p.b);
	return fflush(f) != 0 || ferror(f) ? error_sys("cannot write the report") : 0;
}
