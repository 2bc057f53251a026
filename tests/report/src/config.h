#include <stdio.h>

int parse_values(char **values, int n, FILE *f);
