// As param_forgotten.c, but one of the callers goes on with what the callee has not closed.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_record(FILE *body, const char *type, int limit)
{
	char line[32];
	int n = 0;

	rewind(body);
	if (limit > 3)
		return 0;
	while (fgets(line, sizeof line, body)) {
		printf("%s: %s", type, line);
		n++;
	}
	fclose(body);
	return n > 1;
}

static int record(const char *text, int limit)
{
	FILE *f = tmpfile();

	if (!f)
		return -1;
	fputs(text, f);
	return write_record(f, "text", limit);
}

static void always(const char *text, int limit)
{
	FILE *f = tmpfile();

	if (!f)
		return;
	fputs(text, f);
	write_record(f, "always", limit);
	if (limit > 3) {
		rewind(f);
		printf("%c\n", fgetc(f));
		fclose(f);
	}
}

int main(void)
{
	printf("%d\n", record("a\n", 0));
	printf("%d\n", record("too long\n", 5));
	always("b\nc\n", 2);
	always("too long\n", 5);
	return 0;
}
