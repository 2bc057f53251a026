// No section takes the value: the object passes by the whole switch.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int describe(int n)
{
	char *text = malloc(16);
	int len = 0;

	snprintf(text, 16, "<%d>", n);
	switch (n) {
	case 1:
		len = printf("one %s\n", text);
		free(text);
		break;
	case 2:
		len = printf("two %s\n", text);
		free(text);
		break;
	}
	return len;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 5; i++)
		sum += describe(i);
	printf("%d\n", sum);
	return 0;
}
