// A callee closes what it is given, except where it fails early; its result is 0 in other cases, too, so that its callers cannot know.
// LEAKS: 4
// PATCH: ^\+.*fclose\(body\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_record(FILE *body, const char *type, int limit)
{
	char line[32];
	int n = 0;

	rewind(body);
	if (limit > 0) {
		if (fseek(body, limit, SEEK_SET) < 0 || limit > 3)
			return 0;
		rewind(body);
	}
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

static void twice(const char *text)
{
	FILE *f = tmpfile();
	int r;

	if (!f)
		return;
	fprintf(f, "%s%s", text, text);
	r = write_record(f, "twice", (int)strlen(text));
	if (!r)
		puts("not written");
}

int main(void)
{
	printf("%d\n", record("a\n", 0));
	printf("%d\n", record("b\nc\n", 2));
	printf("%d\n", record("too long\n", 5));
	twice("d\n");
	twice("much longer\n");
	return 0;
}
