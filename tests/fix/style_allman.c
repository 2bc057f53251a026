// Braces on lines of their own; the whole patch is compared.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int Check(const char *text)
{
    char *copy = strdup(text);

    if (copy[0] == '\0')
    {
        return 1;
    }
    else if (copy[0] == '#')
        return 2;
    free(copy);
    return 0;
}

int main(void)
{
    printf("%d", Check(""));
    printf("%d", Check("#"));
    printf("%d\n", Check("x"));
    return 0;
}
