/*
 * suppress.c - `// plumb-ignore: reason` in the sources.
 *
 * A comment that begins with plumb-ignore silences the findings whose allocating
 * line or leak line is
 *
 *	- the line of the comment, before or after the code;
 *	- the line after the comment, if no statement ends before the comment on its
 *	  own line.
 *
 * The second rule means a comment above the code, and also
 *
 *	if (n < 0)	// plumb-ignore: the program ends anyway
 *		return -1;
 *
 * but not `p = malloc(3);  // plumb-ignore`, which concerns p alone and not the
 * line below.  The comment may be of either form and have several lines; line
 * comments on consecutive lines are one comment.  The reason is what follows a
 * colon (or a space), and may be left out.
 *
 * The whole file is read as C, so that neither a string nor the text of another
 * comment silences anything.  Code that the preprocessor leaves out is read too.
 */
#include "finding/priv.h"

#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

enum { REASON_MAX = 400 };	/* bytes */

/* A line on which findings are silenced. */
struct ignored {
	unsigned line;
	const char *reason;
};

VEC_TYPE(ignored_list, struct ignored);

/* A comment, as a run of lines. */
struct comment {
	const char *text;	/* behind the keyword; NULL: it is no plumb-ignore */
	const char *end;
	unsigned first, last;	/* lines */
	bool is_line;		/* begins with two slashes */
	bool alone;		/* nothing before it on its first line */
	bool code_after;	/* on its last line */
	bool after_statement;	/* a ; or } before it on its first line */
};

/* ---- one comment ---- */

/* White space, or a mark of the comment itself. */
static bool is_blank(char c)
{
	return c && strchr(" \t\r\n*/", c);
}

/* If the comment [p, end) begins with the keyword, what follows it; else NULL.
 * `// NOLINT // plumb-ignore` is two comments in one. */
static const char *after_keyword(const char *p, const char *end)
{
	static const char word[] = "plumb-ignore";
	const size_t n = sizeof(word) - 1;

	for (;;) {
		while (p < end && (is_blank(*p) || *p == '!' || *p == '<'))
			p++;
		if ((size_t)(end - p) >= n && memcmp(p, word, n) == 0) {
			p += n;
			return p == end || *p == ':' || is_blank(*p) ? p : NULL;
		}
		p = memmem(p, (size_t)(end - p), "//", 2);
		if (!p)
			return NULL;
	}
}

/* The reason as one line of text: what is left of each line of the comment when
 * the comment's own marks are gone. */
static const char *reason_of(struct arena *a, const char *p, const char *end)
{
	struct sbuf b = {0};
	const char *r;
	bool space = false, line_start = false;

	if (p < end && *p == ':')
		p++;
	if (end - p >= 2 && memcmp(end - 2, "*/", 2) == 0)
		end -= 2;
	for (; p < end && b.n < REASON_MAX; p++) {
		unsigned char c = (unsigned char)*p;

		if (c == '\n')
			line_start = true;
		if (isspace(c) || (line_start && (c == '*' || c == '/'))) {
			space = true;
			continue;
		}
		line_start = false;
		if (space && b.n)
			sbuf_addc(&b, ' ');
		space = false;
		sbuf_addc(&b, iscntrl(c) ? '?' : (char)c);
	}
	r = arena_strdup(a, sbuf_str(&b));
	sbuf_release(&b);
	return r;
}

/* Keeps the list in ascending order.  Comments come nearly so; of two for one
 * line the first counts. */
static void ignore_line(struct ignored_list *out, unsigned line, const char *reason)
{
	struct ignored new = { line, reason };
	uint32_t i = out->n;

	assert(line > 0 && reason);
	while (i > 0 && out->v[i - 1].line > line)
		i--;
	if (i > 0 && out->v[i - 1].line == line)
		return;
	vec_push(out, new);
	memmove(out->v + i + 1, out->v + i, (out->n - 1 - i) * sizeof(*out->v));
	out->v[i] = new;
}

/* Says which lines the comment silences. */
static void add_comment(struct ignored_list *out, struct arena *a, const struct comment *c)
{
	const char *reason;

	if (!c->text)
		return;
	assert(c->text <= c->end && c->first <= c->last);
	reason = reason_of(a, c->text, c->end);
	ignore_line(out, c->first, reason);
	if (c->last != c->first)
		ignore_line(out, c->last, reason);
	if (!c->code_after && !c->after_statement)
		ignore_line(out, c->last + 1, reason);
}

/* ---- one file ---- */

/* Is code the next thing on this line?  Behind another comment it is not seen. */
static bool code_follows(const char *p, const char *end)
{
	enum lex_part part = finding__lex(p, end, &p);

	if (part == LEX_SPACE)
		part = finding__lex(p, end, &p);
	return part == LEX_CODE || part == LEX_LITERAL;
}

static unsigned count_lines(const char *p, const char *end)
{
	unsigned n = 0;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		n++;
		p++;
	}
	return n;
}

/* Is b the next line of the comment a? */
static bool continues(const struct comment *a, const struct comment *b)
{
	bool on_next_line = b->alone && b->first == a->last + 1;

	return on_next_line && a->is_line && b->is_line && a->text && !b->text;
}

/* find_ignored() searches the list by halves. */
static void check_ascending(const struct ignored_list *list)
{
#ifdef PLUMB_DEBUG
	for (uint32_t i = 1; i < list->n; i++)
		assert(list->v[i - 1].line < list->v[i].line);
#endif
	(void)list;
}

/* Reads a file; the lines come in ascending order. */
static void scan(struct ignored_list *out, struct arena *a, const struct source *s)
{
	const char *p = s->text, *end = s->text + s->n, *next;
	struct comment open = {0};	/* may continue on the next line */
	unsigned line = 1;
	char tail = 0;			/* last character of code on this line */
	enum lex_part part;

	while ((part = finding__lex(p, end, &next)) != LEX_END) {
		if (part == LEX_NEWLINE) {
			line++;
			tail = 0;
		} else if (part == LEX_CODE || part == LEX_LITERAL) {
			tail = next[-1];
		} else if (part == LEX_COMMENT) {
			struct comment c = {
				.text = after_keyword(p, next), .end = next, .first = line,
				.is_line = p[1] == '/', .alone = !tail,
				.code_after = code_follows(next, end),
				.after_statement = tail == ';' || tail == '}',
			};

			c.last = line += count_lines(p, next);
			if (continues(&open, &c)) {
				open.end = c.end;
				open.last = c.last;
			} else {
				add_comment(out, a, &open);
				open = c;
			}
			if (c.last != c.first)
				tail = 0;
		}
		p = next;
	}
	add_comment(out, a, &open);
	check_ascending(out);
}

/* ---- all findings ---- */

#define MAP_NAME scanmap
#define MAP_KEY const struct source *
#define MAP_VAL struct ignored_list
#define MAP_HASH(k) hash_mix((uint64_t)(uintptr_t)(k))
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* The reason given for the line of `at`, or NULL. */
static const char *find_ignored(struct findings *fs, struct scanmap *scans,
				const struct finding_loc *at)
{
	const struct source *s = at->line ? source_get(fs, at->file) : NULL;
	struct ignored_list *list;
	uint32_t lo = 0, hi;
	bool is_new;

	if (!s)
		return NULL;
	list = scanmap_put(scans, s, &is_new);
	if (is_new && memmem(s->text, s->n, "plumb-ignore", 12))
		scan(list, &fs->arena, s);
	for (hi = list->n; lo < hi;) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (list->v[mid].line < at->line)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < list->n && list->v[lo].line == at->line ? list->v[lo].reason : NULL;
}

void finding__suppress(struct findings *fs)
{
	struct scanmap scans = {0};
	struct ignored_list *list;

	for (uint32_t i = 0; i < fs->v.n; i++) {
		struct finding *f = fs->v.v[i];
		const char *reason = find_ignored(fs, &scans, &f->alloc);

		if (!reason)
			reason = find_ignored(fs, &scans, &f->leak);
		if (!reason && f->in_baseline)
			reason = "baseline";
		f->suppressed = reason;
		f->suppress_reason = reason;
	}
	for (uint32_t it = 0; scanmap_next(&scans, &it, NULL, &list);)
		vec_release(list);
	scanmap_release(&scans);
}
