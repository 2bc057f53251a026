// Steps of four blanks, and a tab for each eight of them; the whole patch is compared.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept;

static int
measure(const char *text, int mode)
{
    char *copy = strdup(text);
    int n;

    if (!copy)
	return -1;
    n = (int)strlen(copy);
    for (int i = 0; i < n; i++) {
	if (copy[i] == '!') {
	    puts(copy);
	    if (mode == 1)
		return n;
	    else if (mode == 2) {
                return n + 1;	/* a line with blanks stays as it is */
	    }
	}
    }
    if (mode == 3)
	kept = copy;
    return n;
}

int
main(void)
{
    int n = measure("a!", 1) + measure("b!", 2) + measure("c", 3) + measure("d", 4);

    printf("%d %s\n", n, kept);
    free(kept);
    return 0;
}
