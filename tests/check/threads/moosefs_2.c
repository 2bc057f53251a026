// moosefs/moosefs 2: a socket that could not be made is none, and a daemon opens /dev/null for its
// standard streams, which it has closed before: both were reported.  A socket that was made has to be
// closed.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int no_socket_ok(void)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);

	if (s == -1)
		return -1;
	close(s);
	return 0;
}

void standard_streams_ok(void)
{
	int fd;

	close(0);
	close(1);
	close(2);
	fd = open("/dev/null", O_RDWR);
	if (fd == 0) {
		dup(fd);
		dup(fd);
	}
}

int not_connected_bad(const struct sockaddr *to, socklen_t n)
{
	int s = socket(AF_INET, SOCK_STREAM, 0); // FN: LEAK(conditional)

	if (s == -1)
		return -1;
	if (connect(s, to, n) != 0)
		return -1;
	close(s);
	return 0;
}
