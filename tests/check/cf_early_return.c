// The error path returns before the free: the commonest leak of all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int check_header_bad(FILE *in)
{
	unsigned char *hdr = malloc(16); // LEAK(conditional)

	if (!hdr)
		return -1;
	if (fread(hdr, 1, 16, in) != 16)
		return -1;
	if (memcmp(hdr, "MAGIC", 5) != 0) {
		free(hdr);
		return -2;
	}
	free(hdr);
	return 0;
}

int check_header_ok(FILE *in)
{
	unsigned char *hdr = malloc(16);
	int ret = 0;

	if (!hdr)
		return -1;
	if (fread(hdr, 1, 16, in) != 16)
		ret = -1;
	else if (memcmp(hdr, "MAGIC", 5) != 0)
		ret = -2;
	free(hdr);
	return ret;
}

int second_fails_bad(size_t n)
{
	char *a = malloc(n); // LEAK(conditional)
	char *b;

	if (!a)
		return -1;
	b = malloc(n);
	if (!b)
		return -1;	/* a is lost */
	free(a);
	free(b);
	return 0;
}

int second_fails_ok(size_t n)
{
	char *a = malloc(n);
	char *b;

	if (!a)
		return -1;
	b = malloc(n);
	if (!b) {
		free(a);
		return -1;
	}
	free(b);
	free(a);
	return 0;
}
