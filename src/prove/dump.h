/*
 * dump.h - plans as text.
 */
#ifndef PROVE_DUMP_H
#define PROVE_DUMP_H

#include "check/check.h"

#include <stdio.h>

/* The leaks that both engines find, and where they would be mended. */
void prove_dump(const struct check_program *c, FILE *out);

#endif
