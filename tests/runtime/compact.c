/*
 * compact - sparse stale pages share memory; objects keep their addresses and contents.
 *
 * Makes many small objects, frees all but a few on each page, and lets time pass until
 * no more pages are given back.  Then forks, writes to the objects on both sides, frees
 * them and allocates again.  Prints how many pages the objects had, how many of them
 * were given back by the run file, and how many the library's memfd then held.  Exit
 * code 0: all contents are right.
 */
#include "runfile.inc"
#include "step.inc"

#include <sys/wait.h>

#define N 200000
#define SIZE 64

static uint64_t *v[N];
static int kept;

/* Pages of the library's memfd, mapped or not; 0 if it cannot be seen. */
static long memfd_pages(void)
{
	char line[300], name[64];
	struct stat st;
	long sum = 0;

	for (int fd = 3; fd < 2000; fd++) {
		ssize_t n;

		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		n = readlink(name, line, sizeof(line) - 1);
		line[n > 0 ? n : 0] = 0;
		if (strncmp(line, "/memfd:plumb", 12) == 0 && fstat(fd, &st) == 0)
			sum += st.st_blocks / 8;
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

/* Pages are merged from within malloc, after some ticks. */
static void wait_a_while(void)
{
	for (int i = 0; i < 8; i++) {
		for (int k = 0; k < 600; k++)
			free(malloc(200));
		step(1000);
	}
}

int main(void)
{
	uint64_t x = 88172645463325252u;
	const struct run_header *h = run_map(getenv("PLUMB_RUN_FILE"));
	uint64_t merged = 0, before;
	long held;
	pid_t p;
	int status;

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
	do {
		before = merged;
		wait_a_while();
		merged = h->merged_pages;
	} while (merged > before);
	held = memfd_pages();
	verify("compacted", 0);
	wait_a_while();
	p = fork();
	for (int i = 0; i < N; i++)
		if (v[i] != NULL)
			fill(i, (uint64_t)i * 1000 + (p == 0 ? 7 : 9));
	wait_a_while();
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
	wait_a_while();
	verify(p == 0 ? "child, at last" : "parent, at last", p == 0 ? 7 : 9);
	if (p == 0)
		_exit(0);
	if (waitpid(p, &status, 0) != p || status != 0)
		return 1;
	printf("%d %lu %ld\n", N / (4096 / SIZE), merged, held);
	return kept == 0;
}
