/*
 * compact - sparse stale pages share memory; objects keep their addresses and contents.
 *
 * Makes many small objects, frees all but a few on each page, waits, and looks at its own
 * resident size and at the objects.  Then forks, writes to them on both sides, frees them
 * and allocates again.  Prints "before after" in kB of what the sparse pages took.  Exit
 * code 0: all contents are right.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 200000
#define SIZE 64

static uint64_t *v[N];
static int kept;

/* kB of private memory, and of the library's memfd, mapped or not. */
static long memory(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[200], name[64];
	long n, sum = 0;
	struct stat st;

	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "RssAnon: %ld", &n) == 1)
			sum += n;
	fclose(f);
	for (int fd = 3; fd < 2000; fd++) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		n = readlink(name, line, sizeof(line) - 1);
		line[n > 0 ? n : 0] = 0;
		if (strncmp(line, "/memfd:plumb", 12) == 0 && fstat(fd, &st) == 0)
			sum += st.st_blocks / 2;
	}
	return sum;
}

static void fill(int i, uint64_t x)
{
	for (int k = 0; k < SIZE / 8; k++)
		v[i][k] = x + (unsigned)k;
}

static void verify(const char *who, uint64_t add)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; v[i] != NULL && k < SIZE / 8; k++)
			if (v[i][k] != (uint64_t)i * 1000 + add + (unsigned)k) {
				dprintf(1, "%s: object %d is damaged\n", who, i);
				_exit(1);
			}
}

static void wait_a_while(double seconds)
{
	for (int i = 0; i < (int)(seconds * 100); i++) {
		for (int k = 0; k < 300; k++)
			free(malloc(200));
		usleep(10000);
	}
}

int main(void)
{
	uint64_t x = 88172645463325252u;
	long before, sparse, after;
	pid_t p;
	int status;

	wait_a_while(0.3);
	before = memory();
	for (int i = 0; i < N; i++) {
		v[i] = malloc(SIZE);
		fill(i, (uint64_t)i * 1000);
	}
	for (int i = 0; i < N; i++) {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		if (x % 40 != 0) {
			free(v[i]);
			v[i] = NULL;
		} else {
			kept++;
		}
	}
	sparse = memory() - before;
	wait_a_while(4);
	after = memory() - before;
	verify("compacted", 0);
	wait_a_while(0.5);
	p = fork();
	for (int i = 0; i < N; i++)
		if (v[i] != NULL)
			fill(i, (uint64_t)i * 1000 + (p == 0 ? 7 : 9));
	wait_a_while(0.5);
	verify(p == 0 ? "child" : "parent", p == 0 ? 7 : 9);
	for (int i = 0; i < N; i++) {	/* new ones into what is free now */
		if (v[i] != NULL && i % 3 == 0) {
			free(v[i]);
			v[i] = NULL;
		}
		if (v[i] == NULL && i % 5 == 0) {
			v[i] = malloc(SIZE);
			fill(i, (uint64_t)i * 1000 + (p == 0 ? 7 : 9));
		}
	}
	wait_a_while(0.5);
	verify(p == 0 ? "child, at last" : "parent, at last", p == 0 ? 7 : 9);
	if (p == 0)
		_exit(0);
	if (waitpid(p, &status, 0) != p || status != 0)
		return 1;
	printf("%ld %ld\n", sparse, after);
	return kept == 0;
}
