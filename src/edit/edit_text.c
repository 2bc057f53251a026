/*
 * edit_text.c - statements at points, as replacements of text that look as if the author of the
 * source had written them.
 *
 * All requests of a file are laid out together, so that two frees before one return share
 * its braces and its saved value.  A body without braces gets them, on lines of its own, in
 * the style of the function (the brace behind the condition, or on its own line; tabs or
 * blanks; CR LF); a statement that shares its line with others gets company on that line.
 * Trailing comments stay with the statement that they follow.
 *
 * Replacements are made as pieces and ordered by offset; at one offset first what ends there
 * (inner before outer), then what is put behind, then what begins there (outer before inner),
 * last what changes an expression that begins there.
 */
#include "edit/priv.h"

#include "base/error.h"

#include <stdlib.h>

struct spot {			/* one point and all that goes there */
	const struct ast_func *f;
	enum point_kind kind;
	struct st *st;
	uint32_t i, end;
	bool near;
	bool acts;			/* there is more than declarations */
	const char *cond;		/* RESULT */
	const char *saved;		/* RETURN: what its value is called; NULL: it has no name */
	bool apart;			/* ... which is declared at the start of a block */
	VEC(const char *) texts;	/* whole requests */
	VEC(const char *) lines;
	uint32_t ndecls;		/* lines of declarations, which come first */
};

struct braced {
	const struct ast_func *f;
	struct st *st;
};

enum rank { ENDS, BEHIND, BEGINS, WITHIN };

struct piece {
	struct ast_file *file;
	uint32_t begin, end;
	enum rank rank;
	uint32_t depth;		/* order within the rank: offset of the statement, see by_place() */
	uint32_t order;
	const char *text;
};

struct render {
	struct arena *arena;
	VEC(struct spot) spots;
	VEC(struct braced) braced;
	VEC(struct piece) pieces;
	const struct ast_func *styled;	/* whose style this is */
	struct lay_style style;
};

/* ---- grouping ---- */

static void style_for(struct render *r, const struct ast_func *f)
{
	if (r->styled == f)
		return;
	lay_style_of(&r->style, r->arena, f);
	r->styled = f;
}

static struct st *top_of(struct st *s)
{
	while (s->parent &&
	       (s->parent->kind == ST_LABEL || s->parent->kind == ST_CASE) && s->nth != UINT32_MAX)
		s = s->parent;
	return s;
}

static bool is_braced(const struct render *r, const struct st *s)
{
	for (uint32_t i = 0; i < r->braced.n; i++)
		if (r->braced.v[i].st == s)
			return true;
	return false;
}

static void brace(struct render *r, const struct ast_func *f, struct st *s)
{
	struct braced b = { f, s };

	if (is_bare(s) && !is_braced(r, s))
		vec_push(&r->braced, b);
}

static bool ends_with_statement(const struct st *s)
{
	if (s->kind == ST_LABEL || s->kind == ST_CASE)
		return true;
	return s->kind == ST_IF || s->kind == ST_WHILE || s->kind == ST_FOR || s->kind == ST_SWITCH;
}

/* Would an else behind s belong to an if inside of it? */
static bool dangles(const struct st *s)
{
	for (;;) {
		if (s->kind == ST_IF && s->kids.n == 1)
			return true;
		if (!ends_with_statement(s) || !s->kids.n)
			return false;
		s = s->kids.v[s->kids.n - 1];
	}
}

static struct spot *spot_of(struct render *r, const struct request *q)
{
	struct spot *s;

	for (uint32_t i = 0; i < r->spots.n; i++) {
		s = &r->spots.v[i];
		if (s->kind != q->kind || s->st != q->st || s->i != q->i || s->end != q->end)
			continue;
		if (s->f->file == q->f->file && (!s->cond || str_eq(s->cond, q->cond)))
			return s;
	}
	s = vec_add(&r->spots, 1);
	s->f = q->f;
	s->kind = q->kind;
	s->st = q->st;
	s->i = q->i;
	s->end = q->end;
	s->cond = q->cond;
	return s;
}

static bool has_string(const char *const *v, uint32_t n, const char *s)
{
	for (uint32_t i = 0; i < n; i++)
		if (str_eq(v[i], s))
			return true;
	return false;
}

/* A statement that another request has put there is not put there again: two plans for one object.
 * One that continues in the next line stays whole. */
static void add_request(struct render *r, const struct request *q)
{
	struct spot *s = spot_of(r, q);
	uint32_t before = s->lines.n;
	const char *text, *p;

	style_for(r, q->f);
	s->near |= q->near;
	s->acts |= !q->declare;
	/* what is near has text of the author's */
	text = p = q->near ? q->text :
		   lay_braces(r->arena, &r->style, lay_call(r->arena, &r->style, q->text));
	if (has_string(s->texts.v, s->texts.n, text))
		return;
	vec_push(&s->texts, text);	/* plumb-ignore: render() goes through all spots */
	while (*p) {
		size_t n = strcspn(p, "\n");
		const char *line = arena_strndup(r->arena, p, n), *next = p + n + (p[n] == '\n');
		bool alone = !memchr("\t{}", p[strspn(p, " ")], 3) &&
			     !memchr("\t{", next[strspn(next, " ")], 2);

		if (n && !(alone && has_string(s->lines.v, before, line)))
			vec_push(&s->lines, line);
		p = next;
	}
	if (q->declare)
		s->ndecls += s->lines.n - before;
	if (q->kind == POINT_BEGIN || q->kind == POINT_END)
		brace(r, q->f, q->st);
	else if (q->kind == POINT_RETURN || q->kind == POINT_LABEL || q->kind == POINT_RESULT)
		brace(r, q->f, top_of(q->st));
	else if (q->kind == POINT_ELSE && dangles(q->st->kids.v[0]))
		brace(r, q->f, q->st->kids.v[0]);
}

/* The same for one line that comes when statements are there already. */
static void add_declaration(struct render *r, const struct request *q)
{
	struct spot *s = spot_of(r, q);
	uint32_t at = s->ndecls;
	const char *line;

	add_request(r, q);
	assert(s->lines.n && s->ndecls == at + 1);
	line = vec_last(&s->lines);
	memmove(s->lines.v + at + 1, s->lines.v + at, (s->lines.n - 1 - at) * sizeof(*s->lines.v));
	s->lines.v[at] = line;
}

/* Does a statement name what another one at the same point frees, or ask for pointers where that frees some?
 * Each variable means there the same to both. */
static bool must_precede(const struct request *a, const struct request *b)
{
	if (a->st != b->st || a->kind != b->kind || a->i != b->i || a->end != b->end || a->f != b->f)
		return false;
	if (a->asks && !b->asks)
		return true;
	return b->frees && a->asks == b->asks && !(a->frees && str_eq(a->frees, b->frees)) &&
	       lay_text_has_word(a->text, strlen(a->text), b->frees);
}

/* `if (t != v[0]) free(t);` comes before `free(v);`, whichever plans ask for them, in any order. */
static void order_requests(const struct requests *rs, struct requests *out)
{
	bool more = true;

	for (uint32_t i = 0; i < rs->n; i++)
		vec_push(out, rs->v[i]);
	/* two that name each other stay as they are, at last */
	for (uint32_t round = 0; more && round < rs->n; round++) {
		more = false;
		for (uint32_t i = 1; i < out->n; i++)
			for (uint32_t k = 0; k < i; k++) {
				struct request q = out->v[i];

				if (!must_precede(&q, &out->v[k]) || must_precede(&out->v[k], &q))
					continue;
				memmove(&out->v[k + 1], &out->v[k], (i - k) * sizeof(q));
				out->v[k] = q;
				more = true;
			}
	}
}

/* ---- pieces ---- */

struct piece_at {
	uint32_t begin, end;	/* of the text that the piece replaces */
	enum rank rank;
	uint32_t depth;
};

static void add_piece(struct render *r, const struct ast_func *f, struct piece_at at, struct sbuf *text)
{
	struct piece p = { f->file, at.begin, at.end, at.rank, at.depth, r->pieces.n, NULL };

	assert(at.begin <= at.end && at.end <= f->file->n);
	if (r->style.tabs && at.rank != WITHIN)
		lay_tabs(text, at.begin == lay_line_start(f->file, at.begin));
	p.text = arena_strdup(r->arena, sbuf_str(text));
	vec_push(&r->pieces, p);
	sbuf_release(text);
}

/* The indentation of the line of an offset and `steps` more; lives in the arena. */
static const char *indent(struct render *r, const struct ast_func *f, uint32_t at, unsigned steps)
{
	struct sbuf b = {0};
	const char *s;

	lay_indent(&b, f->file, at);
	while (steps--)
		sbuf_adds(&b, r->style.unit);
	s = arena_strdup(r->arena, sbuf_str(&b));
	sbuf_release(&b);
	return s;
}

/* The indentation of braces of what begins at an offset, and of statements in them. */
static const char *brace_indent(struct render *r, const struct ast_func *f, uint32_t at)
{
	return arena_printf(r->arena, "%s%s", indent(r, f, at, 0), r->style.brace);
}

static const char *inner_indent(struct render *r, const struct ast_func *f, uint32_t at)
{
	return arena_printf(r->arena, "%s%s%s", indent(r, f, at, 0), r->style.brace, r->style.unit);
}

/* The indentation of a body in braces. */
static const char *body_indent(struct render *r, const struct ast_func *f, const struct st *s)
{
	if (lay_first_on_line(f->file, s->begin) && !*r->style.brace)
		return indent(r, f, s->begin, 0);
	return inner_indent(r, f, s->parent->begin);
}

/* The indentation of statements of a block. */
static const char *block_indent(struct render *r, const struct ast_func *f, const struct st *b)
{
	for (uint32_t i = 0; i < b->kids.n; i++) {
		const struct st *k = b->kids.v[i];

		while ((k->kind == ST_LABEL || k->kind == ST_CASE) && k->kids.n)
			k = k->kids.v[0];
		if (!k->outside && lay_first_on_line(f->file, k->begin))
			return indent(r, f, k->begin, 0);
	}
	return indent(r, f, b->end - 1, 1);
}

/* A line of a request: tabs at its start are steps of indentation. */
static void put_line(struct render *r, struct sbuf *out, const char *line)
{
	for (; *line == '\t'; line++)
		sbuf_adds(out, r->style.unit);
	sbuf_adds(out, line);
}

/* Lines, each followed by an end of line and the indentation. */
static void put_before(struct render *r, struct sbuf *out, const struct spot *s, const char *in)
{
	for (uint32_t i = 0; i < s->lines.n; i++) {
		put_line(r, out, s->lines.v[i]);
		sbuf_printf(out, "%s%s", r->style.eol, in);
	}
}

static void put_after(struct render *r, struct sbuf *out, const struct spot *s, const char *in)
{
	for (uint32_t i = 0; i < s->lines.n; i++) {
		sbuf_printf(out, "%s%s", r->style.eol, in);
		put_line(r, out, s->lines.v[i]);
	}
}

/* All on one line, with blanks between. */
static void put_inline(struct sbuf *out, const struct spot *s)
{
	for (uint32_t i = 0; i < s->lines.n; i++)
		sbuf_printf(out, "%s%s", i ? " " : "", s->lines.v[i] + strspn(s->lines.v[i], "\t"));
}

static const struct spot *find_spot(const struct render *r, enum point_kind kind, const struct st *st)
{
	for (uint32_t i = 0; i < r->spots.n; i++)
		if (r->spots.v[i].kind == kind && r->spots.v[i].st == st)
			return &r->spots.v[i];
	return NULL;
}

/* ---- braces ---- */

static bool only_blanks(const struct ast_file *f, uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		if (!strchr(" \t\r\n", f->text[from]) || !f->text[from])
			return false;
	return true;
}

/* Does the if or do continue behind this body of it? */
static bool continues(const struct st *s)
{
	return (s->parent->kind == ST_IF && s->parent->kids.n == 2 && s->nth == 0) ||
	       s->parent->kind == ST_DO;
}

/* Does a body without braces get them on its line, since other code follows there?  If only the else of an
 * if that begins the line follows, the body is laid out in lines of its own. */
static bool stays_on_line(const struct ast_func *f, const struct st *s)
{
	uint32_t end = lay_end(f, s);

	if (lay_first_on_line(f->file, s->begin) ||
	    (continues(s) && lay_first_on_line(f->file, s->parent->begin)))
		return false;
	return lay_rest(f->file, end) == end && end != lay_line_end(f->file, end) &&
	       !memchr(f->file->text + s->parent->begin, '\n', end - s->parent->begin);
}

static bool is_blank(const struct ast_file *f, uint32_t at)
{
	return f->text[at] == ' ' || f->text[at] == '\t';
}

static void open_brace(struct render *r, const struct ast_func *f, const struct st *s)
{
	uint32_t after = lay_token_end(f->file, s->parent->begin, s->begin);
	const char *outer = brace_indent(r, f, s->parent->begin), *in = body_indent(r, f, s);
	const struct spot *first = find_spot(r, POINT_BEGIN, s);
	bool own_line = lay_first_on_line(f->file, s->begin);
	struct sbuf b = {0}, lines = {0};

	if (stays_on_line(f, s)) {
		sbuf_adds(&b, is_blank(f->file, s->begin - 1) ? "{ " : " { ");
		if (first) {
			put_inline(&b, first);
			sbuf_addc(&b, ' ');
		}
		add_piece(r, f, (struct piece_at){ s->begin, s->begin, BEGINS, s->begin }, &b);
		return;
	}
	if (r->style.allman) {
		if (own_line)
			after = lay_rest(f->file, after);
		sbuf_printf(&b, "%s%s{", r->style.eol, outer);
	} else {	/* a comment may stand before the body */
		bool has_blank = !own_line && !only_blanks(f->file, after, s->begin) &&
				 is_blank(f->file, s->begin - 1);

		sbuf_adds(&b, has_blank ? "{" : " {");
	}
	if (!own_line)
		sbuf_printf(&b, "%s%s", r->style.eol, in);
	if (!own_line && only_blanks(f->file, after, s->begin))
		add_piece(r, f, (struct piece_at){ after, s->begin, BEGINS, s->begin }, &b);
	else if (own_line)
		add_piece(r, f, (struct piece_at){ after, after, BEHIND, 0 }, &b);
	else
		add_piece(r, f, (struct piece_at){ s->begin, s->begin, BEGINS, s->begin }, &b);
	if (own_line && *r->style.brace) {	/* the body moves in with its braces */
		sbuf_adds(&lines, in);
		add_piece(r, f,
			  (struct piece_at){ lay_line_start(f->file, s->begin), s->begin, BEGINS, s->begin },
			  &lines);
	}
	if (!first)
		return;
	put_before(r, &lines, first, in);
	add_piece(r, f, (struct piece_at){ s->begin, s->begin, BEGINS, s->begin }, &lines);
}

static void close_brace(struct render *r, const struct ast_func *f, const struct st *s)
{
	uint32_t at = lay_rest(f->file, lay_end(f, s)), next = lay_skip(f->file, at), end = at;
	const char *outer = indent(r, f, s->parent->begin, 0), *brace = brace_indent(r, f, s->parent->begin);
	const struct spot *last = find_spot(r, POINT_END, s);
	bool inlined = stays_on_line(f, s);
	struct sbuf b = {0};

	if (last && inlined) {
		sbuf_addc(&b, ' ');
		put_inline(&b, last);
	} else if (last) {
		put_after(r, &b, last, body_indent(r, f, s));
	}
	if (inlined)
		sbuf_adds(&b, " }");
	else
		sbuf_printf(&b, "%s%s}", r->style.eol, brace);
	/* `} else`, `} while` on one line, if the style has it so */
	if (continues(s) && only_blanks(f->file, at, next)) {
		if (!r->style.allman || s->parent->kind != ST_IF || inlined) {
			end = next;
			sbuf_addc(&b, ' ');
		} else if (!lay_first_on_line(f->file, next)) {
			end = next;
			sbuf_printf(&b, "%s%s", r->style.eol, outer);
		}
	}
	add_piece(r, f, (struct piece_at){ at, end, ENDS, UINT32_MAX - s->begin }, &b);
}

/* ---- one kind of point each ---- */

/* Is the statement written before the one behind the gap, not after the one that comes before it? */
static bool goes_before(const struct ast_func *f, const struct st *b, uint32_t i, bool near)
{
	uint32_t after = gap_after(f, b, i), before = gap_before(f, b, i);
	const struct st *next;

	if (before == UINT32_MAX || after == UINT32_MAX)
		return after == UINT32_MAX;
	next = b->kids.v[i];
	if (!lay_first_on_line(f->file, before) || next->kind == ST_LABEL || next->kind == ST_CASE)
		return false;
	return near || next->kind == ST_JUMP || next->kind == ST_RETURN ||
	       (!i && !lay_directive(f->file, after, before));
}

static void render_gap(struct render *r, const struct spot *s)
{
	const struct ast_func *f = s->f;
	const struct ast_file *file = f->file;
	const struct st *b = s->st, *next = s->i < b->kids.n ? b->kids.v[s->i] : NULL;
	uint32_t after = gap_after(f, b, s->i), before = gap_before(f, b, s->i);
	struct sbuf out = {0};

	if (goes_before(f, b, s->i, s->near)) {
		if (lay_first_on_line(file, before)) {
			put_before(r, &out, s, indent(r, f, before, 0));
		} else {
			put_inline(&out, s);
			sbuf_addc(&out, ' ');
		}
		add_piece(r, f, (struct piece_at){ before, before, BEGINS, next->begin }, &out);
		return;
	}
	if (lay_rest(file, after) == after && after != lay_line_end(file, after)) {
		sbuf_addc(&out, ' ');
		put_inline(&out, s);
		if (after < file->n && !strchr(" \t", file->text[after]))
			sbuf_addc(&out, ' ');
	} else {
		after = lay_rest(file, after);
		put_after(r, &out, s, block_indent(r, f, b));
	}
	add_piece(r, f, (struct piece_at){ after, after, BEHIND, UINT32_MAX - b->begin }, &out);
}

/* Will the statement stand on a line of its own, and how is that indented? */
static bool own_line(struct render *r, const struct ast_func *f, const struct st *s, const char **in)
{
	if (is_braced(r, s)) {
		*in = body_indent(r, f, s);
		return !stays_on_line(f, s);
	}
	*in = indent(r, f, s->begin, 0);
	return lay_first_on_line(f->file, s->begin);
}

static void render_before(struct render *r, const struct spot *s, const struct st *st)
{
	struct sbuf out = {0};
	const char *in;

	if (own_line(r, s->f, st, &in)) {
		put_before(r, &out, s, in);
	} else {
		put_inline(&out, s);
		sbuf_addc(&out, ' ');
	}
	add_piece(r, s->f, (struct piece_at){ st->begin, st->begin, BEGINS, st->begin }, &out);
}

static void render_else(struct render *r, const struct spot *s)
{
	const struct st *then = s->st->kids.v[0];
	const char *outer = indent(r, s->f, s->st->begin, 0);
	const char *brace = brace_indent(r, s->f, s->st->begin), *in, *eol = r->style.eol;
	uint32_t at = then->kind == ST_COMPOUND ? then->end : lay_rest(s->f->file, lay_end(s->f, then));
	/* what follows on the same line would look as if it belonged to the else */
	bool block = then->kind == ST_COMPOUND || is_braced(r, then);
	bool braces = block || s->lines.n > 1 || at < lay_line_end(s->f->file, at);
	struct sbuf b = {0};

	in = braces ? inner_indent(r, s->f, s->st->begin) : indent(r, s->f, s->st->begin, 1);
	if (block && !r->style.allman)
		sbuf_adds(&b, " else");
	else
		sbuf_printf(&b, "%s%selse", eol, outer);
	if (braces && r->style.allman)
		sbuf_printf(&b, "%s%s{", eol, brace);
	else if (braces)
		sbuf_adds(&b, " {");
	put_after(r, &b, s, in);
	if (braces)
		sbuf_printf(&b, "%s%s}", eol, brace);
	/* before a brace that closes behind the if */
	add_piece(r, s->f, (struct piece_at){ at, at, ENDS, UINT32_MAX - s->st->begin - 1 }, &b);
}

static bool leaves(const struct st *s)
{
	while ((s->kind == ST_LABEL || s->kind == ST_CASE) && s->kids.n)
		s = s->kids.v[0];
	return s->kind == ST_JUMP || s->kind == ST_RETURN;
}

static void render_default(struct render *r, const struct spot *s)
{
	const struct ast_func *f = s->f;
	const struct st *b = s->st->kids.v[0];
	bool falls = b->kids.n && !leaves(b->kids.v[b->kids.n - 1]);
	const char *eol = r->style.eol, *in = block_indent(r, f, b), *label = indent(r, f, b->end - 1, 0);
	struct sbuf out = {0};
	uint32_t at = b->end - 1;

	for (uint32_t i = 0; i < b->kids.n; i++)
		if (b->kids.v[i]->kind == ST_CASE && lay_first_on_line(f->file, b->kids.v[i]->begin)) {
			label = indent(r, f, b->kids.v[i]->begin, 0);
			break;
		}
	if (lay_first_on_line(f->file, at)) {
		at = lay_line_start(f->file, at);
		if (falls)
			sbuf_printf(&out, "%sbreak;%s", in, eol);
		sbuf_printf(&out, "%sdefault:", label);
		put_after(r, &out, s, in);
		sbuf_printf(&out, "%s%sbreak;%s", eol, in, eol);
	} else {
		if (!is_blank(f->file, at - 1))
			sbuf_addc(&out, ' ');
		sbuf_printf(&out, "%sdefault: ", falls ? "break; " : "");
		put_inline(&out, s);
		sbuf_adds(&out, " break; ");
	}
	add_piece(r, f, (struct piece_at){ at, at, ENDS, UINT32_MAX - b->begin }, &out);
}

static bool is_taken(const struct render *r, const struct ast_func *f, const char *name)
{
	for (uint32_t i = 0; i < r->spots.n; i++)
		if (r->spots.v[i].f == f && r->spots.v[i].saved && str_eq(r->spots.v[i].saved, name))
			return true;
	return lay_has_word(f->file, f->begin, f->end, name) || ast_declared(f->ast, NULL, name);
}

/* A name for a saved value that the function does not have yet. */
static const char *saved_name(const struct render *r, const struct ast_func *f)
{
	const char *name = SAVED_NAME;

	for (uint32_t n = 2; is_taken(r, f, name); n++)
		name = arena_printf(r->arena, SAVED_NAME "%u", n);
	return name;
}

static bool asks_for_saved(const struct spot *s)
{
	for (uint32_t i = 0; i < s->lines.n; i++)
		if (strstr(s->lines.v[i], SAVED_NAME))
			return true;
	return false;
}

static void rename_saved(struct render *r, const struct spot *s, const char *name)
{
	for (uint32_t i = 0; i < s->lines.n && !str_eq(name, SAVED_NAME); i++) {
		const char *at = strstr(s->lines.v[i], SAVED_NAME);

		if (at)
			s->lines.v[i] = arena_printf(r->arena, "%.*s%s%s", (int)(at - s->lines.v[i]),
						     s->lines.v[i], name, at + strlen(SAVED_NAME));
	}
}

static bool is_labelled(const struct st *s)
{
	return s->parent->kind == ST_LABEL || s->parent->kind == ST_CASE;
}

/* Must the variable for a returned value be declared elsewhere?  A statement comes before the return, one
 * of ours perhaps, and declarations come first here; or a jump would skip the declaration, which C allows
 * and C++ does not. */
static bool is_declared_apart(const struct render *r, const struct ast_func *f, const struct st *st)
{
	const struct st *block = st->parent;

	if (is_labelled(st))	/* it gets braces */
		return false;
	if (!is_braced(r, st) && is_jumped_over(f, st))
		return true;
	if (!f->decls_first)
		return false;
	if (is_braced(r, st)) {
		const struct spot *s = find_spot(r, POINT_BEGIN, st);

		return s && s->acts;
	}
	for (uint32_t i = 0; i < r->spots.n; i++) {
		const struct spot *s = &r->spots.v[i];

		if (s->kind == POINT_GAP && s->st == block && s->i <= st->nth && s->acts)
			return true;
	}
	return !decls_end_at(block, st->nth);
}

static bool is_saved(const struct spot *s)
{
	return s->kind == POINT_RETURN && s->st->vbegin != s->st->vend &&
	       (!s->st->plain || asks_for_saved(s)) && !str_eq(s->f->result, "void");
}

/* The first return in the text whose value has no name yet; or NULL. */
static struct spot *next_saved(const struct render *r)
{
	struct spot *first = NULL;

	for (uint32_t i = 0; i < r->spots.n; i++) {
		struct spot *s = &r->spots.v[i];

		if (is_saved(s) && !s->saved && (!first || s->st->begin < first->st->begin))
			first = s;
	}
	return first;
}

/* Gives the values of returns their names, and declares those that cannot be declared where they are set. */
static void name_saved(struct render *r)
{
	struct spot *s;

	while ((s = next_saved(r))) {
		struct request q = { .f = s->f, .kind = POINT_GAP, .declare = true };
		struct sbuf b = {0};

		s->saved = saved_name(r, s->f);
		rename_saved(r, s, s->saved);
		s->apart = is_declared_apart(r, s->f, s->st);
		if (!s->apart)
			continue;
		q.st = declaring_block(s->st);
		lay_declarator(&b, s->f->result, s->saved);
		sbuf_addc(&b, ';');
		q.text = arena_strdup(r->arena, sbuf_str(&b));
		sbuf_release(&b);
		add_declaration(r, &q);	/* s may have moved */
	}
}

/* `return value;` becomes `T name = value;`, with what is to be done then and `return name;` behind it. */
static void render_return(struct render *r, const struct spot *s)
{
	const struct ast_func *f = s->f;
	struct st *st = s->st;
	bool labelled = is_labelled(st), own, is_void = str_eq(f->result, "void");
	uint32_t end = lay_end(f, st), value = st->vbegin, word = st->begin + (uint32_t)strlen("return");
	struct sbuf head = {0}, tail = {0}, close = {0};
	const char *in;

	if (!s->saved && (!is_void || st->vbegin == st->vend)) {
		render_before(r, s, st);
		return;
	}
	own = own_line(r, f, st, &in);
	if (labelled)
		sbuf_adds(&head, "{ ");
	if (s->saved && s->apart)
		sbuf_adds(&head, s->saved);
	else if (s->saved)
		lay_declarator(&head, f->result, s->saved);
	if (s->saved)
		sbuf_adds(&head, " = ");
	if (st->comma)
		sbuf_addc(&head, '(');
	/* a comment between the two stays */
	if (word < value && memchr(f->file->text + word, '/', value - word))
		value = word + (f->file->text[word] == ' ');
	/* behind all that another plan wants before the statement */
	add_piece(r, f, (struct piece_at){ st->begin, value, BEGINS, UINT32_MAX }, &head);
	if (st->comma) {
		sbuf_addc(&close, ')');
		add_piece(r, f, (struct piece_at){ st->vend, st->vend, ENDS, 0 }, &close);
	}
	if (own && !labelled) {
		end = lay_rest(f->file, end);
		put_after(r, &tail, s, in);
		sbuf_printf(&tail, "%s%s", r->style.eol, in);
	} else {
		sbuf_addc(&tail, ' ');
		put_inline(&tail, s);
		sbuf_addc(&tail, ' ');
	}
	sbuf_printf(&tail, "return%s%s;%s",
		    s->saved ? " " : "", s->saved ? s->saved : "", labelled ? " }" : "");
	/* before a brace that closes behind it */
	add_piece(r, f, (struct piece_at){ end, end, ENDS, UINT32_MAX - st->begin - 1 }, &tail);
}

static void render_include(struct render *r, const struct spot *s)
{
	uint32_t at = lay_include(s->f);
	struct sbuf out = {0};

	put_before(r, &out, s, "");
	add_piece(r, s->f, (struct piece_at){ at, at, BEGINS, 0 }, &out);
}

/* Within an expression; what is put behind a part of it comes before all else that begins there. */
static void render_text(struct render *r, const struct spot *s)
{
	for (uint32_t i = 0; i < s->texts.n; i++) {
		struct sbuf out = {0};

		sbuf_adds(&out, s->texts.v[i]);
		add_piece(r, s->f,
			  (struct piece_at){ s->i, s->end, s->texts.v[i][0] == ')' ? ENDS : WITHIN, 0 },
			  &out);
	}
}

/* `call(...);` becomes `if (call(...) < 0)` and what is to be done then.  As a body it gets braces: an `else`
 * that follows is not its own. */
static void render_result(struct render *r, const struct spot *s)
{
	bool braces = s->lines.n > 1;
	const char *base = is_braced(r, s->st) ? body_indent(r, s->f, s->st) :
		indent(r, s->f, s->st->begin, 0), *eol = r->style.eol;
	const char *brace = arena_printf(r->arena, "%s%s", base, r->style.brace);
	const char *in = arena_printf(r->arena, "%s%s", braces ? brace : base, r->style.unit);
	struct sbuf head = {0}, tail = {0};

	sbuf_adds(&head, "if (");
	sbuf_printf(&tail, " %s)", s->cond);
	if (braces && r->style.allman)
		sbuf_printf(&tail, "%s%s{", eol, brace);
	else if (braces)
		sbuf_adds(&tail, " {");
	put_after(r, &tail, s, in);
	if (braces)
		sbuf_printf(&tail, "%s%s}", eol, brace);
	add_piece(r, s->f, (struct piece_at){ s->st->begin, s->st->begin, BEGINS, UINT32_MAX }, &head);
	add_piece(r, s->f, (struct piece_at){ s->st->end, lay_end(s->f, s->st), ENDS, 0 }, &tail);
}

static void render_spot(struct render *r, const struct spot *s)
{
	style_for(r, s->f);
	switch (s->kind) {
	case POINT_GAP:
		render_gap(r, s);
		break;
	case POINT_LABEL:
		render_before(r, s, s->st->kids.v[0]);
		break;
	case POINT_BEGIN:
	case POINT_END:		/* with their braces */
		break;
	case POINT_ELSE:
		render_else(r, s);
		break;
	case POINT_DEFAULT:
		render_default(r, s);
		break;
	case POINT_RESULT:
		render_result(r, s);
		break;
	case POINT_RETURN:
		render_return(r, s);
		break;
	case POINT_INCLUDE:
		render_include(r, s);
		break;
	case POINT_TEXT:
		render_text(r, s);
		break;
	}
}

/* ---- all of it ---- */

static int by_place(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	int c = x->file == y->file ? 0 : strcmp(x->file->path, y->file->path);

	if (c)
		return c;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Neighbours at one offset become one replacement. */
static void join_pieces(struct edits *out, struct render *r)
{
	for (uint32_t i = 0; i < r->pieces.n; i++) {
		const struct piece *p = &r->pieces.v[i];
		struct edit e = { p->file, p->begin, p->end, p->text },
			*last = out->n ? &vec_last(out) : NULL;

		if (last && last->file == e.file && last->end >= e.begin) {
			last->text = arena_printf(r->arena, "%s%s", last->text, e.text);
			last->end = MAX(last->end, e.end);
		} else {
			vec_push(out, e);
		}
	}
}

void render(struct edits *out, struct arena *arena, const struct requests *rs)
{
	struct render r = { .arena = arena };
	struct requests ordered = {0};

	order_requests(rs, &ordered);
	/* declarations come first at their place, whichever plan asks for them */
	for (int pass = 1; pass >= 0; pass--)
		for (uint32_t i = 0; i < ordered.n; i++)
			if (ordered.v[i].declare == (pass == 1))
				add_request(&r, &ordered.v[i]);
	name_saved(&r);
	for (uint32_t i = 0; i < r.braced.n; i++) {
		style_for(&r, r.braced.v[i].f);
		open_brace(&r, r.braced.v[i].f, r.braced.v[i].st);
		close_brace(&r, r.braced.v[i].f, r.braced.v[i].st);
	}
	for (uint32_t i = 0; i < r.spots.n; i++)
		render_spot(&r, &r.spots.v[i]);
	if (r.pieces.n)
		qsort(r.pieces.v, r.pieces.n, sizeof(*r.pieces.v), by_place);
	join_pieces(out, &r);
	for (uint32_t i = 0; i < r.spots.n; i++)
		vec_release(&r.spots.v[i].lines);
	for (uint32_t i = 0; i < r.spots.n; i++)
		vec_release(&r.spots.v[i].texts);
	vec_release(&r.spots);
	vec_release(&r.braced);
	vec_release(&r.pieces);
	vec_release(&ordered);
}

/* ---- what cannot be written ---- */

static int check_braces(const struct ast_func *f, const struct st *s)
{
	const struct ast_file *file = f->file;

	if (!is_bare(s))
		return 0;
	if (!can_brace(f, s))
		return error_set("braces cannot be put around what a macro makes");
	if (lay_directive(file, s->nth ? s->parent->kids.v[0]->end : s->parent->begin,
			  lay_skip(file, lay_end(f, s))))
		return error_set("a preprocessor line would be cut apart");
	if (s->kind >= ST_IF && s->kind <= ST_SWITCH && !lay_first_on_line(file, s->begin))
		return error_set("it would have to go between `else` and `if`");
	return 0;
}

uint32_t render_offset(const struct request *q)
{
	const struct st *s = q->st;

	switch (q->kind) {
	case POINT_GAP:
		return goes_before(q->f, s, q->i, q->near) ? gap_before(q->f, s, q->i) :
		       gap_after(q->f, s, q->i);
	case POINT_LABEL:
		return s->kids.v[0]->begin;
	case POINT_END:
		return s->end;
	case POINT_ELSE:
		return s->kids.v[0]->end;
	case POINT_DEFAULT:
		return s->kids.v[0]->end - 1;
	case POINT_TEXT:
	case POINT_INCLUDE:
		return q->i;
	case POINT_BEGIN:
	case POINT_RESULT:
	case POINT_RETURN:
		break;
	}
	return s->begin;
}

/* Can a variable of the type be declared as `TYPE name`? */
static bool is_declarable(const char *type)
{
	if (strstr(type, "unnamed") || strstr(type, "anonymous"))
		return false;
	return (!strchr(type, '[') && !strstr(type, "(*")) || strstr(type, "(*)");
}

int render_check(const struct request *q)
{
	const struct ast_func *f = q->f;
	uint32_t end;

	switch (q->kind) {
	case POINT_BEGIN:
	case POINT_END:
		return check_braces(f, q->st);
	case POINT_LABEL:
		if (f->decls_first && q->st->kids.v[0]->kind == ST_DECL)
			return error_set("it would have to go before a declaration");
		return check_braces(f, top_of(q->st));
	case POINT_RETURN:
		end = lay_end(f, q->st);
		if (q->st->vbegin != q->st->vend && !q->st->plain && !is_declarable(f->result))
			return error_set("the returned value has a type without a name");
		if (lay_directive(f->file, q->st->begin, end))
			return error_set("a preprocessor line would be cut apart");
		return check_braces(f, top_of(q->st));
	case POINT_ELSE:
		end = lay_end(f, q->st->kids.v[0]);
		if (lay_directive(f->file, q->st->kids.v[0]->kind == ST_COMPOUND ? end : q->st->begin,
				  lay_skip(f->file, end)))
			return error_set("a preprocessor line would be cut apart");
		return dangles(q->st->kids.v[0]) ? check_braces(f, q->st->kids.v[0]) : 0;
	case POINT_GAP:
		if (f->decls_first && !q->declare &&
		    decls_end_at(q->st, q->i) && q->i < q->st->kids.n && q->st->kids.v[q->i]->kind == ST_DECL)
			return error_set("it would have to go before a declaration");
		return 0;
	case POINT_DEFAULT:
	case POINT_INCLUDE:
	case POINT_TEXT:
		return 0;
	case POINT_RESULT:
		end = lay_end(f, q->st);
		if (end == UINT32_MAX || lay_directive(f->file, q->st->begin, end))
			return error_set("the result of the call cannot be asked for there");
		return check_braces(f, top_of(q->st));
	}
	return 0;
}
