// Each iteration's object is kept in an array on the stack that is freed later.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(int n)
{
	char *v[10];
	int k = 0, sum = 0;

	for (int i = 0; i < n && i < 10; i++) {
		char *s = malloc(4);

		if (!s)
			break;
		s[0] = (char)('a' + i);
		v[k++] = s;
		if (i == 6)
			break;
	}
	while (k > 0) {
		sum += v[--k][0];
		free(v[k]);
	}
	return sum;
}

int main(void)
{
	printf("%d %d %d\n", f(0), f(3), f(9));
	return 0;
}
