/*
 * words.c - the sentences of a report.
 *
 * All that people read is made here and by the engines (messages of steps): text,
 * SARIF and HTML say the same.
 */
#include "report/story.h"

#include "base/mem.h"
#include "effect/resource.h"

#include <assert.h>

static void add_quoted(struct sbuf *b, const char *s, char quote)
{
	sbuf_printf(b, "%c%s%c", quote, s, quote);
}

/* "when `n < 0`", or `unknown` if there is no condition. */
static void add_condition(struct sbuf *b, const struct finding *f, char quote, const char *unknown)
{
	if (!f->condition[0]) {
		sbuf_adds(b, unknown);
		return;
	}
	sbuf_adds(b, " when ");
	add_quoted(b, f->condition, quote);
}

void story_headline(struct sbuf *b, const struct finding *f, char quote)
{
	struct resource_words w = resource_words(f->resource);

	sbuf_printf(b, "%s %s %s%s ", w.noun, w.got, f->allocator[0] ? "by " : "here", f->allocator);
	switch (f->kind) {
	case FINDING_NEVER_FREED:
		sbuf_printf(b, "is never %s", w.freed);
		break;
	case FINDING_CONDITIONAL:
		sbuf_printf(b, "is not %s", w.freed);
		add_condition(b, f, quote, " on some paths");
		break;
	case FINDING_OVERWRITTEN:
		sbuf_adds(b, "is lost: ");
		if (f->variable[0])
			add_quoted(b, f->variable, quote);
		else
			sbuf_adds(b, "its last pointer");
		sbuf_adds(b, " is overwritten");
		add_condition(b, f, quote, "");
		break;
	case FINDING_STALE:
		sbuf_adds(b, "is kept but no longer used");
		break;
	case FINDING_DOUBLE_FREE:
		sbuf_printf(b, "is %s twice", w.freed);
		add_condition(b, f, quote, "");
		break;
	case FINDING_USE_AFTER_FREE:
		sbuf_printf(b, "is used after it was %s", w.freed);
		add_condition(b, f, quote, "");
		break;
	case FINDING__KINDS:
		break;
	}
}

const char *story_alloc_message(struct findings *fs, const struct finding *f)
{
	struct resource_words w = resource_words(f->resource);
	struct sbuf b = {0};
	const char *r;

	sbuf_printf(&b, "%s here", w.got);
	if (f->allocator[0])
		sbuf_printf(&b, " by %s", f->allocator);
	if (f->variable[0])
		sbuf_printf(&b, ", kept in `%s`", f->variable);
	r = arena_strdup(&fs->arena, sbuf_str(&b));
	sbuf_release(&b);
	return r;
}

const char *story_leak_message(struct findings *fs, const struct finding *f)
{
	struct resource_words w = resource_words(f->resource);

	switch (f->kind) {
	case FINDING_NEVER_FREED:
	case FINDING_CONDITIONAL:
		return arena_printf(&fs->arena, "the last chance to %s it passes here", w.free);
	case FINDING_OVERWRITTEN: return "the last pointer to it is overwritten here";
	case FINDING_STALE: return "last used here";
	case FINDING_DOUBLE_FREE: return arena_printf(&fs->arena, "%s again here", w.freed);
	case FINDING_USE_AFTER_FREE: return "used here";
	case FINDING__KINDS: break;
	}
	return "";
}

const char *story_label(const struct finding *f)
{
	switch (f->kind) {
	case FINDING_STALE: return "stale";
	case FINDING_DOUBLE_FREE: return "double free";
	case FINDING_USE_AFTER_FREE: return "use after free";
	default: return "leak";
	}
}

void story_number(struct sbuf *b, unsigned n, const char *what)
{
	sbuf_printf(b, "%u %s%s", n, what, n == 1 ? "" : "s");
}

static bool counts(const struct finding *f)
{
	return !f->suppressed && !f->in_baseline;
}

void story_count(struct sbuf *b, const struct findings *fs)
{
	unsigned leaks = 0, others = 0, old = 0;

	for (uint32_t i = 0; i < fs->v.n; i++) {
		const struct finding *f = fs->v.v[i];

		old += f->in_baseline;
		if (counts(f) && finding_kind_is_leak(f->kind))
			leaks++;
		else if (counts(f))
			others++;
	}
	if (!leaks && !others)
		sbuf_adds(b, old ? "no new leaks" : "no leaks");
	if (leaks)
		story_number(b, leaks, "leak");
	if (others) {
		sbuf_adds(b, leaks ? " and " : "");
		story_number(b, others, leaks ? "other error" : "error");
	}
}

/* " (1 suppressed, 2 in baseline)", if there are such. */
static void add_uncounted(struct sbuf *b, const struct findings *fs)
{
	unsigned suppressed = 0, old = 0;

	for (uint32_t i = 0; i < fs->v.n; i++) {
		old += fs->v.v[i]->in_baseline;
		suppressed += fs->v.v[i]->suppressed && !fs->v.v[i]->in_baseline;
	}
	if (!suppressed && !old)
		return;
	sbuf_adds(b, " (");
	if (suppressed)
		sbuf_printf(b, "%u suppressed", suppressed);
	if (old)
		sbuf_printf(b, "%s%u in baseline", suppressed ? ", " : "", old);
	sbuf_addc(b, ')');
}

/* "2,117" */
static void add_count(struct sbuf *b, unsigned n)
{
	if (n >= 1000) {
		add_count(b, n / 1000);
		sbuf_printf(b, ",%03u", n % 1000);
	} else {
		sbuf_printf(b, "%u", n);
	}
}

void story_coverage(struct sbuf *b, const struct findings *fs)
{
	const struct coverage *c = &fs->coverage;
	const struct {
		unsigned n;
		const char *one, *more;
	} left_out[] = {
		{ c->functions_incomplete.n,
		  "function has no complete summary", "functions have no complete summary" },
		{ c->not_c.n, "unit is not C", "units are not C" },
		{ c->libraries_not_given.n,
		  "library of the program's own was not given",
		  "libraries of the program's own were not given" },
		{ c->findings_excluded, "finding is excluded", "findings are excluded" },
		{ c->allocations_excluded,
		  "allocation lies in excluded files", "allocations lie in excluded files" },
	};

	assert(c->judged + c->stored + c->cut == c->allocations);
	if (!c->known) {
		sbuf_adds(b, "how many allocations were judged is not known");
	} else if (!c->allocations) {
		sbuf_printf(b, "there is no %sallocation", c->allocations_excluded ? "other " : "");
	} else if (c->judged == c->allocations) {
		sbuf_adds(b, c->judged == 1 ? "" : "all ");
		add_count(b, c->judged);
		sbuf_adds(b, c->judged == 1 ? " allocation, judged" : " allocations judged");
	} else {
		add_count(b, c->allocations);
		sbuf_adds(b, c->allocations == 1 ? " allocation, of them " : " allocations, of them ");
		add_count(b, c->judged);
		sbuf_adds(b, " judged, ");
		add_count(b, c->stored);
		sbuf_adds(b, " only stored, ");
		add_count(b, c->cut);
		sbuf_adds(b, " cut");
	}
	for (size_t i = 0; i < ARRAY_LEN(left_out); i++)
		if (left_out[i].n) {
			sbuf_adds(b, "; ");
			add_count(b, left_out[i].n);
			sbuf_printf(b, " %s", left_out[i].n == 1 ? left_out[i].one : left_out[i].more);
		}
}

void story_scope(struct sbuf *b, const struct findings *fs)
{
	unsigned n = fs->units_analysed;
	bool partial = findings_count(fs) == 0 && fs->failed.n;

	sbuf_adds(b, partial ? "in the " : "in ");
	story_number(b, n, "unit");
	if (partial)
		sbuf_adds(b, n == 1 ? " that was analysed" : " that were analysed");
	add_uncounted(b, fs);
}

/* Was everything judged, and nothing left out? */
static bool is_all(const struct findings *fs)
{
	const struct coverage *c = &fs->coverage;
	unsigned left_out = fs->failed.n + c->not_c.n + c->libraries_not_given.n + c->functions_incomplete.n;
	bool excluded = c->findings_excluded || c->allocations_excluded;

	return c->known && c->judged == c->allocations && !left_out && !excluded;
}

void story_title(struct sbuf *b, const struct findings *fs)
{
	story_count(b, fs);
	if (findings_count(fs) == 0 && !is_all(fs))
		sbuf_adds(b, " in what was judged");
}

void story_summary(struct sbuf *b, const struct findings *fs)
{
	if (!fs->units_analysed && !fs->v.n) {
		sbuf_adds(b, "nothing was analysed");
	} else {
		story_count(b, fs);
		if (!findings_count(fs))
			sbuf_adds(b, " found");
		if (findings_count(fs) || fs->failed.n) {
			sbuf_addc(b, ' ');
			story_scope(b, fs);
		} else {
			add_uncounted(b, fs);
		}
		sbuf_adds(b, ": ");
		story_coverage(b, fs);
	}
	if (fs->failed.n) {
		sbuf_adds(b, "; ");
		story_number(b, fs->failed.n, "unit");
		sbuf_adds(b, " could not be analysed");
	}
}
