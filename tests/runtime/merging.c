/*
 * merging [GENERATIONS] - sparse pages are merged while other threads write to them.
 *
 * The first thread makes many small objects, frees all but a few on each page and has the
 * library merge the pages, round by round.  Meanwhile other threads write to half of the
 * survivors, each to its own ones: with stores, and by having the kernel write there, and look
 * first whether what they wrote last is still there.  The other half, on pages of their own, is
 * never touched, so that there is always something to merge.  Prints how many pages were given
 * back, how many writes there were meanwhile, and whether the kernel gives this process what
 * merging takes then (a userfaultfd that holds the kernel's own accesses back).  Exit code 0: no
 * write was lost, no system call failed.
 */
#include "runfile.inc"
#include "step.inc"

#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#define N 40000
#define WORDS 8
#define SLOTS (4096 / (WORDS * 8))
#define WRITERS 3
#define ROUNDS 40

static uint64_t *v[N];
static uint64_t written[N];	/* what each object holds, but for its number */
static _Atomic int paused, resting, ended;
static _Atomic uint64_t writes;

static void fail(const char *what, int i)
{
	dprintf(1, "object %d: %s\n", i, what);
	_exit(1);
}

static void verify(int i)
{
	for (int k = 0; k < WORDS; k++)
		if (((volatile uint64_t *)v[i])[k] != (uint64_t)i * 1000003 + written[i] + (unsigned)k)
			fail("a write is lost", i);
}

static void store(int i, uint64_t *to)
{
	for (int k = 0; k < WORDS; k++)
		((volatile uint64_t *)to)[k] = (uint64_t)i * 1000003 + written[i] + (unsigned)k;
}

/* Writes to an object, one way or another. */
static void change(int i, const int fds[2], uint64_t how)
{
	uint64_t buffer[WORDS];

	verify(i);
	written[i] += 16;
	if (how % 4 != 0) {
		store(i, v[i]);
		return;
	}
	store(i, buffer);
	if (write(fds[1], buffer, sizeof(buffer)) != sizeof(buffer) ||
	    read(fds[0], v[i], sizeof(buffer)) != sizeof(buffer))
		fail("a system call failed", i);
}

static void *writer(void *arg)
{
	uint64_t x = 88172645463325252u + (uintptr_t)arg * 7919;
	int fds[2];

	if (pipe(fds) < 0)
		fail("no pipe", 0);
	while (!ended) {
		unsigned i;

		if (paused) {
			resting++;
			while (paused && !ended)
				usleep(50);
			resting--;
			continue;
		}
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		/* every other page, and there every third object */
		i = (unsigned)(x >> 20) % N;
		if (i / SLOTS % 2 == 0 && i % WRITERS == (uintptr_t)arg && v[i] != NULL) {
			change((int)i, fds, x >> 40);
			writes++;
		}
	}
	close(fds[0]);
	close(fds[1]);
	return NULL;
}

static void pause_writers(int on)
{
	paused = on;
	while (resting != (on ? WRITERS : 0))
		usleep(50);
}

/* The pages that it gave back. */
static uint64_t generation(const struct run_header *h, uint64_t *x)
{
	uint64_t merged;

	for (int i = 0; i < N; i++) {
		v[i] = malloc(WORDS * sizeof(uint64_t));
		store(i, v[i]);
	}
	for (int i = 0; i < N; i++) {
		*x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
		if (*x % 24 != 0) {
			free(v[i]);
			v[i] = NULL;
		}
	}
	for (int r = 0; r < ROUNDS; r++) {
		for (int k = 0; k < 4; k++)
			step(1000);
		pause_writers(0);
		for (int k = 0; k < 1500; k++)	/* pages are merged from within malloc */
			free(malloc(200));
		pause_writers(1);
	}
	merged = h->merged_pages;
	for (int i = 0; i < N; i++)
		if (v[i] != NULL) {
			verify(i);
			free(v[i]);
			v[i] = NULL;
		}
	return merged;
}

static int can_hold(void)
{
	struct uffdio_api api = { .api = UFFD_API,
				  .features = UFFD_FEATURE_WP_HUGETLBFS_SHMEM |
					      UFFD_FEATURE_MISSING_SHMEM |
					      UFFD_FEATURE_MINOR_SHMEM };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	return fd >= 0 && ioctl(fd, UFFDIO_API, &api) == 0;
}

int main(int argc, char **argv)
{
	const struct run_header *h = run_map(getenv("PLUMB_RUN_FILE"));
	int generations = argc > 1 ? atoi(argv[1]) : 3;
	uint64_t x = 88172645463325252u, merged = 0;
	pthread_t t[WRITERS];

	paused = 1;
	step(1000);	/* the library begins to watch */
	for (uintptr_t i = 0; i < WRITERS; i++)
		if (pthread_create(&t[i], NULL, writer, (void *)i) != 0)
			return 2;
	while (resting != WRITERS)
		usleep(50);
	for (int g = 0; g < generations; g++)
		merged += generation(h, &x);
	ended = 1;
	for (int i = 0; i < WRITERS; i++)
		pthread_join(t[i], NULL);
	printf("%lu %lu %d\n", merged, (unsigned long)writes,
	       can_hold());
	return 0;
}
