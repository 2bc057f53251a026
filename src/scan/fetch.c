/*
 * fetch.c - the source of an entry, into the job's work folder.
 *
 *	debian	apt-get source --download-only, then dpkg-source -x: apt checks the signatures and checksums.
 *		Where the archive lacks the distribution's part, upstream's part alone is unpacked
 *	git	a clone, or a fetch into the clone of the last time, then an export of the revision, without
 *		.git
 *	folder	a copy
 *
 * What came from elsewhere stays in fetched/NAME: a second scan, or one that continues, needs no network.
 * The source in work/NAME is made anew for each job, because builds change it.
 *
 * needs: the job's folders.
 * gives: j->source and, where it is known, j->version.
 */
#include "scan/scan.h"

#include "base/error.h"
#include "base/file.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>

char *scan_debian_name(const struct scan_entry *e)
{
	return e->version ? xasprintf("%s=%s", e->source, e->version) : xstrdup(e->source);
}

static bool is_upstream_archive(const char *name)
{
	return strstr(name, ".orig.tar.") && !str_ends(name, ".asc");
}

/* The only file in the folder whose name ends with ext (NULL: the only archive of upstream), the caller's;
 * NULL if there is none, or more than one. */
static char *only_file(const char *folder, const char *ext)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	char *found = NULL;
	unsigned n = 0;

	while (d && (e = readdir(d)))
		if (ext ? str_ends(e->d_name, ext) : is_upstream_archive(e->d_name)) {
			free(found);
			found = path_join(folder, e->d_name);
			n++;
		}
	if (d)
		closedir(d);
	if (n != 1) {
		free(found);
		found = NULL;
	}
	return found;
}

/* "1.2-3" of "x_1.2-3.dsc"; the caller's. */
static char *version_of_dsc(const char *path)
{
	const char *base = path_base(path), *at = strchr(base, '_');

	assert(str_ends(path, ".dsc"));
	return at ? xstrndup(at + 1, strlen(at + 1) - strlen(".dsc")) : NULL;
}

static bool run(struct scan_job *j, const char *name, const char *dir, char *const argv[])
{
	const struct scan_command c = { .name = name, .argv = argv, .dir = dir };

	return scan_job_step(j, &c);
}

/* Upstream's source, without what the distribution has added. */
static bool unpack_upstream(struct scan_job *j)
{
	static char unpack[] = "rm -rf \"$2\" && mkdir \"$2\" && "
			       "tar -xf \"$1\" -C \"$2\" --strip-components=1";
	char *tar = only_file(j->fetched, NULL), *version;
	bool ok = tar && run(j, "unpack", NULL, (char *[]){ "sh", "-c", unpack, "sh", tar, j->source, NULL });

	if (ok && j->version) {
		version = xasprintf("%s (upstream's part)", j->version);
		free(j->version);
		j->version = version;
	}
	free(tar);
	return ok;
}

static int fetch_debian(struct scan_job *j)
{
	const struct scan_entry *e = j->entry;
	char *dsc = only_file(j->fetched, ".dsc"), *version = dsc ? version_of_dsc(dsc) : NULL;
	bool ok;

	/* the file's name has the version without its epoch */
	if (dsc && e->version) {
		const char *colon = strchr(e->version, ':');

		if (!version || !str_eq(version, colon ? colon + 1 : e->version)) {
			remove(dsc);
			free(dsc);
			dsc = NULL;
		}
	}
	free(version);
	if (!dsc) {
		char *wanted = scan_debian_name(e);
		char *argv[] = { "apt-get", "-q", "-o", "Acquire::Retries=3", "-o", "APT::Sandbox::User=",
				 "source", "--download-only", "--only-source", wanted, NULL };

		run(j, "fetch", j->fetched, argv);
		free(wanted);
		dsc = only_file(j->fetched, ".dsc");
	}
	if (!dsc)
		return error_set("apt-get has no source package %s "
				 "(source packages want a line deb-src in apt's list)", e->source);
	j->version = version_of_dsc(dsc);
	j->source = path_join(j->work, "source");
	ok = run(j, "unpack", NULL, (char *[]){ "dpkg-source", "--no-check", "-x", dsc, j->source, NULL }) ||
	     unpack_upstream(j);
	free(dsc);
	return ok ? 0 : error_set("the source package could not be unpacked");
}

/* The commit that a revision of the clone means, the caller's; NULL if there is none. */
static char *commit_of(struct scan_job *j, const char *clone, const char *revision)
{
	char *wanted = xasprintf("%s^{commit}", revision), *out = path_join(j->work, "commit"), *text = NULL;
	char *argv[] = { "git", "rev-parse", "--verify", "--quiet", "--end-of-options", wanted, NULL };
	const struct scan_command c = { .name = "revision", .dir = clone, .out = out, .argv = argv };
	size_t n;

	if (!scan_job_step(j, &c) || file_read(&text, &n, out) < 0)
		text = NULL;
	else
		text[strcspn(text, "\n")] = '\0';
	free(out);
	free(wanted);
	return text;
}

static bool clone_into(struct scan_job *j, const char *clone)
{
	char *part = xasprintf("%s.part", clone);
	char *argv[] = { "git", "clone", "--quiet", "--bare", "--", j->entry->source, part, NULL };
	bool ok = run(j, "clean", NULL, (char *[]){ "rm", "-rf", part, NULL }) &&
		  run(j, "fetch", NULL, argv) && rename(part, clone) == 0;

	free(part);
	return ok;
}

static int fetch_git(struct scan_job *j)
{
	static char export[] = "git -C \"$1\" archive --format=tar -o \"$3.tar\" \"$2\" && mkdir \"$3\" && "
			       "tar -xf \"$3.tar\" -C \"$3\" && rm \"$3.tar\"";
	static char *const update[] = { "git", "fetch", "--quiet", "--tags", "origin",
					"+refs/heads/*:refs/heads/*", NULL };
	const char *revision = j->entry->version ? j->entry->version : "HEAD";
	char *clone = path_join(j->fetched, "git"), **unpack;
	int ret = -1;

	if (!is_dir(clone) && !clone_into(j, clone)) {
		error_set("the repository could not be cloned");
		goto done;
	}
	j->version = commit_of(j, clone, revision);
	if (!j->version && run(j, "fetch", clone, update))
		j->version = commit_of(j, clone, revision);
	if (!j->version) {
		error_set("the repository has no revision %s", revision);
		goto done;
	}
	j->source = path_join(j->work, "source");
	unpack = (char *[]){ "sh", "-c", export, "sh", clone, j->version, j->source, NULL };
	if (run(j, "unpack", NULL, unpack))
		ret = 0;
	else
		error_set("the revision %s could not be unpacked", revision);
done:
	free(clone);
	return ret;
}

static int fetch_folder(struct scan_job *j)
{
	if (!is_dir(j->entry->source))
		return error_set("%s: no such folder", j->entry->source);
	j->source = path_join(j->work, "source");
	return run(j, "copy", NULL, (char *[]){ "cp", "-a", "--", j->entry->source, j->source, NULL }) ? 0 :
	       error_set("the folder could not be copied");
}

int scan_fetch(struct scan_job *j)
{
	assert(j->work && j->fetched && !j->source && !j->version);
	switch (j->entry->kind) {
	case SCAN_DEBIAN:
		return fetch_debian(j);
	case SCAN_GIT:
		return fetch_git(j);
	case SCAN_FOLDER:
		return fetch_folder(j);
	}
	return -1;
}

int scan_fetch_again(struct scan_job *j)
{
	if (!run(j, "clean", NULL, (char *[]){ "sh", "-c", SCAN_REMOVE, "sh", j->source, NULL }))
		return error_set("the source could not be made anew");
	free(j->source);
	free(j->version);
	j->source = j->version = NULL;
	return scan_fetch(j);
}
