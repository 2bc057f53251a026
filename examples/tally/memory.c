#include "tally.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p) {
		fprintf(stderr, "tally: out of memory\n");
		exit(1);
	}
	return p;
}

char *xstrndup(const char *text, size_t n)
{
	char *copy = xmalloc(n + 1);

	memcpy(copy, text, n);
	copy[n] = '\0';
	return copy;
}

long memory_resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long size = 0, resident = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%ld %ld", &size, &resident) != 2)
		resident = 0;
	fclose(f);
	return resident * (sysconf(_SC_PAGESIZE) / 1024);
}
