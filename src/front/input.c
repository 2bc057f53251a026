/*
 * input.c - what the user named, as a list of things to read.
 *
 * The kind of an input is known by its first bytes (ELF, archive, bitcode, a
 * record of our own), else by its extension: text has no magic.  Objects,
 * archives and programs hold finished records, which are read at once;
 * everything else is left for the workers.
 *
 * With a compilation database all of it is read, and sources that are named with
 * it are only asked about (asked.c); plumb dump, which shows one stage of its
 * inputs, reads these alone, with the flags of the database.  If programs or
 * objects are named, they are analysed, and not the database.
 *
 * The shared libraries that programs need (needed.c) are read with them, where they have
 * records.
 *
 * A record that is damaged is one failure; the next one is searched for in
 * steps of 8 bytes, which is how records are aligned.
 */
#include "front/input.h"

#include "front/advice.h"
#include "front/asked.h"
#include "front/compdb.h"
#include "front/elf.h"
#include "front/flags.h"
#include "front/needed.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "ir/build.h"
#include "ir/io.h"

#include <assert.h>
#include <ctype.h>

/* ---- items ---- */

#ifdef PLUMB_DEBUG
static void item_check(const struct item *it)
{
	assert(it->file);
	switch (it->kind) {
	case ITEM_SOURCE:
		unit_check(&it->unit);
		break;
	case ITEM_BITCODE:
	case ITEM_TEXT:
		assert(it->path && !it->unit.path);
		break;
	case ITEM_DONE:
		assert(!it->module != !it->error);
		break;
	}
	assert(it->kind == ITEM_DONE || (!it->module && !it->error && !it->cached));
	assert(!it->error || !strchr(it->error, '\n'));
	assert(!it->cached || it->unit.path);
}
#endif

void items_check(const struct items *items)
{
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < items->n; i++)
		item_check(&items->v[i]);
#else
	(void)items;
#endif
}

static struct item *add_item(struct items *items, enum item_kind kind, const char *file)
{
	struct item *it = vec_add(items, 1);

	it->kind = kind;
	it->file = xstrdup(file);
	return it;
}

void item_fail(struct item *it, const char *text)
{
	size_t n = strlen(it->file);
	char *s;

	text = text ? text : error_last();
	if (strncmp(text, it->file, n) == 0 && text[n] == ':' && text[n + 1] == ' ')
		text += n + 2;
	free(it->error);
	it->kind = ITEM_DONE;
	/* plumb-ignore: released with the items, by their owner */
	it->error = xstrndup(text, strcspn(text, "\n"));
	for (s = it->error; *s; s++)
		if (iscntrl((unsigned char)*s))
			*s = ' ';
}

static void fail(struct items *items, const char *file, const char *text)
{
	item_fail(add_item(items, ITEM_DONE, file), text);
}

static void item_release(struct item *it)
{
	free(it->file);
	free(it->path);
	free(it->error);
	unit_release(&it->unit);
	ir_module_free(it->module);
}

/* One failure in place of the items from `first` on. */
static void fail_instead(struct items *items, uint32_t first, const char *file, const char *text)
{
	assert(first <= items->n);
	while (items->n > first)
		item_release(&items->v[--items->n]);
	fail(items, file, text);
}

void items_release(struct items *items)
{
	for (uint32_t i = 0; i < items->n; i++)
		item_release(&items->v[i]);
	vec_release(items);
}

/* ---- records ---- */

/* Goes to the next record at or after *at.  False if there is none. */
static bool next_record(const char *p, size_t n, size_t *at)
{
	size_t size;

	for (; *at < n; *at += MIN(8, n - *at))
		if (ir_record_size(&size, p + *at, n - *at) == 0)
			return true;
	return false;
}

static bool all_zero(const char *p, size_t n)
{
	while (n && !*p) {
		p++;
		n--;
	}
	return !n;
}

/* Adds the records of a section.  What lies between them and is no padding is a
 * record that was damaged. */
static void add_records(struct items *items, const char *file, const void *section, size_t n)
{
	const char *p = section;
	uint32_t before = items->n;
	size_t at = 0, size;

	while (at < n) {
		size_t start = at;
		struct item *it;

		if (!next_record(p, n, &at))
			at = n;
		if (!all_zero(p + start, at - start))
			fail(items, file, "a damaged IR record in section .plumb");
		if (at == n)
			break;
		it = add_item(items, ITEM_DONE, file);
		if (ir_read(&it->module, &size, p + at, n - at) < 0) {
			item_fail(it, NULL);
			if (ir_record_size(&size, p + at, n - at) < 0)
				size = 8;
		}
		assert(size > 0 && size <= n - at);
		at += size;
	}
	if (items->n == before)
		fail(items, file, "section .plumb is empty");
}

/* ---- containers ---- */

static bool is_bitcode(const char *p, size_t n)
{
	return n >= 4 && (memcmp(p, "BC\xc0\xde", 4) == 0 || memcmp(p, "\xde\xc0\x17\x0b", 4) == 0);
}

/* Text starts with "plumb-ir text", a record with "plumb-ir" and its version. */
static bool is_text(const char *p, size_t n)
{
	return n >= 9 && memcmp(p, "plumb-ir ", 9) == 0;
}

static bool is_record(const char *p, size_t n)
{
	return n >= 8 && memcmp(p, "plumb-ir", 8) == 0 && !is_text(p, n);
}

static void add_text(struct items *items, const char *path)
{
	add_item(items, ITEM_TEXT, path)->path = xstrdup(path);
}

static void add_bitcode(struct items *items, const char *file, const char *path, size_t at, size_t n)
{
	struct item *it = add_item(items, ITEM_BITCODE, file);

	it->path = xstrdup(path);
	it->at = at;
	it->n = n;
}

/* Adds what a member holds.  False if there is nothing for us in it. */
static bool add_member(struct items *items, const char *path, const char *base, const struct archive *a)
{
	char *file = xasprintf("%s(%s)", path, a->name);
	const void *section;
	bool found = true;
	size_t n;

	assert(base <= (const char *)a->data);
	if (is_bitcode(a->data, a->size))
		add_bitcode(items, file, path, (size_t)((const char *)a->data - base), a->size);
	else if (elf_is_elf(a->data, a->size) && elf_plumb_section(&section, &n, a->data, a->size) == 0)
		add_records(items, file, section, n);
	else
		found = false;
	free(file);
	return found;
}

static bool add_thin_member(struct items *items, const char *path, const struct archive *a)
{
	char *dir = path_dir(path), *name = path_join(dir, a->name);
	struct filemap m;
	const void *section;
	bool found = false;
	size_t n;

	if (filemap_open(&m, name) < 0) {
		fail(items, name, NULL);
		found = true;
		goto done;
	}
	if (is_bitcode(m.p, m.n)) {
		add_bitcode(items, name, name, 0, m.n);
		found = true;
	} else if (elf_is_elf(m.p, m.n) && elf_plumb_section(&section, &n, m.p, m.n) == 0) {
		add_records(items, name, section, n);
		found = true;
	}
	filemap_close(&m);
done:
	free(name);
	free(dir);
	return found;
}

/* A member without IR.  If it is of another language (assemblers name no source) that is no failure as long
 * as another member has IR, as with a program that is linked with such objects. */
static void add_without(struct items *items, struct args *not_c, const char *path, const struct archive *a)
{
	const char *source = a->data && elf_is_elf(a->data, a->size) ? elf_source(a->data, a->size) : NULL;
	char *name = xasprintf("%s(%s)", path, a->name);

	if (source && cmd_lang_of(source) <= CMD_CPP_OUTPUT)
		fail(items, name, "no section .plumb; build with CC=\"plumb cc\" to have it");
	else
		args_push(not_c, name);
	free(name);
}

static void add_archive(struct items *items, struct args *not_c, const char *path, const struct filemap *m)
{
	struct args other = {0};
	uint32_t before = items->n;
	unsigned with = 0;
	struct archive a;
	int ret;

	if (archive_open(&a, m->p, m->n) < 0) {
		fail(items, path, NULL);
		return;
	}
	while ((ret = archive_next(&a)) > 0) {
		if (a.data ? add_member(items, path, m->p, &a) : add_thin_member(items, path, &a))
			with++;
		else
			add_without(items, &other, path, &a);
	}
	if (ret < 0)
		fail(items, path, NULL);
	else if (!with)
		fail_instead(items, before, path,
			     "no member has a section .plumb; build with CC=\"plumb cc\" to have it");
	else
		args_add(not_c, &other);
	args_release(&other);
	archive_close(&a);
}

/* ---- sources ---- */

struct collect {
	struct items *items;
	struct args *not_c;
	const struct front_options *o;
	struct asked *asked;
	struct needed *needed;
	struct compdb db;
	bool has_db;
	unsigned inputs;	/* those that are analysed */
	struct args cflags;	/* after "--", for clang */
};

/* The unit is the item's from now on, and *u is zeroed. */
static void add_source(struct collect *c, struct unit *u)
{
	struct item *it = add_item(c->items, ITEM_SOURCE, u->file);

	unit_check(u);
	args_add(&u->flags, &c->cflags);
	it->unit = *u;
	memset(u, 0, sizeof(*u));
}

/* The database's entries for a source.  False if it has none. */
static bool add_from_db(struct collect *c, const char *path)
{
	char *abs = path_absolute(path);
	bool found = false;

	for (uint32_t i = 0; i < c->db.units.n; i++) {
		const struct unit *u = &c->db.units.v[i];
		char *normal = path_from(u->dir, u->path);
		struct unit copy;

		if (str_eq(normal, abs)) {
			unit_copy(&copy, u);
			add_source(c, &copy);
			found = true;
		}
		free(normal);
	}
	free(abs);
	return found;
}

static void add_c(struct collect *c, const char *path)
{
	struct unit u = {0};

	if (c->has_db && add_from_db(c, path))
		return;
	if (c->has_db)
		diag_verbose("%s is not in the compilation database", path);
	u.file = xstrdup(path);
	u.path = xstrdup(path);	/* plumb-ignore: add_source() takes it over */
	u.dir = path_absolute(".");
	u.preprocessed = cmd_lang_of(path) == CMD_CPP_OUTPUT;
	add_source(c, &u);
}

/* ---- one input ---- */

/* The records of an object, program or library. */
static void add_section(struct items *items, const char *file, const struct filemap *m, uint32_t scope)
{
	uint32_t before = items->n;
	struct elf_program e;
	bool is_linked = elf_program(&e, m->p, m->n) == 0 && e.runs;
	const void *section;
	size_t n;

	if (elf_plumb_section(&section, &n, m->p, m->n) < 0)
		fail(items, file, NULL);
	else
		add_records(items, file, section, n);
	for (uint32_t i = before; i < items->n; i++) {
		items->v[i].scope = scope;
		items->v[i].is_program = is_linked;
	}
}

static void add_elf(struct collect *c, const char *path, const struct filemap *m)
{
	add_section(c->items, path, m, needed_add(c->needed, path, m->p, m->n));
}

/* Adds an input whose kind its bytes say.  False if they say none. */
static bool add_by_contents(struct collect *c, const char *path, const struct filemap *m)
{
	if (elf_is_archive(m->p, m->n)) {
		add_archive(c->items, c->not_c, path, m);
	} else if (elf_is_elf(m->p, m->n)) {
		add_elf(c, path, m);
	} else if (is_bitcode(m->p, m->n)) {
		add_bitcode(c->items, path, path, 0, m->n);
	} else if (is_text(m->p, m->n)) {
		add_text(c->items, path);
	} else if (is_record(m->p, m->n)) {
		add_records(c->items, path, m->p, m->n);
	} else {
		return false;
	}
	return true;
}

static void add_by_name(struct collect *c, const char *path, const struct filemap *m)
{
	const char *ext = path_ext(path);
	char *advice = NULL;
	size_t n = m->n;

	if (cmd_lang_of(path) <= CMD_CPP_OUTPUT) {
		add_c(c, path);
	} else if (cmd_is_cxx(path)) {
		fail(c->items, path, "C++ is not supported: plumb reads C");
	} else if (str_eq(ext, ".plir") || str_eq(ext, ".ir")) {
		add_text(c->items, path);
	} else if (n == 0) {
		fail(c->items, path, "the file is empty");
	} else if (str_eq(ext, ".ll")) {
		add_bitcode(c->items, path, path, 0, n);
	} else if ((advice = advice_for(path, m->p, n))) {
		fail(c->items, path, advice);
		free(advice);
	} else if (str_eq(ext, ".bc")) {
		fail(c->items, path, "not LLVM bitcode");
	} else if (str_eq(ext, ".o") || str_eq(ext, ".a") || str_eq(ext, ".so")) {
		fail(c->items, path, "neither an ELF file nor an archive");
	} else {
		fail(c->items, path, "not a C source, bitcode, object, archive or program");
	}
}

/* Is this one of the files that the user asks about, by name and contents? */
static bool is_asked(const struct collect *c, const char *path)
{
	struct filemap m;
	bool is_source = true;

	if (!c->has_db || !c->o->whole)
		return false;
	if (!is_dir(path) && file_exists(path) && filemap_open_named(&m, path) == 0) {
		is_source = !elf_is_archive(m.p, m.n) && !elf_is_elf(m.p, m.n) && !is_bitcode(m.p, m.n) &&
			    !is_text(m.p, m.n) && !is_record(m.p, m.n);
		filemap_close(&m);
	}
	return is_source && asked_is_source(path);
}

static void add_input(struct collect *c, const char *path)
{
	struct filemap m;

	c->inputs++;
	if (is_dir(path)) {
		fail(c->items, path, "is a folder (-p FOLDER reads its compile_commands.json)");
		return;
	}
	if (filemap_open_named(&m, path) < 0) {
		fail(c->items, path, NULL);
		return;
	}
	if (!add_by_contents(c, path, &m))
		add_by_name(c, path, &m);
	filemap_close(&m);
}

/* ---- libraries ---- */

static void add_libraries(struct collect *c)
{
	for (uint32_t i = needed_next(c->needed); i != IR_NONE; i = needed_next(c->needed)) {
		const struct needed_object *o = &c->needed->v.v[i];
		struct filemap m;

		assert(o->loader < i);
		if (!o->has_ir || filemap_open(&m, o->path) < 0)
			continue;
		diag_verbose("%s: needed by %s, analysed with it", o->path, c->needed->v.v[o->loader].path);
		add_section(c->items, o->path, &m, o->scope);
		filemap_close(&m);
	}
}

/* ---- all of them ---- */

static int open_db(struct collect *c)
{
	char *path;
	int ret;

	if ((ret = compdb_find(&path, c->o->compdb)) < 0)
		return ret;
	ret = compdb_read(&c->db, path);
	c->has_db = ret == 0;
	c->asked->db = path;
	return ret;
}

static int add_db(struct collect *c)
{
	if (!c->db.units.n && !c->db.bad.n)
		return error_set("%s: no C source in it%s", c->asked->db,
				 c->db.cxx ? ", only C++, which is not supported" : "");
	if (c->db.cxx)
		diag_note("%s: %u unit%s left out: C++ is not supported", c->asked->db, c->db.cxx,
			  c->db.cxx == 1 ? "" : "s");
	for (uint32_t i = 0; i < c->db.units.n; i++)
		add_source(c, &c->db.units.v[i]);
	for (uint32_t i = 0; i < c->db.bad.n; i++)
		fail(c->items, c->db.bad.v[i].file, c->db.bad.v[i].error);
	args_add(c->not_c, &c->db.not_c);
	return 0;
}

int items_collect(struct items *items, struct args *not_c, struct asked *asked, struct needed *needed,
		  const struct front_options *o)
{
	struct collect c = { .items = items, .not_c = not_c, .o = o, .asked = asked, .needed = needed };
	struct args words = {0};
	struct cmd cmd = {0};
	int ret = 0;

	if (!o->ninputs && !o->compdb)
		return error_set("no input: name C sources, bitcode, objects or a program, or -p FOLDER");
	args_expand(&words, o->cflags, o->ncflags, ".");
	cmd_parse(&cmd, words.v, words.n);
	args_add(&c.cflags, &cmd.flags);
	if (cmd.inputs.n) {
		ret = error_set("%s: it comes after `--`, where flags for the compiler stand: "
				"what is to be analysed comes before", cmd.inputs.v[0].path);
		goto done;
	}
	if (o->compdb && (ret = open_db(&c)) < 0)
		goto done;
	for (unsigned i = 0; i < o->ninputs; i++)
		if (!is_asked(&c, o->inputs[i]))
			add_input(&c, o->inputs[i]);
		else if ((ret = asked_add(asked, o->inputs[i], &c.db, o->compdb)) < 0)
			goto done;
	add_libraries(&c);
	if (!c.inputs)
		ret = add_db(&c);
	items_check(items);
done:
	compdb_release(&c.db);
	args_release(&c.cflags);
	args_release(&words);
	cmd_release(&cmd);
	return ret;
}
