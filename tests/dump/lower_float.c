// RUN: plumb dump ir %s
// Floating point, complex numbers, vectors: opaque over their operands.

typedef int v4 __attribute__((vector_size(16)));

double mean(float a, long double b, int n)
{
	return n ? (a + b) / n : -a;
}

int less(double a, double b)
{
	return a < b;
}

double _Complex twice(double _Complex z)
{
	return z * 2;
}

float _Complex add(float _Complex z, float re)
{
	__real__ z += re;
	return z;
}

v4 vector(v4 a, v4 b, v4 *out)
{
	a[1] = 3;
	*out = a + b;
	return a > b;
}

int bits(float f)
{
	union { float f; int i; } u = { f };

	return u.i;
}
