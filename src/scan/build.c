/*
 * build.c - the entry's own build, with `plumb cc` in the place of the C compiler.
 *
 * Builds find their compiler in many ways: $CC, cc, gcc, the name with the architecture in front.  Not all
 * of them take $CC from outside, but all look in PATH.  So PATH begins with a folder of small scripts that
 * have these names; each starts plumb cc with the compiler of that name as the real one.
 *
 * A source with debian/rules is built by these rules first, since they know what their upstream needs.  If
 * there are none, or they fail (a package that the build needs may be missing), upstream's own build system
 * is used: Meson, configure, CMake, make.  Each begins with the source as it came.  `make -k` continues
 * after an error: what could be built is worth analysing, and the result says that the build failed.
 *
 * needs: j->source, by scan_fetch().
 * gives: programs, libraries or objects with IR somewhere below j->source, and j->env, which ends with NULL.
 */
#include "scan/scan.h"

#include "base/error.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "front/unit.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const compilers[] = {
	"cc", "gcc", "clang", "c99", "c89", "x86_64-linux-gnu-gcc", "gcc-12", "gcc-13", "gcc-14"
};

/* A script in `bin` for each of the compilers that are there. */
static int make_scripts(const struct scan_job *j, const char *bin)
{
	int ret = 0;

	for (size_t i = 0; i < ARRAY_LEN(compilers) && ret >= 0; i++) {
		char *real = program_find(compilers[i], true), *path, *text;

		if (!real)
			continue;
		path = path_join(bin, compilers[i]);
		text = xasprintf("#!/bin/sh\nPLUMB_REAL_CC='%s' exec '%s' cc \"$@\"\n", real, j->plumb);
		ret = file_write(path, text, strlen(text));
		if (ret >= 0 && chmod(path, 0755) < 0)
			ret = error_sys("%s", path);
		free(text);
		free(path);
		free(real);
	}
	return ret;
}

static void add_env(struct scan_job *j, const char *name, const char *value)
{
	// plumb-ignore: released element by element in job_close()
	vec_push(&j->env, xasprintf("%s=%s", name, value));
}

/* Sets j->env: a build finds our compilers first, has a home folder of its own, and sees nothing of the
 * environment in which the scan was started. */
static int make_env(struct scan_job *j)
{
	static const char *const unset[] = {
		"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CFLAGS", "CPPFLAGS", "LDFLAGS", "CC", "CXX",
		"CONFIG_SITE", "DESTDIR", "PLUMB_REAL_CC"
	};
	char *bin = path_join(j->work, "bin"), *home = path_join(j->work, "home");
	const char *path = getenv("PATH");
	unsigned jobs = j->options->build_jobs ? j->options->build_jobs : 1;
	char *search = xasprintf("%s:%s", bin, path ? path : "/usr/bin:/bin");
	char *deb = xasprintf("nocheck nodoc nostrip noautodbgsym parallel=%u", jobs);
	int ret = 0;

	assert(j->env.n == 0);
	for (size_t i = 0; i < ARRAY_LEN(unset); i++)
		unsetenv(unset[i]);
	if (make_dirs(bin) < 0 || make_dirs(home) < 0 || make_scripts(j, bin) < 0) {
		ret = -1;
		goto done;
	}
	add_env(j, "PATH", search);
	add_env(j, "HOME", home);
	add_env(j, "DEB_BUILD_OPTIONS", deb);
	add_env(j, "DEB_BUILD_PROFILES", "nocheck nodoc");
	add_env(j, "DEBIAN_FRONTEND", "noninteractive");
	add_env(j, "LC_ALL", "C.UTF-8");
	add_env(j, "PLUMB_CACHE_DIR", "");
	vec_push(&j->env, NULL);
done:
	free(deb);
	free(search);
	free(bin);
	free(home);
	return ret;
}

static bool step(struct scan_job *j, const char *name, const char *dir, char *const argv[])
{
	const struct scan_command c = { .name = name, .argv = argv, .dir = dir, .env = j->env.v };

	assert(vec_last(&j->env) == NULL);
	return scan_job_step(j, &c);
}

static bool has(const char *dir, const char *name)
{
	char *path = path_join(dir, name);
	bool found = file_exists(path);

	free(path);
	return found;
}

static bool make(struct scan_job *j, const char *dir)
{
	char jobs[32];

	snprintf(jobs, sizeof(jobs), "-j%u", j->options->build_jobs ? j->options->build_jobs : 1);
	return step(j, "build", dir, (char *[]){ "make", "-k", jobs, NULL });
}

/* ---- the build systems ---- */

static bool is_debian(const char *dir)
{
	return has(dir, "debian/rules");
}

static bool build_debian(struct scan_job *j, const char *dir)
{
	char *rules = path_join(dir, "debian/rules");
	bool ok = chmod(rules, 0755) == 0;

	free(rules);
	/* some old rules have no build-arch */
	return ok && (step(j, "build", dir, (char *[]){ "debian/rules", "build-arch", NULL }) ||
		      step(j, "build", dir, (char *[]){ "debian/rules", "build", NULL }));
}

static bool is_autotools(const char *dir)
{
	return has(dir, "configure") || has(dir, "configure.ac") || has(dir, "configure.in");
}

static bool build_autotools(struct scan_job *j, const char *dir)
{
	if (!has(dir, "configure")) {
		static char *const makers[] = { "./autogen.sh", "./bootstrap", "./bootstrap.sh" };

		for (size_t i = 0; i < ARRAY_LEN(makers) && !has(dir, "configure"); i++) {
			char *argv[] = { "env", "NOCONFIGURE=1", "sh", makers[i], NULL };

			if (has(dir, makers[i]))
				step(j, "prepare", dir, argv);
		}
		if (!has(dir, "configure"))
			step(j, "prepare", dir, (char *[]){ "autoreconf", "-fi", NULL });
	}
	return step(j, "configure", dir, (char *[]){ "sh", "./configure", NULL }) && make(j, dir);
}

static bool is_cmake(const char *dir)
{
	return has(dir, "CMakeLists.txt");
}

static bool build_cmake(struct scan_job *j, const char *dir)
{
	char *build = path_join(dir, "plumb-build");
	char *configure[] = { "cmake", "-B", build, "-S", ".", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
			      "-DCMAKE_C_COMPILER=cc", "-DBUILD_TESTING=OFF", NULL };
	bool ok = step(j, "configure", dir, configure) && make(j, build);

	free(build);
	return ok;
}

static bool is_meson(const char *dir)
{
	return has(dir, "meson.build");
}

static bool build_meson(struct scan_job *j, const char *dir)
{
	return step(j, "configure", dir, (char *[]){ "meson", "setup", "plumb-build", NULL }) &&
	       step(j, "build", dir, (char *[]){ "ninja", "-k", "0", "-C", "plumb-build", NULL });
}

static bool is_make(const char *dir)
{
	return has(dir, "Makefile") || has(dir, "makefile") || has(dir, "GNUmakefile");
}

static const struct system {
	const char *name;
	bool (*is)(const char *dir);
	bool (*build)(struct scan_job *j, const char *dir);
} systems[] = {
	{ "debian", is_debian, build_debian },
	{ "meson", is_meson, build_meson },
	{ "autotools", is_autotools, build_autotools },
	{ "cmake", is_cmake, build_cmake },
	{ "make", is_make, make },
};

/* ---- what a source package wants to be there ---- */

#define APT "apt-get", "-q", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=1200", \
	"-o", "APT::Sandbox::User="

/* Does the package have all that it wants?  Asked before apt, which waits for its lock even where nothing
 * is missing. */
static bool has_dependencies(struct scan_job *j)
{
	const struct scan_command c = {
		.name = "wanted",
		.argv = (char *[]){ "dpkg-checkbuilddeps", "-B", NULL },
		.dir = j->source,
		.env = j->env.v,
		.max_code = 1,
	};

	return has(j->source, "debian/control") && scan_job_step(j, &c) && vec_last(&j->steps).code == 0;
}

/* Other jobs install packages as well.  Waiting for them is no part of the step, which has a limit; apt
 * would look once a second only, and may find the lock taken again each time. */
static void wait_for_dpkg(void)
{
	enum { TRIES = 1200 * 20 };
	int fd = open("/var/lib/dpkg/lock-frontend", O_RDONLY | O_CLOEXEC);

	for (int i = 0; fd >= 0 && i < TRIES && !scan_step_stopped(); i++) {
		struct flock held = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

		if (fcntl(fd, F_GETLK, &held) < 0 || held.l_type == F_UNLCK)
			break;
		usleep(50000);
	}
	if (fd >= 0)
		close(fd);
}

/* apt installs all that a package wants, or nothing.  Where some cannot be had, the others are installed one
 * by one: much can be built without the rest.  A dpkg that was killed has to end what it began, or apt
 * refuses everything. */
static void install_dependencies(struct scan_job *j)
{
	static char script[] =
		"dpkg --configure -a\n"
		"dpkg-checkbuilddeps -B 2>&1 | sed -n 's/.*[Uu]nmet build dependencies: //p' |\n"
		"sed 's/([^)]*)//g; s/<[^>]*>//g; s/:[a-z]*//g; s/ *| */|/g' | tr ' ' '\\n' | grep . |\n"
		"while read -r one; do\n"
		"	for name in $(echo \"$one\" | tr '|' ' '); do\n"
		"		\"$@\" install \"$name\" </dev/null && break\n"
		"	done\n"
		"done\n"
		"dpkg-checkbuilddeps -B\n";
	char *wanted;
	bool ok;

	if (has_dependencies(j))
		return;
	wanted = scan_debian_name(j->entry);
	wait_for_dpkg();
	ok = step(j, "dependencies", NULL, (char *[]){ APT, "--arch-only", "build-dep", wanted, NULL });
	free(wanted);
	if (ok || !has(j->source, "debian/control"))
		return;
	wait_for_dpkg();
	step(j, "dependencies", j->source, (char *[]){ "sh", "-c", script, "sh", APT, NULL });
}

/* Has any program, library or object been made? */
static bool made_something(const struct scan_job *j)
{
	struct scan_targets t = {0};
	bool any;

	scan_targets_find(&t, j->source, 1);
	any = t.v.n > 0;
	scan_targets_release(&t);
	return any;
}

int scan_build(struct scan_job *j, const char **system)
{
	bool known = false, changed = false;

	assert(j->source);
	*system = NULL;
	if (make_env(j) < 0)
		return -1;
	if (j->options->build_deps && j->entry->kind == SCAN_DEBIAN)
		install_dependencies(j);
	for (size_t i = 0; i < ARRAY_LEN(systems) && !scan_step_stopped(); i++) {
		/* what half a build has made anew may be what the next one cannot use */
		if (changed && scan_fetch_again(j) < 0)
			return -1;
		changed = false;
		if (!systems[i].is(j->source))
			continue;
		known = changed = true;
		*system = systems[i].name;
		if (systems[i].build(j, j->source) || made_something(j))
			return 0;
	}
	return known ? error_set("nothing was built") :
	       error_set("no build system that is known (configure, CMake, Meson, make)");
}
