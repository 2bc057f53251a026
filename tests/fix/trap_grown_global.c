// Where realloc() has not moved it, the global still has it: lost or not, it cannot be freed.
// LEAKS: 0
// EXPECT: refused
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int *table;
static int used, size;

static int enter(const char *p)
{
	int *s = table, n = used, max = size;

	for (; *p; p++) {
		if (!isdigit((unsigned char)*p)) {
			printf("bad: %s\n", p);
			return -1;
		}
		if (n >= max) {
			max += 2;
			if (!s)
				s = malloc(sizeof(*s) * (size_t)max);
			else
				s = realloc(s, sizeof(*s) * (size_t)max);
			if (!s)
				exit(1);
		}
		s[n++] = *p - '0';
	}
	table = s;
	used = n;
	size = max;
	return 0;
}

int main(void)
{
	int sum = 0;

	enter("123");
	enter("x");
	enter("45");
	for (int i = 0; i < used; i++)
		sum += table[i];
	printf("%d\n", sum);
	free(table);
	return 0;
}
