/*
 * target.c - which files of a build are to be analysed.
 *
 * A build leaves many files with IR: objects, archives, libraries, programs, copies of these in the folders
 * of packages.  A program with the libraries that it is linked with says most, since it is whole.  Of
 * several files with the same units one is taken.  A file whose units are all in larger ones is left out:
 * that loses what its own callers would have shown, and saves most of the time where fifty programs share
 * one archive.
 *
 * Where nothing was linked, the objects together are one program.  What Meson and CMake compile to try the
 * compiler is not the entry's own, and would pass for it where the build ends early.
 *
 * needs: a folder in which something was built.
 * gives: targets in the order of their size, and the folders of shared libraries.
 */
#include "scan/scan.h"

#include "base/file.h"
#include "base/hash.h"
#include "front/elf.h"
#include "ir/io.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

VEC_TYPE(sums, uint64_t);

struct found {
	struct scan_target t;
	struct sums sums;	/* of its units */
};

struct search {
	VEC(struct found) programs, objects;
	struct scan_targets *t;
	unsigned depth;
};

enum { MAX_DEPTH = 40 };	/* of folders: deeper than any source tree */

static void read_sums(struct sums *sums, const char *p, size_t n)
{
	for (size_t at = 0; at + 8 <= n;) {
		size_t size;

		if (!memcmp(p + at, "\0\0\0\0\0\0\0\0", 8)) {
			at += 8;
			continue;
		}
		if (ir_record_size(&size, p + at, n - at) < 0)
			return;
		assert(size > 0 && size <= n - at);
		vec_push(sums, hash_bytes(p + at, size, 0));
		at += size;
	}
}

static void note_library_dir(struct scan_targets *t, const char *path)
{
	char *dir = path_dir(path);

	for (uint32_t i = 0; i < t->library_dirs.n; i++)
		if (str_eq(t->library_dirs.v[i], dir)) {
			free(dir);
			return;
		}
	vec_push(&t->library_dirs, dir);
}

static bool is_library(const char *path)
{
	const char *so = strstr(path_base(path), ".so");

	return so && (!so[3] || so[3] == '.');
}

/* Adds the file to the programs or objects if it has IR. */
static void look_at(struct search *s, const char *path)
{
	struct elf_program elf;
	struct filemap m;
	struct found f = {0};
	const void *p;
	size_t n;

	if (filemap_open(&m, path) < 0)
		return;
	if (m.n > 64 && elf_is_elf(m.p, m.n) && elf_has_plumb(m.p, m.n) && elf_program(&elf, m.p, m.n) == 0 &&
	    elf_plumb_section(&p, &n, m.p, m.n) == 0) {
		// plumb-ignore: released element by element in scan_targets_find() and scan_targets_release()
		f.t = (struct scan_target){ .path = xstrdup(path), .bytes = n };
		f.t.is_library = elf.runs && is_library(path);
		read_sums(&f.sums, p, n);
		f.t.units = f.sums.n;
		if (elf.runs)
			vec_push(&s->programs, f);
		else
			vec_push(&s->objects, f);
		if (f.t.is_library)
			note_library_dir(s->t, path);
	}
	filemap_close(&m);
}

static bool is_skipped(const char *name)
{
	static const char *const names[] = { ".", "..", ".git", "meson-private", "CompilerIdC",
					     "CMakeScratch", "CMakeTmp" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_eq(name, names[i]))
			return true;
	return false;
}

static void walk(struct search *s, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		struct stat st;
		char *path;

		if (is_skipped(e->d_name))
			continue;
		path = path_join(dir, e->d_name);
		if (lstat(path, &st) < 0) {
			free(path);	/* gone since */
			continue;
		}
		if (S_ISDIR(st.st_mode) && s->depth < MAX_DEPTH) {
			s->depth++;
			walk(s, path);
			s->depth--;
		} else if (S_ISREG(st.st_mode) && st.st_size > 64) {
			look_at(s, path);
		}
		free(path);
	}
	if (d)
		closedir(d);
}

static int by_size(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->t.bytes != y->t.bytes)
		return x->t.bytes > y->t.bytes ? -1 : 1;
	return strcmp(x->t.path, y->t.path);
}

static bool has_sum(const struct sums *sums, uint64_t sum)
{
	for (uint32_t i = 0; i < sums->n; i++)
		if (sums->v[i] == sum)
			return true;
	return false;
}

void scan_targets_check(const struct scan_targets *t)
{
	assert(!t->objects || (t->v.n > 0 && t->same == 0 && t->left_out == 0));
	for (uint32_t i = 0; i < t->v.n; i++) {
		const struct scan_target *a = &t->v.v[i];

		assert(a->path);
		assert(!a->is_library || (!t->objects && t->library_dirs.n > 0));
		assert(i == 0 || t->v.v[i - 1].bytes >= a->bytes);
	}
	for (uint32_t i = 1; i < t->library_dirs.n; i++)
		for (uint32_t k = 0; k < i; k++)
			assert(!str_eq(t->library_dirs.v[k], t->library_dirs.v[i]));
}

void scan_targets_find(struct scan_targets *t, const char *folder, unsigned max)
{
	struct search s = { .t = t };
	struct sums seen = {0};

	assert(t->v.n == 0 && t->library_dirs.n == 0);
	walk(&s, folder);
	assert(s.depth == 0);
	if (s.programs.n > 1)
		qsort(s.programs.v, s.programs.n, sizeof(*s.programs.v), by_size);
	for (uint32_t i = 0; i < s.programs.n; i++) {
		struct found *f = &s.programs.v[i];
		bool fresh = false;

		for (uint32_t k = 0; k < f->sums.n; k++)
			if (!has_sum(&seen, f->sums.v[k])) {
				fresh = true;
				vec_push(&seen, f->sums.v[k]);
			}
		if (fresh && t->v.n < max) {
			vec_push(&t->v, f->t);
			f->t.path = NULL;
		} else if (fresh) {
			t->left_out++;
		} else {
			t->same++;
		}
	}
	if (!s.programs.n && s.objects.n) {
		qsort(s.objects.v, s.objects.n, sizeof(*s.objects.v), by_size);
		for (uint32_t i = 0; i < s.objects.n; i++) {
			vec_push(&t->v, s.objects.v[i].t);
			s.objects.v[i].t.path = NULL;
		}
		t->objects = true;
	}
	for (uint32_t i = 0; i < s.programs.n; i++) {
		free(s.programs.v[i].t.path);
		vec_release(&s.programs.v[i].sums);
	}
	for (uint32_t i = 0; i < s.objects.n; i++) {
		free(s.objects.v[i].t.path);
		vec_release(&s.objects.v[i].sums);
	}
	vec_release(&s.programs);
	vec_release(&s.objects);
	vec_release(&seen);
#ifdef PLUMB_DEBUG
	scan_targets_check(t);
#endif
}

void scan_targets_release(struct scan_targets *t)
{
	for (uint32_t i = 0; i < t->v.n; i++)
		free(t->v.v[i].path);
	for (uint32_t i = 0; i < t->library_dirs.n; i++)
		free(t->library_dirs.v[i]);
	vec_release(&t->v);
	vec_release(&t->library_dirs);
	*t = (struct scan_targets){0};
}
