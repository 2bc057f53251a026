#include <stdlib.h>

int wide(const char *first_argument_of_this_function)
{
	char *copy = strdup(first_argument_of_this_function); int a = strlen(copy), b = a + 1, c = b * 2, d = c - 3, e = d;
	return table[a].entry[b].column[c] + table[b].entry[c].column[d] + table[c].entry[d].column[e] + lookup_in_the_table(copy, e, strlen("%s")) + 1;
}
