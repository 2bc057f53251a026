/*
 * identity.c - the identity of programs and libraries: their build-id.
 *
 * needs: a file, or the name of a command.
 * gives: a build-id, by the rule of identity.h; the file may be damaged, or no program.
 */
#include "run/identity.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sbuf.h"

#include <assert.h>
#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#define SCRIPT_DEPTH 4		/* as the kernel: a script of a script of ... */

char *identity_hex(const unsigned char *id, size_t n)
{
	struct sbuf s = {0};

	for (size_t i = 0; i < n; i++)
		sbuf_printf(&s, "%02x", id[i]);
	return s.s ? sbuf_detach(&s) : xstrdup("");
}

/* The build-id among the notes of d, or NULL. */
static char *id_in_notes(Elf_Data *d)
{
	size_t at = 0, next, name, desc;
	GElf_Nhdr h;

	if (!d)
		return NULL;
	while ((next = gelf_getnote(d, at, &h, &name, &desc)) > 0) {
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 && h.n_descsz > 0 &&
		    h.n_descsz <= 32 && memcmp((char *)d->d_buf + name, "GNU", 4) == 0)
			return identity_hex((unsigned char *)d->d_buf + desc, h.n_descsz);
		at = next;
	}
	return NULL;
}

/* An id for a file that has none, made from the bytes of its code. */
static char *id_of_text(const struct filemap *f, const GElf_Phdr *ph)
{
	unsigned char id[12] = "text";
	uint64_t h = 0xcbf29ce484222325ull;

	assert(ph->p_type == PT_LOAD && ph->p_flags & PF_X);
	if (ph->p_offset > f->n || ph->p_filesz > f->n - ph->p_offset)
		return NULL;
	for (uint64_t i = 0; i < ph->p_filesz; i++)
		h = (h ^ (unsigned char)f->p[ph->p_offset + i]) * 0x100000001b3ull;
	for (unsigned i = 0; i < 8; i++)
		id[4 + i] = (unsigned char)(h >> (8 * i));
	return identity_hex(id, sizeof(id));
}

static char *id_of_elf(Elf *e, const struct filemap *f)
{
	size_t n = 0;
	GElf_Phdr ph;
	char *id = NULL;

	if (elf_kind(e) != ELF_K_ELF || elf_getphdrnum(e, &n) != 0)
		return NULL;
	for (size_t i = 0; i < n && !id; i++) {
		if (!gelf_getphdr(e, (int)i, &ph) || ph.p_type != PT_NOTE)
			continue;
		if (ph.p_offset <= f->n && ph.p_filesz <= f->n - ph.p_offset)
			id = id_in_notes(elf_getdata_rawchunk(e, (int64_t)ph.p_offset, ph.p_filesz,
							      ELF_T_NHDR));
	}
	for (size_t i = 0; i < n && !id; i++)
		if (gelf_getphdr(e, (int)i, &ph) && ph.p_type == PT_LOAD && (ph.p_flags & PF_X))
			id = id_of_text(f, &ph);
	return id;
}

int identity_of_file(char **build_id, const char *path)
{
	struct filemap f;
	Elf *e;

	if (filemap_open(&f, path) < 0)
		return -1;
	elf_version(EV_CURRENT);
	e = f.n ? elf_memory((char *)f.p, f.n) : NULL;
	*build_id = e ? id_of_elf(e, &f) : NULL;
	elf_end(e);
	filemap_close(&f);
	return *build_id ? 0 : error_set("%s: not an ELF program", path);
}

char *identity_interpreter(const struct filemap *f)
{
	size_t from = 2, n = 0;

	if (f->n < 3 || memcmp(f->p, "#!", 2) != 0)
		return NULL;
	while (from < f->n && (f->p[from] == ' ' || f->p[from] == '\t'))
		from++;
	while (from + n < f->n && !strchr(" \t\n", f->p[from + n]) && n < 4096)
		n++;
	return n ? xstrndup(f->p + from, n) : NULL;
}

static char *interpreter_of(const char *path)
{
	struct filemap f;
	char *s;

	if (filemap_open(&f, path) < 0)
		return NULL;
	s = identity_interpreter(&f);
	filemap_close(&f);
	return s;
}

static bool is_program(const char *path)
{
	return access(path, X_OK) == 0 && !is_dir(path);
}

char *identity_find(const char *name)
{
	const char *dirs = getenv("PATH"), *end;
	char *found = NULL;

	if (!dirs)
		dirs = "/bin:/usr/bin";

	if (strchr(name, '/'))
		return is_program(name) ? path_absolute(name) : NULL;
	for (; dirs && !found; dirs = *end ? end + 1 : NULL) {
		char *dir, *file;

		end = strchrnul(dirs, ':');
		dir = end > dirs ? xstrndup(dirs, (size_t)(end - dirs)) : xstrdup(".");
		file = path_join(dir, name);
		if (is_program(file))
			found = path_absolute(file);
		free(file);
		free(dir);
	}
	return found;
}

int identity_of_command(char **path, char **build_id, const char *name)
{
	char *file = *name ? identity_find(name) : NULL, *next;

	if (!file)
		return error_set("%s: no such program", name);
	*path = xstrdup(file);
	*build_id = NULL;
	for (unsigned i = 0; i < SCRIPT_DEPTH && file; i++) {
		next = interpreter_of(file);
		if (!next)
			break;
		free(file);
		file = next;
	}
	if (!file || identity_of_file(build_id, file) < 0)
		*build_id = xstrdup("");
	free(file);
	return 0;
}
