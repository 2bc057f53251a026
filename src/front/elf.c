/*
 * elf.c - the section .plumb: reading it, and adding it to a finished file.
 *
 * Why not libelf: all we need is one section, and the file may be damaged or
 * hostile; and adding the section must leave every other byte where it is, so
 * that the object remains what the real compiler made.
 *
 * Adding.  A section is described by a header in a table, and named by a string
 * in a table of its own; both may lie anywhere in the file.  So the file is
 * extended:
 *
 *	[ the old file ][ .plumb ][ section names + ".plumb" ][ section headers ]
 *
 * and only the fields of the ELF header that locate the header table change.
 * The old tables stay behind as dead bytes.  The new header comes last, so that
 * section numbers, which symbols and relocations use, mean the same as before.
 *
 * The section is SHT_PROGBITS without SHF_ALLOC: it is not loaded, linkers
 * concatenate sections of that name and kind in the order of the inputs, padding
 * with zeroes to the alignment (8), and --gc-sections and strip do not remove it.
 */
#include "front/elf.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sbuf.h"

#include <assert.h>
#include <elf.h>
#include <stdlib.h>

#define SECTION ".plumb"
#define HOW "build with CC=\"plumb cc\" to have it"

/* A view of a file; all reads go through get(), which knows the bounds. */
struct view {
	const unsigned char *p;
	size_t n;
	bool is64, big;
	uint64_t shoff;
	uint64_t shnum;
	uint64_t shstrndx;
	size_t shentsize;
};

struct section {
	uint64_t name, type, flags, addr, offset, size, link, info, align, entsize;
};

/* Where a field is, in the two word sizes: offset and width in bytes. */
struct field {
	unsigned char at32, w32, at64, w64;
};

static const struct field
	f_type = { 0x10, 2, 0x10, 2 }, f_machine = { 0x12, 2, 0x12, 2 },
	f_phoff = { 0x1c, 4, 0x20, 8 }, f_phentsize = { 0x2a, 2, 0x36, 2 },
	f_phnum = { 0x2c, 2, 0x38, 2 }, p_type = { 0, 4, 0, 4 },
	f_shoff = { 0x20, 4, 0x28, 8 }, f_shentsize = { 0x2e, 2, 0x3a, 2 },
	f_shnum = { 0x30, 2, 0x3c, 2 }, f_shstrndx = { 0x32, 2, 0x3e, 2 },
	s_name = { 0, 4, 0, 4 }, s_type = { 4, 4, 4, 4 }, s_flags = { 8, 4, 8, 8 },
	s_addr = { 12, 4, 16, 8 }, s_offset = { 16, 4, 24, 8 }, s_size = { 20, 4, 32, 8 },
	s_link = { 24, 4, 40, 4 }, s_info = { 28, 4, 44, 4 }, s_align = { 32, 4, 48, 8 },
	s_entsize = { 36, 4, 56, 8 },
	d_tag = { 0, 4, 0, 8 }, d_val = { 4, 4, 8, 8 },
	y_name = { 0, 4, 0, 4 }, y_info = { 12, 1, 4, 1 }, y_other = { 13, 1, 5, 1 },
	y_shndx = { 14, 2, 6, 2 };

bool elf_is_elf(const void *p, size_t n)
{
	return n >= SELFMAG && memcmp(p, ELFMAG, SELFMAG) == 0;
}

/* ---- reading ---- */

static uint64_t get(const struct view *v, uint64_t base, struct field f)
{
	uint64_t at = base + (v->is64 ? f.at64 : f.at32), x = 0;
	unsigned w = v->is64 ? f.w64 : f.w32;

	assert(at >= base && at <= v->n && w <= v->n - at);
	for (unsigned i = 0; i < w; i++)
		x |= (uint64_t)v->p[at + i] << 8 * (v->big ? w - 1 - i : i);
	return x;
}

/* Is [at, at + n) inside the file? */
static bool inside(const struct view *v, uint64_t at, uint64_t n)
{
	return at <= v->n && n <= v->n - at;
}

/* An open view: all section headers are in the file, and so is the one of the names. */
static void view_check(const struct view *v)
{
	assert(v->n >= EI_NIDENT && elf_is_elf(v->p, v->n));
	assert(v->shentsize == (v->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)));
	assert(v->shnum ? v->shstrndx < v->shnum : !v->shoff);
	assert(v->shnum <= v->n / v->shentsize);
	assert(!v->shnum || inside(v, v->shoff, v->shnum * v->shentsize));
}

static struct section section_at(const struct view *v, uint64_t i)
{
	uint64_t at = v->shoff + i * v->shentsize;

	assert(i < v->shnum || i == 0);
	return (struct section){
		.name = get(v, at, s_name), .type = get(v, at, s_type), .flags = get(v, at, s_flags),
		.addr = get(v, at, s_addr), .offset = get(v, at, s_offset), .size = get(v, at, s_size),
		.link = get(v, at, s_link), .info = get(v, at, s_info), .align = get(v, at, s_align),
		.entsize = get(v, at, s_entsize),
	};
}

/* Counts that do not fit into the header are in section 0 (more than 65,279
 * sections, as -ffunction-sections can make). */
static int read_counts(struct view *v)
{
	assert(v->shentsize > 0);	/* view_header() has set it */
	v->shoff = get(v, 0, f_shoff);
	if (!v->shoff)
		return 0;	/* no sections */
	v->shnum = get(v, 0, f_shnum);
	v->shstrndx = get(v, 0, f_shstrndx);
	if (get(v, 0, f_shentsize) != v->shentsize || !inside(v, v->shoff, v->shentsize))
		return error_set("damaged ELF file: bad section headers");
	if (!v->shnum)
		v->shnum = section_at(v, 0).size;
	if (v->shstrndx == SHN_XINDEX)
		v->shstrndx = section_at(v, 0).link;
	if (v->shnum > v->n / v->shentsize || !inside(v, v->shoff, v->shnum * v->shentsize))
		return error_set("damaged ELF file: section headers beyond its end");
	if (v->shstrndx >= v->shnum)
		return error_set("damaged ELF file: no table of section names");
	return 0;
}

/* Reads the header of the file: the view has no sections yet. */
static int view_header(struct view *v, const void *p, size_t n)
{
	memset(v, 0, sizeof(*v));
	v->p = p;
	v->n = n;
	if (!elf_is_elf(p, n))
		return error_set("not an ELF file");
	if (n < EI_NIDENT || (v->p[EI_CLASS] != ELFCLASS32 && v->p[EI_CLASS] != ELFCLASS64) ||
	    (v->p[EI_DATA] != ELFDATA2LSB && v->p[EI_DATA] != ELFDATA2MSB))
		return error_set("damaged ELF file: bad header");
	v->is64 = v->p[EI_CLASS] == ELFCLASS64;
	v->big = v->p[EI_DATA] == ELFDATA2MSB;
	v->shentsize = v->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	if (n < (v->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return error_set("damaged ELF file: cut short");
	return 0;
}

static int view_open(struct view *v, const void *p, size_t n)
{
	if (view_header(v, p, n) < 0 || read_counts(v) < 0)
		return -1;
	view_check(v);
	return 0;
}

/* The table of section names.  Negative if it is not in the file, or does not
 * name all sections: a name beyond its end would be read from what we add there. */
static int name_table(const struct view *v, struct section *s)
{
	assert(v->shnum > 0);
	*s = section_at(v, v->shstrndx);
	if (s->type != SHT_STRTAB || !inside(v, s->offset, s->size))
		return error_set("damaged ELF file: no table of section names");
	for (uint64_t i = 0; i < v->shnum; i++)
		if (section_at(v, i).name >= s->size)
			return error_set("damaged ELF file: a section has no name");
	return 0;
}

/* The number of the section .plumb, 0 if there is none. */
static uint64_t find_section(const struct view *v, const struct section *names)
{
	for (uint64_t i = 1; i < v->shnum; i++) {
		struct section s = section_at(v, i);

		if (s.type == SHT_PROGBITS && s.name < names->size &&
		    names->size - s.name >= sizeof(SECTION) &&
		    memcmp(v->p + names->offset + s.name, SECTION, sizeof(SECTION)) == 0)
			return i;
	}
	return 0;
}

/* What gcc -flto leaves instead of, or beside, code. */
static bool has_gcc_ir(const struct view *v, const struct section *names)
{
	static const char prefix[] = ".gnu.lto_";

	for (uint64_t i = 1; i < v->shnum; i++) {
		uint64_t name = section_at(v, i).name;

		if (name < names->size && names->size - name >= sizeof(prefix) &&
		    memcmp(v->p + names->offset + name, prefix, sizeof(prefix) - 1) == 0)
			return true;
	}
	return false;
}

int elf_plumb_section(const void **p, size_t *n, const void *file, size_t size)
{
	struct section names, s;
	struct view v;
	uint64_t i;

	if (view_open(&v, file, size) < 0)
		return -1;
	if (!v.shnum)
		return error_set("no section " SECTION " (it has no sections at all); " HOW);
	if (name_table(&v, &names) < 0)
		return -1;
	if (!(i = find_section(&v, &names)))
		return error_set("no section " SECTION "%s; " HOW, has_gcc_ir(&v, &names) ?
				 " (it is an object of -flto, which only gcc can read)" : "");
	s = section_at(&v, i);
	if (s.flags & SHF_COMPRESSED)
		return error_set("section " SECTION " is compressed");
	if (!inside(&v, s.offset, s.size))
		return error_set("damaged ELF file: section " SECTION " beyond its end");
	*p = v.p + s.offset;
	*n = (size_t)s.size;
	return 0;
}

/* Does this table of dynamic symbols name the entry function of a sanitizer?
 * Names that are not in the file are passed over. */
static bool has_sanitizer(const struct view *v, const struct section *symbols)
{
	static const char *const entries[] = { "__asan_init", "__tsan_init", "__msan_init", "__lsan_init" };
	uint64_t size = v->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct section names;

	if (symbols->link >= v->shnum || !inside(v, symbols->offset, symbols->size))
		return false;
	names = section_at(v, symbols->link);
	if (!inside(v, names.offset, names.size))
		return false;
	for (uint64_t i = 0; i < symbols->size / size; i++) {
		uint64_t name = get(v, symbols->offset + i * size, s_name);

		for (unsigned k = 0; k < sizeof(entries) / sizeof(*entries); k++)
			if (name < names.size && names.size - name > strlen(entries[k]) &&
			    memcmp(v->p + names.offset + name, entries[k], strlen(entries[k]) + 1) == 0)
				return true;
	}
	return false;
}

int elf_program(struct elf_program *out, const void *file, size_t size)
{
	struct view v;
	uint64_t phoff, phnum, phentsize, type;

	if (view_header(&v, file, size) < 0)
		return -1;
	type = get(&v, 0, f_type);
	phoff = get(&v, 0, f_phoff);
	phnum = get(&v, 0, f_phnum);
	phentsize = get(&v, 0, f_phentsize);
	*out = (struct elf_program){
		.is64 = v.is64, .machine = (unsigned)get(&v, 0, f_machine),
		.runs = type == ET_EXEC || type == ET_DYN,
		.fixed = type == ET_EXEC,
	};
	if (phnum && (phentsize < 4 || !inside(&v, phoff, phnum * phentsize)))
		return error_set("damaged ELF file: program headers beyond its end");
	for (uint64_t i = 0; i < phnum; i++)
		out->dynamic |= get(&v, phoff + i * phentsize, p_type) == PT_INTERP;
	if (read_counts(&v) < 0)
		return 0;	/* sections are not needed to run it */
	for (uint64_t i = 1; i < v.shnum; i++) {
		struct section s = section_at(&v, i);

		out->sanitized |= s.type == SHT_DYNSYM && has_sanitizer(&v, &s);
	}
	return 0;
}

bool elf_has_plumb(const void *file, size_t size)
{
	struct section names;
	struct view v;

	return view_open(&v, file, size) == 0 && v.shnum && name_table(&v, &names) == 0 &&
	       find_section(&v, &names);
}

/* ---- what is linked dynamically ---- */

/* The first table of a type, and the table of its strings.  False if there is none, or not in the file. */
static bool find_table(const struct view *v, uint64_t type, struct section *table, struct section *strings)
{
	for (uint64_t i = 1; i < v->shnum; i++) {
		*table = section_at(v, i);
		if (table->type != type)
			continue;
		if (table->link >= v->shnum || !inside(v, table->offset, table->size))
			return false;
		*strings = section_at(v, table->link);
		return strings->type == SHT_STRTAB && inside(v, strings->offset, strings->size);
	}
	return false;
}

/* A string of a table; NULL if it is not in there, or has no end. */
static const char *string_at(const struct view *v, const struct section *strings, uint64_t at)
{
	const char *s = (const char *)v->p + strings->offset;

	assert(inside(v, strings->offset, strings->size));
	if (at >= strings->size || !memchr(s + at, '\0', (size_t)(strings->size - at)))
		return NULL;
	return s + at;
}

void elf_dynamic(struct elf_dynamic *out, const void *file, size_t size, elf_name_fn *needs, void *ctx)
{
	struct section table, strings;
	struct view v;
	uint64_t n;

	memset(out, 0, sizeof(*out));
	if (view_open(&v, file, size) < 0 || !find_table(&v, SHT_DYNAMIC, &table, &strings))
		return;
	n = v.is64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
	for (uint64_t at = 0; n <= table.size - at; at += n) {
		uint64_t tag = get(&v, table.offset + at, d_tag);
		const char *s = string_at(&v, &strings, get(&v, table.offset + at, d_val));

		if (tag == DT_NULL)
			break;
		if (tag == DT_NEEDED && s && *s)
			needs(ctx, s);
		else if (tag == DT_RPATH)
			out->rpath = s;
		else if (tag == DT_RUNPATH)
			out->runpath = s;
	}
}

static uint64_t symbol_size(const struct view *v)
{
	return v->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

/* A symbol that is defined and visible to others, of this type (-1: any). */
static bool is_defined(const struct view *v, uint64_t symbol, int type)
{
	unsigned visibility = (unsigned)get(v, symbol, y_other) & 3, info = (unsigned)get(v, symbol, y_info);
	bool visible = visibility == STV_DEFAULT || visibility == STV_PROTECTED;

	return get(v, symbol, y_shndx) != SHN_UNDEF && info >> 4 != STB_LOCAL && visible &&
	       (type < 0 || (info & 15) == (unsigned)type);
}

/* Calls each() for the defined symbols of a type in a file's table of this kind. */
static void each_symbol(const struct view *v, uint64_t kind, int type, elf_name_fn *each, void *ctx)
{
	struct section table, strings;
	uint64_t n = symbol_size(v);

	if (!find_table(v, kind, &table, &strings))
		return;
	for (uint64_t at = 0; n <= table.size - at; at += n) {
		const char *s = string_at(v, &strings, get(v, table.offset + at, y_name));

		if (s && *s && is_defined(v, table.offset + at, type))
			each(ctx, s);
	}
}

void elf_exports(const void *file, size_t size, elf_name_fn *each, void *ctx)
{
	struct view v;

	if (view_open(&v, file, size) == 0)
		each_symbol(&v, SHT_DYNSYM, -1, each, ctx);
}

void elf_functions(const void *file, size_t size, elf_name_fn *each, void *ctx)
{
	struct view v;

	if (view_open(&v, file, size) == 0)
		each_symbol(&v, SHT_SYMTAB, STT_FUNC, each, ctx);
}

const char *elf_source(const void *file, size_t size)
{
	struct section table, strings;
	struct view v;
	uint64_t n;

	if (view_open(&v, file, size) < 0 || !find_table(&v, SHT_SYMTAB, &table, &strings))
		return NULL;
	n = symbol_size(&v);
	for (uint64_t at = 0; n <= table.size - at; at += n)
		if ((get(&v, table.offset + at, y_info) & 15) == STT_FILE)
			return string_at(&v, &strings, get(&v, table.offset + at, y_name));
	return NULL;
}

/* ---- adding ---- */

static void set(const struct view *v, char *base, struct field f, uint64_t x)
{
	unsigned w = v->is64 ? f.w64 : f.w32;
	char *at = base + (v->is64 ? f.at64 : f.at32);

	for (unsigned i = 0; i < w; i++)
		at[v->big ? w - 1 - i : i] = (char)(x >> 8 * i);
}

/* Zero bytes up to a multiple of 8; the length then. */
static size_t pad(struct sbuf *b)
{
	while (b->n % 8)
		sbuf_addc(b, '\0');
	return b->n;
}

/* The old headers, those of the names and of .plumb changed, and a new one if
 * `at` is 0. */
static void add_headers(struct sbuf *out, const struct view *v, const struct section *names,
			const struct section *plumb, uint64_t at)
{
	size_t table = pad(out);
	uint64_t count = v->shnum + !at;
	char *h;

	assert(at < v->shnum && v->shnum > 0);
	assert(plumb->offset % 8 == 0 && plumb->offset + plumb->size <= table);
	sbuf_add(out, v->p + v->shoff, (size_t)v->shnum * v->shentsize);
	if (!at) {
		static const char zero[sizeof(Elf64_Shdr)];

		sbuf_add(out, zero, v->shentsize);
		at = v->shnum;
	}
	h = out->s + table + v->shstrndx * v->shentsize;
	set(v, h, s_offset, names->offset);
	set(v, h, s_size, names->size);
	h = out->s + table + at * v->shentsize;
	set(v, h, s_name, plumb->name);
	set(v, h, s_type, SHT_PROGBITS);
	set(v, h, s_offset, plumb->offset);
	set(v, h, s_size, plumb->size);
	set(v, h, s_align, 8);
	set(v, out->s, f_shoff, table);
	if (count < SHN_LORESERVE) {
		set(v, out->s, f_shnum, count);
	} else {
		set(v, out->s, f_shnum, 0);
		set(v, out->s + table, s_size, count);
	}
}

int elf_append(struct sbuf *out, const void *file, size_t size, const void *rec, size_t n)
{
	struct section names, plumb = {0};
	struct view v;
	uint64_t at, start;

	assert(out->n == 0);
	if (view_open(&v, file, size) < 0)
		return -1;
	if (!v.shnum)
		return error_set("it has no sections");
	if (name_table(&v, &names) < 0)
		return -1;
	if (names.flags & SHF_ALLOC)
		return error_set("its section names are part of the program");
	if ((at = find_section(&v, &names)))
		plumb = section_at(&v, at);
	if (at && ((plumb.flags & SHF_COMPRESSED) || !inside(&v, plumb.offset, plumb.size)))
		return error_set("its section " SECTION " is damaged");
	sbuf_add(out, file, size);

	start = pad(out);
	sbuf_add(out, v.p + plumb.offset, (size_t)plumb.size);
	pad(out);
	sbuf_add(out, rec, n);
	plumb.offset = start;
	plumb.size = out->n - start;

	if (!at) {	/* a name for it */
		start = out->n;
		sbuf_add(out, v.p + names.offset, (size_t)names.size);
		plumb.name = names.size;
		sbuf_add(out, SECTION, sizeof(SECTION));
		names.offset = start;
		names.size = out->n - start;
	}
	if (!v.is64 && out->n > UINT32_MAX - (v.shnum + 2) * v.shentsize)
		return error_set("too large for a 32-bit ELF file");
	add_headers(out, &v, &names, &plumb, at);
	return 0;
}

int elf_plumb_add(const char *path, const void *rec, size_t n)
{
	char *real = realpath(path, NULL);	/* the compiler has written there, wherever that is */
	struct sbuf out = {0};
	struct filemap m;
	int ret;

	if (filemap_open(&m, path) < 0) {
		free(real);
		return -1;
	}
	if ((ret = elf_append(&out, m.p, m.n, rec, n)) == 0)
		ret = file_write(real ? real : path, out.s, out.n);
	else
		error_prefix("%s: ", path);
	free(real);
	sbuf_release(&out);
	filemap_close(&m);
	return ret;
}
