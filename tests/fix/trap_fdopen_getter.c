// The number that a getter gives is another object's, and standard output is everybody's: the stream is not closed.
// LEAKS: 2
// EXPECT: refused
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct conn {
	int fd;
};

static int conn_fd(const struct conn *c)
{
	return c->fd;
}

static int greet(const struct conn *c)
{
	FILE *f = fdopen(conn_fd(c), "w");

	if (!f)
		return -1;
	setvbuf(f, NULL, _IONBF, 0);
	return fputs("hello\n", f) == EOF ? -1 : 0;
}

static int say(void)
{
	FILE *f = fdopen(STDOUT_FILENO, "w");

	if (!f)
		return -1;
	setvbuf(f, NULL, _IONBF, 0);
	return fputs("say\n", f) == EOF ? -1 : 0;
}

int main(void)
{
	struct conn c = { open("/dev/null", O_WRONLY) };

	setvbuf(stdout, NULL, _IONBF, 0);
	printf("%d\n", greet(&c));
	printf("%d\n", (int)write(c.fd, "x", 1));
	printf("%d\n", say());
	printf("end\n");
	close(c.fd);
	return 0;
}
