// Lines end with CR LF; they still do after the patch.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *s)
{
    char *p = strdup(s);

    if (p[0] == 'a') {
        puts("a");
        return 1;
    }
    if (p[0] == 'b')
        return 2;
    free(p);
    return 0;
}

int main(void)
{
    printf("%d\n", f("a"));
    printf("%d\n", f("b"));
    printf("%d\n", f("c"));
    return 0;
}
