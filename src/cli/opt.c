/*
 * opt.c - options from .plumb.conf, the environment and the command line.
 *
 * The conf file is lines `key = value`; `#` starts a comment; the keys are the
 * long options without dashes, and those of all subcommands share the one
 * file.  A key that no subcommand knows is an error with its line: a typing
 * mistake must not silently change an analysis.  A subcommand sees only its own
 * options, hence the table known_keys of all of them.
 */
#include "cli/opt.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Every long option that any subcommand takes from the conf file. */
static const char *const known_keys[] = {
	"at-exit", "baseline", "cache-dir", "cache-limit", "clang", "debug-dir",
	"depth", "engine", "findings", "format", "interval", "jobs", "loop",
	"memory-limit", "model", "no-cache", "slice-limit", "verbose",
};

struct conf_line {
	const char *key, *value;
	unsigned line;
};

static struct {
	bool read;
	int status;
	struct arena arena;	/* all strings; lives until exit */
	char *path, *dir;
	VEC(struct conf_line) lines;
} conf;

static char *trim(char *s)
{
	char *end = s + strlen(s);

	while (isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return s;
}

/* Walks up from the current folder; *out is the caller's, NULL if none. */
static void find_conf(char **out)
{
	char *dir = path_absolute(".");

	*out = NULL;
	do {
		char *p = path_join(dir, ".plumb.conf");

		if (file_exists(p))
			*out = p;
		else
			free(p);
	} while (!*out && path_up(&dir));
	free(dir);
}

static int parse_conf_line(char *line, unsigned number)
{
	struct conf_line l = { .line = number };
	char *eq, *hash = strchr(line, '#');
	bool known = false;

	if (hash)
		*hash = '\0';
	line = trim(line);
	if (!*line)
		return 0;
	eq = strchr(line, '=');
	if (!eq)
		return error_set("%s:%u: expected `key = value`", conf.path, number);
	*eq = '\0';
	l.key = arena_strdup(&conf.arena, trim(line));
	l.value = arena_strdup(&conf.arena, trim(eq + 1));
	for (size_t i = 0; i < ARRAY_LEN(known_keys); i++)
		known |= str_eq(known_keys[i], l.key);
	if (!known)
		return error_set("%s:%u: unknown setting `%s`", conf.path, number, l.key);
	vec_push(&conf.lines, l);
	return 0;
}

static int read_conf(void)
{
	char *text = NULL, *p;
	size_t n;
	int ret = 0;

	if (conf.read)
		return conf.status;
	conf.read = true;
	arena_init(&conf.arena);
	find_conf(&conf.path);
	if (!conf.path)
		return 0;
	conf.dir = path_dir(conf.path);
	if ((ret = file_read(&text, &n, conf.path)) < 0)
		goto done;
	p = text;
	for (unsigned number = 1; ret == 0 && p; number++) {
		char *line = strsep(&p, "\n");

		ret = parse_conf_line(line, number);
	}
done:
	free(text);
	return conf.status = ret;
}

const char *opt_conf_path(void)
{
	read_conf();
	return conf.path;
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

/* where: "--jobs", "PLUMB_JOBS", ".plumb.conf:3: jobs"; dir: for paths, or NULL. */
static int set_option(const struct opt *o, const char *value, const char *where, const char *dir)
{
	uint64_t x;

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
		*(const char **)o->dst = arena_strdup(&conf.arena, value);
		return 0;
	case OPT_PATH:
	case OPT_LIST: {
		char *p = dir ? path_join(dir, value) : xstrdup(value);
		const char *s = arena_strdup(&conf.arena, p);

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

static int apply_conf(const struct opt *table)
{
	int ret = read_conf();

	for (uint32_t i = 0; ret == 0 && i < conf.lines.n; i++) {
		const struct conf_line *l = &conf.lines.v[i];
		const struct opt *o = find_long(table, l->key, strlen(l->key));
		char *where;

		if (!o || o->flags & OPT_CLI_ONLY)
			continue;
		where = xasprintf("%s:%u: %s", conf.path, l->line, l->key);
		ret = set_option(o, l->value, where, conf.dir);
		free(where);
	}
	return ret;
}

static int apply_env(const struct opt *table)
{
	int ret = 0;

	for (const struct opt *o = table; ret == 0 && o->name; o++) {
		char *name = xasprintf("PLUMB_%s", o->name), *value;

		for (char *p = name; *p; p++)
			*p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
		value = getenv(name);
		if (value && *value && !(o->flags & OPT_CLI_ONLY))
			ret = set_option(o, value, name, NULL);
		free(name);
	}
	return ret;
}

static void print_help(const struct opt *table, const char *usage)
{
	printf("%s\n\nOptions:\n", usage);
	for (const struct opt *o = table; o->name; o++) {
		char *left = xasprintf("%c%c%c --%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
				       o->letter ? ',' : ' ', o->name, o->arg ? " " : "", o->arg ? o->arg : "");

		printf("  %-26s  %s\n", left, o->help);
		free(left);
	}
	printf("   %-25s  %s\n", "    --help", "this text");
}

/* One argument that begins with "-".  *i is moved over a value taken from the
 * next argument. */
static int parse_one(const struct opt *table, const char *command, int argc, char **argv, int *i)
{
	char *a = argv[*i], *value = NULL, *eq;
	const struct opt *o = NULL;
	char where[80];

	if (a[1] == '-') {
		eq = strchr(a, '=');
		o = find_long(table, a + 2, eq ? (size_t)(eq - a - 2) : strlen(a + 2));
		value = eq ? eq + 1 : NULL;
	} else {
		for (o = table; o->name && o->letter != a[1]; o++)
			;
		if (!o->name)
			o = NULL;
		else if (a[2])
			value = a + 2;
	}
	if (!o)
		return error_set("plumb %s: unknown option `%s` (see plumb %s --help)", command, a, command);
	if (o->kind == OPT_FLAG && value)
		return error_set("plumb %s: --%s takes no value", command, o->name);
	if (o->kind != OPT_FLAG && !value) {
		if (*i + 1 >= argc)
			return error_set("plumb %s: --%s needs a value (%s)", command, o->name, o->arg);
		value = argv[++*i];
	}
	snprintf(where, sizeof(where), "plumb %s: --%s", command, o->name);
	return set_option(o, value, where, NULL);
}

int opt_parse(struct opt_result *r, const struct opt *table, const char *command,
	      const char *usage, int argc, char **argv)
{
	int ret;

	memset(r, 0, sizeof(*r));
	r->inputs = xcalloc((size_t)argc + 1, sizeof(*r->inputs));
	for (int i = 1; i < argc && !str_eq(argv[i], "--"); i++) {
		if (str_eq(argv[i], "--help") || str_eq(argv[i], "-h")) {
			print_help(table, usage);
			r->help = true;
			return 0;
		}
	}
	if ((ret = apply_conf(table)) < 0 || (ret = apply_env(table)) < 0)
		return ret;
	for (int i = 1; i < argc; i++) {
		if (str_eq(argv[i], "--")) {
			r->rest = argv + i + 1;
			r->nrest = (unsigned)(argc - i - 1);
			break;
		}
		if (argv[i][0] == '-' && argv[i][1])
			ret = parse_one(table, command, argc, argv, &i);
		else
			r->inputs[r->ninputs++] = argv[i];
		if (ret < 0)
			return ret;
	}
	return 0;
}

void opt_result_release(struct opt_result *r)
{
	free(r->inputs);
	memset(r, 0, sizeof(*r));
}
