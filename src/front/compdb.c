/*
 * compdb.c - compile_commands.json: which units a build has, and how each is
 * compiled.
 *
 * The format is clang's "JSON Compilation Database": an array of objects with
 * `directory`, `file`, and `arguments` (an array) or `command` (a shell
 * command).  CMake, Meson, Bear, Ninja and the kernel write it, with habits of
 * their own: Bear names the real compiler behind a wrapper or the wrapper
 * itself; Meson's directories are relative; CMake puts long commands into
 * response files; a libtool project compiles each file twice, with different
 * flags.
 *
 * A database may be that of many programs.  All its units are taken for one
 * program, as a linker would take them that lets the first of two equal names
 * win; see ir_link().
 *
 * An entry is the same as an earlier one if source, folder and the flags that
 * matter (flags.c) are the same; it is then taken once.
 */
#include "front/compdb.h"

#include "front/flags.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#include <assert.h>

#define DB_NAME "compile_commands.json"

void unit_check(const struct unit *u)
{
	assert(u->file && u->path && u->dir);
	assert(!u->ntexts || u->texts);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < u->flags.n; i++)
		assert(u->flags.v[i][0] == '-');
	for (uint32_t i = 0; i < u->ntexts; i++)
		assert(u->texts[i].path && (u->texts[i].text || !u->texts[i].n));
#endif
}

void unit_release(struct unit *u)
{
	free(u->file);
	free(u->path);
	free(u->dir);
	args_release(&u->flags);
	memset(u, 0, sizeof(*u));
}

void unit_copy(struct unit *to, const struct unit *u)
{
	unit_check(u);
	*to = (struct unit){ .file = xstrdup(u->file), .path = xstrdup(u->path), .dir = xstrdup(u->dir),
			     .preprocessed = u->preprocessed };
	args_add(&to->flags, &u->flags);
}

const struct unit *compdb_unit(const struct compdb *db, const char *path)
{
	const struct unit *found = NULL;

	for (uint32_t i = 0; !found && i < db->units.n; i++) {
		const struct unit *u = &db->units.v[i];
		char *normal = path_from(u->dir, u->path);

		if (str_eq(normal, path))
			found = u;
		free(normal);
	}
	return found;
}

static void compdb_check(const struct compdb *db)
{
	assert(db->cxx <= db->skipped && db->not_c.n <= db->skipped);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < db->units.n; i++) {
		unit_check(&db->units.v[i]);
		assert(!db->units.v[i].ntexts);		/* it is on the disk */
	}
	for (uint32_t i = 0; i < db->bad.n; i++)
		assert(db->bad.v[i].file && db->bad.v[i].error);
#endif
}

/* ---- which file ---- */

/* The database in a folder, or NULL. */
static char *in_folder(const char *dir, const char *sub)
{
	char *where = path_join(dir, sub), *path = path_join(where, DB_NAME);
	char *found = file_exists(path) ? path_normal(path) : NULL;

	free(path);
	free(where);
	return found;
}

int compdb_find(char **path, const char *name)
{
	char *dir, *found;

	if (!file_exists(name))
		return error_set("%s: no such file or folder", name);
	if (!is_dir(name)) {
		*path = xstrdup(name);
		return 0;
	}
	dir = path_absolute(name);
	if (!(found = in_folder(dir, ".")))
		found = in_folder(dir, "build");
	while (!found && path_up(&dir))
		found = in_folder(dir, ".");
	free(dir);
	if (!found)
		return error_set("%s: no " DB_NAME " there, nor in a folder above", name);
	*path = found;
	return 0;
}

/* ---- entries ---- */

#define MAP_NAME seen
#define MAP_KEY const char *
#define MAP_VAL char
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct reader {
	struct compdb *db;
	const char *base;	/* what a relative directory is relative to */
	struct seen seen;	/* units that are already there */
	struct args keys;	/* owns the keys of seen */
};

static void add_bad(struct compdb *db, const char *file, const char *error)
{
	struct compdb_bad bad = { xstrdup(file), xstrdup(error) };

	vec_push(&db->bad, bad);
}

/* The words of an entry's command, response files expanded.  False if it has
 * none. */
static bool entry_words(struct args *words, const json_t *e, const char *dir)
{
	const json_t *list = json_object_get(e, "arguments"), *item;
	const char *command = jr_get_str(e, "command");
	struct args raw = {0};
	size_t i;

	if (json_is_array(list)) {
		json_array_foreach(list, i, item)
			if (json_is_string(item))
				args_push(&raw, json_string_value(item));
	} else if (command) {
		args_split_shell(&raw, command);
	}
	args_expand(words, raw.v, raw.n, dir);
	args_release(&raw);
	return words->n > 0;
}

/* Do both names, relative to dir, mean the same file? */
static bool same_file(const char *a, const char *b, const char *dir)
{
	char *x = path_join(dir, a), *y = path_join(dir, b), *nx = path_normal(x), *ny = path_normal(y);
	bool same = str_eq(nx, ny);

	free(x);
	free(y);
	free(nx);
	free(ny);
	return same;
}

/* The command's input that the entry is about.  Some tools give one entry for
 * each source of a command with several. */
static const struct cmd_input *entry_input(const struct cmd *c, const char *file, const char *dir)
{
	const struct cmd_input *first = NULL;

	for (uint32_t i = 0; i < c->inputs.n; i++) {
		const struct cmd_input *in = &c->inputs.v[i];

		if (file && same_file(in->path, file, dir))
			return in;
		if (!first && in->lang <= CMD_OTHER_LANG)
			first = in;
	}
	return first;
}

/* Adds the unit, which is the database's from now on, unless there is an equal one. */
static void add_unit(struct reader *r, struct unit *u)
{
	char *path = path_from(u->dir, u->path);
	struct hash128 h;
	char key[33];
	bool is_new;

	hash128_init(&h);
	hash128_str(&h, path);
	hash128_str(&h, u->dir);
	for (uint32_t i = 0; i < u->flags.n; i++)
		hash128_str(&h, u->flags.v[i]);
	hash128_hex(&h, key);
	args_push(&r->keys, key);
	seen_put(&r->seen, vec_last(&r->keys), &is_new);
	if (is_new) {
		vec_push(&r->db->units, *u);
	} else {
		r->db->duplicates++;
		unit_release(u);
	}
	free(path);
}

/* How messages name a source: relative to where the user stands. */
static char *shown_name(const char *path, const char *dir)
{
	char *cwd = path_absolute("."), *normal = path_from(dir, path);
	char *name = path_relative(normal, cwd);

	free(cwd);
	free(normal);
	return name;
}

/* Is it a header, which the command precompiles? */
static bool is_header(const char *path)
{
	static const char *const exts[] = { ".h", ".hh", ".hpp", ".H" };

	for (size_t i = 0; i < ARRAY_LEN(exts); i++)
		if (str_eq(path_ext(path), exts[i]))
			return true;
	return false;
}

/* An entry that is not for us.  A source of another language is listed; not if it is only preprocessed. */
static void add_other(struct reader *r, const struct cmd *c, const struct cmd_input *in, const char *file,
		      const char *dir)
{
	const char *path = in ? in->path : file;
	enum cmd_lang lang = CMD_LINKER_INPUT;
	char *name;

	if (in)
		lang = in->lang;
	else if (file)
		lang = cmd_lang_of(file);
	r->db->skipped++;
	r->db->cxx += path && cmd_is_cxx(path);
	if (c->mode >= CMD_PREPROCESS || lang != CMD_OTHER_LANG || is_header(path))
		return;
	name = shown_name(path, dir);
	args_push(&r->db->not_c, name);
	free(name);
}

static void add_entry(struct reader *r, const json_t *e, size_t number)
{
	const char *file = jr_get_str(e, "file"), *rel = jr_get_str(e, "directory");
	char *dir = path_join(r->base, rel && *rel ? rel : ".");
	struct args words = {0};
	const struct cmd_input *in;
	struct cmd c = {0};
	struct unit u;
	uint32_t skip;

	if (!entry_words(&words, e, dir)) {
		char *name = file ? shown_name(file, dir) : xasprintf("entry %zu of the database", number);

		add_bad(r->db, name, "the compilation database has no command for it");
		free(name);
		goto done;
	}
	skip = cmd_compiler_words(words.v, words.n);
	assert(skip >= 1 && skip <= words.n);
	cmd_parse(&c, words.v + skip, words.n - skip);
	in = entry_input(&c, file, dir);
	/* A wrapper may hide its input: then the entry's file counts. */
	if (!in && (!file || cmd_lang_of(file) > CMD_CPP_OUTPUT)) {
		add_other(r, &c, in, file, dir);
		goto done;
	}
	if (c.mode >= CMD_PREPROCESS || (in && in->lang > CMD_CPP_OUTPUT)) {
		add_other(r, &c, in, file, dir);
		goto done;
	}
	memset(&u, 0, sizeof(u));
	u.path = xstrdup(in ? in->path : file);	/* plumb-ignore: add_unit() takes it over, or releases it */
	u.preprocessed = (in ? in->lang : cmd_lang_of(file)) == CMD_CPP_OUTPUT;
	u.dir = path_normal(dir);
	u.file = shown_name(u.path, dir);	/* plumb-ignore: the same */
	cmd_compiler_flags(&u.flags, words.v[skip - 1]);
	args_add(&u.flags, &c.flags);
	add_unit(r, &u);
done:
	cmd_release(&c);
	args_release(&words);
	free(dir);
}

int compdb_parse(struct compdb *db, const char *text, size_t n, const char *name, const char *dir)
{
	struct reader r = { .db = db, .base = dir };
	json_t *root = NULL, *e;
	int ret;
	size_t i;

	memset(db, 0, sizeof(*db));
	if ((ret = jr_parse(&root, text, n, name)) < 0)
		goto done;
	if (!json_is_array(root)) {
		ret = error_set("%s: not a compilation database: an array of objects is expected", name);
		goto done;
	}
	json_array_foreach(root, i, e)
		if (!json_is_object(e)) {
			ret = error_set("%s: not a compilation database: entry %zu is no object", name,
					i + 1);
			goto done;
		}
	json_array_foreach(root, i, e)
		add_entry(&r, e, i + 1);
	compdb_check(db);
	diag_verbose("%s: %u units, %u duplicates, %u entries not C", name, db->units.n, db->duplicates,
		     db->skipped);
done:
	seen_release(&r.seen);
	args_release(&r.keys);
	json_decref(root);
	return ret;
}

int compdb_read(struct compdb *db, const char *path)
{
	char *abs = path_absolute(path), *dir = path_dir(abs), *text = NULL;
	size_t n;
	int ret;

	if ((ret = file_read_named(&text, &n, path)) == 0)
		ret = compdb_parse(db, text, n, path, dir);
	free(text);
	free(dir);
	free(abs);
	return ret;
}

void compdb_release(struct compdb *db)
{
	for (uint32_t i = 0; i < db->units.n; i++)
		unit_release(&db->units.v[i]);
	vec_release(&db->units);
	for (uint32_t i = 0; i < db->bad.n; i++) {
		free(db->bad.v[i].file);
		free(db->bad.v[i].error);
	}
	vec_release(&db->bad);
	args_release(&db->not_c);
	memset(db, 0, sizeof(*db));
}
