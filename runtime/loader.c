/*
 * loader.c - can the loader of a program take our library?
 *
 * A library is for one word size, one processor and one C library.  Which of them a program
 * has is in its ELF header and in the name of its loader, PT_INTERP: glibc's is called
 * ld-linux-x86-64.so.2 wherever it lies, musl's ld-musl-x86_64.so.1.  A sanitizer's library
 * among those that the program itself needs (DT_NEEDED) wants to be the first of all, and
 * ends the program if it is not; one that is linked statically does not mind.
 *
 * Whatever is odd or damaged is no obstacle: then the loader, not we, has to say so.
 */
#include "loader.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define GLIBC_LOADER "ld-linux"
#define MUSL_LOADER "ld-musl"
#define MOST_HEADERS 64
#define MOST_ENTRIES 512	/* of the dynamic section */
#define NAME 64			/* bytes of a file's name that are looked at */

struct program {
	int fd;
	Elf64_Ehdr e;
};

static bool read_at(const struct program *p, void *to, size_t n, uint64_t at)
{
	return at <= INT64_MAX && pread(p->fd, to, n, (off_t)at) == (ssize_t)n;
}

/* Up to NAME - 1 bytes of a string in the file. */
static bool read_string(const struct program *p, char to[NAME], uint64_t at)
{
	ssize_t n = at > INT64_MAX ? -1 : pread(p->fd, to, NAME - 1, (off_t)at);

	if (n <= 0)
		return false;
	to[n] = 0;
	return true;
}

/* The first program header of a type that, if address is not 0, has that address. */
static bool find_header(const struct program *p, Elf64_Phdr *ph, uint32_t type, uint64_t address)
{
	for (unsigned i = 0; i < p->e.e_phnum && i < MOST_HEADERS; i++) {
		if (!read_at(p, ph, sizeof(*ph), p->e.e_phoff + i * sizeof(*ph)))
			return false;
		if (ph->p_type == type && (address == 0 || (address >= ph->p_vaddr &&
							    address - ph->p_vaddr < ph->p_filesz)))
			return true;
	}
	return false;
}

static bool is_sanitizer(const char *library)
{
	static const char *const names[] = { "libasan.", "libhwasan.", "libtsan.", "liblsan.",
					     "libclang_rt.asan", "libclang_rt.hwasan",
					     "libclang_rt.tsan", "libclang_rt.lsan" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(library, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool find_entry(const struct program *p, const Elf64_Phdr *dynamic, unsigned *i, Elf64_Dyn *d,
		       int64_t tag)
{
	for (; *i < MOST_ENTRIES && *i < dynamic->p_filesz / sizeof(*d); ++*i) {
		if (!read_at(p, d, sizeof(*d), dynamic->p_offset + *i * sizeof(*d)) ||
		    d->d_tag == DT_NULL)
			return false;
		if (d->d_tag == tag)
			return true;
	}
	return false;
}

static bool needs_sanitizer(const struct program *p)
{
	Elf64_Phdr dynamic, load;
	Elf64_Dyn d;
	uint64_t strings;
	char name[NAME];
	unsigned i = 0;

	if (!find_header(p, &dynamic, PT_DYNAMIC, 0) || !find_entry(p, &dynamic, &i, &d, DT_STRTAB) ||
	    !find_header(p, &load, PT_LOAD, d.d_un.d_ptr))
		return false;
	strings = load.p_offset + (d.d_un.d_ptr - load.p_vaddr);
	for (i = 0; find_entry(p, &dynamic, &i, &d, DT_NEEDED); i++)
		if (read_string(p, name, strings + d.d_un.d_val) && is_sanitizer(name))
			return true;
	return false;
}

const char *loader_obstacle(int fd, const char *head, size_t n)
{
	struct program p = { .fd = fd };
	Elf64_Phdr interp;
	char end[NAME], *name;
	uint64_t size;

	if (n < sizeof(p.e) || memcmp(head, ELFMAG, SELFMAG) != 0)
		return NULL;
	memcpy(&p.e, head, sizeof(p.e));
	if (p.e.e_ident[EI_CLASS] == ELFCLASS32)
		return "is a 32-bit program, and libplumb.so is not";
	if (p.e.e_machine != EM_X86_64)
		return "is for another processor than libplumb.so";
	if (p.e.e_phentsize != sizeof(interp) || !find_header(&p, &interp, PT_INTERP, 0))
		return NULL;
	size = interp.p_filesz < sizeof(end) ? interp.p_filesz : sizeof(end) - 1;
	if (size == 0 || !read_at(&p, end, size, interp.p_offset + interp.p_filesz - size))
		return NULL;
	end[size] = 0;
	name = strrchr(end, '/') ? strrchr(end, '/') + 1 : end;
	if (strncmp(name, MUSL_LOADER, strlen(MUSL_LOADER)) == 0)
		return "is linked with musl, and libplumb.so is made for glibc";
	if (strncmp(name, GLIBC_LOADER, strlen(GLIBC_LOADER)) != 0)
		return "is linked with another C library than glibc, which libplumb.so is made for";
	return needs_sanitizer(&p) ? "is built with a sanitizer, which brings its own malloc" : NULL;
}
