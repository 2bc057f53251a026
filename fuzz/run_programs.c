/*
 * run_programs.c - runs many programs of fuzz/programs.py, each with all its inputs.
 *
 * They are linked into one, for a start of AddressSanitizer's run-time library costs more than such a program does; each
 * run is a process of its own, forked.  TABLE, a file, has rows `PROGRAM(name, "arg", "arg")`; the main() of a program is
 * called main_NAME.  On standard output: a line \001 with name and arguments, what the program prints, a line \002 with
 * the number of objects that are left (as tests/live.c counts them), and a line \003 with its exit status.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the sanitizers' run-time library; gcc has no header for it. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					      void (*on_free)(const volatile void *));

#define PROGRAM(name, a, b) int main_##name(int argc, char **argv);
#include TABLE
#undef PROGRAM

static const struct row {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *a, *b;
} rows[] = {
#define PROGRAM(name, a, b) { #name, main_##name, a, b },
#include TABLE
};

static long live;

static void on_malloc(const volatile void *p, size_t n)
{
	(void)n;
	live += p != NULL;
}

static void on_free(const volatile void *p)
{
	live -= p != NULL;
}

static void run(const struct row *r)
{
	char *argv[] = { (char *)r->name, (char *)r->a, (char *)r->b, NULL };
	int code;

	alarm(20);
	live = 0;
	code = r->main(3, argv);
	fflush(stdout);
	dprintf(STDOUT_FILENO, "\002%ld\n", live);
	_exit(code);
}

int main(void)
{
	static char buffer[BUFSIZ];

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int status;
		pid_t pid;

		dprintf(STDOUT_FILENO, "\001%s %s %s\n", rows[i].name, rows[i].a, rows[i].b);
		pid = fork();
		if (pid == 0)
			run(&rows[i]);
		if (pid < 0 || waitpid(pid, &status, 0) < 0)
			return 1;
		dprintf(STDOUT_FILENO, "\003%d\n", status);
	}
	return 0;
}
