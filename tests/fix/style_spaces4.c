// Four spaces; the whole patch is compared.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t trimmed(const char *text) {
    char *copy = strdup(text);
    size_t n = strlen(copy);

    while (n > 0 && copy[n - 1] == ' ') {
        copy[--n] = '\0';
    }
    if (n == 0) {
        return 0;
    } else {
        printf("[%s]\n", copy);
    }
    return strlen(copy);
}

int main(void) {
    printf("%zu\n", trimmed("a b  "));
    printf("%zu\n", trimmed("   "));
    return 0;
}
