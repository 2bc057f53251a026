// Gao et al., II-C1: one early return where p is null, one where it is not.
// LEAKS: 1
// ONCE: ^\+\s*free\(buf\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checksum(const char *text, size_t room)
{
	char *buf = malloc(room);
	int sum = 0;

	if (buf == 0)
		return -1;
	strcpy(buf, text);
	if (strchr(buf, '!'))
		return -2;
	for (char *c = buf; *c; c++)
		sum += *c;
	free(buf);
	return sum;
}

int main(void)
{
	volatile size_t huge = (size_t)-1 / 4;

	printf("%d\n", checksum("abc", 16));
	printf("%d\n", checksum("a!c", 16));
	printf("%d\n", checksum("abc", huge));
	return 0;
}
