// Figure 2, the motivating example: a buffer of two objects, freed unless it holds a newline.
// The inner object is held by the outer one only, so the outer finding tells both.
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
		char **mbuf = read_buf(in); // LEAK(conditional,medium) via 0 +3 -1 +8
		char *tmp = *mbuf;

		if (*tmp != '\n') {
			putchar(*tmp);
			free_buf(mbuf);
		}
	}
}
