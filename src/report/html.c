/*
 * html.c - findings as one page that needs nothing else: no network, no other
 * file, and a script only for filtering.
 *
 * The page is a header (what was found, what could not be analysed), a bar to
 * filter, and for each file its findings as cards that open and close.  A card
 * has the address #f-ID.  Style and script are in html_assets.c.  Whatever comes
 * from a source or an engine goes through page_text() (page.c).
 */
#include "report/priv.h"

#include "base/mem.h"
#include "base/sbuf.h"
#include "report/page.h"
#include "report/rules.h"
#include "report/story.h"

#include <assert.h>

enum { MANY = 20 };		/* more findings than this start closed */

struct page {
	struct sbuf b;
	struct findings *fs;
	bool open;		/* cards start open */
};

/* ---- text ---- */

static void put(struct page *p, const char *s)
{
	page_text(&p->b, s);
}

static void put_prose(struct page *p, const char *s)
{
	page_prose(&p->b, s);
}

static void raw(struct page *p, const char *html)
{
	sbuf_adds(&p->b, html);
}

/* ---- a card ---- */

static void put_edit(struct page *p, const struct finding_edit *e)
{
	struct sbuf b = {0};

	raw(p, "<li>");
	report__edit_text(&b, e);
	put_prose(p, sbuf_str(&b));
	raw(p, " at ");
	put(p, finding_path(p->fs, e->file));
	sbuf_printf(&p->b, ":%u</li>\n", e->line);
	sbuf_release(&b);
}

/* The style of a line of a diff; NULL if it has none. */
static const char *class_of_line(const char *line)
{
	if (str_starts(line, "---") || str_starts(line, "+++"))
		return "file";
	switch (*line) {
	case '+': return "add";
	case '-': return "del";
	case '@': return "hunk";
	}
	return NULL;
}

/* A diff with a style for each line; the text is what `patch` takes. */
static void put_diff(struct page *p, const char *diff)
{
	raw(p, "<div class=\"patch\"><button type=\"button\" class=\"copy\" hidden>copy patch</button>\n"
	       "<pre class=\"diff\" tabindex=\"0\" aria-label=\"patch\">");
	while (*diff) {
		size_t n = strcspn(diff, "\n");
		char *line = xstrndup(diff, n);
		const char *class = class_of_line(line);

		if (class)
			sbuf_printf(&p->b, "<span class=\"%s\">", class);
		put(p, line);
		raw(p, class ? "</span>\n" : "\n");
		diff += n + (diff[n] == '\n');
		free(line);
	}
	raw(p, "</pre></div>\n");
}

static void put_edits(struct page *p, const struct finding *f)
{
	struct sbuf diff = {0};

	if (report__patch(&diff, p->fs, f)) {
		put_diff(p, sbuf_str(&diff));
	} else {
		raw(p, "<ul>\n");
		for (uint32_t i = 0; i < f->edits.n; i++)
			put_edit(p, &f->edits.v[i]);
		raw(p, "</ul>\n");
	}
	sbuf_release(&diff);
}

static void put_fix(struct page *p, const struct finding *f)
{
	if (f->fix == FINDING_FIX_NONE)
		return;
	if (f->fix == FINDING_FIX_REFUSED) {
		raw(p, "<p class=\"fix refused\"><b>No safe fix:</b> ");
		put_prose(p, f->fix_reason);
		raw(p, "</p>\n");
		return;
	}
	raw(p, "<div class=\"fix\"><b>Fix:</b> <code>plumb fix</code> can do this");
	if (f->fix_reason[0]) {
		raw(p, " (");
		put_prose(p, f->fix_reason);
		raw(p, ")");
	}
	raw(p, "\n");
	put_edits(p, f);
	raw(p, "</div>\n");
}

static const char *state_of(const struct finding *f)
{
	if (f->in_baseline)
		return "baseline";
	return f->suppressed ? "suppressed" : "new";
}

static void put_state(struct page *p, const struct finding *f)
{
	if (f->in_baseline) {
		raw(p, "<p class=\"quiet\">In the baseline: not counted.</p>\n");
	} else if (f->suppressed) {
		raw(p, "<p class=\"quiet\">Suppressed");
		if (f->suppress_reason && f->suppress_reason[0]) {
			raw(p, ": ");
			put(p, f->suppress_reason);
		}
		raw(p, "</p>\n");
	}
}

static void put_facts(struct page *p, const struct finding *f)
{
	sbuf_printf(&p->b, "<span class=\"kind\">%s</span> <span class=\"conf %s\">%s confidence</span>",
		    finding_kind_name(f->kind), finding_confidence_name(f->confidence),
		    finding_confidence_name(f->confidence));
	sbuf_printf(&p->b, " <span>line %u", f->alloc.line);
	if (f->alloc.function[0]) {
		raw(p, " in ");
		put(p, f->alloc.function);
		raw(p, "()");
	}
	raw(p, "</span>");
	if (!str_eq(state_of(f), "new"))
		sbuf_printf(&p->b, " <span class=\"state\">%s</span>", state_of(f));
	if (f->fix == FINDING_FIX_AVAILABLE)
		raw(p, " <span class=\"fixable\">fix available</span>");
}

static void put_card(struct page *p, const struct finding *f)
{
	struct sbuf b = {0};
	struct story s;

	story_init(&s, p->fs, f);
	sbuf_printf(&p->b, "<details class=\"card\" id=\"f-%s\" data-kind=\"%s\" data-state=\"%s\"%s>\n",
		    f->id, finding_kind_name(f->kind), state_of(f), p->open ? " open" : "");
	raw(p, "<summary><span class=\"head\">");
	story_headline(&b, f, '`');
	put_prose(p, sbuf_str(&b));
	raw(p, "</span><span class=\"facts\">");
	put_facts(p, f);
	raw(p, "</span></summary>\n<div class=\"body\">\n");
	put_state(p, f);
	for (uint32_t i = 0; i < s.blocks.n; i++)
		page_block(&p->b, &s.blocks.v[i], s.steps.n > 1);
	put_fix(p, f);
	sbuf_printf(&p->b, "<p class=\"foot\"><a href=\"#f-%s\">%s</a> <span>found by", f->id, f->id);
	for (unsigned e = 0, n = 0; e < FINDING__ENGINES; e++)
		if (f->engines & 1u << e)
			sbuf_printf(&p->b, "%s %s", n++ ? "," : "", finding_engine_name(1u << e));
	raw(p, "</span></p>\n</div>\n</details>\n");
	sbuf_release(&b);
	story_release(&s);
}

void report__card(struct sbuf *b, struct findings *fs, const struct finding *f, bool open)
{
	struct page p = { .b = *b, .fs = fs, .open = open };

	put_card(&p, f);
	*b = p.b;
}

/* ---- the page ---- */

static void put_kinds(struct page *p)
{
	unsigned n[FINDING__KINDS] = {0}, kinds = 0;

	for (uint32_t i = 0; i < p->fs->v.n; i++) {
		assert((unsigned)p->fs->v.v[i]->kind < FINDING__KINDS);
		n[p->fs->v.v[i]->kind]++;
	}
	for (unsigned k = 0; k < FINDING__KINDS; k++)
		kinds += n[k] > 0;
	if (kinds < 2)
		return;		/* nothing to choose from */
	for (unsigned k = 0; k < FINDING__KINDS; k++)
		if (n[k])
			sbuf_printf(&p->b, "<button type=\"button\" data-kind=\"%s\" aria-pressed=\"false\" "
				    "title=\"%s\">%s <b>%u</b></button>\n", finding_kind_name(k),
				    report__rules[k].title, finding_kind_name(k), n[k]);
}

static void put_bar(struct page *p)
{
	bool quiet = findings_count(p->fs) < p->fs->v.n;

	if (!p->fs->v.n)
		return;
	page_bar_begin(&p->b, "Filter by file, function, text", "Filter findings");
	put_kinds(p);
	if (quiet)
		raw(p, "<button type=\"button\" id=\"quiet\" aria-pressed=\"true\">"
		       "show suppressed</button>\n");
	page_bar_end(&p->b, "close all");
}

static void put_failures(struct page *p)
{
	if (!p->fs->failed.n)
		return;
	raw(p, "<div class=\"failed\" role=\"note\"><b>Not complete:</b> ");
	story_number(&p->b, p->fs->failed.n, "unit");
	raw(p, " could not be analysed.\n<ul>\n");
	for (uint32_t i = 0; i < p->fs->failed.n; i++) {
		const struct finding_failure *x = &p->fs->failed.v[i];
		const char *rest = finding_failure_rest(x->file, x->error);

		raw(p, "<li><code>");
		put(p, finding_path(p->fs, x->file));
		raw(p, rest ? "</code>" : "</code> ");
		if (!rest)
			rest = x->error ? x->error : "";
		put(p, rest);
		raw(p, "</li>\n");
	}
	raw(p, "</ul></div>\n");
}

void report__failures(struct sbuf *b, struct findings *fs)
{
	struct page p = { .b = *b, .fs = fs };

	put_failures(&p);
	*b = p.b;
}

static void put_head(struct page *p)
{
	bool nothing = !p->fs->units_analysed && !p->fs->v.n;
	bool some = findings_count(p->fs) || p->fs->failed.n || nothing;
	struct sbuf count = {0}, scope = {0}, title = {0};

	if (nothing) {
		sbuf_adds(&count, "nothing was analysed");
	} else {
		story_title(&count, p->fs);
		story_scope(&scope, p->fs);
		sbuf_adds(&scope, ": ");
		story_coverage(&scope, p->fs);
	}
	sbuf_printf(&title, "%s%s", sbuf_str(&count), p->fs->failed.n ? " (not complete)" : "");
	page_begin(&p->b, sbuf_str(&title), "");
	sbuf_printf(&p->b, "<h1 class=\"%s\">", some ? "some" : "none");
	put(p, sbuf_str(&count));
	raw(p, "</h1>\n<p class=\"summary\">");
	put(p, sbuf_str(&scope));
	raw(p, "</p>\n");
	put_failures(p);
	put_bar(p);
	raw(p, "</header>\n<main>\n");
	sbuf_release(&count);
	sbuf_release(&scope);
	sbuf_release(&title);
}

/* How many findings from this one on are in the file; they are sorted by files. */
static unsigned count_in_file(const struct page *p, uint32_t from, const char *file)
{
	unsigned n = 0;

	for (uint32_t i = from; i < p->fs->v.n; i++, n++)
		if (!str_eq(finding_path(p->fs, p->fs->v.v[i]->alloc.file), file))
			break;
	return n;
}

void report__html(struct findings *fs, FILE *f, const struct report_options *o)
{
	struct page p = { .fs = fs, .open = fs->v.n <= MANY };
	const char *file = NULL;

	(void)o;
	put_head(&p);
	for (uint32_t i = 0; i < fs->v.n; i++) {
		const char *this = finding_path(fs, fs->v.v[i]->alloc.file);

		if (!file || !str_eq(file, this)) {
			raw(&p, file ? "</section>\n<section>\n<h2>" : "<section>\n<h2>");
			put(&p, this[0] ? this : "unknown file");
			sbuf_printf(&p.b, " <span>%u</span></h2>\n", count_in_file(&p, i, this));
			file = this;
		}
		put_card(&p, fs->v.v[i]);
		page_flush(&p.b, f);
	}
	raw(&p, file ? "</section>\n" : "");
	raw(&p, "</main>\n");
	if (file)
		raw(&p, "<footer><p>Keys: <kbd>/</kbd> filter, <kbd>j</kbd> <kbd>k</kbd> next and "
			"previous finding, <kbd>Enter</kbd> open or close.</p></footer>\n");
	page_end(&p.b, report__page_js);
	page_flush(&p.b, f);
	sbuf_release(&p.b);
}
