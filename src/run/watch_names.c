/*
 * watch_names.c - from return addresses to the places that people know.
 *
 * A site is named by its first frame that is no allocation wrapper, as in the static
 * engines, so that both mean the same line.  A stack does not show which frames are
 * wrappers; from the innermost frame on, one is a wrapper by any of three rules:
 *
 *	- the frame lies in the C or C++ library itself (getline, std::string),
 *	- the function is modelled as an allocator (models/, --model FILE),
 *	- it is named as allocators are: xmalloc, zmalloc_usable, ngx_palloc, xstrdup.
 *
 * A constructor that is none of these (tree_new) gives the site its name, where
 * the static engines would name its caller.  So findings are looked for at every
 * frame, from the innermost on: the first line at which a finding allocates counts.
 */
#include "run/watch.h"

#include "base/file.h"
#include "finding/finding.h"
#include "finding/source.h"
#include "model/model.h"
#include "../runtime/runfile.h"

#include <assert.h>
#include <ctype.h>

/* ---- names ---- */

static uint32_t module_number(const struct watch_run *r, struct symbols *s, uint64_t frame)
{
	uint32_t m = run_frame_module(frame);

	if (m >= r->modules.n)
		return symbols_module(s, "", NULL, 0);
	return symbols_module(s, r->modules.v[m].path, r->modules.v[m].build_id, r->modules.v[m].nbuild_id);
}

static uint32_t want(const struct watch_run *r, struct symbols *s, uint64_t frame)
{
	return symbols_want(s, module_number(r, s, frame), run_frame_offset(frame), SYMBOL_RETURN);
}

void watch_want_symbols(struct watch_run *r, struct symbols *s)
{
	for (uint32_t i = 0; i < r->sites.n; i++) {
		const struct watch_site *site = &r->sites.v[i];

		for (uint32_t k = 0; k < site->raw_frames.n; k++)
			want(r, s, site->raw_frames.v[k]);
		for (uint32_t k = 0; k < site->raw_touch.n; k++)
			want(r, s, site->raw_touch.v[k]);
	}
}

/* One return address: a frame, and more for calls that were inlined there. */
static void take_frame(struct watch_frames *out, struct watch_run *r, struct symbols *s, uint64_t raw)
{
	struct symbol_frames names = symbols_frames(s, want(r, s, raw));
	uint32_t m = run_frame_module(raw);

	assert(names.n > 0);		/* else watch_want_symbols() was not called before */
	for (uint32_t i = 0; i < names.n; i++) {
		struct watch_frame f = {
			.module = m < r->modules.n ? r->modules.v[m].path : "",
			.offset = run_frame_offset(raw),
			.function = arena_strdup(&r->arena, names.v[i].function),
			.file = arena_strdup(&r->arena, names.v[i].file),
			.line = names.v[i].line,
			.inlined = names.v[i].inlined,
		};

		vec_push(out, f);
	}
}

void watch_take_symbols(struct watch_run *r, struct symbols *s)
{
	for (uint32_t i = 0; i < r->sites.n; i++) {
		struct watch_site *site = &r->sites.v[i];

		vec_clear(&site->frames);
		vec_clear(&site->touch);
		for (uint32_t k = 0; k < site->raw_frames.n; k++)
			take_frame(&site->frames, r, s, site->raw_frames.v[k]);
		for (uint32_t k = 0; k < site->raw_touch.n; k++)
			take_frame(&site->touch, r, s, site->raw_touch.v[k]);
	}
	for (uint32_t i = 0; i < r->modules.n; i++)
		r->modules.v[i].source = symbols_source(s, module_number(r, s, run_frame(i, 0)));
}

/* ---- wrappers ---- */

/* libc.so.6, libc-2.36.so, libstdc++.so.6.0.30, ld-linux-x86-64.so.2 */
static bool is_c_library(const char *module)
{
	static const char *const names[] = {
		"libc.", "libc-", "libstdc++.", "libc++.", "ld-linux", "ld-musl",
	};
	const char *base = path_base(module);

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (str_starts(base, names[i]))
			return true;
	return false;
}

/* The name without the parts that compilers add (.constprop.0), and without digits and
 * underscores at its end, in small letters; of C++ names the last part alone,
 * without parameters of functions and templates. */
static void plain_name(char *out, size_t size, const char *name)
{
	unsigned nested = 0;
	size_t n = 0;

	assert(size > 0);
	for (; *name && *name != '.' && (*name != '(' || nested) && n + 1 < size; name++) {
		if (*name == '<')
			nested++;
		else if (*name == '>')
			nested -= nested > 0;
		else if (!nested && (*name == ':' || *name == ' '))
			n = 0;		/* the part before is a name space or a type */
		else if (!nested)
			out[n++] = (char)tolower((unsigned char)*name);
	}
	while (n > 0 && (isdigit((unsigned char)out[n - 1]) || out[n - 1] == '_'))
		n--;
	out[n] = '\0';
}

static bool is_allocator_name(const char *name)
{
	static const char *const parts[] = { "malloc", "calloc", "realloc", "zalloc" };
	static const char *const ends[] = { "alloc", "allocate", "strdup", "strndup", "memdup", "asprintf" };
	char plain[128];

	if (str_starts(name, "operator new"))
		return true;
	plain_name(plain, sizeof(plain), name);
	for (unsigned i = 0; i < ARRAY_LEN(parts); i++)
		if (strstr(plain, parts[i]))
			return true;
	for (unsigned i = 0; i < ARRAY_LEN(ends); i++)
		if (str_ends(plain, ends[i]))
			return true;
	return false;
}

static bool is_wrapper(const struct watch_frame *f, const struct model_set *models)
{
	const struct model *m = models ? model_find(models, f->function) : NULL;

	return is_c_library(f->module) || (m && model_allocates(m)) || is_allocator_name(f->function);
}

uint32_t watch_mark_frames(struct watch_frames *v, const struct model_set *models)
{
	for (uint32_t i = 0; i < v->n; i++) {
		if (!is_wrapper(&v->v[i], models))
			return i;
		v->v[i].wrapper = true;
	}
	return 0;
}

void watch_mark_wrappers(struct watch_run *r, const struct model_set *models)
{
	for (uint32_t i = 0; i < r->sites.n; i++)
		r->sites.v[i].at = watch_mark_frames(&r->sites.v[i].frames, models);
}

const struct watch_frame *watch_site_frame(const struct watch_site *s)
{
	assert(s->at == 0 || s->at < s->frames.n);
	return s->frames.n ? &s->frames.v[s->at] : NULL;
}

/* ---- findings ---- */

/* Are all parts of the shorter path the last parts of the other? */
static bool is_end_of(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);

	if (na > nb)
		return is_end_of(b, a);
	if (na == 0 || memcmp(a, b + nb - na, na) != 0)
		return false;
	return na == nb || a[0] == '/' || b[nb - na - 1] == '/';
}

bool watch_same_place(struct findings *fs, const char *file_a, const char *function_a, const char *file_b,
		      const char *function_b)
{
	const char *a = finding_path(fs, file_a), *b = finding_path(fs, file_b);

	if (str_eq(a, b))
		return a[0] != '\0';
	if (function_a && function_b && function_a[0] && function_b[0] && !str_eq(function_a, function_b))
		return false;
	return is_end_of(a, b) || is_end_of(source_absolute(fs, file_a), b) ||
	       is_end_of(a, source_absolute(fs, file_b));
}

static bool at_frame(struct findings *fs, const struct finding *f, const struct watch_frame *frame)
{
	if (!frame->line || f->alloc.line != frame->line || !f->alloc.file)
		return false;
	return watch_same_place(fs, f->alloc.file, f->alloc.function, frame->file, frame->function);
}

/* The allocator of a finding is what the frame calls: two calls on one line are
 * told apart by that. */
static bool calls_allocator(const struct watch_frames *v, uint32_t frame, const struct finding *f)
{
	return frame > 0 && f->allocator && str_eq(v->v[frame - 1].function, f->allocator);
}

uint32_t watch_find(struct watch_findings *out, const struct watch_frames *v, struct findings *fs)
{
	assert(out->n == 0);
	for (uint32_t k = 0; k < v->n; k++) {
		bool exact = false;

		for (uint32_t i = 0; i < fs->v.n; i++)
			exact |= at_frame(fs, fs->v.v[i], &v->v[k]) && calls_allocator(v, k, fs->v.v[i]);
		for (uint32_t i = 0; i < fs->v.n; i++) {
			const struct finding *f = fs->v.v[i];

			if (at_frame(fs, f, &v->v[k]) && (!exact || calls_allocator(v, k, f)))
				vec_push(out, f);
		}
		if (out->n)
			return k;
	}
	return 0;
}

void watch_link(struct watch_run *r, struct findings *fs)
{
	for (uint32_t i = 0; i < r->sites.n; i++)
		watch_find(&r->sites.v[i].findings, &r->sites.v[i].frames, fs);
}
