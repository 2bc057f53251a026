/*
 * owner.c - see owner.h.
 *
 * After ssh's checks of its files and git's of its folders.  A folder is only as safe as those above it:
 * whoever can write to one of these can put another folder in its place.  A sticky folder such as /tmp
 * prevents that: there users can move only their own files and folders.
 */
#include "base/owner.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The user who has become root by sudo; false: nobody. */
static bool caller_of_sudo(uid_t *uid)
{
	const char *s = geteuid() == 0 ? getenv("SUDO_UID") : NULL;
	char *end;
	unsigned long x;

	if (!s || *s < '0' || *s > '9')
		return false;
	x = strtoul(s, &end, 10);
	*uid = (uid_t)x;
	return !*end && x == *uid;
}

bool owner_is_me(const struct stat *st)
{
	uid_t caller;

	return st->st_uid == geteuid() || (caller_of_sudo(&caller) && st->st_uid == caller);
}

/* A group with the user's name and no other member, as useradd makes one for each user. */
static bool is_private_group(gid_t gid)
{
	const struct passwd *me = getpwuid(geteuid());
	const struct group *g = me && me->pw_gid == gid ? getgrgid(gid) : NULL;

	if (!g || !str_eq(g->gr_name, me->pw_name))
		return false;
	for (char **m = g->gr_mem; *m; m++)
		if (!str_eq(*m, me->pw_name))
			return false;
	return true;
}

bool owner_lets_others_write(const struct stat *st)
{
	return st->st_mode & S_IWOTH || (st->st_mode & S_IWGRP && !is_private_group(st->st_gid));
}

const char *owner_name(uid_t uid)
{
	static char text[96];
	const struct passwd *pw = getpwuid(uid);

	if (pw)
		snprintf(text, sizeof(text), "%s (uid %lu)", pw->pw_name, (unsigned long)uid);
	else
		snprintf(text, sizeof(text), "uid %lu", (unsigned long)uid);
	return text;
}

/* Can nobody else rename the entries of this folder above? */
static int check_one_above(const char *path, const char *folder)
{
	struct stat st;

	if (lstat(folder, &st) < 0)
		return error_sys("%s", folder);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return error_set("%s lies in %s, which belongs to %s", path, folder, owner_name(st.st_uid));
	if (!(st.st_mode & S_ISVTX) && owner_lets_others_write(&st))
		return error_set("%s lies in %s, which others can write to", path, folder);
	return 0;
}

int owner_check_above(const char *path)
{
	char *dir = xstrdup(path);
	int ret = 0;

	while (ret == 0 && path_up(&dir))
		ret = check_one_above(path, dir);
	free(dir);
	return ret;
}

int owner_check_folder(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return error_sys("%s", path);
	if (!S_ISDIR(st.st_mode))
		return error_set("%s is no folder", path);
	if (st.st_uid != geteuid())
		return error_set("%s belongs to %s", path, owner_name(st.st_uid));
	if (owner_lets_others_write(&st))
		return error_set("others can write to %s", path);
	return 0;
}
