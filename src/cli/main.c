/*
 * main.c - plumb: the table of subcommands.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/file.h"
#include "base/near.h"
#include "report/report.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "check", cmd_check, "find leaks in C source, a build or a program" },
	{ "fix", cmd_fix, "make patches that end leaks and can break nothing" },
	{ "watch", cmd_watch, "run a program and report the memory that it has stopped using" },
	{ "cc", cmd_cc, "a drop-in C compiler that keeps what check needs in the object files" },
	{ "train", cmd_train, "learn from a run which objects a program still uses" },
	{ "bounds", cmd_bounds, "print what training has learned, per allocation site" },
	{ "run", cmd_run, "run a program with cyclic buffers at the sites that training found" },
	{ "report", cmd_report, "put all of the above on one page, per allocation site" },
	{ "scan", cmd_scan, "check and patch many programs, each fetched and built" },
	{ "dump", cmd_dump, "print a stage of the analysis as text" },
};

static void usage(FILE *f)
{
	fprintf(f, "plumb %s: finds memory leaks in C programs\n\n"
		"usage: plumb COMMAND [ARGS...]\n\n", PLUMB_VERSION);
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		fprintf(f, "  %-8s %s\n", commands[i].name, commands[i].help);
	fprintf(f, "\nplumb COMMAND --help lists the options of a command, "
		"plumb version says which plumb this is.\n"
		"For a start:  plumb check *.c\n");
}

static const struct command *find(const char *name)
{
	struct near near = near_to(name);

	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		if (str_eq(name, commands[i].name))
			return &commands[i];
		near_try(&near, commands[i].name);
	}
	near_try(&near, "help");
	near_try(&near, "version");
	diag_error("unknown command '%s' (see plumb --help)%s", name, near_hint(&near));
	return NULL;
}

/* plumb help COMMAND is plumb COMMAND --help. */
static int help(char *name)
{
	const struct command *c = find(name);
	char *argv[] = { name, (char[]){ "--help" }, NULL };

	return c ? c->run(2, argv) : EXIT_NOTHING;
}

/* Closed standard files would give their numbers to files and pipes of ours, which then get what is printed.
 * They stay unusable: opened the wrong way round, reading and writing fail as before; programs that we start
 * find them closed. */
static void hold_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) != fd)
			_exit(EXIT_NOTHING);
}

int main(int argc, char **argv)
{
	const struct command *c;

	hold_standard_files();
	/* As a program of one word, for build systems that want one. */
	if (str_eq(path_base(argv[0]), "plumb-cc"))
		return cmd_cc(argc, argv);
	if (argc < 2) {
		usage(stderr);
		return EXIT_NOTHING;
	}
	if (str_eq(argv[1], "help") && argc > 2)
		return help(argv[2]);
	if (str_eq(argv[1], "--help") || str_eq(argv[1], "-h") || str_eq(argv[1], "help")) {
		usage(stdout);
		return 0;
	}
	if (str_eq(argv[1], "--version") || str_eq(argv[1], "version")) {
		printf("plumb %s\nSMT solver: %s\n", PLUMB_VERSION, check_solver() ? check_solver() : "none");
		return 0;
	}
	c = find(argv[1]);
	return c ? c->run(argc - 1, argv + 1) : EXIT_NOTHING;
}
