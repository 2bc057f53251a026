/*
 * page.c - what all HTML pages share: head and end, text, excerpts of source.
 *
 * A page needs nothing else: no network, no other file.  All text that comes from
 * a source, a program or an engine goes through page_text().
 */
#include "report/page.h"

#include "base/mem.h"
#include "base/sbuf.h"
#include "report/priv.h"
#include "report/story.h"
#include "report/utf8.h"

#include <assert.h>

enum {
	LINE_MAX_SHOWN = 400,	/* bytes of a source line */
	CONTEXT = 40,		/* bytes before a mark in a line that is cut */
};

/* ---- text ---- */

static void put_text(struct sbuf *b, const char *s, size_t n)
{
	uint32_t cp;

	for (size_t i = 0; i < n;) {
		i += utf8_next(s + i, n - i, &cp);
		switch (cp) {
		case '&': sbuf_adds(b, "&amp;"); break;
		case '<': sbuf_adds(b, "&lt;"); break;
		case '>': sbuf_adds(b, "&gt;"); break;
		case '"': sbuf_adds(b, "&quot;"); break;
		case '\t': sbuf_addc(b, '\t'); break;
		default: utf8_put(b, utf8_is_plain(cp) ? cp : UTF8_BAD);
		}
	}
}

void page_text(struct sbuf *b, const char *s)
{
	put_text(b, s, strlen(s));
}

void page_prose(struct sbuf *b, const char *s)
{
	for (;;) {
		const char *open = strchr(s, '`'), *close = open ? strchr(open + 1, '`') : NULL;

		if (!close)
			break;
		put_text(b, s, (size_t)(open - s));
		sbuf_adds(b, "<code>");
		put_text(b, open + 1, (size_t)(close - open - 1));
		sbuf_adds(b, "</code>");
		s = close + 1;
	}
	page_text(b, s);
}

/* ---- excerpts ---- */

static const char *class_of(enum story_role role)
{
	switch (role) {
	case STORY_ALLOC: return "alloc";
	case STORY_STEP: return "step";
	case STORY_LEAK: return "leak";
	}
	assert(!"a role");
	return "";
}

/* Bytes from..to of a line, with its marks; of marks that overlap the first. */
static void put_marked(struct sbuf *b, const struct story_line *l, size_t from, size_t to)
{
	size_t at = from;

	assert(from <= to && to <= l->n);
	for (;;) {
		const struct story_mark *next = NULL;

		for (uint32_t i = 0; i < l->marks.n; i++) {
			const struct story_mark *m = &l->marks.v[i];

			if (m->span.start >= at && m->span.start < to &&
			    (!next || m->span.start < next->span.start))
				next = m;
		}
		if (!next)
			break;
		assert(next->span.start <= next->span.end);
		put_text(b, l->text + at, next->span.start - at);
		at = MIN(next->span.end, to);
		sbuf_printf(b, "<mark class=\"%s\">", class_of(next->role));
		put_text(b, l->text + next->span.start, at - next->span.start);
		sbuf_adds(b, "</mark>");
		if (next->span.end == next->span.start)
			break;		/* a blank line */
	}
	put_text(b, l->text + at, to - at);
}

static void put_source(struct sbuf *b, const struct story_line *l)
{
	size_t from = 0, to = l->n;

	if (l->n > LINE_MAX_SHOWN) {
		if (l->marks.n && l->marks.v[0].span.start > LINE_MAX_SHOWN / 2)
			from = l->marks.v[0].span.start - CONTEXT;
		to = MIN(from + LINE_MAX_SHOWN, l->n);
	}
	sbuf_adds(b, from ? "<i>...</i>" : "");
	put_marked(b, l, from, to);
	sbuf_adds(b, to < l->n ? "<i>...</i>" : "");
}

static void put_line(struct sbuf *b, const struct story_line *l, bool numbered)
{
	if (l->gap)
		sbuf_adds(b, "<div class=\"gap\"><span class=\"no\">&#8942;</span></div>\n");
	sbuf_printf(b, "<div class=\"%s\"><span class=\"no\">%u</span><code>",
		    l->marks.n ? "line hit" : "line", l->number);
	if (l->text)
		put_source(b, l);
	else
		sbuf_adds(b, "<i>no source</i>");
	sbuf_adds(b, "</code></div>\n");
	for (uint32_t i = 0; i < l->marks.n; i++) {
		const struct story_mark *m = &l->marks.v[i];

		if (!m->message[0])
			continue;
		sbuf_printf(b, "<div class=\"note %s\"><span class=\"no\">", class_of(m->role));
		if (numbered)
			sbuf_printf(b, "<b>%u</b>", m->step);
		sbuf_adds(b, "</span><span>");
		page_prose(b, m->message);
		sbuf_adds(b, "</span></div>\n");
	}
}

void page_excerpt(struct sbuf *b, const struct story_block *block, bool numbered)
{
	sbuf_adds(b, "<div class=\"excerpt\">\n");
	for (uint32_t i = 0; i < block->lines.n; i++)
		put_line(b, &block->lines.v[i], numbered);
	sbuf_adds(b, "</div>\n");
}

void page_block(struct sbuf *b, const struct story_block *block, bool numbered)
{
	sbuf_adds(b, "<div class=\"where\">");
	page_text(b, block->file);
	if (block->line)
		sbuf_printf(b, ":%u", block->line);
	if (block->function[0]) {
		sbuf_adds(b, " in <b>");
		page_text(b, block->function);
		sbuf_adds(b, strchr(block->function, '(') ? "</b>" : "()</b>");
	}
	sbuf_adds(b, "</div>\n");
	page_excerpt(b, block, numbered);
}

/* ---- the page ---- */

void page_begin(struct sbuf *b, const char *title, const char *more_css)
{
	sbuf_adds(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		  "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
		  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>plumb: ");
	page_text(b, title);
	sbuf_adds(b, "</title>\n<style>\n");
	sbuf_adds(b, report__page_css);
	sbuf_adds(b, more_css);
	sbuf_adds(b, "</style>\n</head>\n<body>\n<header>\n"
		  "<button type=\"button\" id=\"theme\" hidden></button>"
		  "<p class=\"brand\">plumb <span>" PLUMB_VERSION "</span></p>\n");
}

void page_end(struct sbuf *b, const char *js)
{
	sbuf_adds(b, "<script>\n");
	sbuf_adds(b, report__common_js);
	sbuf_adds(b, js);
	sbuf_adds(b, report__common_js_end);
	sbuf_adds(b, "</script>\n</body>\n</html>\n");
}

void page_bar_begin(struct sbuf *b, const char *placeholder, const char *label)
{
	sbuf_printf(b, "<div class=\"bar\">\n<input type=\"search\" id=\"filter\" autocomplete=\"off\" "
		    "placeholder=\"%s&#8230;\" aria-label=\"%s\">\n<div class=\"kinds\">\n",
		    placeholder, label);
}

void page_bar_end(struct sbuf *b, const char *fold)
{
	sbuf_printf(b, "<button type=\"button\" id=\"fold\">%s</button>\n</div>\n"
		    "<output id=\"shown\" aria-live=\"polite\"></output>\n</div>\n", fold);
}

void page_columns(struct sbuf *b, const struct page_column *v, unsigned n)
{
	sbuf_adds(b, "<thead><tr>");
	for (unsigned i = 0; i < n; i++) {
		const char *sorted = i == 0 ? " aria-sort=\"ascending\"" : "";

		assert(v[i].title && v[i].class && (!v[i].key || v[i].help));
		sbuf_printf(b, "<th scope=\"col\" class=\"%s\"", v[i].class);
		if (v[i].key)
			sbuf_printf(b, "%s><button type=\"button\" data-key=\"%s\" title=\"%s\">%s"
				    "</button></th>", sorted, v[i].key, v[i].help, v[i].title);
		else
			sbuf_printf(b, ">%s</th>", v[i].title);
	}
	sbuf_adds(b, "</tr></thead>\n");
}

void page_flush(struct sbuf *b, FILE *f)
{
	fwrite(sbuf_str(b), 1, b->n, f);	/* errors show in ferror() */
	sbuf_clear(b);
}
