// facebook/infer 1419: after fdopendir() the descriptor is the directory's, and closed with it; if it
// fails it is still the caller's.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

int listed_ok(const char *path)
{
	int fd = open(path, O_RDONLY);
	DIR *d;

	if (fd < 0)
		return -1;
	d = fdopendir(fd);
	if (!d) {
		close(fd);
		return -1;
	}
	closedir(d);
	return 0;
}

int not_listed_bad(const char *path)
{
	int fd = open(path, O_RDONLY); // FN: LEAK(conditional)
	DIR *d;

	if (fd < 0)
		return -1;
	d = fdopendir(fd);
	if (!d)
		return -1;
	closedir(d);
	return 0;
}

int directory_bad(const char *path)
{
	int fd = open(path, O_RDONLY);
	DIR *d;

	if (fd < 0)
		return -1;
	d = fdopendir(fd); // LEAK(never-freed)
	if (!d) {
		close(fd);
		return -1;
	}
	return readdir(d) != NULL;
}
