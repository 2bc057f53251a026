/*
 * staying - what is stale stays so in a program that forks, on both sides.
 *
 * Blocks become stale; then the process forks, and a little of them is read, far apart: one
 * page of sixteen, which is as many as the kernel maps around a page that is read.  All
 * others must still be stale, in parent, child and grandchild, and after further forks; and
 * none may be called stale that was read since, right before a fork included.
 *
 * Exit code 0: as it should be; 77: the kernel cannot be asked to map pages one by one here
 * (userfaultfd); otherwise a line says what is wrong.
 */
#include "objects.h"
#include "step.inc"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS 8000
#define SIZE 1024
#define PER_PAGE (4096 / SIZE)
#define APART (16 * PER_PAGE)	/* blocks between two that are read */

static char *block[BLOCKS];
static uint64_t used[BLOCKS];	/* since when it may be stale again */
static uint64_t now, old = UINT64_MAX;	/* stale since then: what is asked for */
static unsigned stale, wrong;
static void *volatile sink;

static void (*objects)(void (*)(void *, size_t, uint32_t, uint64_t, void *), void *);
static uint64_t (*step_by)(uint64_t);

static int compare(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;

	return x < y ? -1 : x > y;
}

static void see(void *p, size_t n, uint32_t site, uint64_t since, void *arg)
{
	char *key = p, **found;

	(void)n, (void)site, (void)arg;
	found = bsearch(&key, block, BLOCKS, sizeof(block[0]), compare);
	if (found == NULL || since == 0)
		return;
	stale += since <= old;
	wrong += since < used[found - block];
}

static void pass_time(unsigned seconds)
{
	for (unsigned i = 0; i < 2 * seconds; i++) {
		for (int k = 0; k < 200; k++) {
			free(sink);
			sink = malloc(100);
		}
		now = step_by(500000000);
	}
}

static void use(int i)
{
	if (*(volatile char *)block[i] != (char)i)
		_exit(10);
	used[i] = now;
}

/* Exit code 0 if at least so many blocks are stale. */
static int look(const char *who, unsigned least)
{
	stale = wrong = 0;
	objects(see, NULL);
	if (stale < least)
		dprintf(1, "%s: %u blocks have stayed stale, should be %u at least\n", who, stale, least);
	if (wrong > 0)
		dprintf(1, "%s: %u blocks are called stale that were used\n", who, wrong);
	return stale < least || wrong > 0;
}

static void use_some(int first)
{
	for (int i = first; i < BLOCKS; i += APART)
		use(i);
}

/* Reads some, forks, and has the rest looked at on both sides.  pages: how many of them in
 * sixteen have been read by now. */
static int generation(const char *who, int depth, unsigned pages, unsigned before)
{
	unsigned least = before - before / 16 * pages - 64;
	int status = 0, bad;
	pid_t pid;

	use((depth * 5 + 1) * PER_PAGE);	/* not looked at before the fork */
	pid = fork();
	if (pid == 0) {
		use_some(depth * PER_PAGE);
		pass_time(2);
		bad = look("child", least);
		if (depth < 3 && !bad)
			bad = generation("grandchild", depth + 1, pages + 1, before);
		_exit(bad);
	}
	use_some(depth * PER_PAGE);
	pass_time(2);
	bad = look(who, least);
	waitpid(pid, &status, 0);
	return bad || status != 0;
}

int main(void)
{
	unsigned before;
	int bad = 0;

	if (syscall(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */) < 0)
		return 77;
	objects = (__typeof__(objects))dlsym(RTLD_DEFAULT, "plumb_objects");
	step_by = (__typeof__(step_by))dlsym(RTLD_DEFAULT, "plumb_step");
	if (objects == NULL || step_by == NULL)
		return 11;
	for (int i = 0; i < BLOCKS; i++)
		block[i] = malloc(SIZE);
	qsort(block, BLOCKS, sizeof(block[0]), compare);
	for (int i = 0; i < BLOCKS; i++)
		memset(block[i], i, SIZE);
	pass_time(20);
	look("before", 0);
	before = stale;
	old = now;
	if (before < BLOCKS / 2)
		return dprintf(1, "only %u blocks have become stale\n", before), 12;
	for (int depth = 1; depth <= 3 && !bad; depth++)
		bad = generation("parent", depth, (unsigned)depth, before);
	return bad;
}
