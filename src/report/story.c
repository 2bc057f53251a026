/*
 * story.c - a finding as steps and excerpts of source.
 *
 * Consecutive steps in one function make one block.  A path that calls, returns
 * or goes back to a line not yet shown gets a new block: a report reads from top
 * to bottom in the order of the execution.  Only a line that is already in the
 * block, such as the head of a loop, is not shown twice; the numbers of the steps
 * say when the line is passed.
 *
 * needs: findings_finish() or findings_read(); the sources, where they are at hand.
 * gives: steps, and blocks in which each step has exactly one mark.
 */
#include "report/story.h"

#include "base/mem.h"
#include "finding/source.h"

#include <assert.h>

enum { SHORT_GAP = 2 };		/* lines between two marked ones that are shown as well */

static bool same_line(struct findings *fs, const struct finding_loc *a, const struct finding_loc *b)
{
	return a->line == b->line && str_eq(finding_path(fs, a->file), finding_path(fs, b->file));
}

/* The same, and the same part of the line as far as is known. */
static bool same_place(struct findings *fs, const struct finding_loc *a, const struct finding_loc *b)
{
	return same_line(fs, a, b) && (!a->column || !b->column || a->column == b->column);
}

/* ---- steps ---- */

static void add_step(struct story *s, const struct finding_loc *at, const char *message,
		     enum story_role role)
{
	struct story_step step = { *at, message, role };

	vec_push(&s->steps, step);
}

/* Has the path a step in this line? */
static bool mentions(struct findings *fs, const struct finding *f, const struct finding_loc *at)
{
	for (uint32_t i = 0; i < f->path.n; i++)
		if (same_line(fs, &f->path.v[i].at, at))
			return true;
	return false;
}

/* A step without a place happens where the one before it did. */
static struct finding_loc place_of(const struct finding_step *step, const struct finding_loc *before)
{
	struct finding_loc at = step->at;

	if (!at.file[0] || !at.line) {
		at = *before;
		at.column = 0;
	}
	return at;
}

/* The steps of the path, with the allocation and the leak where the path leaves them out. */
static void add_steps(struct story *s, struct findings *fs, const struct finding *f)
{
	struct finding_loc before = f->alloc;
	bool allocated = !mentions(fs, f, &f->alloc);

	if (allocated)
		add_step(s, &f->alloc, story_alloc_message(fs, f), STORY_ALLOC);
	for (uint32_t i = 0; i < f->path.n; i++) {
		const struct finding_step *p = &f->path.v[i];
		struct finding_loc at = place_of(p, &before);
		enum story_role role = STORY_STEP;

		if (!allocated && same_line(fs, &at, &f->alloc)) {
			role = STORY_ALLOC;
			allocated = true;
		} else if (i + 1 == f->path.n && same_line(fs, &at, &f->leak)) {
			role = STORY_LEAK;
		}
		add_step(s, &at, p->message, role);
		before = at;
	}
	if (!mentions(fs, f, &f->leak) && !same_place(fs, &f->leak, &f->alloc))
		add_step(s, &f->leak, story_leak_message(fs, f), STORY_LEAK);
}

/* ---- blocks ---- */

/* Does the step after `last` belong to the block of the steps first..last? */
static bool same_block(struct findings *fs, const struct story *s, uint32_t first, uint32_t last)
{
	const struct finding_loc *a = &s->steps.v[first].at, *b = &s->steps.v[last + 1].at;

	assert(first <= last && last + 1 < s->steps.n);
	if (!str_eq(finding_path(fs, a->file), finding_path(fs, b->file)))
		return false;
	if (a->function[0] && b->function[0] && !str_eq(a->function, b->function))
		return false;
	if (b->line >= s->steps.v[last].at.line)
		return true;
	while (first <= last)
		if (s->steps.v[first++].at.line == b->line)
			return true;
	return false;
}

/* The line in the block, added if the block does not have the line. */
static struct story_line *line_in(struct story_block *b, unsigned number)
{
	struct story_line new = { .number = number };
	uint32_t i = b->lines.n;

	while (i > 0 && b->lines.v[i - 1].number > number)
		i--;
	if (i > 0 && b->lines.v[i - 1].number == number)
		return &b->lines.v[i - 1];
	vec_push(&b->lines, new);
	memmove(b->lines.v + i + 1, b->lines.v + i, (b->lines.n - 1 - i) * sizeof(new));
	b->lines.v[i] = new;
	return &b->lines.v[i];
}

/* Fills short gaps with their lines and marks long ones. */
static void fill_gaps(struct story_block *b, const struct source *src)
{
	VEC(struct story_line) out = {0};

	for (uint32_t i = 0; i < b->lines.n; i++) {
		struct story_line line = b->lines.v[i];
		unsigned before = out.n ? vec_last(&out).number : line.number - 1;
		unsigned left_out = line.number - before - 1;

		if (out.n && left_out > 0) {
			line.gap = left_out > SHORT_GAP || !line.text;
			for (unsigned k = before + 1; !line.gap && k < line.number; k++) {
				struct story_line between = { .number = k };

				between.text = source_line(src, k, &between.n);
				assert(between.text);	/* a line after it is there */
				vec_push(&out, between);
			}
		}
		vec_push(&out, line);
	}
	vec_release(&b->lines);
	b->lines.v = out.v;
	b->lines.n = out.n;
	b->lines.cap = out.cap;
}

/* Steps first..last-1 as one block. */
static void add_block(struct story *s, struct findings *fs, uint32_t first, uint32_t last)
{
	const struct finding_loc *at = &s->steps.v[first].at;
	const struct source *src = source_get(fs, at->file);
	struct story_block b = {
		.file = finding_path(fs, at->file), .function = at->function, .line = at->line,
	};

	assert(first < last && last <= s->steps.n);
	for (uint32_t i = first; i < last; i++) {
		const struct story_step *step = &s->steps.v[i];
		struct story_line *line = line_in(&b, step->at.line);
		struct story_mark m = { i + 1, step->role, step->message, { 0, 0 } };

		line->text = source_line(src, line->number, &line->n);
		if (line->text)
			m.span = span_at(line->text, line->n, step->at.column);
		vec_push(&line->marks, m);
		if (!b.function[0])
			b.function = step->at.function;
	}
	fill_gaps(&b, src);
	vec_push(&s->blocks, b);
}

static void check_line(const struct story *s, const struct story_line *l)
{
	for (uint32_t i = 0; i < l->marks.n; i++) {
		const struct story_mark *m = &l->marks.v[i];

		assert(m->step >= 1 && m->step <= s->steps.n && m->message);
		assert(m->message == s->steps.v[m->step - 1].message);
		assert(i == 0 || m->step > l->marks.v[i - 1].step);
		assert(m->span.start <= m->span.end && m->span.end <= l->n);
	}
}

void story_check(const struct story *s)
{
	uint32_t marks = 0;

	for (uint32_t i = 0; i < s->blocks.n; i++) {
		const struct story_block *b = &s->blocks.v[i];

		assert(b->file && b->function && b->lines.n > 0);
		for (uint32_t k = 0; k < b->lines.n; k++) {
			assert(k == 0 || b->lines.v[k - 1].number < b->lines.v[k].number);
			assert(k > 0 || !b->lines.v[k].gap);
			check_line(s, &b->lines.v[k]);
			marks += b->lines.v[k].marks.n;
		}
	}
	assert(marks == s->steps.n);
}

void story_init(struct story *s, struct findings *fs, const struct finding *f)
{
	uint32_t first = 0;

	assert(f->id[0]);	/* findings_finish() comes first */
	memset(s, 0, sizeof(*s));
	add_steps(s, fs, f);
	for (uint32_t i = 0; i < s->steps.n; i++)
		if (i + 1 == s->steps.n || !same_block(fs, s, first, i)) {
			add_block(s, fs, first, i + 1);
			first = i + 1;
		}
#ifdef PLUMB_DEBUG
	story_check(s);
#endif
}

void story_release(struct story *s)
{
	for (uint32_t i = 0; i < s->blocks.n; i++) {
		struct story_block *b = &s->blocks.v[i];

		for (uint32_t k = 0; k < b->lines.n; k++)
			vec_release(&b->lines.v[k].marks);
		vec_release(&b->lines);
	}
	vec_release(&s->blocks);
	vec_release(&s->steps);
}
