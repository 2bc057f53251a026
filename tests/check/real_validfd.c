/* a pure query asked twice */
#include <stdio.h>
#include <fcntl.h>
static FILE *xfp;
static int valid(int fd) { return fcntl(fd, F_GETFD) >= 0; }
static void xset(int fd, FILE *fp)
{
	if (fd >= 0 && valid(fd) == 0)
		return;
	xfp = fp;
}
void f(int fd)
{
	if (valid(fd)) {
		FILE *fp = fdopen(fd, "w"); // FP(conditional,path)
		if (fp == 0)
			perror("f");
		else
			xset(fd, fp);
	}
}
