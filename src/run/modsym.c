/*
 * modsym.c - functions and lines of one ELF file, by elfutils.
 *
 * libdwfl finds the debug information: in the file itself, or in another one
 * named by build-id or by .gnu_debuglink, in .gnu_debugdata, with a dwz file
 * beside it, or from a debuginfod server if DEBUGINFOD_URLS names one.  A file whose
 * build-id is not that of the run is not used; then, as for a file that is
 * gone, a debug file of the right build-id is looked for.
 *
 * libdwfl's own way from an address to a name is slow (it reads the symbol table
 * for each address) and needs .debug_aranges, which clang does not write.  So
 * there are three sorted tables here, each made when it is first needed:
 *
 *	units		code ranges of the compilation units
 *	functions	code ranges of the functions of one unit
 *	names		extents of the symbols of .symtab and .dynsym
 *
 * A function found by range is walked through for the calls that were inlined at
 * the address; lines come from the unit's line table.  Where there is no debug
 * information for an address, the symbol whose extent covers it gives the name.
 */
#include "run/modsym.h"

#include "base/file.h"
#include "base/sbuf.h"
#include "base/vec.h"

#include <assert.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MAX_DEPTH = 128,	/* of nested blocks and inlined calls that are looked into */
};

/* Code [lo, hi); which: a unit's number, or a function's offset in .debug_info. */
struct range {
	uint64_t lo, hi;
	uint64_t which;
};

VEC_TYPE(ranges, struct range);

struct unit {
	Dwarf_Die die;		/* with the functions; of a split unit the one in the .dwo */
	Dwarf_Die lines;	/* with the line table */
	bool has_functions;
	struct ranges functions;
};

struct name {
	uint64_t lo, hi;	/* hi == lo: of unknown size, up to the next one */
	const char *text;
	unsigned rank;		/* of several for the same code the highest */
};

struct modsym {
	Dwfl *dwfl;
	Dwfl_Module *mod;
	uint64_t bias;		/* added to an offset: address in libdwfl's view */
	uint64_t dw_bias;	/* subtracted from that: address in the debug information */
	Dwarf *dw;		/* NULL: none */
	VEC(struct unit) units;
	struct ranges unit_ranges;
	VEC(struct name) names;
	Dwfl_Callbacks callbacks;
	char *debug_path;
	struct sbuf path;	/* of the last file name that was joined */
	char *demangled;
};

/* ---- ranges ---- */

static int range_compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->hi > y->hi ? -1 : x->hi < y->hi;	/* the narrower one last */
}

static void ranges_add_die(struct ranges *r, Dwarf_Die *die, uint64_t which)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0)
		/* code that the linker has dropped is at 0 */
		if (lo < hi && lo > 0)
			vec_push(r, ((struct range){ lo, hi, which }));
}

static void ranges_sort(struct ranges *r)
{
	if (r->n)
		qsort(r->v, r->n, sizeof(*r->v), range_compare);
}

/* The last range that begins at or before the address and covers it; ranges of
 * one table hardly ever overlap, so few steps back are enough. */
static const struct range *ranges_find(const struct ranges *r, uint64_t addr)
{
	enum { STEPS_BACK = 64 };
	uint32_t lo = 0, hi = r->n;

	assert(!r->n || r->v[0].lo <= r->v[r->n - 1].lo);	/* it is sorted */
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (r->v[mid].lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (uint32_t i = lo; i > 0 && lo - i < STEPS_BACK; i--)
		if (addr < r->v[i - 1].hi)
			return &r->v[i - 1];
	return NULL;
}

/* ---- opening ---- */

/* A regular file, or -1.  Not blocking: the path may have become a pipe. */
static int open_regular(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool same_id(Dwfl_Module *mod, const struct modsym_input *in)
{
	const unsigned char *id;
	GElf_Addr at;
	int n;

	if (!in->nid)
		return true;
	n = dwfl_module_build_id(mod, &id, &at);
	return n > 0 && (size_t)n == in->nid && memcmp(id, in->id, in->nid) == 0;
}

/* Tries one file as the module.  SYMBOL_DEBUG if it is the right one. */
static enum symbol_source try_file(struct modsym *m, const struct modsym_input *in, const char *path)
{
	int fd = open_regular(path);
	GElf_Addr bias;

	if (fd < 0)
		return SYMBOL_MISSING;
	if (m->dwfl)
		dwfl_end(m->dwfl);
	m->mod = NULL;
	if (!(m->dwfl = dwfl_begin(&m->callbacks))) {
		close(fd);
		return SYMBOL_DAMAGED;
	}
	dwfl_report_begin(m->dwfl);
	m->mod = dwfl_report_offline(m->dwfl, path, path, fd);
	if (!m->mod)
		close(fd);	/* else it is libdwfl's */
	dwfl_report_end(m->dwfl, NULL, NULL);
	if (!m->mod || !dwfl_module_getelf(m->mod, &bias))
		return SYMBOL_DAMAGED;
	m->bias = bias;
	return same_id(m->mod, in) ? SYMBOL_DEBUG : SYMBOL_CHANGED;
}

/* A debug file by build-id alone, in one folder. */
static bool try_debug_dir(struct modsym *m, const struct modsym_input *in, const char *dir)
{
	static const char *const suffixes[] = { ".debug", "" };
	const unsigned char *id = in->id;
	bool found = false;

	assert(in->nid >= 2);
	for (unsigned k = 0; k < ARRAY_LEN(suffixes) && !found; k++) {
		sbuf_clear(&m->path);
		sbuf_printf(&m->path, "%s/.build-id/%02x/", dir, id[0]);
		for (size_t i = 1; i < in->nid; i++)
			sbuf_printf(&m->path, "%02x", id[i]);
		sbuf_adds(&m->path, suffixes[k]);
		found = try_file(m, in, sbuf_str(&m->path)) == SYMBOL_DEBUG;
	}
	return found;
}

static bool find_by_id(struct modsym *m, const struct modsym_input *in)
{
	if (in->nid < 2)
		return false;
	for (const char *const *d = in->debug_dirs; d && *d; d++)
		if (try_debug_dir(m, in, *d))
			return true;
	return try_debug_dir(m, in, "/usr/lib/debug");
}

/* ---- names ---- */

static int name_compare(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return strcmp(x->text, y->text);
}

/* Of aliases the one a person would write: exported, without underscores. */
static unsigned name_rank(const GElf_Sym *sym, const char *text)
{
	unsigned rank = 0;

	if (sym->st_size > 0)
		rank += 8;
	if (GELF_ST_TYPE(sym->st_info) != STT_NOTYPE)
		rank += 4;
	if (text[0] != '_')
		rank += 2;
	if (GELF_ST_BIND(sym->st_info) != STB_LOCAL)
		rank += 1;
	return rank;
}

/* The invariant of the names: each address once, in rising order. */
static __attribute__((unused)) void names_check(const struct modsym *m)
{
	for (uint32_t i = 0; i < m->names.n; i++) {
		assert(m->names.v[i].text[0]);
		assert(!i || m->names.v[i - 1].lo < m->names.v[i].lo);
	}
}

/* Sorts the names, and leaves the best one of each address. */
static void sort_names(struct modsym *m)
{
	uint32_t n = 0;

	if (m->names.n)
		qsort(m->names.v, m->names.n, sizeof(*m->names.v), name_compare);
	for (uint32_t i = 0; i < m->names.n; i++)
		if (!n || m->names.v[n - 1].lo != m->names.v[i].lo)
			m->names.v[n++] = m->names.v[i];
	assert(n <= m->names.n);
	m->names.n = n;
#ifdef PLUMB_DEBUG
	names_check(m);
#endif
}

static void read_names(struct modsym *m)
{
	int n = dwfl_module_getsymtab(m->mod);

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		GElf_Word shndx;
		const char *text = dwfl_module_getsym_info(m->mod, i, &sym, &addr, &shndx, NULL, NULL);
		unsigned type;
		bool is_code;

		if (!text || !text[0])
			continue;
		type = GELF_ST_TYPE(sym.st_info);
		is_code = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
		if (shndx == SHN_UNDEF || shndx == SHN_ABS || !is_code)
			continue;
		addr -= m->bias;
		vec_push(&m->names, ((struct name){ addr, addr + sym.st_size, text, name_rank(&sym, text) }));
	}
	sort_names(m);
}

/* A symbol of known size covers its extent; one of unknown size (hand-written assembly)
 * covers NEAR bytes, but nothing from the next symbol on. */
static const char *find_name(const struct modsym *m, uint64_t offset)
{
	enum { NEAR = 4096 };
	uint32_t lo = 0, hi = m->names.n;
	const struct name *x;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->names.v[mid].lo <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return "";
	x = &m->names.v[lo - 1];
	assert(x->lo <= offset);
	return offset < x->hi || (x->hi == x->lo && offset - x->lo < NEAR) ? x->text : "";
}

/* In libstdc++, which comes with LLVM.  The result is for free(). */
char *__cxa_demangle(const char *name, char *buf, size_t *n, int *status) __attribute__((weak));

static const char *demangle(struct modsym *m, const char *name)
{
	int status = 0;

	if (strncmp(name, "_Z", 2) != 0 || !__cxa_demangle)
		return name;
	free(m->demangled);
	m->demangled = __cxa_demangle(name, NULL, NULL, &status);
	return m->demangled ? m->demangled : name;
}

/* ---- debug information ---- */

static void add_unit(struct modsym *m, Dwarf_Die *die, Dwarf_Die *split)
{
	struct unit u = { .die = *die, .lines = *die };

	if (split && split->addr)
		u.die = *split;
	ranges_add_die(&m->unit_ranges, die, m->units.n);
	vec_push(&m->units, u);
}

static void read_units(struct modsym *m)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	while (dwarf_get_units(m->dw, cu, &cu, NULL, &type, &die, &split) == 0)
		if (type != DW_UT_type && type != DW_UT_split_type && type != DW_UT_partial)
			add_unit(m, &die, type == DW_UT_skeleton ? &split : NULL);
	ranges_sort(&m->unit_ranges);
}

/* All functions below a die, also those in classes, name spaces and functions. */
static void add_functions(struct ranges *r, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die child;

	if (depth > MAX_DEPTH || dwarf_child(parent, &child) != 0)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			ranges_add_die(r, &child, dwarf_dieoffset(&child));
			add_functions(r, &child, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_lexical_block:
			add_functions(r, &child, depth + 1);
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

static const struct ranges *unit_functions(struct unit *u)
{
	if (!u->has_functions) {
		add_functions(&u->functions, &u->die, 0);
		ranges_sort(&u->functions);
		u->has_functions = true;
	}
	return &u->functions;
}

VEC_TYPE(dies, Dwarf_Die);

static bool may_cover(Dwarf_Die *die, uint64_t addr)
{
	if (dwarf_haspc(die, addr) > 0)
		return true;
	return dwarf_tag(die) == DW_TAG_lexical_block && !dwarf_hasattr(die, DW_AT_low_pc) &&
	       !dwarf_hasattr(die, DW_AT_ranges);
}

/* Pushes the calls inlined at the address, the outermost first. */
static bool add_inlined(struct dies *out, Dwarf_Die *parent, uint64_t addr, unsigned depth)
{
	Dwarf_Die child;

	if (depth > MAX_DEPTH || dwarf_child(parent, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		bool call = tag == DW_TAG_inlined_subroutine;
		bool block = tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
			     tag == DW_TAG_catch_block;

		if (!call && !block)
			continue;
		if (!may_cover(&child, addr))
			continue;
		if (call)
			vec_push(out, child);
		if (add_inlined(out, &child, addr, depth + 1) || call)
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static const char *die_name(struct modsym *m, Dwarf_Die *die)
{
	Dwarf_Attribute at;
	const char *s = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &at) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &at))
		s = dwarf_formstring(&at);
	if (s && strncmp(s, "_Z", 2) == 0)
		return demangle(m, s);
	if (dwarf_attr_integrate(die, DW_AT_name, &at) && (s = dwarf_formstring(&at)))
		return s;
	return "";
}

/* The file name, absolute where the unit's folder is known. */
static const char *file_name(struct modsym *m, struct unit *u, const char *file)
{
	Dwarf_Attribute at;
	const char *dir = dwarf_formstring(dwarf_attr(&u->lines, DW_AT_comp_dir, &at));
	char *joined, *normal;

	if (!file)
		return "";
	joined = path_join(dir && dir[0] == '/' ? dir : ".", file);
	normal = path_normal(dir && dir[0] == '/' ? joined : file);
	sbuf_clear(&m->path);
	sbuf_adds(&m->path, normal);
	free(joined);
	free(normal);
	return sbuf_str(&m->path);
}

/* Where the instruction itself is. */
static void set_line(struct modsym *m, struct unit *u, uint64_t addr, struct symbol_frame *f)
{
	Dwarf_Line *line = dwarf_getsrc_die(&u->lines, addr);
	int n = 0;

	f->file = "";
	f->line = 0;
	if (!line || dwarf_lineno(line, &n) != 0)
		return;
	f->file = file_name(m, u, dwarf_linesrc(line, NULL, NULL));
	f->line = n > 0 ? (unsigned)n : 0;
}

/* Where an inlined call was written. */
static void set_call_line(struct modsym *m, struct unit *u, Dwarf_Die *call, struct symbol_frame *f)
{
	Dwarf_Attribute at;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t n;

	f->file = "";
	f->line = 0;
	if (dwarf_formudata(dwarf_attr(call, DW_AT_call_line, &at), &line) == 0 && line <= UINT32_MAX)
		f->line = (unsigned)line;
	if (dwarf_formudata(dwarf_attr(call, DW_AT_call_file, &at), &file) == 0 &&
	    dwarf_getsrcfiles(&u->lines, &files, &n) == 0 && file < n)
		f->file = file_name(m, u, dwarf_filesrc(files, file, NULL, NULL));
}

/* The function and what is inlined in it; false if the debug information has
 * none here. */
static bool put_function(struct modsym *m, struct unit *u, uint64_t addr, modsym_put *put, void *ctx)
{
	const struct range *r = ranges_find(unit_functions(u), addr);
	struct symbol_frame f = {0};
	struct dies calls = {0};
	Dwarf_Die function;

	if (!r || !dwarf_offdie(dwarf_cu_getdwarf(u->die.cu), r->which, &function))
		return false;
	add_inlined(&calls, &function, addr, 0);
	set_line(m, u, addr, &f);
	for (uint32_t i = calls.n; i > 0; i--) {
		f.function = die_name(m, &calls.v[i - 1]);
		f.inlined = true;
		put(ctx, &f);
		set_call_line(m, u, &calls.v[i - 1], &f);
	}
	f.function = die_name(m, &function);
	f.inlined = false;
	put(ctx, &f);
	vec_release(&calls);
	return true;
}

void modsym_find(struct modsym *m, uint64_t offset, modsym_put *put, void *ctx)
{
	uint64_t addr = offset + m->bias - m->dw_bias;
	const struct range *r = m->dw ? ranges_find(&m->unit_ranges, addr) : NULL;
	struct unit *u = r ? &m->units.v[r->which] : NULL;
	struct symbol_frame f = { .function = "", .file = "" };

	assert(!r || r->which < m->units.n);
	if (u && put_function(m, u, addr, put, ctx))
		return;
	if (u)		/* assembly has lines without functions */
		set_line(m, u, addr, &f);
	f.function = demangle(m, find_name(m, offset));
	put(ctx, &f);
}

struct modsym *modsym_open(const struct modsym_input *in, enum symbol_source *source)
{
	struct modsym *m = xcalloc(1, sizeof(*m));
	GElf_Addr bias;

	m->debug_path = xstrdup(in->debug_path);
	m->callbacks = (Dwfl_Callbacks){
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &m->debug_path,
	};
	*source = in->path[0] ? try_file(m, in, in->path) : SYMBOL_MISSING;
	if (*source != SYMBOL_DEBUG && find_by_id(m, in))
		*source = SYMBOL_DEBUG;
	if (*source != SYMBOL_DEBUG) {
		modsym_close(m);
		return NULL;
	}
	if (!in->names_only && (m->dw = dwfl_module_getdwarf(m->mod, &bias))) {
		m->dw_bias = bias;
		read_units(m);
	}
	read_names(m);
	if (!m->unit_ranges.n)
		*source = m->names.n ? SYMBOL_NAMES : SYMBOL_NOTHING;
	return m;
}

void modsym_close(struct modsym *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->units.n; i++)
		vec_release(&m->units.v[i].functions);
	vec_release(&m->units);
	vec_release(&m->unit_ranges);
	vec_release(&m->names);
	if (m->dwfl)
		dwfl_end(m->dwfl);
	free(m->debug_path);
	free(m->demangled);
	sbuf_release(&m->path);
	free(m);
}
