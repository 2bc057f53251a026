/*
 * edit_lay.c - the layout of a source: where lines, tokens and statements end, and how a
 * function is indented.
 *
 * Comments, strings and character constants are skipped as the preprocessor does it, with
 * two simplifications: trigraphs are not known, and a raw newline in a string ends it.  Both
 * can only make an edit go wrong in a way that the compiler sees.
 */
#include "edit/priv.h"

#include <ctype.h>

/* The length of a comment at `at`, or 0; one that is not closed goes to the end. */
static uint32_t comment(const struct ast_file *f, uint32_t at)
{
	const char *t = f->text;
	uint32_t i = at + 2;

	if (at + 1 >= f->n || t[at] != '/')
		return 0;
	if (t[at + 1] == '*') {
		for (; i < f->n; i++)
			if (t[i] == '*' && t[i + 1] == '/')
				return i + 2 - at;
		return f->n - at;
	}
	if (t[at + 1] != '/')
		return 0;
	for (; i < f->n && t[i] != '\n'; i++)
		if (t[i] == '\\' && i + 1 < f->n)
			i += 1 + (t[i + 1] == '\r');
	return MIN(i, f->n) - at;
}

/* The length of a string or character constant at `at`, or 0. */
static uint32_t quoted(const struct ast_file *f, uint32_t at)
{
	char q = f->text[at];
	uint32_t i;

	if (q != '"' && q != '\'')
		return 0;
	for (i = at + 1; i < f->n && f->text[i] != q && f->text[i] != '\n'; i++)
		if (f->text[i] == '\\')
			i++;
	return MIN(i + 1, f->n) - at;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The length of the token at `at`, which is no blank and no comment. */
static uint32_t token(const struct ast_file *f, uint32_t at)
{
	uint32_t n = quoted(f, at);

	if (n)
		return n;
	while (at + n < f->n && is_word(f->text[at + n]))
		n++;
	return n ? n : 1;
}

uint32_t lay_skip(const struct ast_file *f, uint32_t at)
{
	while (at < f->n) {
		uint32_t n = comment(f, at);

		if (n)
			at += n;
		else if (isspace((unsigned char)f->text[at]))
			at++;
		else if (f->text[at] == '\\' && at + 1 < f->n &&
			 (f->text[at + 1] == '\n' || f->text[at + 1] == '\r'))
			at++;
		else
			break;
	}
	return at;
}

uint32_t lay_token_end(const struct ast_file *f, uint32_t from, uint32_t to)
{
	uint32_t end = from;

	while ((from = lay_skip(f, from)) < to)
		end = from += token(f, from);
	return MIN(end, to);
}

uint32_t lay_end(const struct ast_func *f, const struct st *s)
{
	uint32_t at;

	if (s->outside)
		return UINT32_MAX;
	switch (s->kind) {
	case ST_COMPOUND:
	case ST_NULL:
		return s->end;
	case ST_IF:
	case ST_WHILE:
	case ST_FOR:
	case ST_SWITCH:
	case ST_CASE:
	case ST_LABEL:
		return s->kids.n ? lay_end(f, s->kids.v[s->kids.n - 1]) : UINT32_MAX;
	case ST_ATTR:
		return UINT32_MAX;
	case ST_DECL:
		if (s->end && !s->macro_end && f->file->text[s->end - 1] == ';')
			return s->end;
		/* fallthrough */
	default:
		at = lay_skip(f->file, s->end);
		return at < f->end && f->file->text[at] == ';' ? at + 1 : UINT32_MAX;
	}
}

bool lay_is_call(const struct ast_func *f, const struct st *s)
{
	const struct ast_file *file = f->file;
	uint32_t at = s->begin, depth = 0;

	if (s->kind != ST_OTHER || s->outside || !is_word(file->text[at]))
		return false;
	at = lay_skip(file, at + token(file, at));
	while (at < s->end) {
		if (file->text[at] == '(')
			depth++;
		else if (file->text[at] == ')')
			depth--;
		else if (!depth)
			return false;
		at += token(file, at);
		if (!depth)
			return at == s->end;
		at = lay_skip(file, at);
	}
	return false;
}

bool lay_directive(const struct ast_file *f, uint32_t from, uint32_t to)
{
	for (uint32_t line = fix_line_at(f->lines.v, f->lines.n, from) + 1;
	     line < f->lines.n && f->lines.v[line] < to;
	     line++) {
		uint32_t at = f->lines.v[line];

		while (at < f->n && (f->text[at] == ' ' || f->text[at] == '\t'))
			at++;
		if (at < f->n && (f->text[at] == '#' || (f->text[at] == '?' && f->text[at + 1] == '?')))
			return true;
	}
	return false;
}

bool lay_text_has_word(const char *text, size_t len, const char *word)
{
	const char *end = text + len, *p = text;
	size_t n = strlen(word);

	while ((p = memmem(p, (size_t)(end - p), word, n))) {
		if ((p == text || !is_word(p[-1])) && (p + n == end || !is_word(p[n])))
			return true;
		p++;
	}
	return false;
}

bool lay_has_word(const struct ast_file *f, uint32_t from, uint32_t to, const char *word)
{
	return lay_text_has_word(f->text + from, to - from, word);
}

void lay_declarator(struct sbuf *out, const char *type, const char *name)
{
	const char *hole = strstr(type, "(*)");
	size_t n = strlen(type);

	if (hole)
		sbuf_printf(out, "%.*s%s%s", (int)(hole + 2 - type), type, name, hole + 2);
	else
		sbuf_printf(out, "%s%s%s", type, n && type[n - 1] == '*' ? "" : " ", name);
}

/* ---- lines ---- */

uint32_t lay_line_start(const struct ast_file *f, uint32_t at)
{
	uint32_t line, col;

	ast_position(f, at, &line, &col);
	return at - (col - 1);
}

uint32_t lay_line_end(const struct ast_file *f, uint32_t at)
{
	const char *p = memchr(f->text + at, '\n', f->n - at);
	uint32_t end = p ? (uint32_t)(p - f->text) : f->n;

	return end > at && f->text[end - 1] == '\r' ? end - 1 : end;
}

bool lay_first_on_line(const struct ast_file *f, uint32_t at)
{
	for (uint32_t i = lay_line_start(f, at); i < at; i++)
		if (f->text[i] != ' ' && f->text[i] != '\t')
			return false;
	return true;
}

uint32_t lay_rest(const struct ast_file *f, uint32_t at)
{
	uint32_t end = lay_line_end(f, at), i = at;

	while (i < end) {
		uint32_t n = comment(f, i);

		if (n)
			i += n;
		else if (f->text[i] == ' ' || f->text[i] == '\t')
			i++;
		else
			return at;
	}
	/* a comment that continues in the next line stays with its statement */
	return i == end ? end : at;
}

void lay_indent(struct sbuf *out, const struct ast_file *f, uint32_t at)
{
	for (uint32_t i = lay_line_start(f, at); i < f->n && (f->text[i] == ' ' || f->text[i] == '\t'); i++)
		sbuf_addc(out, f->text[i]);
}

/* ---- #include ---- */

/* The start of the next line; what a comment or a backslash joins is one. */
static uint32_t next_line(const struct ast_file *f, uint32_t at)
{
	while (at < f->n && f->text[at] != '\n') {
		uint32_t n = comment(f, at);

		if (!n)
			n = quoted(f, at);
		if (!n && f->text[at] == '\\')
			n = f->text[at + 1] == '\r' ? 3 : 2;
		at = MIN(at + MAX(n, 1), f->n);
	}
	return MIN(at + 1, f->n);
}

uint32_t lay_include(const struct ast_func *f)
{
	const struct ast_file *file = f->file;
	struct included {
		uint32_t after, depth;
	};
	VEC(struct included) v = {0};
	uint32_t at = str_starts(file->text, "\xef\xbb\xbf") ? 3 : 0, depth = 0;
	uint32_t best = lay_skip(file, at);

	best = best < f->begin ? MAX(lay_line_start(file, best), at) : at;
	for (; at < f->begin; at = next_line(file, at)) {
		uint32_t word = lay_skip(file, at);
		const char *w;

		if (word >= f->begin || file->text[word] != '#' || !lay_first_on_line(file, word))
			continue;
		w = file->text + lay_skip(file, word + 1);
		if (str_starts(w, "include")) {
			struct included x = { next_line(file, word), depth };

			vec_push(&v, x);
		} else if (str_starts(w, "if")) {
			depth++;
		} else if (str_starts(w, "el") || str_starts(w, "endif")) {
			while (v.n && vec_last(&v).depth >= depth)	/* not in force at the function */
				v.n--;
			depth -= depth && w[1] == 'n';
		}
		at = word;
	}
	if (v.n && vec_last(&v).after <= f->begin)
		best = vec_last(&v).after;
	vec_release(&v);
	return best;
}

/* ---- style ---- */

/* How much further than its block is a statement indented?  NULL if the two do not tell. */
static const char *step_of(struct arena *arena, const struct ast_file *f, uint32_t outer, uint32_t inner)
{
	struct sbuf a = {0}, b = {0};
	const char *unit = NULL;

	lay_indent(&a, f, outer);
	lay_indent(&b, f, inner);
	if (b.n > a.n && (!a.n || memcmp(a.s, b.s, a.n) == 0))
		unit = arena_strndup(arena, b.s + a.n, b.n - a.n);
	sbuf_release(&a);
	sbuf_release(&b);
	return unit;
}

/* A word that has a parenthesis behind it without being called? */
static bool is_keyword(const char *word, uint32_t n)
{
	static const char *const words[] = { "if", "for", "while", "switch", "return",
					     "sizeof", "case", "defined", "else", "do" };

	for (uint32_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == n && memcmp(words[i], word, n) == 0)
			return true;
	return false;
}

/* Of all calls in the text of a function, the head with them: how many more have a blank before their
 * parenthesis than have none? */
static int calls_style(const struct ast_func *f)
{
	const struct ast_file *file = f->file;
	int calls = 0;

	for (uint32_t at = lay_skip(file, f->begin), next; at < f->end; at = next) {
		uint32_t end = at + token(file, at);

		next = lay_skip(file, end);
		if (is_word(file->text[at]) &&
		    next < f->end && file->text[next] == '(' && !is_keyword(file->text + at, end - at))
			calls += next > end ? 1 : -1;
	}
	return calls;
}

/* Does a statement begin with a call?  1: with a blank before its parenthesis, -1: without. */
static int call_style(const struct ast_file *f, const struct st *s)
{
	uint32_t at = s->begin, end;

	if (s->kind != ST_OTHER || s->outside || s->macro_begin)
		return 0;
	while (at < f->n && is_word(f->text[at]))
		at++;
	for (end = at; end < f->n && f->text[end] == ' '; end++)
		;
	return at == s->begin || end >= f->n || f->text[end] != '(' ? 0 : end > at ? 1 : -1;
}

const char *lay_call(struct arena *arena, const struct lay_style *style, const char *text)
{
	struct sbuf b = {0};
	const char *s;

	if (!style->space)
		return text;
	for (const char *p = text; *p; p++) {
		if (*p == '(' && p > text && is_word(p[-1]))
			sbuf_addc(&b, ' ');
		sbuf_addc(&b, *p);
	}
	s = arena_strdup(arena, sbuf_str(&b));
	sbuf_release(&b);
	return s;
}

const char *lay_braces(struct arena *arena, const struct lay_style *s, const char *text)
{
	struct sbuf b = {0};
	bool inside = false;

	if (!s->allman || !strstr(text, " {\n"))
		return text;
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "\n"), tabs = strspn(p, "\t");
		bool opens = !tabs && n > 2 && memcmp(p + n - 2, " {", 2) == 0;

		if (b.n)
			sbuf_addc(&b, '\n');
		if (opens)
			sbuf_printf(&b, "%.*s\n%s{", (int)n - 2, p, s->brace);
		else	/* tabs become steps: the brace's own comes behind them */
			sbuf_printf(&b, "%.*s%s%.*s",
				    (int)tabs, p, inside ? s->brace : "", (int)(n - tabs), p + tabs);
		inside = opens || (inside && tabs);
		p += n + (p[n] == '\n');
	}
	text = arena_strdup(arena, sbuf_str(&b));
	sbuf_release(&b);
	return text;
}

void lay_tabs(struct sbuf *text, bool whole)
{
	const char *s = sbuf_str(text), *end = s + text->n;
	struct sbuf b = {0};

	for (bool first = true; s < end; first = false) {
		const char *eol = memchr(s, '\n', (size_t)(end - s)), *next = eol ? eol + 1 : end;
		const char *word = s + strspn(s, " \t");
		uint32_t columns = 0;

		for (; (whole || !first) && *word && s < word; s++)
			columns = *s == ' ' ? columns + 1 : columns / 8 * 8 + 8;
		for (uint32_t i = 0; i < columns / 8; i++)
			sbuf_addc(&b, '\t');
		for (uint32_t i = 0; i < columns % 8; i++)
			sbuf_addc(&b, ' ');
		sbuf_add(&b, s, (size_t)(next - s));
		s = next;
	}
	sbuf_release(text);
	*text = b;
}

/* Of the lines of a text that are indented by eight columns or more: how many more begin with a tab than with
 * eight blanks? */
static int tabs_style(const struct ast_file *f, uint32_t from, uint32_t to)
{
	int tabs = 0;

	for (uint32_t line = fix_line_at(f->lines.v, f->lines.n, from);
	     line < f->lines.n && f->lines.v[line] < to;
	     line++) {
		const char *s = f->text + f->lines.v[line];

		tabs += *s == '\t' ? 1 : str_starts(s, "        ") ? -1 : 0;
	}
	return tabs;
}

/* Are the steps blanks, and tabs stand for eight of them? */
static bool has_tabs(const struct ast_func *f, const char *unit)
{
	int tabs = tabs_style(f->file, f->begin, f->end);

	return !strchr(unit, '\t') && (tabs ? tabs : tabs_style(f->file, 0, f->file->n)) > 0;
}

void lay_style_of(struct lay_style *style, struct arena *arena, const struct ast_func *f)
{
	const struct ast_file *file = f->file;
	uint32_t eol = lay_line_end(file, f->begin), own = 0, same = 0;
	int calls = 0;

	style->unit = style->brace = NULL;
	style->eol = eol < file->n && file->text[eol] == '\r' ? "\r\n" : "\n";
	for (uint32_t i = 0; i < f->all.n; i++) {
		const struct st *s = f->all.v[i];

		calls += call_style(file, s);
		if (s->kind != ST_COMPOUND || s->outside || s->macro_begin || s->macro_end)
			continue;
		for (uint32_t k = 0; !style->unit && k < s->kids.n; k++)
			if (!s->kids.v[k]->outside && s->kids.v[k]->kind != ST_LABEL &&
			    s->kids.v[k]->kind != ST_CASE &&
			    lay_first_on_line(file, s->kids.v[k]->begin) &&
			    lay_first_on_line(file, s->end - 1))
				style->unit = step_of(arena, file, s->end - 1, s->kids.v[k]->begin);
		if (s == f->body || !s->parent || s->parent->kind == ST_COMPOUND ||
		    s->parent->kind == ST_CASE || s->parent->kind == ST_LABEL)
			continue;	/* a block of its own, or behind a label: no body of a condition */
		if (lay_first_on_line(file, s->begin)) {
			if (!own++)
				style->brace = step_of(arena, file, s->parent->begin, s->begin);
		} else {
			same++;
		}
	}
	if (!style->unit)
		style->unit = "\t";
	style->tabs = has_tabs(f, style->unit);
	style->allman = own > same;
	style->space = (calls ? calls : calls_style(f)) > 0;
	if (!style->brace || !style->allman)
		style->brace = "";
}
