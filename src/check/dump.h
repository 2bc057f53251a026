/*
 * dump.h - what a stage of the analysis has made, as text that is the same in every run.
 */
#ifndef CHECK_DUMP_H
#define CHECK_DUMP_H

#include "check/check.h"

#include <stdio.h>

void check_dump_ir(const struct check_program *p, FILE *f);
void check_dump_units(const struct check_program *p, FILE *f);
void check_dump_functions(const struct check_program *p, FILE *f);
void check_dump_models(const struct check_program *p, FILE *f);
void check_dump_callgraph(const struct check_program *p, FILE *f);
void check_dump_pta(const struct check_program *p, FILE *f);
void check_dump_mssa(const struct check_program *p, FILE *f);
void check_dump_vfg(const struct check_program *p, FILE *f);
void check_dump_guards(const struct check_program *p, FILE *f);
void check_dump_summaries(const struct check_program *p, FILE *f);
void check_dump_coverage(const struct check_program *p, FILE *f);

#endif
