// llvm/llvm-project 160527: a variable with a cleanup function; with a `return` written out at the
// end, and not without, it was reported.
#include <stdio.h>
#include <stdlib.h>

static void drop(char **p)
{
	free(*p);
}

static void tell(char **p)
{
	printf("%p\n", (void *)*p);
}

static void *get(size_t n)
{
	return malloc(n);
}

void written_out_ok(void)
{
	__attribute__((cleanup(drop))) char *data = get(100);

	if (!data) {
		perror("get");
		return;
	}
	data[0] = '\0';
	puts(data);
	return;
}

void at_the_brace_ok(void)
{
	__attribute__((cleanup(drop))) char *data = get(100);

	if (data)
		data[0] = '\0';
}

void only_told_bad(void)
{
	__attribute__((cleanup(tell))) char *data = get(100); // LEAK(never-freed)

	if (!data)
		return;
	data[0] = '\0';
	return;
}

char *taken_out_ok(int n)
{
	__attribute__((cleanup(drop))) char *data = get(100);
	char *out;

	if (n < 0)
		return NULL;
	out = data;
	data = NULL;
	return out;
}
