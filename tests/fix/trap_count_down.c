// A destructor counts down what is returned afterwards: the program must go on with the old number.
// LEAKS: 1
// KNOWN: the number would have to be saved first
// REFUSED: ofree\(\) sets `live`, which is read behind it \(line 36\)
#include <stdio.h>
#include <stdlib.h>

struct o {
	int n;
};

static int live;

static struct o *onew(int n)
{
	struct o *o = malloc(sizeof(*o));

	if (!o)
		abort();
	o->n = n;
	live++;
	return o;
}

static void ofree(struct o *o)
{
	live--;
	free(o);
}

static int run(int k)
{
	struct o *o = onew(k);

	if (o->n == 1)
		return live;
	ofree(o);
	return 0;
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		printf("%d\n", run(i));
	return 0;
}
