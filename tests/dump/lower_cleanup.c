// RUN: plumb dump ir %s
// Calls of cleanup functions are marked implicit; calls that the source has are not.

extern void *malloc(unsigned long);
extern void free(void *);

static void drop(char **p)
{
	free(*p);
}

int nested(int n)
{
	__attribute__((cleanup(drop))) char *a = malloc(1);

	for (int i = 0; i < n; i++) {
		__attribute__((cleanup(drop))) char *b = malloc(2);

		if (!b)
			return 1;
		if (i == 5)
			continue;
		drop(&b);
		b = 0;
	}
	drop(&a);
	a = 0;
	return 0;
}
