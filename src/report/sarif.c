/*
 * sarif.c - SARIF 2.1.0, as code scanning of GitHub and others read it.
 *
 * What readers need beyond the standard, learnt from their manuals:
 *
 *	- a location needs all four numbers of its region, and a path relative to
 *	  the repository (%SRCROOT%);
 *	- alerts of two uploads are the same if their fingerprints (primaryLocationLineHash)
 *	  are equal.  Ours is the finding's id, which stays when lines change, unlike
 *	  the hash of lines that an uploader would compute;
 *	- where space is short only the first sentence of a message is shown;
 *	- { and } in messages are doubled, since they mark arguments (3.11.5).
 *
 * Columns are UTF-16 code units here and bytes in findings, and are converted
 * with the text of the line.  Without the source the bytes are written, which is
 * wrong only behind characters outside ASCII.
 *
 * needs: findings_finish() or findings_read().
 */
#include "report/priv.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "finding/source.h"
#include "report/rules.h"
#include "report/story.h"
#include "report/utf8.h"

#include <assert.h>
#include <ctype.h>

enum { MAX_STEPS = 1000 };	/* of a path; no viewer shows more */

struct sarif {
	struct json_writer w;
	struct findings *fs;
};

/* ---- text ---- */

/* The path, with %XX for each character that a URI's path may not have (RFC 3986:
 * others than pchar and /).  For a colon, too: `a:b` would be a scheme. */
static void add_uri(struct sbuf *b, const char *path)
{
	for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
		if (*p < 0x80 && (isalnum(*p) || strchr("-._~!$&'()*+,;=@/", *p)))
			sbuf_addc(b, (char)*p);
		else
			sbuf_printf(b, "%%%02X", *p);
	}
}

static void kuri(struct json_writer *w, const char *key, const char *prefix, const char *path,
		 const char *suffix)
{
	struct sbuf b = {0};

	sbuf_adds(&b, prefix);
	add_uri(&b, path);
	sbuf_adds(&b, suffix);
	jw_kstr(w, key, sbuf_str(&b));
	sbuf_release(&b);
}

/* { "text": ... } with { and } doubled. */
static void message(struct json_writer *w, const char *key, const char *text)
{
	struct sbuf b = {0};

	for (const char *p = text; *p; p++) {
		if (*p == '{' || *p == '}')
			sbuf_addc(&b, *p);
		sbuf_addc(&b, *p);
	}
	jw_key(w, key);
	jw_object(w);
	jw_kstr(w, "text", sbuf_str(&b));
	jw_object_close(w);
	sbuf_release(&b);
}

/* ---- places ---- */

/* A column that counts from 1 in UTF-16 code units, of the byte offset `at`. */
static unsigned utf16_column(const char *text, size_t n, size_t at)
{
	unsigned units = 0;
	uint32_t cp;
	size_t i = 0;

	while (text && i < n && i < at) {
		i += utf8_next(text + i, n - i, &cp);
		units += cp >= 0x10000 ? 2 : 1;
	}
	return units + (unsigned)(at > i ? at - i : 0) + 1;
}

static void region(struct sarif *s, const char *key, unsigned line, unsigned column,
		   unsigned end_line, unsigned end_column)
{
	assert(line >= 1 && column >= 1 && end_column >= 1);
	assert(end_line > line || (end_line == line && end_column >= column));
	jw_key(&s->w, key);
	jw_object(&s->w);
	jw_kint(&s->w, "startLine", line);
	jw_kint(&s->w, "startColumn", column);
	jw_kint(&s->w, "endLine", end_line);
	jw_kint(&s->w, "endColumn", end_column);
	jw_object_close(&s->w);
}

/* The region of a finding's place.  A place without line is line 1. */
static void place_region(struct sarif *s, const struct finding_loc *at)
{
	unsigned line = MAX(at->line, 1u), start, end;
	size_t n;
	const char *text = source_line(source_get(s->fs, at->file), line, &n);
	struct span span = { at->column ? at->column - 1 : 0, at->column };

	if (text)
		span = span_at(text, n, at->column);
	start = utf16_column(text, n, span.start);
	end = utf16_column(text, n, MAX(span.end, span.start));
	region(s, "region", line, start, line, MAX(end, start + (text ? 0 : 1)));
}

static void artifact(struct sarif *s, const char *file)
{
	const char *shown = finding_path(s->fs, file);

	jw_key(&s->w, "artifactLocation");
	jw_object(&s->w);
	if (shown[0] == '/') {
		kuri(&s->w, "uri", "file://", shown, "");
	} else {
		kuri(&s->w, "uri", "", shown, "");
		jw_kstr(&s->w, "uriBaseId", "%SRCROOT%");
	}
	jw_object_close(&s->w);
}

/* The members of a location object; the caller opens and closes it. */
static void location(struct sarif *s, const struct finding_loc *at, const char *text)
{
	if (at->file[0]) {
		jw_key(&s->w, "physicalLocation");
		jw_object(&s->w);
		artifact(s, at->file);
		place_region(s, at);
		jw_object_close(&s->w);
	}
	if (at->function[0]) {
		jw_key(&s->w, "logicalLocations");
		jw_array(&s->w);
		jw_object(&s->w);
		jw_kstr(&s->w, "name", at->function);
		jw_kstr(&s->w, "kind", "function");
		jw_object_close(&s->w);
		jw_array_close(&s->w);
	}
	if (text)
		message(&s->w, "message", text);
}

/* ---- a result ---- */

static const char *level_of(const struct finding *f)
{
	bool error = str_eq(report__rules[f->kind].level, "error");

	if (f->confidence == FINDING_LOW)
		return error ? "warning" : "note";
	return report__rules[f->kind].level;
}

/* Adds a sentence that begins with a capital.  A blank goes into what looks like a
 * link, as a[i](x) in a condition. */
static void add_sentence(struct sbuf *b, const char *s, const char *end)
{
	const char *link;

	assert(s <= end);
	if (s < end)
		sbuf_addc(b, (char)toupper((unsigned char)*s++));
	while ((link = memmem(s, (size_t)(end - s), "](", 2))) {
		sbuf_add(b, s, (size_t)(link - s) + 1);
		sbuf_addc(b, ' ');
		s = link + 1;
	}
	sbuf_add(b, s, (size_t)(end - s));
}

/* What, and then where, with "here" as a link to relatedLocations. */
static void result_message(struct sarif *s, const struct finding *f)
{
	const char *where = story_leak_message(s->fs, f);
	struct sbuf headline = {0}, b = {0};

	story_headline(&headline, f, '\'');
	add_sentence(&b, headline.s, headline.s + headline.n);
	sbuf_adds(&b, ". ");
	assert(str_ends(where, "here"));
	add_sentence(&b, where, where + strlen(where) - strlen("here"));
	sbuf_adds(&b, "[here](1).");
	message(&s->w, "message", sbuf_str(&b));
	sbuf_release(&headline);
	sbuf_release(&b);
}

static void code_flow(struct sarif *s, const struct story *story)
{
	struct json_writer *w = &s->w;

	jw_key(w, "codeFlows");
	jw_array(w);
	jw_object(w);
	jw_key(w, "threadFlows");
	jw_array(w);
	jw_object(w);
	jw_key(w, "locations");
	jw_array(w);
	for (uint32_t i = 0; i < story->steps.n; i++) {
		const struct story_step *step = &story->steps.v[i];

		if (i >= MAX_STEPS - 1 && i + 1 < story->steps.n)
			continue;	/* the last step says more than the thousandth */
		jw_object(w);
		jw_key(w, "location");
		jw_object(w);
		location(s, &step->at, step->message);
		jw_object_close(w);
		jw_kint(w, "executionOrder", i + 1);
		jw_kstr(w, "importance", step->role == STORY_STEP ? "important" : "essential");
		jw_object_close(w);
	}
	jw_array_close(w);
	jw_object_close(w);
	jw_array_close(w);
	jw_object_close(w);
	jw_array_close(w);
}

static void suppressions(struct sarif *s, const struct finding *f)
{
	const char *reason = f->suppress_reason;
	struct json_writer *w = &s->w;

	jw_key(w, "suppressions");
	jw_array(w);
	if (f->suppressed && !(f->in_baseline && (!reason || str_eq(reason, "baseline")))) {
		jw_object(w);
		jw_kstr(w, "kind", "inSource");
		jw_kstr(w, "status", "accepted");
		if (reason && reason[0])
			jw_kstr(w, "justification", reason);
		jw_object_close(w);
	}
	jw_array_close(w);
}

static void replacement(struct sarif *s, const struct finding_edit *e)
{
	const struct source *src = source_get(s->fs, e->file);
	unsigned line = MAX(e->line, 1u), end_line = MAX(e->end_line, line);
	unsigned start, end;
	const char *text;
	size_t n;

	text = source_line(src, line, &n);
	start = utf16_column(text, n, e->column ? e->column - 1 : 0);
	text = source_line(src, end_line, &n);
	end = utf16_column(text, n, e->end_column ? e->end_column - 1 : 0);
	if (end_line == line)
		end = MAX(end, start);
	jw_object(&s->w);
	region(s, "deletedRegion", line, start, end_line, end);
	if (e->text[0]) {
		jw_key(&s->w, "insertedContent");
		jw_object(&s->w);
		jw_kstr(&s->w, "text", e->text);
		jw_object_close(&s->w);
	}
	jw_object_close(&s->w);
}

/* One change for each run of edits in one file. */
static void fixes(struct sarif *s, const struct finding *f)
{
	struct json_writer *w = &s->w;
	uint32_t i = 0;

	if (f->fix != FINDING_FIX_AVAILABLE || !f->edits.n)
		return;
	jw_key(w, "fixes");
	jw_array(w);
	jw_object(w);
	message(w, "description",
		f->fix_reason[0] ? f->fix_reason : "Free it before the last chance passes.");
	jw_key(w, "artifactChanges");
	jw_array(w);
	while (i < f->edits.n) {
		const char *file = finding_path(s->fs, f->edits.v[i].file);

		jw_object(w);
		artifact(s, f->edits.v[i].file);
		jw_key(w, "replacements");
		jw_array(w);
		for (; i < f->edits.n && str_eq(finding_path(s->fs, f->edits.v[i].file), file); i++)
			replacement(s, &f->edits.v[i]);
		jw_array_close(w);
		jw_object_close(w);
	}
	jw_array_close(w);
	jw_object_close(w);
	jw_array_close(w);
}

static void result_properties(struct sarif *s, const struct finding *f)
{
	struct json_writer *w = &s->w;

	jw_key(w, "properties");
	jw_object(w);
	jw_kstr(w, "confidence", finding_confidence_name(f->confidence));
	jw_kstr(w, "resource", f->resource);
	jw_kstr(w, "allocator", f->allocator);
	jw_kstr(w, "variable", f->variable);
	jw_kstr(w, "condition", f->condition);
	jw_key(w, "engines");
	jw_array(w);
	for (unsigned b = 0; b < FINDING__ENGINES; b++)
		if (f->engines & 1u << b)
			jw_str(w, finding_engine_name(1u << b));
	jw_array_close(w);
	if (f->fix == FINDING_FIX_REFUSED)
		jw_kstr(w, "fixRefused", f->fix_reason);
	jw_object_close(w);
}

static void result_locations(struct sarif *s, const struct finding *f)
{
	struct json_writer *w = &s->w;

	jw_key(w, "locations");
	jw_array(w);
	jw_object(w);
	location(s, &f->alloc, NULL);
	jw_object_close(w);
	jw_array_close(w);
	jw_key(w, "relatedLocations");
	jw_array(w);
	jw_object(w);
	jw_kint(w, "id", 1);
	location(s, &f->leak, story_leak_message(s->fs, f));
	jw_object_close(w);
	jw_array_close(w);
}

static void result(struct sarif *s, const struct finding *f)
{
	static const double rank[] = { [FINDING_LOW] = 30, [FINDING_MEDIUM] = 60, [FINDING_HIGH] = 90 };
	struct json_writer *w = &s->w;
	struct story story;
	char hash[20];

	assert((unsigned)f->confidence < ARRAY_LEN(rank));
	story_init(&story, s->fs, f);
	jw_object(w);
	jw_kstr(w, "ruleId", finding_kind_name(f->kind));
	jw_kint(w, "ruleIndex", f->kind);
	jw_kstr(w, "level", level_of(f));
	result_message(s, f);
	result_locations(s, f);
	code_flow(s, &story);
	jw_key(w, "partialFingerprints");
	jw_object(w);
	jw_kstr(w, "plumb/v1", f->id);
	snprintf(hash, sizeof(hash), "%s:1", f->id);
	jw_kstr(w, "primaryLocationLineHash", hash);
	jw_object_close(w);
	if (s->fs->has_baseline)
		jw_kstr(w, "baselineState", f->in_baseline ? "unchanged" : "new");
	suppressions(s, f);
	fixes(s, f);
	jw_key(w, "rank");
	jw_num(w, rank[f->confidence]);
	result_properties(s, f);
	jw_object_close(w);
	story_release(&story);
}

/* ---- the run ---- */

static void rule(struct sarif *s, enum finding_kind k)
{
	const struct report_rule *r = &report__rules[k];
	struct json_writer *w = &s->w;
	struct sbuf b = {0};

	assert(r->name && r->title && r->text && r->advice && r->precision);
	jw_object(w);
	jw_kstr(w, "id", finding_kind_name(k));
	jw_kstr(w, "name", r->name);
	sbuf_printf(&b, "%s.", r->title);
	message(w, "shortDescription", sbuf_str(&b));
	message(w, "fullDescription", r->text);
	jw_key(w, "help");
	jw_object(w);
	sbuf_clear(&b);
	sbuf_printf(&b, "%s\n\n%s", r->text, r->advice);
	jw_kstr(w, "text", sbuf_str(&b));
	sbuf_clear(&b);
	sbuf_printf(&b, "# %s\n\n%s\n\n## What to do\n\n%s\n", r->title, r->text, r->advice);
	jw_kstr(w, "markdown", sbuf_str(&b));
	jw_object_close(w);
	jw_key(w, "defaultConfiguration");
	jw_object(w);
	jw_kstr(w, "level", r->level);
	jw_object_close(w);
	jw_key(w, "properties");
	jw_object(w);
	jw_key(w, "tags");
	jw_array(w);
	for (size_t i = 0; i < ARRAY_LEN(r->tags); i++)
		jw_str(w, r->tags[i]);
	jw_array_close(w);
	jw_kstr(w, "precision", r->precision);
	jw_kstr(w, "problem.severity", r->level);
	jw_object_close(w);
	jw_object_close(w);
	sbuf_release(&b);
}

static void tool(struct sarif *s)
{
	struct json_writer *w = &s->w;

	jw_key(w, "tool");
	jw_object(w);
	jw_key(w, "driver");
	jw_object(w);
	jw_kstr(w, "name", "plumb");
	jw_kstr(w, "version", PLUMB_VERSION);
	jw_kstr(w, "semanticVersion", PLUMB_VERSION);
	jw_key(w, "rules");
	jw_array(w);
	for (unsigned k = 0; k < FINDING__KINDS; k++)
		rule(s, k);
	jw_array_close(w);
	jw_object_close(w);
	jw_object_close(w);
}

static void notification(struct sarif *s, const struct finding_failure *x)
{
	struct json_writer *w = &s->w;
	struct sbuf b = {0};

	jw_object(w);
	jw_kstr(w, "level", "error");
	sbuf_printf(&b, "%s could not be analysed: %s", finding_path(s->fs, x->file),
		    x->error ? x->error : "");
	message(w, "message", sbuf_str(&b));
	if (x->file && x->file[0]) {
		jw_key(w, "locations");
		jw_array(w);
		jw_object(w);
		jw_key(w, "physicalLocation");
		jw_object(w);
		artifact(s, x->file);
		jw_object_close(w);
		jw_object_close(w);
		jw_array_close(w);
	}
	jw_object_close(w);
	sbuf_release(&b);
}

/* The coverage as a note, for viewers that show no properties. */
static void coverage_note(struct sarif *s)
{
	struct json_writer *w = &s->w;
	struct sbuf b = {0};

	story_coverage(&b, s->fs);
	jw_object(w);
	jw_kstr(w, "level", "note");
	message(w, "message", sbuf_str(&b));
	jw_object_close(w);
	sbuf_release(&b);
}

static void invocation(struct sarif *s, const struct report_options *o)
{
	struct json_writer *w = &s->w;

	jw_key(w, "invocations");
	jw_array(w);
	jw_object(w);
	if (o->command_line)
		jw_kstr(w, "commandLine", o->command_line);
	jw_kbool(w, "executionSuccessful", s->fs->failed.n == 0);
	jw_key(w, "toolExecutionNotifications");
	jw_array(w);
	for (uint32_t i = 0; i < s->fs->failed.n; i++)
		notification(s, &s->fs->failed.v[i]);
	if (s->fs->units_analysed)
		coverage_note(s);
	jw_array_close(w);
	jw_object_close(w);
	jw_array_close(w);
}

static void base_ids(struct sarif *s)
{
	struct json_writer *w = &s->w;
	const char *root = source_absolute(s->fs, s->fs->root);

	jw_key(w, "originalUriBaseIds");
	jw_object(w);
	jw_key(w, "%SRCROOT%");
	jw_object(w);
	kuri(w, "uri", "file://", root, str_ends(root, "/") ? "" : "/");
	message(w, "description", "The root of the source tree.");
	jw_object_close(w);
	jw_object_close(w);
}

static void run(struct sarif *s, const struct report_options *o)
{
	struct json_writer *w = &s->w;

	jw_object(w);
	tool(s);
	invocation(s, o);
	base_ids(s);
	jw_kstr(w, "columnKind", "utf16CodeUnits");
	jw_key(w, "results");
	jw_array(w);
	for (uint32_t i = 0; i < s->fs->v.n; i++)
		result(s, s->fs->v.v[i]);
	jw_array_close(w);
	jw_key(w, "properties");
	jw_object(w);
	jw_kint(w, "unitsAnalysed", s->fs->units_analysed);
	jw_kint(w, "unitsFailed", s->fs->failed.n);
	if (s->fs->coverage.known)
		report__coverage(w, s->fs);
	jw_object_close(w);
	jw_object_close(w);
}

void report__sarif(struct findings *fs, FILE *f, const struct report_options *o)
{
	struct sarif s = { .fs = fs };
	struct json_writer *w = &s.w;

	jw_begin(w, f);
	jw_object(w);
	jw_kstr(w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	jw_kstr(w, "version", "2.1.0");
	jw_key(w, "runs");
	jw_array(w);
	run(&s, o);
	jw_array_close(w);
	jw_object_close(w);
	jw_end(w);
}
