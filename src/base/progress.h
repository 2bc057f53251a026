/*
 * progress.h - one line on the terminal, rewritten in place, for long work:
 *
 *	[ 12/249] compiling src/http.c
 *
 * Nothing is printed unless standard error is a terminal.  Drawn at most ten
 * times a second; diag messages erase the line and draw it again.  Steps of
 * other threads than the one that has started the line are ignored.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

void progress_start(const char *what, unsigned total);	/* total 0: unknown */
void progress_stage(const char *what);	/* one line without numbers, drawn at once */
/* A text before all of the following lines: "proof 2 of at most 6, "; NULL: none (any more). */
void progress_part(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_step(unsigned done, const char *item);
void progress_end(void);
void progress_hide(void);	/* erase the line for now */

/* For diag.c, so that a message with the erasing before and the line after it
 * is one write(): each adds to b what to print, if anything. */
struct sbuf;
void progress__erase(struct sbuf *b);
void progress__redraw(struct sbuf *b);

#endif
