/*
 * exec.h - other programs that the process executes.
 */
#ifndef RUNTIME_EXEC_H
#define RUNTIME_EXEC_H

/* The process (or a child that shares its memory until then) is about to execute a program
 * without us.  Takes no lock and allocates nothing. */
extern void (*exec_left_out)(void);

#endif
