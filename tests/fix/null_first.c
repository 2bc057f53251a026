// The constant stands first: behind `NULL == p` p is null, and nothing is freed there.
// LEAKS: 1
// ONCE: ^\+.*free\(p\);
// NEVER: ^\+.*NULL == p
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int copies(const char *s, size_t room)
{
	char *p = malloc(room);

	if (NULL == p)
		return -1;
	if (room <= strlen(s))
		return -2;
	strcpy(p, s);
	printf("%s\n", p);
	free(p);
	return 0;
}

int main(void)
{
	volatile size_t huge = (size_t)-1 / 4;
	int a = copies("abc", 8), b = copies("abc", 2), c = copies("abc", huge);

	printf("%d %d %d\n", a, b, c);
	return 0;
}
