// A number leads to the open file: it is used later, kept, returned, or a lock hangs on it.
// LEAKS: 12
// NEVER: ^\+.*fclose\((kept|mine|back|wrapped|again|locked|taken)\);
// NEVER: ^\+.*closedir\(folder\);
// EXPECT: either
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int log_fd = -1;

static int keeps(const char *path)
{
	FILE *kept = fopen(path, "r");

	if (!kept)
		return -1;
	log_fd = fileno(kept);
	return 0;
}

struct log {
	int fd;
	int level;
};

static int keeps_in(struct log *l, const char *path)
{
	FILE *mine = fopen(path, "r");

	if (!mine)
		return -1;
	l->fd = fileno(mine);
	l->level = 1;
	return 0;
}

static int gives_back(const char *path)
{
	FILE *back = fopen(path, "r");

	if (!back)
		return -1;
	return fileno(back);
}

static int number_of(FILE *f)
{
	return fileno(f);
}

static int gives_back_wrapped(const char *path)
{
	FILE *wrapped = fopen(path, "r");
	long fd;

	if (!wrapped)
		return -1;
	fd = number_of(wrapped);
	return (int)fd;
}

static int gives_back_folder(const char *path)
{
	DIR *folder = opendir(path);

	if (!folder)
		return -1;
	return dirfd(folder);
}

static FILE *opened;

static int opens_again(const char *path)
{
	FILE *again = fopen(path, "r");

	if (!again)
		return -1;
	opened = fdopen(fileno(again), "r");
	return 0;
}

/* The lock is gone when the file is closed. */
static int locks(const char *path)
{
	FILE *locked = fopen(path, "r");

	if (!locked)
		return -1;
	if (flock(fileno(locked), LOCK_SH | LOCK_NB) < 0)
		return -1;
	return 0;
}

static int locks_by_fcntl(const char *path)
{
	struct flock l = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	FILE *taken = fopen(path, "r");

	if (!taken)
		return -1;
	if (fcntl(fileno(taken), F_SETLK, &l) < 0)
		return -1;
	return 0;
}

/* Here it may be closed, but not before the number was used for the last time. */
static long uses(const char *path)
{
	FILE *f = fopen(path, "r");
	char text[4] = "";
	long n;
	int fd;

	if (!f)
		return -1;
	fd = fileno(f);
	n = read(fd, text, 3);
	if (n < 0)
		return -1;
	return n + text[0];
}

static long size_of(const char *path)
{
	FILE *f = fopen(path, "r");
	struct stat st;

	if (!f)
		return -1;
	if (fstat(fileno(f), &st) < 0)
		return -1;
	return st.st_size > 0;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : argv[0];
	struct log l = { -1, 0 };
	char c = 0;
	int ok = 1, n;

	ok &= keeps(path) == 0 && read(log_fd, &c, 1) == 1;
	ok &= keeps_in(&l, path) == 0 && read(l.fd, &c, 1) == 1 && l.level;
	n = gives_back(path);
	ok &= read(n, &c, 1) == 1;
	n = gives_back_wrapped(path);
	ok &= read(n, &c, 1) == 1;
	n = gives_back_folder("/");
	ok &= faccessat(n, "dev", F_OK, 0) == 0;
	ok &= opens_again(path) == 0 && fgetc(opened) != EOF;
	ok &= locks(path) == 0;
	ok &= locks_by_fcntl(path) == 0;
	printf("%d %d %ld\n", ok, uses(path) > 3, size_of(path));
	return 0;
}
