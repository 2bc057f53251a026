#include "tally.h"

#include <string.h>

enum { LINE = 1024 };

int main(void)
{
	struct server s = { .out = stdout };
	char line[LINE];

	table_init(&s.table);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (serve(&s, line) != 0)
			break;
		fflush(stdout);
	}
	table_release(&s.table);
	return 0;
}
