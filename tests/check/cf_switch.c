// switch with every case told, with and without a default.
#include <stdlib.h>

enum color { RED, GREEN, BLUE };

int no_default_bad(enum color c)
{
	int *p = malloc(sizeof(*p)); // LEAK(conditional)

	switch (c) {
	case RED:
		free(p);
		break;
	case GREEN:
		free(p);
		break;
	}
	return 0;
}

int with_default_ok(enum color c)
{
	int *p = malloc(sizeof(*p));

	switch (c) {
	case RED:
		free(p);
		break;
	case GREEN:
		free(p);
		break;
	default:
		free(p);
	}
	return 0;
}

int default_forgets_bad(enum color c)
{
	int *p = malloc(sizeof(*p)); // LEAK(conditional)

	switch (c) {
	case RED:
	case GREEN:
		free(p);
		return 1;
	default:
		return 0;
	}
}

int one_case_returns_bad(int op, int a, int b)
{
	int *tmp = malloc(2 * sizeof(*tmp)); // LEAK(conditional)
	int r;

	if (!tmp)
		return 0;
	tmp[0] = a;
	tmp[1] = b;
	switch (op) {
	case '+':
		r = tmp[0] + tmp[1];
		break;
	case '-':
		r = tmp[0] - tmp[1];
		break;
	case '/':
		if (!b)
			return 0;
		r = tmp[0] / tmp[1];
		break;
	default:
		r = 0;
	}
	free(tmp);
	return r;
}
