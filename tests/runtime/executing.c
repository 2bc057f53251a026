/*
 * executing HOW PROG - executes PROG in one of the ways that there are, with the arguments
 * "PROG" and "x", and ends as it does.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int wait_for(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int spawn(const char *prog, char **argv, int (*f)(pid_t *, const char *,
		 const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
		 char *const *, char *const *))
{
	pid_t pid;

	return f(&pid, prog, NULL, NULL, argv, environ) == 0 ? wait_for(pid) : 100;
}

/* popen() and system() go through a shell. */
static int by_popen(const char *prog)
{
	char text[1000];
	FILE *f = popen(prog, "r");

	while (f != NULL && fgets(text, sizeof(text), f))
		fputs(text, stdout);
	return f != NULL ? WEXITSTATUS(pclose(f)) : 100;
}

static int by_vfork(const char *prog, char **argv)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execve(prog, argv, environ);
		_exit(101);
	}
	return wait_for(pid);
}

/* With more variables than anybody has. */
static int by_many(const char *prog, char **argv)
{
	static char text[6000][16];

	for (int i = 0; i < 6000; i++) {
		snprintf(text[i], sizeof(text[i]), "V%d=x", i);
		putenv(text[i]);
	}
	return execve(prog, argv, environ);
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "", *prog = argc > 2 ? argv[2] : "";
	char *args[] = { (char *)prog, (char *)"x", NULL };

	if (!strcmp(how, "execve"))
		execve(prog, args, environ);
	if (!strcmp(how, "execv"))
		execv(prog, args);
	if (!strcmp(how, "execvp"))
		execvp(prog, args);
	if (!strcmp(how, "execvpe"))
		execvpe(prog, args, environ);
	if (!strcmp(how, "execl"))
		execl(prog, prog, "x", NULL);
	if (!strcmp(how, "execle"))
		execle(prog, prog, "x", NULL, environ);
	if (!strcmp(how, "execlp"))
		execlp(prog, prog, "x", NULL);
	if (!strcmp(how, "fexecve"))
		fexecve(open(prog, O_RDONLY | O_CLOEXEC), args, environ);
	if (!strcmp(how, "execveat"))
		execveat(AT_FDCWD, prog, args, environ, 0);
	if (!strcmp(how, "execveat-fd"))
		execveat(open(prog, O_PATH | O_CLOEXEC), "", args, environ, AT_EMPTY_PATH);
	if (!strcmp(how, "many"))
		by_many(prog, args);
	if (!strcmp(how, "vfork"))
		return by_vfork(prog, args);
	if (!strcmp(how, "posix_spawn"))
		return spawn(prog, args, posix_spawn);
	if (!strcmp(how, "posix_spawnp"))
		return spawn(prog, args, posix_spawnp);
	if (!strcmp(how, "system"))
		return wait_for(-1), WEXITSTATUS(system(prog));
	if (!strcmp(how, "popen"))
		return by_popen(prog);
	if (!strcmp(how, "missing"))	/* what fails, fails as ever */
		return execve("/no/such/program", args, environ) == -1 && errno == ENOENT ? 3 : 4;
	return 102;
}
