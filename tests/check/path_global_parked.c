// A whole program: what is put into a global that nothing reads afterwards is lost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *first_line;	/* written, never read */
static char *title;		/* written and printed */

static int read_head(FILE *f)
{
	char buf[100];

	if (!fgets(buf, sizeof(buf), f))
		return -1;
	first_line = strdup(buf); // FN(path): LEAK(never-freed)
	return 0;
}

static int read_title(FILE *f)
{
	char buf[100];

	if (!fgets(buf, sizeof(buf), f))
		return -1;
	title = strdup(buf);
	return 0;
}

int main(void)
{
	if (read_head(stdin) < 0 || read_title(stdin) < 0)
		return 1;
	if (title)
		puts(title);
	return 0;
}
