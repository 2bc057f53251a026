// open_memstream makes two things: the stream, and the buffer it leaves behind.
#include <stdio.h>
#include <stdlib.h>

int both_ok(int n)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -1;
	fprintf(f, "%d", n);
	fclose(f);
	puts(text);
	free(text);
	return 0;
}

int buffer_bad(int n)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len); // LEAK(never-freed)

	if (!f)
		return -1;
	fprintf(f, "%d", n);
	fclose(f);
	return puts(text);
}

int stream_bad(int n)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len); // LEAK(never-freed)

	if (!f)
		return -1;
	fprintf(f, "%d", n);
	fflush(f);
	puts(text);
	free(text);
	return 0;
}
