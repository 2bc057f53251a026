/*
 * fuzz_elf.c - ELF files and archives: finding .plumb, and adding to it.
 *
 * Whatever can be added to must be found again, behind what was there before.
 */
#include "base/error.h"
#include "base/sbuf.h"
#include "front/elf.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

static const char record[] = "plumb-ir";

/* Every name must be a string in the file. */
static void see_name(void *ctx, const char *name)
{
	size_t *sum = ctx;

	assert(*name);
	*sum += strlen(name);
}

static void try_elf(const void *p, size_t n)
{
	struct sbuf out = {0};
	struct elf_program program;
	const void *s, *old = NULL;
	struct elf_dynamic dynamic;
	size_t size = 0, nold = 0;
	bool had = elf_plumb_section(&old, &nold, p, n) == 0;

	elf_program(&program, p, n);
	elf_dynamic(&dynamic, p, n, see_name, &size);
	size += dynamic.rpath ? strlen(dynamic.rpath) : 0;
	size += dynamic.runpath ? strlen(dynamic.runpath) : 0;
	elf_exports(p, n, see_name, &size);
	assert(elf_has_plumb(p, n) || !had);
	if (had)
		assert((const char *)old >= (const char *)p && nold <= n &&
		       (const char *)old + nold <= (const char *)p + n);
	if (elf_append(&out, p, n, record, 8) == 0) {
		int ret = elf_plumb_section(&s, &size, out.s, out.n);

		assert(ret == 0 && size >= 8 && memcmp((const char *)s + size - 8, record, 8) == 0);
		if (had)
			assert(size >= nold + 8 && memcmp(s, old, nold) == 0);
	}
	sbuf_release(&out);
}

static void try_archive(const void *p, size_t n)
{
	struct archive a;
	unsigned members = 0;

	if (archive_open(&a, p, n) < 0)
		return;
	while (archive_next(&a) > 0) {
		assert(a.name && (!a.data || a.size <= n));
		if (a.data)
			try_elf(a.data, a.size);
		if (++members > 1000)
			break;
	}
	archive_close(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	try_elf(data, n);
	try_archive(data, n);
	return 0;
}
