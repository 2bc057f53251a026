/*
 * conf.h - files of settings: a project's .plumb.conf and the user's own.
 */
#ifndef CLI_CONF_H
#define CLI_CONF_H

#include "base/vec.h"

struct conf_line {
	const char *key, *value;
	unsigned line;
};

struct conf {
	const char *path;	/* NULL: there is none, or it does not count */
	const char *dir;	/* what its relative paths are relative to */
	const char *globs;	/* the same for patterns of files; NULL in the user's own settings, which
				 * are for any project */
	VEC(struct conf_line) lines;
};

/* The user's own: $XDG_CONFIG_HOME/plumb/config, else ~/.config/plumb/config.  path is set even if there is
 * no such file, for messages; NULL: the user has no home.  All strings live until exit.  A file that others
 * can write to is left out with a warning.  Negative: it is there and cannot be used. */
int conf_read_user(struct conf *c);

/* The project's: .plumb.conf in this folder or the nearest one above, as far as the project goes.  A file
 * that is not the user's own is left out with a warning, unless its folder is allowed. */
int conf_read_project(struct conf *c, bool (*allowed)(const char *dir));

void conf_release(struct conf *c);

#endif
