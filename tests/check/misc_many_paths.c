// Thirty independent branches: the paths are a thousand million, the guards must stay small.
#include <stdlib.h>

#define T(i) if (v[i] > 0) s += v[i]; else s -= 2 * v[i];
#define T5(i) T(i) T(i + 1) T(i + 2) T(i + 3) T(i + 4)

int many_ok(const int *v)
{
	int *p = malloc(4), s = 0;

	T5(0) T5(5) T5(10) T5(15) T5(20) T5(25)
	free(p);
	return s;
}

int many_bad(const int *v)
{
	int *p = malloc(4), s = 0; // LEAK(conditional)

	T5(0) T5(5) T5(10) T5(15) T5(20) T5(25)
	if (s > 99)
		return s;
	free(p);
	return s;
}
