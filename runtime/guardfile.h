/*
 * guardfile.h - what plumb train and plumb run tell libplumb-guard.so.
 */
#ifndef RUNTIME_GUARDFILE_H
#define RUNTIME_GUARDFILE_H

/* Names the file in which the rounds of loops are kept: that of the bounds, with this
 * behind it. */
#define GUARD_LOOPS_ENV "PLUMB_GUARD_LOOPS"
#define GUARD_LOOPS_SUFFIX ".loops"

#endif
