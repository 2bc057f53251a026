/*
 * error.h - one message for an expected failure.
 *
 * A function that can fail for a reason outside the program (no file, damaged
 * bitcode, bad JSON) returns a negative int after error_set(); the caller that
 * knows what to do about it reads error_last().  One message per thread.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

/* Sets the message and returns -1, so that `return error_set(...)` reads well. */
int error_set(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same, with ": " and strerror(errno) appended. */
int error_sys(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Puts text in front of the present message: "wget.bc: " + "truncated". */
int error_prefix(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The message of the last failure in this thread; never NULL. */
const char *error_last(void);

#endif
