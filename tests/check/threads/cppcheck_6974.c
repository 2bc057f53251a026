// danmar/cppcheck 6974: fdopen() that fails leaves the descriptor to be closed, which was reported as
// closed twice; one that succeeds has it.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int stream_ok(const char *path)
{
	int fd = open(path, O_RDONLY);
	FILE *f;

	if (fd == -1)
		return -1;
	f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return -1;
	}
	fclose(f);
	return 0;
}

int closed_below_bad(const char *path)
{
	int fd = open(path, O_RDONLY);
	FILE *f;

	if (fd == -1)
		return -1;
	f = fdopen(fd, "r"); // LEAK(never-freed)
	close(fd);
	return f ? 0 : -1;
}

int descriptor_bad(const char *path)
{
	int fd = open(path, O_RDONLY); // FN: LEAK(conditional)
	FILE *f;

	if (fd == -1)
		return -1;
	f = fdopen(fd, "r");
	if (!f)
		return -1;
	fclose(f);
	return 0;
}
