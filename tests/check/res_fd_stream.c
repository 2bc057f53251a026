// A stream over a descriptor, temporary files, freopen.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int fdopened_ok(const char *path)
{
	int fd = open(path, O_RDONLY);
	FILE *f;

	if (fd < 0)
		return -1;
	f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return -1;
	}
	fclose(f);
	return 0;
}

int fdopened_bad(int fd)
{
	FILE *f = fdopen(fd, "r"); // LEAK(never-freed)

	return f ? getc(f) : -1;
}

int tmpfile_bad(int n)
{
	FILE *f = tmpfile(); // LEAK(conditional)

	if (!f)
		return -1;
	if (fprintf(f, "%d", n) < 0)
		return -2;
	fclose(f);
	return 0;
}

FILE *returned_ok(const char *path)
{
	FILE *f = fopen(path, "r");

	if (f)
		setvbuf(f, NULL, _IONBF, 0);
	return f;
}
