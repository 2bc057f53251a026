#include "stock.h"

#include <string.h>

int main(int argc, char **argv)
{
	struct stock s = { 0 };
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		FILE *f;

		if (strcmp(argv[i], "-") == 0) {
			failed |= list_read(&s, stdin, "standard input");
			continue;
		}
		f = fopen(argv[i], "r");
		if (!f) {
			perror(argv[i]);
			failed = 1;
			continue;
		}
		failed |= list_read(&s, f, argv[i]);
		fclose(f);
	}
	report_print(&s, stdout);
	if (argc > 1 && report_save(&s, argv[1], ".sum") < 0)
		failed = 1;
	stock_clear(&s);
	return failed;
}
