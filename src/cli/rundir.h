/*
 * rundir.h - the run files of a watched program and its children.
 */
#ifndef CLI_RUNDIR_H
#define CLI_RUNDIR_H

#include "run/watch.h"

#include <sys/types.h>

/* A run file, as it was found. */
struct runfile {
	char *path;
	struct watch_run *r;
	bool program;		/* of the program itself, not of a child of it */
	bool running;
	char *base;		/* of its reports; NULL: it gets none */
};

VEC_TYPE(runfiles, struct runfile);

void runfiles_release(struct runfiles *v);
/* Reads one more.  Negative: it is none. */
int runfiles_add(struct runfiles *v, const char *path);
/* The run file of a process that runs, for free(); NULL: it is not watched. */
char *runfile_of_process(unsigned pid);
/* Is there something in it that a person should see?  After watch_judge(). */
bool runfile_is_worth(const struct watch_run *r);

/* What run files do not tell, all of them together. */
struct run_losses {
	unsigned cut;		/* files without room for all their data */
	uint64_t children, programs;	/* as missing_children, unwatched_programs of a run */
};

void run_losses_add(struct run_losses *l, const struct watch_run *r);

/* The folder where the processes of one program leave theirs. */
struct rundir {
	char *path;		/* NULL: none yet */
	pid_t pid;		/* of the program; 0 if it was not started by us */
	bool ended;		/* the program has */
	int status;		/* how, as from waitpid */
	bool keep;		/* every file, also those with nothing to see */
	unsigned dropped;	/* files of children with nothing to see, removed early */
	struct run_losses lost;	/* in those */
	struct runfiles before;	/* private: processes when last looked at */
};

int rundir_make(struct rundir *d);
void rundir_remove(struct rundir *d);		/* the folder and all in it */
void rundir_release(struct rundir *d);		/* the struct only */

/* What became of the process; one that runs is asked to be up to date. */
void rundir_look(const struct rundir *d, struct runfile *f);
/* All run files, the oldest process first. */
void rundir_read(const struct rundir *d, struct runfiles *v);
/* The same after the program's end: waits a moment for daemons that it has just
 * started, and shows processes that cleared up at their end as they were before.
 * How many processes are still running. */
unsigned rundir_read_last(struct rundir *d, struct runfiles *v);
/* To be called now and then while the program runs: remembers how its processes
 * are, and removes the files of those that ended with nothing to see. */
void rundir_remember(struct rundir *d);

#endif
