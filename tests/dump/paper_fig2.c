// RUN: plumb dump mssa %s
// Figure 2.  R is the object of line 10 (as the call on line 30 sees it, since read_buf() is an allocation
// wrapper).  The store of line 13 has the chi, the return of read_buf() the mu, the call on line 30 the chi, the
// call of free_buf() the mu, and the load in free_buf() reads the version at its entry.
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
