// getline() leaves the block as it is where there is room: a pointer into the line of an earlier round is one into the last.
// LEAKS: 2
// EXPECT: partial
// LEFT: 1
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *title = "none";

static int load(FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	int n = 0;

	while (getline(&line, &room, f) > 0) {
		n++;
		if (strncmp(line, "title=", 6) == 0)
			title = line + 6;
	}
	return n;
}

static int first_of(FILE *f, const char *key)
{
	const char *found = NULL;
	char *line = NULL;
	size_t room = 0, len = strlen(key);

	while (getline(&line, &room, f) != -1)
		if (strncmp(line, key, len) == 0)
			found = line + len;
	return found ? found[0] : 0;
}

int main(void)
{
	char text[] = "a=b\ntitle=x\n";
	FILE *f = fmemopen(text, strlen(text), "r");

	if (!f)
		return 1;
	printf("%d\n", load(f));
	rewind(f);
	printf("%c", first_of(f, "a="));
	fclose(f);
	fputs(title, stdout);
	return 0;
}
