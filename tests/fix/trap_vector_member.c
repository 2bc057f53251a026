// What a member points to is read, or filled, by a call that is given the address of the struct.
// LEAKS: 4
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int say(int fd, const char *text)
{
	struct iovec v;
	ssize_t n;

	v.iov_base = strdup(text);
	if (!v.iov_base)
		return -1;
	v.iov_len = strlen(text);
	n = writev(fd, &v, 1);
	return n == (ssize_t)v.iov_len ? 0 : -1;
}

static int post(int fd, const char *text)
{
	struct msghdr m;
	struct iovec v;
	char *p = strdup(text);

	if (!p)
		return -1;
	memset(&m, 0, sizeof(m));
	v.iov_base = p;
	v.iov_len = strlen(text);
	m.msg_iov = &v;
	m.msg_iovlen = 1;
	return (int)sendmsg(fd, &m, 0);
}

static int hear(int fd)
{
	struct iovec v;

	v.iov_base = calloc(1, 16);
	if (!v.iov_base)
		return -1;
	v.iov_len = 15;
	if (readv(fd, &v, 1) <= 0)
		return -1;
	return ((char *)v.iov_base)[0];
}

static int enter(FILE *f, const char *name)
{
	struct passwd p;

	memset(&p, 0, sizeof(p));
	p.pw_name = strdup(name);
	if (!p.pw_name)
		return -1;
	p.pw_passwd = p.pw_gecos = p.pw_dir = p.pw_shell = "";
	return putpwent(&p, f);
}

int main(void)
{
	int s[2];

	fflush(stdout);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		return 1;
	printf("%d\n", say(1, "said\n"));
	printf("%d\n", post(s[0], "posted"));
	printf("%c\n", hear(s[1]));
	printf("%d\n", enter(stdout, "somebody"));
	close(s[0]);
	close(s[1]);
	return 0;
}
