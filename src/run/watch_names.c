/*
 * watch_names.c - from return addresses to the places that people know.
 *
 * A site is named by its first frame that is no allocation wrapper, as the static
 * engines name theirs, so that both mean the same line.  Which frames are
 * wrappers cannot be seen from a stack; three rules tell, from the inside out:
 *
 *	- the frame lies in the C or C++ library itself (getline, std::string),
 *	- the function is modelled as an allocator (models/, --model FILE),
 *	- it is named as allocators are: xmalloc, zmalloc_usable, ngx_palloc, xstrdup.
 *
 * A constructor that is none of these (tree_new) gives the site its name, where
 * the static engines would go on to its caller.  So findings are looked for at
 * every frame, from the inside out: the first line that allocates according to a
 * finding is the one.
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
	static const char *const names[] = { "libc.", "libc-", "libstdc++.", "libc++.", "ld-linux", "ld-musl" };
	const char *base = path_base(module);

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (str_starts(base, names[i]))
			return true;
	return false;
}

/* A name as it was written: without what compilers add (.constprop.0), digits and
 * underscores at its end, in small letters; of C++ names the last part alone,
 * without parameters of functions and templates. */
static void plain_name(char *out, size_t size, const char *name)
{
	unsigned nested = 0;
	size_t n = 0;

	for (; *name && *name != '.' && (*name != '(' || nested) && n + 1 < size; name++) {
		if (*name == '<')
			nested++;
		else if (*name == '>')
			nested -= nested > 0;
		else if (!nested && (*name == ':' || *name == ' '))
			n = 0;		/* what was before is a name space or a type */
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

void watch_mark_wrappers(struct watch_run *r, const struct model_set *models)
{
	for (uint32_t i = 0; i < r->sites.n; i++) {
		struct watch_site *s = &r->sites.v[i];

		for (s->at = 0; s->at < s->frames.n; s->at++) {
			struct watch_frame *f = &s->frames.v[s->at];

			if (!is_wrapper(f, models))
				break;
			f->wrapper = true;
		}
		if (s->at == s->frames.n)
			s->at = 0;
	}
}

const struct watch_frame *watch_site_frame(const struct watch_site *s)
{
	return s->frames.n ? &s->frames.v[s->at] : NULL;
}

/* ---- findings ---- */

/* The same file, if one of the names may have been made relative to some folder or
 * moved to another: all parts of the shorter one are the last of the other. */
static bool same_file(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);

	if (na > nb)
		return same_file(b, a);
	return na > 0 && memcmp(a, b + nb - na, na) == 0 && (na == nb || a[0] == '/' || b[nb - na - 1] == '/');
}

static bool at_frame(struct findings *fs, const struct finding *f, const struct watch_frame *frame)
{
	if (!frame->line || f->alloc.line != frame->line || !f->alloc.file)
		return false;
	return same_file(source_absolute(fs, f->alloc.file), frame->file) ||
	       same_file(finding_path(fs, f->alloc.file), frame->file);
}

/* The allocator of a finding is what the frame calls: two calls on one line are
 * told apart by that. */
static bool calls_allocator(const struct watch_site *s, uint32_t frame, const struct finding *f)
{
	return frame > 0 && f->allocator && str_eq(s->frames.v[frame - 1].function, f->allocator);
}

static void link_site(struct watch_site *s, struct findings *fs)
{
	for (uint32_t k = 0; k < s->frames.n && !s->findings.n; k++) {
		bool exact = false;

		for (uint32_t i = 0; i < fs->v.n; i++)
			exact |= at_frame(fs, fs->v.v[i], &s->frames.v[k]) && calls_allocator(s, k, fs->v.v[i]);
		for (uint32_t i = 0; i < fs->v.n; i++)
			if (at_frame(fs, fs->v.v[i], &s->frames.v[k]) &&
			    (!exact || calls_allocator(s, k, fs->v.v[i])))
				vec_push(&s->findings, fs->v.v[i]);
	}
}

void watch_link(struct watch_run *r, struct findings *fs)
{
	for (uint32_t i = 0; i < r->sites.n; i++)
		link_site(&r->sites.v[i], fs);
}
