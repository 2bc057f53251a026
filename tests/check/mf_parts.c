// FILES: mf_parts.c mf_parts_lib.c
// A program of two files beside each other.
#include <stdlib.h>

char *lib_name(int n);
void lib_drop(char *s);

int parts_ok(int n)
{
	char *s = lib_name(n);

	if (!s)
		return -1;
	lib_drop(s);
	return 0;
}

int parts_bad(int n)
{
	char *s = lib_name(n); // LEAK(conditional)

	if (!s)
		return -1;
	if (s[0] == 'x')
		return 1;
	lib_drop(s);
	return 0;
}
