// Open files.
#include <stdio.h>
#include <stdlib.h>

int closed_ok(const char *path)
{
	FILE *f = fopen(path, "r");
	int c;

	if (!f)
		return -1;
	c = getc(f);
	fclose(f);
	return c;
}

int never_closed_bad(const char *path)
{
	FILE *f = fopen(path, "r"); // LEAK(never-freed)

	if (!f)
		return -1;
	return getc(f);
}

int error_path_bad(const char *path)
{
	FILE *f = fopen(path, "r"); // LEAK(conditional)
	char line[80];

	if (!f)
		return -1;
	if (!fgets(line, sizeof(line), f))
		return -2;
	fclose(f);
	return 0;
}

int two_files_bad(const char *from, const char *to)
{
	FILE *in = fopen(from, "r"); // LEAK(conditional)
	FILE *out = fopen(to, "w"); // LEAK(conditional)
	int c;

	if (!in || !out)
		return -1;
	while ((c = getc(in)) != EOF)
		putc(c, out);
	fclose(out);
	fclose(in);
	return 0;
}

int std_or_file_ok(const char *path)
{
	FILE *f = path ? fopen(path, "r") : stdin;
	int c;

	if (!f)
		return -1;
	c = getc(f);
	if (f != stdin)
		fclose(f);
	return c;
}
