/* u_front_elf.c - the section .plumb in all kinds of ELF files; archives. */
#include "unit.h"

#include "base/error.h"
#include "base/sbuf.h"
#include "front/elf.h"

#include <elf.h>

struct format {
	bool is64, big;
};

static const struct format formats[] = { { true, false }, { false, false }, { true, true }, { false, true } };

static void put(struct sbuf *b, size_t at, unsigned width, uint64_t x, bool big)
{
	CHECK(at + width <= b->n);
	for (unsigned i = 0; i < width; i++)
		b->s[at + (big ? width - 1 - i : i)] = (char)(x >> 8 * i);
}

static void zeroes(struct sbuf *b, size_t n)
{
	while (n--)
		sbuf_addc(b, '\0');
}

/* A section header: name, type, offset, size; the rest is zero. */
static void header(struct sbuf *b, struct format f, uint64_t name, uint64_t type, uint64_t offset,
		   uint64_t size, uint64_t link)
{
	size_t at = b->n;

	zeroes(b, f.is64 ? 64 : 40);
	put(b, at, 4, name, f.big);
	put(b, at + 4, 4, type, f.big);
	put(b, at + (f.is64 ? 24 : 16), f.is64 ? 8 : 4, offset, f.big);
	put(b, at + (f.is64 ? 32 : 20), f.is64 ? 8 : 4, size, f.big);
	put(b, at + (f.is64 ? 40 : 24), 4, link, f.big);
}

/* An object with `count` sections, the last one the table of names. */
static void make_object(struct sbuf *b, struct format f, uint64_t count)
{
	static const char names[] = "\0.text\0.shstrtab";
	size_t table, strings;
	bool extended = count >= SHN_LORESERVE;

	sbuf_clear(b);
	zeroes(b, f.is64 ? 64 : 52);
	memcpy(b->s, ELFMAG, SELFMAG);
	b->s[EI_CLASS] = f.is64 ? ELFCLASS64 : ELFCLASS32;
	b->s[EI_DATA] = f.big ? ELFDATA2MSB : ELFDATA2LSB;
	sbuf_adds(b, "code");
	strings = b->n;
	sbuf_add(b, names, sizeof(names));
	zeroes(b, 8 - b->n % 8);
	table = b->n;
	header(b, f, 0, SHT_NULL, 0, extended ? count : 0, extended ? count - 1 : 0);
	for (uint64_t i = 1; i + 1 < count; i++)
		header(b, f, 1, SHT_PROGBITS, f.is64 ? 64 : 52, 4, 0);
	header(b, f, 7, SHT_STRTAB, strings, sizeof(names), 0);
	put(b, f.is64 ? 0x28 : 0x20, f.is64 ? 8 : 4, table, f.big);
	put(b, f.is64 ? 0x3a : 0x2e, 2, f.is64 ? 64 : 40, f.big);
	put(b, f.is64 ? 0x3c : 0x30, 2, extended ? 0 : count, f.big);
	put(b, f.is64 ? 0x3e : 0x32, 2, extended ? SHN_XINDEX : count - 1, f.big);
}

static void check_section(const struct sbuf *file, const char *want, size_t n)
{
	const void *p;
	size_t got;

	CHECK_EQ_INT(elf_plumb_section(&p, &got, file->s, file->n), 0);
	CHECK_EQ_INT(got, n);
	CHECK(memcmp(p, want, n) == 0);
	CHECK_EQ_INT(((const char *)p - file->s) % 8, 0);
}

static void check_adding(struct format f, uint64_t count)
{
	struct sbuf a = {0}, b = {0}, c = {0};
	const void *p;
	size_t n, head = f.is64 ? 64 : 52;

	make_object(&a, f, count);
	CHECK(elf_is_elf(a.s, a.n));
	CHECK(elf_plumb_section(&p, &n, a.s, a.n) < 0);
	CHECK(strstr(error_last(), "no section .plumb"));
	CHECK_EQ_INT(elf_append(&b, a.s, a.n, "record-1", 8), 0);
	check_section(&b, "record-1", 8);
	/* Nothing but the header has changed. */
	CHECK(b.n > a.n && memcmp(b.s + head, a.s + head, a.n - head) == 0);
	CHECK_EQ_INT(elf_append(&c, b.s, b.n, "record-2", 8), 0);
	check_section(&c, "record-1record-2", 16);
	sbuf_release(&a);
	sbuf_release(&b);
	sbuf_release(&c);
}

TEST(adding)
{
	for (unsigned i = 0; i < 4; i++)
		check_adding(formats[i], 3);
}

TEST(very_many_sections)
{
	for (unsigned i = 0; i < 4; i++) {
		check_adding(formats[i], SHN_LORESERVE - 1);	/* becomes too many */
		check_adding(formats[i], SHN_LORESERVE);
		check_adding(formats[i], 70000);
	}
}

TEST(padding_between_records)
{
	struct sbuf a = {0}, b = {0}, c = {0};

	make_object(&a, formats[0], 3);
	CHECK_EQ_INT(elf_append(&b, a.s, a.n, "abc", 3), 0);
	CHECK_EQ_INT(elf_append(&c, b.s, b.n, "def", 3), 0);
	check_section(&c, "abc\0\0\0\0\0def", 11);
	sbuf_release(&a);
	sbuf_release(&b);
	sbuf_release(&c);
}

/* Every cut and every changed byte is answered, never a crash. */
TEST(damage)
{
	for (unsigned k = 0; k < 4; k++) {
		struct sbuf a = {0}, b = {0};
		const void *p;
		size_t n;

		make_object(&a, formats[k], 3);
		CHECK_EQ_INT(elf_append(&b, a.s, a.n, "record-1", 8), 0);
		for (size_t i = 0; i < b.n; i++) {
			char *cut = malloc(i ? i : 1);

			memcpy(cut, b.s, i);
			CHECK(elf_plumb_section(&p, &n, cut, i) < 0);
			free(cut);
		}
		for (size_t i = 0; i < b.n; i++)
			for (int x = 0; x < 4; x++) {
				char old = b.s[i];
				struct sbuf out = {0};

				b.s[i] = (char[]){ 0, 1, 0x7f, (char)0xff }[x];
				if (elf_plumb_section(&p, &n, b.s, b.n) == 0)
					CHECK((const char *)p >= b.s && n <= b.n && (const char *)p + n <= b.s + b.n);
				elf_append(&out, b.s, b.n, "r", 1);
				sbuf_release(&out);
				b.s[i] = old;
			}
		sbuf_release(&a);
		sbuf_release(&b);
	}
}

TEST(not_elf)
{
	struct sbuf out = {0};
	const void *p;
	size_t n;

	CHECK(elf_plumb_section(&p, &n, "", 0) < 0);
	CHECK_EQ_STR(error_last(), "not an ELF file");
	CHECK(elf_append(&out, "hello", 5, "r", 1) < 0);
	CHECK(!elf_is_elf("\177EL", 3));
	CHECK(!elf_is_archive("!<arch>", 7));
	sbuf_release(&out);
}

/* ---- archives ---- */

static void member(struct sbuf *b, const char *name, const char *data, bool thin)
{
	sbuf_printf(b, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", name, "0", "0", "0", "644", strlen(data));
	if (thin)
		return;
	sbuf_adds(b, data);
	if (strlen(data) % 2)
		sbuf_addc(b, '\n');
}

/* All members as "name=data;", or "name;" in a thin archive. */
static char *members(const struct sbuf *b)
{
	struct sbuf out = {0};
	struct archive a;
	int ret;

	CHECK_EQ_INT(archive_open(&a, b->s, b->n), 0);
	while ((ret = archive_next(&a)) > 0) {
		sbuf_adds(&out, a.name);
		if (a.data) {
			sbuf_addc(&out, '=');
			sbuf_add(&out, a.data, a.size);
		}
		sbuf_addc(&out, ';');
	}
	archive_close(&a);
	if (ret < 0)
		sbuf_adds(&out, error_last());
	return out.s ? sbuf_detach(&out) : strdup("");
}

static void check_members(struct sbuf *b, const char *want)
{
	char *got = members(b);

	CHECK_EQ_STR(got, want);
	free(got);
	sbuf_release(b);
}

TEST(archives)
{
	struct sbuf b = {0};

	sbuf_adds(&b, "!<arch>\n");
	check_members(&b, "");
	sbuf_adds(&b, "!<arch>\n");
	member(&b, "/", "symbols", false);
	member(&b, "//", "a-long-name-of-a-member.o/\nanother-one.o/\n", false);
	member(&b, "a.o/", "odd", false);
	member(&b, "/0", "even", false);
	member(&b, "/27", "x", false);
	member(&b, "#1/4", "bsd\0hello", false);
	check_members(&b, "a.o=odd;a-long-name-of-a-member.o=even;another-one.o=x;"
			  "damaged archive: a member's name is missing");
	sbuf_adds(&b, "!<arch>\n");
	member(&b, "#1/4", "b.o1hello", false);
	check_members(&b, "b.o1=hello;");
	sbuf_adds(&b, "!<thin>\n");
	member(&b, "//", "dir/a.o/\n", false);
	member(&b, "/0", "1234", true);
	member(&b, "b.o/", "12345", true);
	check_members(&b, "dir/a.o;b.o;");
}

TEST(damaged_archives)
{
	struct sbuf b = {0};

	sbuf_adds(&b, "!<arch>\n");
	member(&b, "/99", "x", false);
	check_members(&b, "damaged archive: a member's name is missing");
	sbuf_adds(&b, "!<arch>\nshort");
	check_members(&b, "damaged archive: bad member header");
	sbuf_adds(&b, "!<arch>\n");
	member(&b, "a.o/", "cut", false);
	b.n -= 3;
	check_members(&b, "damaged archive: cut short");
}

/* A program with one program header of the given type. */
static void make_program(struct sbuf *b, struct format f, unsigned type, unsigned header_type)
{
	sbuf_clear(b);
	zeroes(b, (f.is64 ? 64 : 52) + (f.is64 ? 56 : 32));
	memcpy(b->s, ELFMAG, SELFMAG);
	b->s[EI_CLASS] = f.is64 ? ELFCLASS64 : ELFCLASS32;
	b->s[EI_DATA] = f.big ? ELFDATA2MSB : ELFDATA2LSB;
	put(b, 16, 2, type, f.big);
	put(b, 18, 2, EM_X86_64, f.big);
	put(b, f.is64 ? 32 : 28, f.is64 ? 8 : 4, f.is64 ? 64 : 52, f.big);
	put(b, f.is64 ? 54 : 42, 2, f.is64 ? 56 : 32, f.big);
	put(b, f.is64 ? 56 : 44, 2, 1, f.big);
	put(b, f.is64 ? 64 : 52, 4, header_type, f.big);
}

TEST(programs)
{
	struct elf_program e;
	struct sbuf b = {0};

	for (unsigned i = 0; i < 4; i++) {
		struct format f = formats[i];

		make_program(&b, f, ET_DYN, PT_INTERP);
		CHECK(elf_program(&e, b.s, b.n) == 0);
		CHECK(e.is64 == f.is64 && e.machine == EM_X86_64 && e.runs && e.dynamic);
		CHECK(elf_program(&e, b.s, b.n - 1) < 0);	/* the header is cut */
		CHECK(elf_program(&e, b.s, 20) < 0);
		make_program(&b, f, ET_EXEC, PT_LOAD);
		CHECK(elf_program(&e, b.s, b.n) == 0 && e.runs && !e.dynamic);
		make_program(&b, f, ET_REL, PT_LOAD);
		CHECK(elf_program(&e, b.s, b.n) == 0 && !e.runs);
		put(&b, f.is64 ? 54 : 42, 2, 1, f.big);		/* a size that cannot be */
		CHECK(elf_program(&e, b.s, b.n) < 0);
	}
	CHECK(elf_program(&e, "#!/bin/sh", 9) < 0);
	sbuf_release(&b);
}
