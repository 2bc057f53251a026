// danmar/cppcheck 3156: a descriptor is one if it is >= 0, and none if it is <= -1.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int positive_ok(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	return -1;
}

int negative_ok(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd <= -1)
		return -1;
	close(fd);
	return 0;
}

int unread_bad(const char *path, char *to)
{
	int fd = open(path, O_RDONLY); // FN: LEAK(conditional)

	if (fd >= 0) {
		if (read(fd, to, 1) != 1)
			return -1;
		close(fd);
		return 0;
	}
	return -1;
}

int unlistened_bad(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0); // FN: LEAK(conditional)

	if (fd == -1)
		return -1;
	if (listen(fd, 5) != 0)
		return -1;
	close(fd);
	return 0;
}
