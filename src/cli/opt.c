/*
 * opt.c - options from the project's file, the user's own settings, the environment and the command line.
 *
 * Each overrides the one before, so the command line is read first, and kept until the others have been
 * applied.  A key that no subcommand knows is an error with its line: a typing mistake must not silently
 * change an analysis.  A subcommand sees only its own options, hence the tables known_keys and own_keys of
 * all of them.
 *
 * Who runs plumb in a checkout trusts plumb, not the checkout.  So what a project's file says may decide what
 * is looked at and how it is shown; what names a program to run or a place to write (own_keys) is the user's
 * to say.
 *
 * An argument that looks like an option and is the name of a file is refused: `plumb check *.c` must not take
 * a file named `-oMakefile.c` for an option.
 */
#include "cli/opt.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/near.h"
#include "base/sbuf.h"
#include "cli/conf.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every long option that any subcommand takes from a file of settings, whosever it is. */
static const char *const known_keys[] = {
	"at-exit", "baseline", "color", "debug-dir", "depth", "engine", "exclude", "findings",
	"format", "interval", "jobs", "loop", "memory-limit", "model", "no-cache", "slice-limit",
	"strict", "verbose",
};

/* Those that are not for a project's file. */
static const struct own_key {
	const char *name, *does;
} own_keys[] = {
	{ "cache-dir", "names a place to write" },
	{ "cache-limit", "says what is removed from your cache" },
	{ "clang", "names a program to run" },
	{ "output", "names a place to write" },
	{ "safe-directory", "says whose settings count" },
};

/* Those that are for no file at all, but that a user may try to put into one. */
static const struct own_key command_line_only[] = {
	{ "in-place", "changes sources" },
	{ "export", "names a place to write" },
};

static struct arena strings;		/* lives until exit */
static struct opt_list safe;		/* safe-directory */
static bool safe_is_read;

/* For every subcommand.  The first table decides whether the project's settings are read, and is
 * therefore applied before. */
static const struct opt first[] = {
	{ "safe-directory", 0, OPT_LIST, 0, &safe, "DIR",
	  "let DIR/.plumb.conf count, though it is another user's; * for all" },
	{ 0 },
};
static const char *color = "auto";
static const struct opt common[] = {
	{ "color", 0, OPT_STR, 0, &color, "WHEN",
	  "auto (default: on a terminal, unless NO_COLOR is set), always or never" },
	{ 0 },
};

static const struct own_key *own_key(const struct own_key *v, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(v[i].name, name))
			return &v[i];
	return NULL;
}

/* An unknown key: what may have been meant. */
static int unknown_key(const struct conf *c, const struct conf_line *l)
{
	struct near near = near_to(l->key);

	for (size_t i = 0; i < ARRAY_LEN(known_keys); i++)
		near_try(&near, known_keys[i]);
	for (size_t i = 0; i < ARRAY_LEN(own_keys); i++)
		near_try(&near, own_keys[i].name);
	return error_set("%s:%u: unknown setting '%s'%s", c->path, l->line, l->key, near_hint(&near));
}

static bool is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(known_keys); i++)
		if (str_eq(known_keys[i], name))
			return true;
	return false;
}

/* PLUMB_CACHE_DIR; the caller's. */
static char *variable_of(const char *name)
{
	char *s = xasprintf("PLUMB_%s", name);

	for (char *p = s; *p; p++)
		*p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
	return s;
}

/* May this key stand in this file?  user: what the user's own one is called, or NULL. */
static int check_key(const struct conf *c, const struct conf_line *l, bool is_project, const char *user)
{
	const struct own_key *own = own_key(own_keys, ARRAY_LEN(own_keys), l->key);
	const struct own_key *never = own_key(command_line_only, ARRAY_LEN(command_line_only), l->key);
	char *variable;

	if (never)
		return error_set("%s:%u: `%s` %s: it counts only on the command line, as --%s",
				 c->path, l->line, l->key, never->does, l->key);
	if (!own && !is_known(l->key))
		return unknown_key(c, l);
	if (!own || !is_project)
		return 0;
	variable = variable_of(l->key);
	error_set("%s:%u: `%s` %s, which a project's file cannot do: "
		  "put it into %s, into %s or on the command line (--%s)",
		  c->path, l->line, l->key, own->does, user ? user : "your own settings", variable, l->key);
	free(variable);
	return -1;
}

static int check_keys(const struct conf *c, bool is_project, const char *user)
{
	int ret = 0;

	for (uint32_t i = 0; ret == 0 && i < c->lines.n; i++)
		ret = check_key(c, &c->lines.v[i], is_project, user);
	return ret;
}

static int parse_uint(uint64_t *out, const char *s, uint64_t max, bool suffix)
{
	char *end;
	uint64_t x, unit = 1;

	errno = 0;
	x = strtoull(s, &end, 10);
	if (!isdigit((unsigned char)*s) || errno)
		return -1;
	if (suffix && *end) {
		const char *units = "KMGT", *u = strchr(units, toupper((unsigned char)*end));

		if (!u)
			return -1;
		unit = 1ull << 10 * (u - units + 1);
		end++;
	}
	if (*end || x > max / unit)
		return -1;
	*out = x * unit;
	return 0;
}

/* A path as a file of settings in dir has it (NULL: as it was typed); `-` and `*` are no paths. */
static char *path_of(const char *value, const char *dir)
{
	const char *home = getenv("HOME");

	if (!dir || str_eq(value, "-") || str_eq(value, "*"))
		return xstrdup(value);
	return str_starts(value, "~/") && home ? path_join(home, value + 2) : path_join(dir, value);
}

/* where: "--jobs", "PLUMB_JOBS", ".plumb.conf:3: jobs"; dir: for paths or patterns, or NULL. */
static int set_option(const struct opt *o, const char *value, const char *where, const char *dir)
{
	uint64_t x;

	assert(value || o->kind == OPT_FLAG);
	switch (o->kind) {
	case OPT_FLAG:
		if (!value || str_eq(value, "yes") || str_eq(value, "true") || str_eq(value, "1"))
			*(bool *)o->dst = true;
		else if (str_eq(value, "no") || str_eq(value, "false") || str_eq(value, "0") || !*value)
			*(bool *)o->dst = false;
		else
			return error_set("%s: expected yes or no, not `%s`", where, value);
		return 0;
	case OPT_STR:
		*(const char **)o->dst = arena_strdup(&strings, value);
		return 0;
	case OPT_PATH:
	case OPT_LIST:
	case OPT_GLOBS: {
		char *p = path_of(value, dir);
		const char *s = arena_strdup(&strings, p);

		free(p);
		if (o->kind == OPT_PATH)
			*(const char **)o->dst = s;
		else
			vec_push((struct opt_list *)o->dst, s);
		return 0;
	}
	case OPT_UINT:
		if (parse_uint(&x, value, UINT32_MAX, false) < 0)
			return error_set("%s: expected a number, not `%s`", where, value);
		*(unsigned *)o->dst = (unsigned)x;
		return 0;
	case OPT_SIZE:
		if (parse_uint(&x, value, UINT64_MAX, true) < 0)
			return error_set("%s: expected a size such as 500M, not `%s`", where, value);
		*(uint64_t *)o->dst = x;
		return 0;
	}
	return 0;
}

static const struct opt *find_long(const struct opt *table, const char *name, size_t n)
{
	for (; table->name; table++)
		if (strlen(table->name) == n && memcmp(table->name, name, n) == 0)
			return table;
	return NULL;
}

static const struct opt *find_option(const struct opt *table, const char *name, size_t n)
{
	const struct opt *o = find_long(table, name, n);

	if (!o)
		o = find_long(common, name, n);
	return o ? o : find_long(first, name, n);
}

/* A device or a pipe in a project's file: it is not the user who has named it. */
static int check_path(const char *value, const char *where, const char *dir)
{
	char *path = path_of(value, dir);
	struct stat st;
	int ret = 0;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		ret = error_set("%s: %s is not a regular file", where, path);
	free(path);
	return ret;
}

static int apply_conf(const struct opt *table, const struct conf *c, bool is_project)
{
	int ret = 0;

	for (uint32_t i = 0; ret == 0 && i < c->lines.n; i++) {
		const struct conf_line *l = &c->lines.v[i];
		const struct opt *o = find_long(table, l->key, strlen(l->key));
		char *where;

		if (!o || o->flags & OPT_CLI_ONLY)
			continue;
		where = xasprintf("%s:%u: %s", c->path, l->line, l->key);
		if (is_project && (o->kind == OPT_PATH || o->kind == OPT_LIST))
			ret = check_path(l->value, where, c->dir);
		if (ret == 0)
			ret = set_option(o, l->value, where, o->kind == OPT_GLOBS ? c->globs : c->dir);
		free(where);
	}
	return ret;
}

static int apply_env(const struct opt *table)
{
	int ret = 0;

	for (const struct opt *o = table; ret == 0 && o->name; o++) {
		char *name = variable_of(o->name), *value = getenv(name);

		if (value && *value && !(o->flags & OPT_CLI_ONLY))
			ret = set_option(o, value, name, NULL);
		free(name);
	}
	return ret;
}

/* Is the folder, a real path, what an entry of safe-directory names: itself, `*` for all, or DIR followed by
 * a slash and `*` for those below? */
static bool is_safe_by(const char *entry, const char *dir)
{
	size_t n = strlen(entry);
	char *name, *real;
	bool below = str_ends(entry, "/*"), safe_dir;

	if (str_eq(entry, "*"))
		return true;
	name = xstrndup(entry, below ? MAX(n - 2, 1) : n);
	real = realpath(name, NULL);
	n = real ? strlen(real) : 0;
	safe_dir = real && strncmp(dir, real, n) == 0 && (below ? n == 1 || dir[n] == '/' : !dir[n]);
	free(real);
	free(name);
	return safe_dir;
}

/* PLUMB_SAFE_DIRECTORY=DIR:DIR */
static void safe_from_env(void)
{
	const char *p = getenv("PLUMB_SAFE_DIRECTORY");

	safe_is_read = true;
	for (; p && *p; p += strspn(p, ":")) {
		size_t n = strcspn(p, ":");
		char *dir = xstrndup(p, n);

		if (n)
			vec_push(&safe, arena_strdup(&strings, dir));
		free(dir);
		p += n;
	}
}

bool opt_is_safe(const char *dir)
{
	if (!safe_is_read)
		safe_from_env();
	for (uint32_t i = 0; i < safe.n; i++)
		if (is_safe_by(safe.v[i], dir))
			return true;
	return false;
}

static void print_table(const struct opt *table)
{
	for (const struct opt *o = table; o->name; o++) {
		char *left = xasprintf("%c%c%c --%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
				       o->letter ? ',' : ' ', o->name,
				       o->arg ? " " : "", o->arg ? o->arg : "");

		printf("  %-26s  %s\n", left, o->help);
		free(left);
	}
}

static void print_help(const struct opt *table, const char *usage)
{
	printf("%s\n\nOptions:\n", usage);
	print_table(table);
	print_table(common);
	print_table(first);
	printf("  %-26s  %s\n", "    --help", "this text");
}

/* What the command line says, to be applied after all else. */
struct word {
	const struct opt *o;
	const char *value;
};

VEC_TYPE(words, struct word);

static const char *where_of(char *buf, size_t n, const char *command, const struct opt *o)
{
	snprintf(buf, n, "plumb %s: --%s", command, o->name);
	return buf;
}

/* A file of that very name: which of the two is meant? */
static bool is_file(const char *word)
{
	struct stat st;

	return lstat(word, &st) == 0;
}

static void try_table(struct near *n, const struct opt *table)
{
	for (; table->name; table++)
		near_try(n, table->name);
}

/* -jobs is nearer to --jobs than to nothing. */
static int unknown_option(const struct opt *table, const char *command, const char *word)
{
	const char *name = word + strspn(word, "-");
	char *bare = xstrndup(name, strcspn(name, "="));
	struct near near = near_to(bare);
	const char *best;

	try_table(&near, table);
	try_table(&near, common);
	try_table(&near, first);
	near_try(&near, "help");
	best = near.best;
	error_set("plumb %s: unknown option '%s' (see plumb %s --help)%s%s%s", command, word, command,
		  best ? ": did you mean '--" : "", best ? best : "", best ? "'?" : "");
	free(bare);
	return -1;
}

/* One argument that begins with "-".  *i is moved over a value taken from the
 * next argument. */
static int parse_one(struct words *out, const struct opt *table, const char *command,
		     int argc, char **argv, int *i)
{
	char *a = argv[*i], *value = NULL, *eq;
	const struct opt *o = NULL;

	if (is_file(a))
		return error_set("plumb %s: `%s` is an option, and a file here has that name: "
				 "the file is ./%s", command, a, a);
	if (a[1] == '-') {
		eq = strchr(a, '=');
		o = find_option(table, a + 2, eq ? (size_t)(eq - a - 2) : strlen(a + 2));
		value = eq ? eq + 1 : NULL;
	} else {
		for (o = table; o->name && o->letter != a[1]; o++)
			;
		if (!o->name || find_option(table, a + 1, strlen(a + 1)))
			o = NULL;	/* -output is not -o utput */
		else if (a[2])
			value = a + 2;
	}
	if (!o)
		return unknown_option(table, command, a);
	if (o->kind == OPT_FLAG && value)
		return error_set("plumb %s: --%s takes no value", command, o->name);
	if (o->kind != OPT_FLAG && !value) {
		if (*i + 1 >= argc)
			return error_set("plumb %s: --%s needs a value (%s)", command, o->name, o->arg);
		value = argv[++*i];
	}
	vec_push(out, ((struct word){ o, value }));
	return 0;
}

static int parse_words(struct opt_result *r, struct words *out, const struct opt *table,
		       const char *command, int argc, char **argv)
{
	int ret = 0;

	for (int i = 1; ret == 0 && i < argc; i++) {
		if (str_eq(argv[i], "--")) {
			if (is_file(argv[i]))
				return error_set("plumb %s: `--` separates, and a file here has that name: "
						 "the file is ./--", command);
			r->rest = argv + i + 1;
			r->nrest = (unsigned)(argc - i - 1);
			break;
		}
		if (argv[i][0] == '-' && argv[i][1]) {
			ret = parse_one(out, table, command, argc, argv, &i);
		} else {
			assert(r->ninputs < (unsigned)argc);
			r->inputs[r->ninputs++] = argv[i];
		}
	}
	return ret;
}

/* Sets those of the options that the command line has: of the first ones, or the others. */
static int apply_words(const struct words *v, const char *command, bool is_first)
{
	char where[80];
	int ret = 0;

	for (uint32_t i = 0; ret == 0 && i < v->n; i++)
		if ((v->v[i].o >= first && v->v[i].o < first + ARRAY_LEN(first)) == is_first)
			ret = set_option(v->v[i].o, v->v[i].value,
					 where_of(where, sizeof(where), command, v->v[i].o), NULL);
	return ret;
}

static int apply_to(const struct opt *table, const struct conf *project, const struct conf *user)
{
	int ret;

	if ((ret = apply_conf(table, project, true)) < 0 || (ret = apply_conf(table, user, false)) < 0)
		return ret;
	return apply_env(table);
}

static const char *color_name(unsigned i)
{
	static const char *const names[] = {
		[DIAG_COLOR_AUTO] = "auto", [DIAG_COLOR_ALWAYS] = "always", [DIAG_COLOR_NEVER] = "never", NULL
	};

	return names[i];
}

static int set_color(void)
{
	int when = near_choice("value for --color", color, color_name);

	if (when >= 0)
		diag_set_color((enum diag_color)when);
	return when < 0 ? when : 0;
}

/* Who is allowed a file of settings is known before the project's is looked for. */
static int apply_all(const struct opt *table, const struct words *v, const char *command)
{
	struct conf user = {0}, project = {0};
	int ret;

	vec_clear(&safe);
	if ((ret = conf_read_user(&user)) < 0 || (ret = check_keys(&user, false, user.path)) < 0 ||
	    (ret = apply_conf(first, &user, false)) < 0)
		goto done;
	safe_from_env();
	if ((ret = apply_words(v, command, true)) < 0 ||
	    (ret = conf_read_project(&project, opt_is_safe)) < 0 ||
	    (ret = check_keys(&project, true, user.path)) < 0)
		goto done;
	if ((ret = apply_to(table, &project, &user)) == 0 && (ret = apply_to(common, &project, &user)) == 0 &&
	    (ret = apply_words(v, command, false)) == 0)
		ret = set_color();
done:
	conf_release(&user);
	conf_release(&project);
	return ret;
}

/* An option that may stand in a file is in one of the tables above. */
static void check_table(const struct opt *table)
{
	for (; table->name; table++)
		assert(table->flags & OPT_CLI_ONLY ||
		       is_known(table->name) || own_key(own_keys, ARRAY_LEN(own_keys), table->name));
}

int opt_parse(struct opt_result *r, const struct opt *table, const char *command,
	      const char *usage, int argc, char **argv)
{
	struct words words = {0};
	int ret;

	memset(r, 0, sizeof(*r));
	r->inputs = xcalloc((size_t)argc + 1, sizeof(*r->inputs));
	check_table(table);
	for (int i = 1; i < argc && !str_eq(argv[i], "--"); i++) {
		if (str_eq(argv[i], "--help") || str_eq(argv[i], "-h")) {
			print_help(table, usage);
			r->help = true;
			return 0;
		}
	}
	if ((ret = parse_words(r, &words, table, command, argc, argv)) == 0)
		ret = apply_all(table, &words, command);
	vec_release(&words);
	return ret;
}

void opt_result_release(struct opt_result *r)
{
	free(r->inputs);
	memset(r, 0, sizeof(*r));
}
