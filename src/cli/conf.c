/*
 * conf.c - see conf.h.
 *
 * A file is lines `key = value`; `#` starts a comment; the keys are the long options without dashes, and
 * those of all subcommands share the file.  What a key may say, opt.c knows; here is asked whose the file is.
 *
 * The project's file is found as git finds its folder: in the current folder or the nearest one above that
 * has it, but not above the top of the project (the folder with .git), not in another file system
 * (GIT_DISCOVERY_ACROSS_FILESYSTEM) and not in a folder of GIT_CEILING_DIRECTORIES.  It counts if it is the
 * user's own: the file itself, and its folder (or root's: /tmp), since a file of mine can be moved or linked
 * to where it says something else.  Its mode is not asked for, as git does not: who can write to it can write
 * to the sources, and there are file systems on which everybody can.  It is not read through a symbolic link,
 * as git does not read .gitattributes: a checkout could name any file of the user's so, and have parts of it
 * quoted in messages.
 *
 * The user's own file may be a link (people keep such files in a repository), and root may have
 * put it there; but it names programs to run, so nobody else may be able to write to it.
 */
#include "cli/conf.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/owner.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME ".plumb.conf"
enum { CONF_MAX = 1 << 20 };	/* bytes */

static struct arena strings;	/* of all files; lives until exit */

static const char *keep(char *s)
{
	const char *kept = s ? arena_strdup(&strings, s) : NULL;

	free(s);
	return kept;
}

/* ---- the text ---- */

static char *trim(char *s)
{
	char *end = s + strlen(s);

	while (isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return s;
}

static int parse_line(struct conf *c, char *line, unsigned number)
{
	struct conf_line l = { .line = number };
	char *eq, *hash = strchr(line, '#');

	if (hash)
		*hash = '\0';
	line = trim(line);
	if (!*line)
		return 0;
	eq = strchr(line, '=');
	if (!eq)
		return error_set("%s:%u: expected `key = value`", c->path, number);
	*eq = '\0';
	l.key = arena_strdup(&strings, trim(line));
	l.value = arena_strdup(&strings, trim(eq + 1));
	vec_push(&c->lines, l);
	return 0;
}

static int parse(struct conf *c, char *text, size_t n)
{
	int ret = 0;

	if (strlen(text) != n)
		return error_set("%s: not a text file", c->path);
	for (unsigned number = 1; ret == 0 && text; number++) {
		char *line = strsep(&text, "\n");

		ret = parse_line(c, line, number);
	}
	return ret;
}

/* All of an open file, of which st was asked. */
static int read_open(struct conf *c, int fd, const struct stat *st)
{
	char *text = xcalloc(1, CONF_MAX + 1);
	size_t n = 0;
	ssize_t k = 1;
	int ret;

	while (n < CONF_MAX && k > 0) {
		k = read(fd, text + n, CONF_MAX - n);
		n += k > 0 ? (size_t)k : 0;
	}
	if (k < 0)
		ret = error_sys("%s", c->path);
	else if (st->st_size > CONF_MAX || n == CONF_MAX)
		ret = error_set("%s: too large for settings", c->path);
	else
		ret = parse(c, text, n);
	free(text);
	return ret;
}

/* Opened without waiting (it may be a pipe).  Negative: the message. */
static int open_file(const char *path, int flags, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);

	if (fd < 0)
		return error_sys("%s", path);
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	return error_set("%s: not a regular file", path);
}

/* ---- the user's ---- */

static char *user_path(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		return path_join(xdg, "plumb/config");
	return home && home[0] == '/' ? path_join(home, ".config/plumb/config") : NULL;
}

int conf_read_user(struct conf *c)
{
	struct stat st;
	int fd, ret = 0;

	*c = (struct conf){ .path = keep(user_path()) };
	if (!c->path || (stat(c->path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)))
		return 0;
	c->dir = keep(path_dir(c->path));
	if ((fd = open_file(c->path, 0, &st)) < 0)
		return fd;
	if (!owner_is_me(&st) && st.st_uid != 0)
		diag_warn("%s belongs to %s: ignored", c->path, owner_name(st.st_uid));
	else if (owner_lets_others_write(&st))
		diag_warn("others can write to %s: ignored (chmod go-w %s)", c->path, c->path);
	else
		ret = read_open(c, fd, &st);
	close(fd);
	return ret;
}

/* ---- the project's ---- */

/* Is the folder one of GIT_CEILING_DIRECTORIES? */
static bool is_ceiling(const char *dir)
{
	const char *p = getenv("GIT_CEILING_DIRECTORIES");

	for (; p && *p; p += strspn(p, ":")) {
		size_t n = strcspn(p, ":");
		char *name = xstrndup(p, n), *real = realpath(name, NULL);
		bool same = real && str_eq(real, dir);

		free(real);
		free(name);
		if (same)
			return true;
		p += n;
	}
	return false;
}

static bool may_cross(void)
{
	const char *s = getenv("GIT_DISCOVERY_ACROSS_FILESYSTEM");

	return s && (str_eq(s, "1") || str_eq(s, "true") || str_eq(s, "yes") || str_eq(s, "on"));
}

static bool is_there(const char *dir, const char *name)
{
	char *path = path_join(dir, name);
	struct stat st;
	bool there = lstat(path, &st) == 0;

	free(path);
	return there;
}

/* The folder of the project's file, the caller's; NULL: there is none. */
static char *find_project(void)
{
	char *dir = getcwd(NULL, 0), *found = NULL;
	struct stat here, st;

	if (!dir || stat(dir, &here) < 0)
		goto done;
	for (;;) {
		if (is_there(dir, NAME)) {
			found = dir;
			dir = NULL;
			break;
		}
		if (is_there(dir, ".git") || !path_up(&dir) || is_ceiling(dir))
			break;
		if (stat(dir, &st) < 0 || (st.st_dev != here.st_dev && !may_cross()))
			break;
	}
done:
	free(dir);
	return found;
}

/* Does it count?  If not, the line that says so was printed. */
static bool is_ours(const char *path, const char *dir, const struct stat *file,
		    bool (*allowed)(const char *dir))
{
	struct stat folder;
	uid_t other = file->st_uid;

	if (S_ISLNK(file->st_mode)) {
		diag_warn("%s is a symbolic link: ignored", path);
		return false;
	}
	if (!S_ISREG(file->st_mode)) {
		diag_warn("%s is not a regular file: ignored", path);
		return false;
	}
	if (owner_is_me(file)) {
		if (lstat(dir, &folder) < 0)
			return false;	/* it is gone */
		if (owner_is_me(&folder) || folder.st_uid == 0)
			return true;
		other = folder.st_uid;
		path = dir;
	}
	if (allowed(dir))
		return true;
	diag_warn("%s belongs to %s: its settings are ignored "
		  "(`safe-directory = %s` in your own settings lets them count)",
		  path, owner_name(other), dir);
	return false;
}

int conf_read_project(struct conf *c, bool (*allowed)(const char *dir))
{
	struct stat before, st;
	char *path;
	int fd, ret;

	*c = (struct conf){ .dir = keep(find_project()) };
	c->globs = c->dir;
	if (!c->dir)
		return 0;
	path = path_join(c->dir, NAME);
	if (lstat(path, &before) < 0 || !is_ours(path, c->dir, &before, allowed)) {
		free(path);
		return 0;
	}
	c->path = keep(path);
	if ((fd = open_file(c->path, O_NOFOLLOW, &st)) < 0)
		return fd;
	if (st.st_dev != before.st_dev || st.st_ino != before.st_ino)
		ret = error_set("%s: the file has changed meanwhile", c->path);
	else
		ret = read_open(c, fd, &st);
	close(fd);
	return ret;
}

void conf_release(struct conf *c)
{
	vec_release(&c->lines);
}
