// RUN: plumb dump callgraph %s
// Library functions call back: qsort, bsearch, atexit, pthread_create, tsearch, twalk.
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void bye(void) { }
static void *thread(void *arg) { return arg; }
static void visit(const void *node, VISIT v, int depth) { (void)node; (void)v; (void)depth; }

void callbacks(int *v, size_t n, pthread_t *t, void **root)
{
	qsort(v, n, sizeof(*v), cmp);
	bsearch(v, v, n, sizeof(*v), cmp);
	atexit(bye);
	pthread_create(t, NULL, thread, v);
	tsearch(v, root, cmp);
	twalk(*root, visit);
}
