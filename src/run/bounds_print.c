/*
 * bounds_print.c - bounds for people and programs: the table per site, the
 * histogram of m (Tables 2 to 5 of the paper), the shares of Table 1, and JSON.
 */
#include "run/bounds.h"

#include "base/json.h"
#include "base/sbuf.h"
#include "run/symbol.h"

#define HISTOGRAM 12		/* columns; the last takes all that is larger */
#define NAMED_FRAMES 4		/* of a site in the table */

/* Names for all frames: address[site][frame], flat. */
struct names {
	struct symbols *symbols;
	VEC(uint32_t) first;		/* of each site, in address */
	VEC(uint32_t) address;
};

/* The bytes of a build-id in hexadecimal; out has room for 32. */
static size_t id_bytes(unsigned char *out, const char *hex)
{
	size_t n = 0;
	unsigned x;

	/* An id that was made from the code (identity.h) is no build-id to elfutils. */
	if (str_starts(hex, "74657874") && strlen(hex) == 24)
		return 0;
	while (n < 32 && hex[0] && hex[1] && sscanf(hex, "%2x", &x) == 1) {
		out[n++] = (unsigned char)x;
		hex += 2;
	}
	return n;
}

static void find_names(struct names *names, const struct bounds *b)
{
	VEC(uint32_t) modules = {0};

	memset(names, 0, sizeof(*names));
	names->symbols = symbols_new();
	for (uint32_t i = 0; i < b->modules.n; i++) {
		unsigned char id[32];
		size_t n = id_bytes(id, b->modules.v[i].build_id);

		vec_push(&modules, symbols_module(names->symbols, b->modules.v[i].path, id, n));
	}
	vec_push(&modules, symbols_module(names->symbols, "", NULL, 0));
	for (uint32_t i = 0; i < b->sites.n; i++) {
		const struct bounds_site *s = &b->sites.v[i];

		vec_push(&names->first, names->address.n);
		for (uint32_t j = 0; j < s->nframes; j++) {
			uint32_t m = MIN(s->frames[j].module, b->modules.n);

			vec_push(&names->address,
				 symbols_want(names->symbols, modules.v[m], s->frames[j].offset,
					      SYMBOL_RETURN));
		}
	}
	symbols_resolve(names->symbols);
	vec_release(&modules);
}

static void names_release(struct names *names)
{
	symbols_free(names->symbols);
	vec_release(&names->first);
	vec_release(&names->address);
}

static struct symbol_frames names_of(const struct names *names, uint32_t site, uint32_t frame)
{
	assert(site < names->first.n && names->first.v[site] + frame < names->address.n);
	return symbols_frames(names->symbols, names->address.v[names->first.v[site] + frame]);
}

static void print_frames(struct json_writer *w, const struct bounds *b, const struct names *names,
			 uint32_t site)
{
	const struct bounds_site *s = &b->sites.v[site];

	jw_key(w, "frames");
	jw_array(w);
	for (uint32_t j = 0; j < s->nframes; j++) {
		struct symbol_frames f = names_of(names, site, j);
		const struct bounds_module *m = s->frames[j].module == BOUNDS_NO_MODULE ?
			NULL : &b->modules.v[s->frames[j].module];

		for (uint32_t k = 0; k < f.n; k++) {
			jw_object(w);
			jw_kstr(w, "module", m ? m->path : "");
			jw_kstr(w, "build_id", m ? m->build_id : "");
			jw_kint(w, "offset", (int64_t)s->frames[j].offset);
			jw_kstr(w, "function", f.v[k].function);
			jw_kstr(w, "file", f.v[k].file);
			jw_kint(w, "line", f.v[k].line);
			if (f.v[k].inlined)
				jw_kbool(w, "inlined", true);
			jw_object_close(w);
		}
	}
	jw_array_close(w);
}

void bounds_print_json(const struct bounds *b, FILE *f)
{
	struct json_writer w;
	struct names names;
	char id[17];

	find_names(&names, b);
	jw_begin(&w, f);
	jw_object(&w);
	bounds__write_head(&w, b);
	jw_key(&w, "sites");
	jw_array(&w);
	for (uint32_t i = 0; i < b->sites.n; i++) {
		jw_object(&w);
		bounds_site_id(id, b, &b->sites.v[i]);
		jw_kstr(&w, "id", id);
		print_frames(&w, b, &names, i);
		bounds__write_site(&w, &b->sites.v[i]);
		jw_object_close(&w);
	}
	jw_array_close(&w);
	jw_object_close(&w);
	jw_end(&w);
	names_release(&names);
}

/* ---- text ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "load src/a.c:41 < main src/a.c:7" */
static void describe_site(struct sbuf *out, const struct bounds *b, const struct names *names,
			  uint32_t site)
{
	const struct bounds_site *s = &b->sites.v[site];
	unsigned n = 0;

	if (s->nframes == 0)
		sbuf_adds(out, "?");
	for (uint32_t j = 0; j < s->nframes && n < NAMED_FRAMES; j++) {
		struct symbol_frames f = names_of(names, site, j);

		for (uint32_t k = 0; k < f.n && n < NAMED_FRAMES; k++, n++) {
			if (n > 0)
				sbuf_adds(out, " < ");
			if (*f.v[k].function)
				sbuf_adds(out, f.v[k].function);
			else if (s->frames[j].module != BOUNDS_NO_MODULE)
				sbuf_printf(out, "%s+0x%llx",
					    base_name(b->modules.v[s->frames[j].module].path),
					    (unsigned long long)s->frames[j].offset);
			else
				sbuf_adds(out, "?");
			if (n == 0 && *f.v[k].file)
				sbuf_printf(out, " (%s:%u)", base_name(f.v[k].file), f.v[k].line);
		}
	}
}

typedef uint64_t get_count(const struct bounds_count *);

/* "20 80": the number of each run; a dash where the site did not run. */
static void list_runs(struct sbuf *out, const struct bounds_site *s, get_count *get)
{
	uint32_t shown = MIN(s->runs.n, 6u);

	sbuf_clear(out);
	for (uint32_t i = 0; i < shown; i++) {
		if (i > 0)
			sbuf_addc(out, ' ');
		if (s->runs.v[i].allocated || s->runs.v[i].bound)
			sbuf_printf(out, "%llu", (unsigned long long)get(&s->runs.v[i]));
		else
			sbuf_addc(out, '-');
	}
	if (shown < s->runs.n)
		sbuf_adds(out, " ..");
}

static uint64_t get_allocated(const struct bounds_count *c) { return c->allocated; }
static uint64_t get_freed(const struct bounds_count *c) { return c->freed; }
static uint64_t get_bound(const struct bounds_count *c) { return c->bound; }

static const struct bounds *sort_bounds;	/* for by_memory */

static int by_memory(const void *x, const void *y)
{
	const struct bounds_site *a = &sort_bounds->sites.v[*(const uint32_t *)x];
	const struct bounds_site *b = &sort_bounds->sites.v[*(const uint32_t *)y];

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return *(const uint32_t *)x < *(const uint32_t *)y ? -1 : 1;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void print_site(FILE *f, const struct bounds *b, const struct names *names, uint32_t i,
		       const bool *invalid, uint64_t all)
{
	const struct bounds_site *s = &b->sites.v[i];
	const char *stable = bounds_is_stable(s) ? "stable" : "varies";
	const char *leaks = bounds_is_leaking(s) ? "leaks" : "";
	const char *note = s->raised ? "  (raised)" : "";
	struct sbuf a = {0}, d = {0}, m = {0}, name = {0};

	if (invalid && invalid[i])
		note = "  INVALIDATED";
	list_runs(&a, s, get_allocated);
	list_runs(&d, s, get_freed);
	list_runs(&m, s, get_bound);
	describe_site(&name, b, names, i);
	fprintf(f, "%5llu %-8s %-5s %7.2f%% %9llu  %-14s %-14s %-10s %s%s\n",
		(unsigned long long)bounds_m(s), stable, leaks, percent(s->bytes, all),
		(unsigned long long)s->max_size, sbuf_str(&a), sbuf_str(&d), sbuf_str(&m), sbuf_str(&name),
		note);
	sbuf_release(&a);
	sbuf_release(&d);
	sbuf_release(&m);
	sbuf_release(&name);
}

static void print_histogram(FILE *f, const struct bounds *b)
{
	uint32_t count[HISTOGRAM + 1] = {0};

	for (uint32_t i = 0; i < b->sites.n; i++)
		if (bounds_is_stable(&b->sites.v[i]))
			count[MIN(bounds_m(&b->sites.v[i]), HISTOGRAM)]++;
	fprintf(f, "\nm      ");
	for (unsigned i = 0; i <= HISTOGRAM; i++)
		if (count[i])
			fprintf(f, i < HISTOGRAM ? " %6u" : " %5u+", i);
	fprintf(f, "\nsites  ");
	for (unsigned i = 0; i <= HISTOGRAM; i++)
		if (count[i])
			fprintf(f, " %6u", count[i]);
	fprintf(f, "\n");
}

void bounds_print_text(const struct bounds *b, const bool *invalid, unsigned limit, FILE *f)
{
	struct bounds_summary sum;
	VEC(uint32_t) order = {0};
	struct names names;

	bounds_summarise(&sum, b);
	find_names(&names, b);
	for (uint32_t i = 0; i < b->sites.n; i++) {
		vec_push(&order, i);
		sum.invalidated += invalid && invalid[i];
	}
	sort_bounds = b;
	if (order.n)
		qsort(order.v, order.n, sizeof(*order.v), by_memory);
	fprintf(f, "%s, %u run%s, sites of %u frames\n\n", b->program, b->runs.n,
		b->runs.n == 1 ? "" : "s", b->depth);
	fprintf(f, "    m                memory  max size  %-14s %-14s %-10s site\n", "allocated",
		"freed", "bounds");
	for (uint32_t i = 0; i < order.n && (!limit || i < limit); i++)
		print_site(f, b, &names, order.v[i], invalid, sum.bytes);
	if (limit && order.n > limit)
		fprintf(f, "      ... %u more (--all)\n", order.n - limit);
	print_histogram(f, b);
	fprintf(f, "\n%u sites executed, %u m-bounded (%.1f%%), %u leaking, "
		"%.1f%% of memory at m-bounded sites",
		sum.executed, sum.bounded, percent(sum.bounded, sum.executed), sum.leaking,
		percent(sum.bounded_bytes, sum.bytes));
	if (invalid)
		fprintf(f, ", %u invalidated (%.1f%%)", sum.invalidated,
			percent(sum.invalidated, sum.bounded));
	fprintf(f, "\n");
	vec_release(&order);
	names_release(&names);
}
