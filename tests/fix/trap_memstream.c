// A stream writes to its memory until it is closed: that is not freed before.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>

struct out {
	FILE *f;
	char *text;
	size_t len;
};

static int looked_at_between(int n)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -1;
	fprintf(f, "%d", n);
	fflush(f);
	n = text[0];
	fprintf(f, "%d and more", n);
	fclose(f);
	return n;
}

static int in_a_struct(int n)
{
	struct out o;

	o.f = open_memstream(&o.text, &o.len);
	if (!o.f)
		return -1;
	fprintf(o.f, "%d", n);
	fflush(o.f);
	n = o.text[0];
	fprintf(o.f, "%d and more", n);
	fclose(o.f);
	return n;
}

static int after_the_stream(int n)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -1;
	fprintf(f, "%d", n);
	fclose(f);
	return text[0];
}

int main(void)
{
	printf("%d %d %d\n", looked_at_between(1), in_a_struct(2), after_the_stream(3));
	return 0;
}
