/*
 * run.h - this process's run file, seen from inside.
 *
 * The sections of runfile.h lie at fixed addresses from the first allocation on:
 * plain memory until run_start(), the mapped file after that.  Nobody needs to ask
 * whether there is a file.
 */
#ifndef RUNTIME_RUN_H
#define RUNTIME_RUN_H

#include "base.h"
#include "runfile.h"

/* Valid after run_reserve(), which every thread's first allocation calls. */
extern struct run_header *run;
extern struct run_site *run_sites;
extern struct run_bin *run_bins;
extern struct run_detail *run_details;
extern struct run_module *run_modules;
extern struct run_point *run_timeline;

/* The places for all sections; false without memory.  Idempotent, not thread-safe:
 * the caller has site_lock. */
bool run_reserve(void);

/* The index of a new, zeroed record, or 0 if there is no room (index 0 of a section
 * is never given out).  The caller has site_lock. */
uint32_t run_add(enum run_section_kind kind);

/* Keeps a string; its offset in RUN_STRINGS.  The caller has site_lock. */
uint64_t run_add_string(const char *s);

/* Makes some room ahead in each section; after that the file does not grow any more. */
void run_seal(void);

/* ns since the watch began. */
uint64_t run_since_start(uint64_t now);

/* Opens and maps the file that the environment names. */
void run_start(void);
/* In a forked child: leaves the parent's file, and begins one of its own that
 * starts with the parent's numbers. */
void run_fork_child(void);
/* The process is about to lose the way to its files by their names. */
void run_keep(void);
/* It executes a program without us. */
void run_program_left_out(void);
void run_end(enum run_state end, int status);

#endif
