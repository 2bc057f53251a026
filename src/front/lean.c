/*
 * lean.c - a unit without those parts of its headers that it does not need.
 *
 * plumb fix compiles a unit three times and more: for the statements of its functions, with marks, and with
 * each set of patches.  Most of that time goes into headers, of which a source uses a hundredth.  Here the
 * headers are preprocessed once, and every declaration is left out that the source does not name, directly
 * or through other declarations.  The rest, the prelude, is put before the source, whose own #include lines
 * are blank:
 *
 *	gcc -c x.c -> clang -include PRELUDE x.c
 *
 * Declarations stand in the prelude as the preprocessor left them, each with a marker that says where it is
 * from.  Macros follow: those of headers that the source may use, with their last definitions.
 *
 * This is no C parser.  A declaration goes into the prelude if it may declare one of the wanted names: all
 * identifiers count in whose places a declarator, a tag or an enumerator has its name.  Where a declarator
 * is more complicated than that something is missing, and the unit does not compile, or compiles to
 * something else.  Whoever uses a lean unit must compare its result with that of the whole unit (edit/edit.c
 * and prove/prove.c do), and take the whole unit if they differ.
 *
 * Not for sources that include something behind their first declaration, or say #line.
 */
#include "front/lean.h"

#include "front/attrs.h"
#include "front/flags.h"
#include "front/tokens.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/sbuf.h"

#include <assert.h>
#include <ctype.h>

/* ---- what the headers have ---- */

struct span {
	const char *s, *end;
};

struct item {
	struct span text;
	struct span marker;		/* the line marker before it, from its number on */
	bool in_prelude;
};

struct word {
	const char *s;
	size_t n;
};

/* All declarations and macros that may have one name. */
struct named {
	uint32_t items;			/* the first of its places in `places`, plus 1 */
	struct span macro;		/* the last #define or #undef; s is NULL: none */
	bool wanted;
};

#define MAP_NAME namedmap
#define MAP_KEY struct word
#define MAP_VAL struct named
#define MAP_HASH(k) hash_bytes((k).s, (k).n, 0)
#define MAP_EQ(a, b) ((a).n == (b).n && memcmp((a).s, (b).s, (a).n) == 0)
#include "base/map.h"

struct place {
	uint32_t item, next;
};

struct reader {
	struct lexer x;
	struct span marker;		/* the last one; s is NULL: none */
	struct span decl_marker;	/* the last one before the declaration that is being read */
	const char *name;		/* the file that is read, as markers spell it: "x.h" */
	size_t nname;
	unsigned depth;			/* of files; 0: the source */
	bool is_real;			/* it is a file, and not "<built-in>" and the like */
	bool begun;			/* a token of the source was read */
	bool refused;			/* no prelude can be made */
	uint32_t begin;			/* with begun: the line of the source's first token */
	VEC(struct token) decl;
	VEC(struct item) items;
	VEC(struct place) places;
	struct namedmap names;
	VEC(struct word) todo;
};

/* Names lead to places, places to items: each list from the last item to the first. */
static void reader_check(const struct reader *r)
{
#ifdef PLUMB_DEBUG
	struct named *n;

	for (uint32_t i = 0; i < r->items.n; i++) {
		const struct item *it = &r->items.v[i];

		assert(it->text.s < it->text.end);
		assert(it->marker.s && it->marker.end < it->text.s);
	}
	for (uint32_t i = 0; i < r->places.n; i++) {
		const struct place *p = &r->places.v[i];

		assert(p->item < r->items.n && p->next <= i);
		assert(!p->next || r->places.v[p->next - 1].item < p->item);
	}
	for (uint32_t it = 0; namedmap_next(&r->names, &it, NULL, &n);)
		assert(n->items <= r->places.n && (n->items || n->macro.s));
#else
	(void)r;
#endif
}

/* The line at p, by the last marker before it. */
static uint32_t line_at(struct span marker, const char *p)
{
	assert(marker.s && marker.end < p);
	const char *next = marker.end + 1;	/* the line that the marker is about */

	return (uint32_t)(strtoul(marker.s, NULL, 10) + text_lines(next, (size_t)(p - next)));
}

static void read_marker(struct reader *r, const char *s, const char *end)
{
	const char *open = memchr(s, '"', (size_t)(end - s)), *close = memrchr(s, '"', (size_t)(end - s));
	bool first = !r->marker.s, begins = marker_has(s, end, '1'), returns = marker_has(s, end, '2');
	size_t n;

	if (!open || close == open)
		return;
	n = (size_t)(close + 1 - open);
	if (begins)
		r->depth++;
	else if (returns && r->depth)
		r->depth--;
	else if (!first && (returns || n != r->nname || memcmp(open, r->name, n) != 0))
		r->refused = true;	/* #line */
	r->refused |= begins && r->depth == 1 && r->begun;
	r->refused |= r->decl.n && !r->depth;	/* a declaration begins in a header and ends in the source */
	r->marker = (struct span){ s, end };
	r->name = open;
	r->nname = n;
	r->is_real = open[1] != '<';
}

static void read_macro(struct reader *r, const char *s, const char *end)
{
	struct lexer x = { .p = s, .end = end, .directives = true };
	struct token t;

	token_next(&x);
	token_next(&x);
	t = token_next(&x);
	if (t.kind == TOKEN_IDENT)
		namedmap_put(&r->names, (struct word){ t.s, t.n }, NULL)->macro = (struct span){ s, end };
}

static void add_item(struct reader *r, struct span text, struct span marker, bool in_prelude)
{
	struct item it = { text, marker, in_prelude };

	vec_push(&r->items, it);
}

static bool starts(const char *s, const char *end, const char *word)
{
	return (size_t)(end - s) >= strlen(word) && memcmp(s, word, strlen(word)) == 0;
}

/* Is it a pragma that matters to the code behind it? */
static bool is_code_pragma(const char *s, const char *end)
{
	return starts(s, end, "#pragma ") && !starts(s, end, "#pragma once") &&
	       !starts(s, end, "#pragma GCC system_header");
}

static void read_directive(void *ctx, const char *s, const char *end)
{
	struct reader *r = ctx;
	const char *marker = token_marker(s, end);

	if (marker)
		read_marker(r, marker, end);
	else if (!r->depth || !r->is_real)
		return;
	else if (starts(s, end, "#define ") || starts(s, end, "#undef "))
		read_macro(r, s, end);
	else if (is_code_pragma(s, end) && !r->decl.n)
		add_item(r, (struct span){ s, end }, r->marker, true);
}

/* ---- what a declaration declares ---- */

static bool is_aggregate(const struct token *t)
{
	return token_is(t, "struct") || token_is(t, "union") || token_is(t, "enum");
}

static bool is_keyword(const struct token *t)
{
	static const char *const words[] = {
		"__asm__", "__asm", "asm", "__typeof__", "typeof", "sizeof", "_Alignas", "__extension__",
		"const", "volatile", "restrict", "__restrict", "__const",
		"inline", "static", "extern", "typedef",
		"void", "int", "char", "short", "long", "float", "double", "signed", "unsigned",
	};

	return token_is_attribute(t) || token_is_any(t, words, ARRAY_LEN(words));
}

/* An attribute: functions and variables that have it may matter even if nobody names them. */
static bool is_rooted(const struct token *t)
{
	static const char *const words[] = {
		"constructor", "__constructor__", "destructor", "__destructor__", "used", "__used__",
		"alias", "__alias__", "weak", "__weak__",
	};

	return t->kind == TOKEN_IDENT && token_is_any(t, words, ARRAY_LEN(words));
}

static const struct token *at(const struct reader *r, uint32_t i)
{
	static const struct token none = { TOKEN_END, ";", 1 };

	return i < r->decl.n ? &r->decl.v[i] : &none;
}

static bool follows_name(const struct token *t)
{
	return (t->n == 1 && strchr("([;,=:", t->s[0])) || token_is_attribute(t) || token_is(t, "__asm__");
}

/* A word with which a declaration defines nothing that the linker sees. */
static bool is_hiding(const struct token *t)
{
	static const char *const words[] = { "typedef", "extern", "static", "inline", "__inline" };

	return token_is_any(t, words, ARRAY_LEN(words));
}

/* May token i be an identifier that is declared here?  group: the tokens "(", "[" and "{" around it, n of
 * them, the innermost last. */
static bool is_declared(const struct reader *r, uint32_t i, const uint32_t *group, uint32_t n)
{
	const struct token *t = at(r, i), *next = at(r, i + 1), *before = at(r, i - 1);

	if (t->kind != TOKEN_IDENT || is_keyword(t) || is_aggregate(t))
		return false;
	if (i && (is_aggregate(before) || token_is_char(before, ')')) && token_is_char(next, '{'))
		return true;
	if (i && is_aggregate(before))
		return token_is_char(next, ';');
	if (n && token_is_char(at(r, group[n - 1]), '{'))
		return (token_is_char(before, '{') || token_is_char(before, ',')) &&
		       (token_is_char(next, ',') || token_is_char(next, '=') || token_is_char(next, '}'));
	if (n == 1 && token_is_char(at(r, group[0]), '(')) {	/* (*name)(...), (name)(...) */
		if (token_is_char(at(r, group[0] + 1), '*'))
			return !token_is_char(before, ',') && !token_is_char(before, '(');
		return group[0] + 1 == i && token_is_char(next, ')') && token_is_char(at(r, i + 2), '(');
	}
	return !n && follows_name(next);
}

static void declare(struct reader *r, const struct token *t, uint32_t item)
{
	struct named *n = namedmap_put(&r->names, (struct word){ t->s, t->n }, NULL);
	struct place p = { item, n->items };

	assert(item < r->items.n && n->items <= r->places.n);
	if (n->items && r->places.v[n->items - 1].item == item)
		return;
	vec_push(&r->places, p);
	n->items = r->places.n;
}

/* Adds the declaration that was read to the items; body: that of a function, with its body behind it. */
static void enter(struct reader *r, const char *end, bool body)
{
	bool hidden = false, rooted = false, variable = false, prototype = false;
	uint32_t item = r->items.n;
	VEC(uint32_t) group = {0};

	if (!r->decl.n)
		return;
	add_item(r, (struct span){ r->decl.v[0].s, end }, r->decl_marker, false);
	for (uint32_t i = 0; i < r->decl.n; i++) {
		const struct token *t = at(r, i);

		if (token_opens(t)) {
			vec_push(&group, i);
		} else if (token_closes(t)) {
			group.n -= group.n > 0;
		} else if (is_declared(r, i, group.v, group.n)) {
			declare(r, t, item);
			prototype |= !group.n && token_is_char(at(r, i + 1), '(');
			variable |= !group.n && !(i && is_aggregate(at(r, i - 1)));
		}
		hidden |= is_hiding(t);
		rooted |= is_rooted(t);
	}
	r->items.v[item].in_prelude = rooted || (!hidden && (body || (variable && !prototype)));
	vec_release(&group);
}

static void want_word(struct reader *r, struct word w)
{
	struct named *n = namedmap_get(&r->names, w);

	if (n && !n->wanted) {
		n->wanted = true;
		vec_push(&r->todo, w);
	}
}

/* Reads the declarations of the headers, and the words of the source's own text. */
static void read_all(struct reader *r)
{
	unsigned depth = 0;
	struct token t;

	while (!r->refused && (t = token_next(&r->x)).kind != TOKEN_END) {
		if (!r->marker.s)
			break;
		if (!r->depth) {
			if (!r->begun)
				r->begin = line_at(r->marker, t.s);
			r->begun = true;
			if (t.kind == TOKEN_IDENT)	/* macros make names that the source does not have */
				want_word(r, (struct word){ t.s, t.n });
			continue;
		}
		if (!depth && token_is_char(&t, ';')) {
			enter(r, r->x.p, false);
			vec_clear(&r->decl);
			continue;
		}
		if (!depth && token_is_char(&t, '{') && !tokens_open_aggregate(r->decl.v, r->decl.n)) {
			bool body = !r->decl.n || !token_is_char(at(r, r->decl.n - 1), '=');

			token_skip_group(&r->x);
			if (body) {
				enter(r, r->x.p, true);
				vec_clear(&r->decl);
			}
			continue;
		}
		depth += token_opens(&t);
		depth -= depth && token_closes(&t);
		if (!r->decl.n)
			r->decl_marker = r->marker;
		vec_push(&r->decl, t);
	}
	r->refused |= r->decl.n || !r->begun;
}

/* ---- what is wanted ---- */

static void want_text(struct reader *r, const char *s, const char *end, bool directives)
{
	struct lexer x = { .p = s, .end = end, .directives = directives, .at_line_start = true };
	struct token t;

	while ((t = token_next(&x)).kind != TOKEN_END)
		if (t.kind == TOKEN_IDENT)
			want_word(r, (struct word){ t.s, t.n });
}

static void want_item(struct reader *r, struct item *it)
{
	it->in_prelude = true;
	want_text(r, it->text.s, it->text.end, false);
}

static void want_all(struct reader *r)
{
	for (uint32_t i = 0; i < r->items.n; i++)
		if (r->items.v[i].in_prelude)
			want_item(r, &r->items.v[i]);
	while (r->todo.n) {
		const struct named *n = namedmap_get(&r->names, vec_pop(&r->todo));

		assert(n && n->wanted);
		for (uint32_t p = n->items; p; p = r->places.v[p - 1].next)
			if (!r->items.v[r->places.v[p - 1].item].in_prelude)
				want_item(r, &r->items.v[r->places.v[p - 1].item]);
		if (n->macro.s)
			want_text(r, n->macro.s, n->macro.end, true);
	}
}

/* ---- the prelude ---- */

static void put_item(struct sbuf *out, const struct item *it)
{
	size_t n = (size_t)(it->marker.end - it->marker.s);
	const char *name = memchr(it->marker.s, '"', n), *close = memrchr(it->marker.s, '"', n);

	assert(name && close > name);	/* read_marker() takes no other */
	sbuf_printf(out, "\n# %u %.*s%s\n", line_at(it->marker, it->text.s), (int)(close + 1 - name), name,
		    marker_has(it->marker.s, it->marker.end, '3') ? " 3" : "");
	sbuf_add(out, it->text.s, (size_t)(it->text.end - it->text.s));
}

static void put_all(struct sbuf *out, const struct reader *r)
{
	struct named *n;

	for (uint32_t i = 0; i < r->items.n; i++)
		if (r->items.v[i].in_prelude)
			put_item(out, &r->items.v[i]);
	sbuf_addc(out, '\n');
	for (uint32_t it = 0; namedmap_next(&r->names, &it, NULL, &n);)
		if (n->wanted && n->macro.s) {
			sbuf_add(out, n->macro.s, (size_t)(n->macro.end - n->macro.s));
			sbuf_addc(out, '\n');
		}
}

int lean_prelude(struct sbuf *out, uint32_t *begin, const struct sbuf *preprocessed,
		 const struct unit_text *source, const char *words)
{
	struct reader r = { .x = { .p = preprocessed->s, .end = preprocessed->s + preprocessed->n,
				   .at_line_start = true, .directive = read_directive } };
	bool ok;

	r.x.ctx = &r;
	read_all(&r);
	ok = !r.refused;
	if (ok) {
		reader_check(&r);
		want_text(&r, source->text, source->text + source->n, true);
		want_text(&r, words, words + strlen(words), true);
		want_all(&r);
		put_all(out, &r);
		*begin = r.begin;
	}
	vec_release(&r.decl);
	vec_release(&r.items);
	vec_release(&r.places);
	vec_release(&r.todo);
	namedmap_release(&r.names);
	return ok ? 0 : error_set("no prelude can be made");
}

/* ---- units ---- */

int lean_record(struct sbuf *out, const struct unit *u, const char *words, const char *clang)
{
	struct sbuf text = {0}, prelude = {0};
	char *path = path_from(u->dir, u->path), *on_disk = NULL;
	struct unit_text source = { .path = path };
	uint32_t begin;
	size_t nhead;
	int ret = u->preprocessed ? error_set("it is preprocessed") : file_read(&on_disk, &source.n, path);

	source.text = on_disk;
	if (ret == 0)
		ret = unit_preprocess(&text, u, clang);
	if (ret == 0)
		ret = lean_prelude(&prelude, &begin, &text, &source, words);
	if (ret == 0) {
		attrs_blank(prelude.s, prelude.n);
		nhead = MIN(text_line_start(source.text, source.n, (int64_t)begin - 1), source.n);
		put_num(out, nhead);
		put_u64(out, hash_bytes(source.text, nhead, 0));
		sbuf_add(out, prelude.s, prelude.n);
	}
	sbuf_release(&text);
	sbuf_release(&prelude);
	free(on_disk);
	free(path);
	return ret;
}

/* The flags without the forced includes, which are in the prelude. */
static void take_flags(struct args *out, const struct args *flags)
{
	for (uint32_t i = 0; i < flags->n; i++)
		if (!cmd_flag_is_include(flags->v[i]))
			args_push(out, flags->v[i]);
}

struct lean *lean_new(const struct unit *u, const char *record, size_t n)
{
	struct bytes b = { record, record + n, false };
	struct lean *l = xcalloc(1, sizeof(*l));

	l->nhead = get_num(&b);
	l->head = get_u64(&b);
	assert(!b.bad);			/* lean_record() has written it */
	unit_copy(&l->unit, u);
	args_clear(&l->unit.flags);
	take_flags(&l->unit.flags, &u->flags);
	l->source = path_from(u->dir, u->path);
	l->prelude = xasprintf("%s.plumb.h", l->source);
	args_push_own(&l->unit.flags, xasprintf("-include%s", l->prelude));
	l->ntext = (size_t)(b.end - b.p);
	l->text = xstrndup(b.p, l->ntext);
	unit_check(&l->unit);
	return l;
}

void lean_free(struct lean *l)
{
	if (!l)
		return;
	unit_release(&l->unit);
	free(l->source);
	free(l->prelude);
	free(l->text);
	free(l);
}

static bool is_include(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (s == end || *s++ != '#')
		return false;
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return starts(s, end, "include") || starts(s, end, "import");
}

/* A text of the source without the includes that are in the prelude; lines stay where they are.  The
 * caller's. */
static char *without_includes(const struct lean *l, const char *text, size_t n)
{
	char *copy = xstrndup(text, n), *end = copy + MIN(n, l->nhead);

	for (char *s = copy, *stop; s < end; s = stop + 1) {
		if (!(stop = memchr(s, '\n', (size_t)(end - s))))
			stop = end;
		if (is_include(s, stop))
			memset(s, ' ', (size_t)(stop - s));
	}
	return copy;
}

bool lean_fits(const struct lean *l, const struct unit_text *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!str_eq(v[i].path, l->source))
			continue;
		if (v[i].n < l->nhead || hash_bytes(v[i].text, l->nhead, 0) != l->head)
			return false;
	}
	return true;
}

struct unit_text *lean_texts(const struct lean *l, const struct unit_text *v, uint32_t n)
{
	struct unit_text *out = xcalloc(LEAN_TEXTS, sizeof(*out));
	char *disk = NULL;

	out[0] = (struct unit_text){ l->source, NULL, 0 };
	out[1] = (struct unit_text){ l->prelude, l->text, l->ntext };
	for (uint32_t i = 0; i < n; i++) {
		if (!str_eq(v[i].path, l->source))
			continue;
		assert(!out[0].text);		/* each file has one text */
		out[0].text = without_includes(l, v[i].text, v[i].n);
		out[0].n = v[i].n;
	}
	if (!out[0].text && file_read(&disk, &out[0].n, l->source) == 0)
		out[0].text = without_includes(l, disk, out[0].n);
	free(disk);
	return out;
}

void lean_texts_free(struct unit_text *v)
{
	if (v)
		free((char *)v[0].text);
	free(v);
}
