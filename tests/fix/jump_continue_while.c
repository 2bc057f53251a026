// LEAKS: 2
// ONCE: ^\+\s*free\(line\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int statements(const char *text)
{
	int n = 0;

	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = strndup(text, len);

		text += len + (text[len] == '\n');
		if (!line)
			return -1;
		if (line[0] == ';') {
			continue;
		}
		if (strlen(line) > 0)
			n++;
		free(line);
	}
	return n;
}

int main(void)
{
	printf("%d\n", statements("a\n;b\n\nc\n;\n"));
	return 0;
}
