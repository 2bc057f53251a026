// A growing array; when it cannot grow, it is lost.
// LEAKS: 1
// PATCH: ^\+.*free\(v\);
#include <stdio.h>
#include <stdlib.h>

static volatile size_t huge = (size_t)-1 / 4;

static int squares(int n, int most)
{
	int *v = NULL, room = 0, sum = 0;

	for (int i = 0; i < n; i++) {
		if (i == room) {
			size_t size = room + 4 > most ? huge : (room + 4) * sizeof *v;
			int *w = realloc(v, size);

			if (!w)
				return -1;
			v = w;
			room += 4;
		}
		v[i] = i * i;
		sum += v[i];
	}
	free(v);
	return sum;
}

int main(void)
{
	printf("%d\n", squares(10, 100));
	printf("%d\n", squares(10, 8));
	printf("%d\n", squares(10, 0));
	return 0;
}
