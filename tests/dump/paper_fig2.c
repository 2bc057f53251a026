// RUN: plumb dump mssa %s
// RUN: plumb dump vfg %s
// RUN: plumb dump guards %s
// Figure 2.  R is the object of line 11.  Line 14 has the chi, the return of read_buf() the mu, the load in
// free_buf() reads the version at its entry; both objects are freed exactly on the branch of line 33.
#include <stdio.h>
#include <stdlib.h>

static char **read_buf(FILE *in)
{
	char **buf = malloc(sizeof(*buf));
	char *tmp;

	*buf = malloc(1);
	tmp = *buf;
	*tmp = (char)getc(in);
	return buf;
}

static void free_buf(char **fbuf)
{
	char *ftmp = *fbuf;

	free(ftmp);
	free(fbuf);
}

void serial_read_buf(FILE *in, int n)
{
	for (int i = 0; i < n; i++) {
		char **mbuf = read_buf(in);
		char *tmp = *mbuf;

		if (*tmp != '\n') {
			putchar(*tmp);
			free_buf(mbuf);
		}
	}
}
