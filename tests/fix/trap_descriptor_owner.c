// What fdopen() makes owns the number that it was given: who uses that later, or has it from a caller, would find it closed, or
// close it twice.
// LEAKS: 12
// NEVER: ^\+.*fclose\((twice|of_caller|of_member)\);
// EXPECT: either
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int closes(const char *path)
{
	int fd = open(path, O_RDONLY);
	FILE *twice;
	char b[4];

	if (fd < 0)
		return -1;
	if (!(twice = fdopen(fd, "r"))) {
		close(fd);
		return -1;
	}
	if (!fgets(b, sizeof(b), twice)) {
		close(fd);
		return -1;
	}
	close(fd);
	return 0;
}

static int uses(const char *path)
{
	int fd = open(path, O_RDONLY);
	FILE *late;
	char c = 0;

	if (fd < 0)
		return -1;
	late = fdopen(fd, "r");
	if (!late)
		return -1;
	if (fgetc(late) == EOF)
		return -1;
	return lseek(fd, 0, SEEK_SET) == 0 && read(fd, &c, 1) == 1 ? 0 : -1;
}

static int given(int fd)
{
	FILE *of_caller = fdopen(fd, "r");

	if (!of_caller)
		return -1;
	return fgetc(of_caller) == EOF;
}

struct source {
	int fd;
};

static int in_member(struct source *s)
{
	FILE *of_member = fdopen(s->fd, "r");

	if (!of_member)
		return -1;
	return fgetc(of_member) == EOF;
}

/* Nobody else has these. */
static int own(const char *path)
{
	FILE *f = fdopen(open(path, O_RDONLY), "r");

	if (!f)
		return -1;
	return fgetc(f) == EOF;
}

static int own_named(const char *path)
{
	int fd = open(path, O_RDONLY);
	FILE *f;

	if (fd < 0)
		return -1;
	if (!(f = fdopen(fd, "r"))) {
		close(fd);
		return -1;
	}
	return fgetc(f) == EOF;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : argv[0];
	struct source s = { open(path, O_RDONLY) };
	int fd = open(path, O_RDONLY);
	char c;

	printf("%d %d ", closes(path), uses(path));
	printf("%d %d ", given(fd), in_member(&s));
	printf("%d %d ", lseek(fd, 0, SEEK_SET) == 0 && read(fd, &c, 1) == 1, lseek(s.fd, 0, SEEK_SET) == 0 && read(s.fd, &c, 1) == 1);
	printf("%d %d\n", own(path), own_named(path));
	close(fd);
	close(s.fd);
	return 0;
}
