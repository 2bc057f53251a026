/*
 * frozen [threads] - fork while pages are watched: parent and child see what there was,
 * and nothing of each other.
 *
 * Blocks carry a pattern.  After some of them have become stale the process forks, again
 * and again; the child and the parent change different blocks and verify all of them, with
 * other threads writing all the time if asked for.  Children fork, too, and allocate more
 * until that becomes stale.  Exit code 0: all is right.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS 4000
#define ROUNDS 6

static uint64_t *block[BLOCKS];
static size_t words[BLOCKS];
static uint64_t stamp[BLOCKS];
static _Atomic int stop;
static uint64_t *busy_block[2][100];
static _Atomic uint64_t busy_value[2][100];

static void fill(int i, uint64_t v)
{
	stamp[i] = v;
	for (size_t k = 0; k < words[i]; k++)
		block[i][k] = v ^ k;
}

static void make(int i, uint64_t v)
{
	words[i] = i % 100 == 0 ? 3000 : 2 + (size_t)i % 60;
	block[i] = malloc(words[i] * sizeof(uint64_t));
	fill(i, v);
}

static void verify(const char *who, int step)
{
	for (int i = 0; i < BLOCKS; i += step)
		for (size_t k = 0; k < words[i]; k++)
			if (block[i][k] != (stamp[i] ^ k)) {
				dprintf(1, "%s: block %d is damaged at %zu\n", who, i, k);
				_exit(1);
			}
}

static void *busy(void *arg)
{
	int me = (int)(intptr_t)arg;
	uint64_t n = 0;

	for (int i = 0; i < 100; i++)
		busy_block[me][i] = malloc(400);
	while (!stop) {
		int i = (int)(++n % 100);

		*busy_block[me][i] = n;
		if (*busy_block[me][i] != n)
			_exit(1);
		busy_value[me][i] = n;
		free(malloc(n % 300));
		if (n % 1000 == 0)
			for (int k = 0; k < 100; k++)
				if (*busy_block[me][k] != busy_value[me][k]) {
					dprintf(1, "a thread lost a write\n");
					_exit(1);
				}
	}
	return NULL;
}

static void child(int round)
{
	pid_t p;
	int status;

	verify("child", 7);	/* some stay untouched */
	for (int i = 0; i < BLOCKS; i += 3)
		fill(i, (uint64_t)i * 31 + (unsigned)round);
	for (int i = 1; i < BLOCKS; i += 5) {
		free(block[i]);
		make(i, (uint64_t)i * 17);
	}
	for (int i = 0; i < BLOCKS; i += 100)	/* one page of several */
		block[i][0] = stamp[i];
	usleep(250000);
	verify("child, later", 1);
	usleep(250000);
	p = fork();
	if (p == 0) {
		verify("grandchild", 1);
		_exit(0);
	}
	fill(0, 5);
	if (waitpid(p, &status, 0) != p || status != 0)
		_exit(1);
	verify("child, at last", 1);
	_exit(0);
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	int nt = argc > 1 && strcmp(argv[1], "threads") == 0 ? 2 : 0, status;
	pid_t p[ROUNDS];

	for (intptr_t i = 0; i < nt; i++)
		pthread_create(&t[i], NULL, busy, (void *)i);
	for (int i = 0; i < BLOCKS; i++)
		make(i, (uint64_t)i);
	for (int r = 0; r < ROUNDS; r++) {
		usleep(250000);
		p[r] = fork();
		if (p[r] == 0) {
			stop = 1;
			child(r);
		}
		for (int i = 0; i < BLOCKS; i += 100)
			block[i][0] = stamp[i];
		for (int i = r; i < BLOCKS; i += 11)
			fill(i, (uint64_t)i + 1000u * (unsigned)r);
		for (int i = r; i < BLOCKS; i += 13) {
			free(block[i]);
			make(i, (uint64_t)i * 3);
		}
	}
	for (int r = 0; r < ROUNDS; r++)
		if (waitpid(p[r], &status, 0) != p[r] || status != 0) {
			dprintf(1, "child %d: status %#x\n", r, status);
			return 1;
		}
	verify("parent", 1);
	stop = 1;
	for (int i = 0; i < nt; i++)
		pthread_join(t[i], NULL);
	return 0;
}
