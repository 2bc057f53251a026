/*
 * report.c - findings for people and for machines: the choice of the format, and edits in a few words.
 *
 * needs: findings_finish() or findings_read().
 */
#include "report/report.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/sbuf.h"
#include "report/priv.h"
#include "report/utf8.h"

#include <assert.h>
#include <ctype.h>

static const struct {
	const char *name;
	void (*write)(struct findings *fs, FILE *f, const struct report_options *o);
} formats[] = {
	[REPORT_TEXT] = { "text", report__text },
	[REPORT_JSON] = { "json", report__json },
	[REPORT_SARIF] = { "sarif", report__sarif },
	[REPORT_HTML] = { "html", report__html },
};

const char *report_format_name(unsigned i)
{
	return i < ARRAY_LEN(formats) ? formats[i].name : NULL;
}

int report_format_parse(enum report_format *out, const char *name)
{
	int i = near_choice("format", name, report_format_name);

	if (i >= 0)
		*out = (enum report_format)i;
	return i < 0 ? i : 0;
}

int report_write(struct findings *fs, enum report_format fmt, FILE *f, const struct report_options *o)
{
	static const struct report_options none;

	assert((unsigned)fmt < ARRAY_LEN(formats));
#ifdef PLUMB_DEBUG
	findings_check(fs);
#endif
	formats[fmt].write(fs, f, o ? o : &none);
	if (fflush(f) == EOF || ferror(f))
		return error_sys("cannot write the report");
	return 0;
}

void report_edits(struct sbuf *b, struct findings *fs, const struct finding *f)
{
	for (uint32_t i = 0; i < f->edits.n; i++) {
		const struct finding_edit *e = &f->edits.v[i];
		const char *file = finding_path(fs, e->file);

		sbuf_adds(b, i ? "; " : "");
		report__edit_text(b, e);
		if (str_eq(file, finding_path(fs, f->alloc.file)))
			sbuf_printf(b, " at line %u", e->line);
		else
			sbuf_printf(b, " at %s:%u", file, e->line);
	}
}

void report__edit_text(struct sbuf *b, const struct finding_edit *e)
{
	enum { LONGEST = 60 };
	bool insertion = e->line == e->end_line && e->column == e->end_column;
	struct sbuf t = {0};
	bool space = false;

	assert(e->text);
	for (const char *p = e->text; *p && t.n < LONGEST; p++) {
		if (isspace((unsigned char)*p)) {
			space = t.n > 0;
			continue;
		}
		if (space)
			sbuf_addc(&t, ' ');
		space = false;
		sbuf_addc(&t, *p);
	}
	if (!t.n) {
		sbuf_adds(b, "remove text");
	} else {
		sbuf_adds(b, insertion ? "insert `" : "replace text by `");
		utf8_clean(b, t.s, t.n);
		sbuf_adds(b, t.n >= LONGEST ? "...`" : "`");
	}
	sbuf_release(&t);
}
