/*
 * asked.c - with -p DIR: the files that the user asks about.
 *
 * A database describes a program, and the mistakes of a file are seen only together with the rest of
 * the program: who calls its functions, who frees what they return.  So all of the database is
 * analysed, and the named files say what is reported.  A file that the database does not contain is
 * an error: an empty report would read as "clean".
 *
 * A unit's source is known by the database.  A header is known if some unit has read it.  That is
 * looked up in the list of files that clang gives (which the cache has, too); programs and objects
 * have no such list, and the files that their code comes from are taken instead.
 */
#include "front/asked.h"

#include "front/compdb.h"
#include "front/flags.h"

#include "base/error.h"
#include "base/file.h"
#include "ir/ir.h"

#include <assert.h>

bool asked_is_source(const char *path)
{
	static const char *const others[] = { ".ll", ".bc" };

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (str_eq(path_ext(path), others[i]))
			return false;
	return is_dir(path) || cmd_lang_of(path) <= CMD_OTHER_LANG || str_eq(path_ext(path), ".inc") ||
	       str_eq(path_ext(path), ".def");
}

int asked_add(struct asked *a, const char *given, const struct compdb *db, const char *named_dir)
{
	char *db_dir = path_dir(a->db), *found = NULL;
	const char *const dirs[] = { ".", db_dir, named_dir };
	bool met = false;
	int ret = 0;

	for (size_t i = 0; !found && i < ARRAY_LEN(dirs); i++) {
		char *joined = path_join(dirs[i], given), *abs = path_absolute(joined);

		met = compdb_unit(db, abs) != NULL;
		if (met || file_exists(joined))
			found = xstrdup(joined);
		free(abs);
		free(joined);
	}
	if (found) {
		args_push(&a->given, given);
		fileset_add(&a->files, found);
		vec_push(&a->met, met);
	} else {
		ret = error_set("%s: no such file, neither here nor in %s", given, db_dir);
	}
	free(found);
	free(db_dir);
	return ret;
}

void asked_meet(struct asked *a, const char *path, const char *dir)
{
	char *abs = NULL;

	assert(a->met.n == a->files.v.n);
	for (uint32_t i = 0; i < a->files.v.n; i++) {
		if (a->met.v[i])
			continue;
		abs = abs ? abs : path_from(dir, path);
		a->met.v[i] = fileset_entry_has(&a->files.v.v[i], abs);
	}
	free(abs);
}

void asked_meet_program(struct asked *a, const struct ir_module *m)
{
	for (uint32_t i = 0; i < m->files.n; i++)
		asked_meet(a, m->files.v[i], "/");
	for (uint32_t i = 0; i < m->units.n; i++)
		asked_meet(a, m->units.v[i].path, m->units.v[i].dir);
}

int asked_check(const struct asked *a, bool lenient)
{
	assert(a->met.n == a->given.n && a->files.v.n == a->given.n);
	assert(a->met.n == 0 || a->db);
	for (uint32_t i = 0; i < a->met.n; i++) {
		if (a->met.v[i] || (lenient && cmd_lang_of(a->given.v[i]) > CMD_CPP_OUTPUT))
			continue;
		if (a->files.v.v[i].is_folder)
			return error_set("%s: no unit of %s is in there", a->given.v[i], a->db);
		return error_set("%s: not in %s, and no unit there includes it; add it to the build, "
				 "or check it alone, without -p", a->given.v[i], a->db);
	}
	return 0;
}

void asked_release(struct asked *a)
{
	args_release(&a->given);
	fileset_release(&a->files);
	vec_release(&a->met);
	free(a->db);
	a->db = NULL;
}
