/*
 * driver.c - runs a fuzz target where libFuzzer is not to be had.
 *
 *	fuzz_x [-max_total_time=S] [-max_len=N] [-artifact_prefix=P] [-seed=N] FILE|FOLDER...
 *
 * Takes the same command line as libFuzzer (and ignores its other options), so
 * that tests/run need not know which of the two it calls.  First every file is
 * replayed as it is; then, until the time is over, files picked at random are
 * changed in a few places and tried.  There is no feedback from coverage: this
 * finds shallow faults only, and guards those that were found before.
 *
 * The input that is being tried lies in the mapped file Pcurrent, so that it is
 * still there after whatever kind of death; without one the file is removed.
 * Nothing new is written into the corpus.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_CHANGE 64	/* bytes cut out or put in at once */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct input {
	uint8_t *p;
	size_t n;
};

static struct input *corpus;
static size_t ncorpus;
static size_t max_len = 65536;
static uint64_t seed = 1;

static char current_name[4096];
static uint8_t *current;	/* max_len bytes of that file, mapped */

static void die(const char *what, const char *name)
{
	fprintf(stderr, "fuzz: %s: %s: %s\n", what, name, strerror(errno));
	exit(1);
}

static uint64_t random64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static size_t below(size_t n)
{
	return n ? (size_t)(random64() % n) : 0;
}

static void add_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	struct input in = { malloc(max_len), 0 };

	if (f == NULL || in.p == NULL)
		die("cannot read", name);
	in.n = fread(in.p, 1, max_len, f);
	fclose(f);
	corpus = realloc(corpus, (ncorpus + 1) * sizeof(*corpus));
	if (corpus == NULL)
		die("no memory", name);
	corpus[ncorpus++] = in;
}

static void add(const char *name)
{
	char path[4096];
	struct dirent *e;
	struct stat st;
	DIR *d;

	if (stat(name, &st) < 0)
		die("cannot read", name);
	if (!S_ISDIR(st.st_mode)) {
		add_file(name);
		return;
	}
	if ((d = opendir(name)) == NULL)
		die("cannot read", name);
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", name, e->d_name) < (int)sizeof(path))
			add(path);
	}
	closedir(d);
}

static void open_current(const char *prefix)
{
	int fd;

	snprintf(current_name, sizeof(current_name), "%scurrent-%d", prefix, (int)getpid());
	fd = open(current_name, O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || ftruncate(fd, (off_t)max_len) < 0)
		die("cannot write", current_name);
	current = mmap(NULL, max_len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (current == MAP_FAILED)
		die("cannot map", current_name);
	close(fd);
}

/* The target gets a copy of exactly n bytes, so that ASan sees the end of it. */
static void try_input(const uint8_t *p, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	if (copy == NULL)
		die("no memory", "input");
	memcpy(copy, p, n);
	memcpy(current, p, n);
	if (truncate(current_name, (off_t)n) < 0)
		die("cannot write", current_name);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
	if (truncate(current_name, (off_t)max_len) < 0)
		die("cannot write", current_name);
}

/* One small change of the n bytes at p (room for max_len); the new length. */
static size_t mutate(uint8_t *p, size_t n)
{
	static const uint8_t interesting[] = { 0, 1, 0x7f, 0x80, 0xff, '\n', '"', '{', '(' };
	const struct input *other = &corpus[below(ncorpus)];
	size_t at = below(n), k = below(MAX_CHANGE), from;

	switch (below(6)) {
	case 0:		/* a bit */
		if (n > 0)
			p[at] ^= (uint8_t)(1u << below(8));
		break;
	case 1:		/* a byte */
		if (n > 0)
			p[at] = interesting[below(sizeof(interesting))];
		break;
	case 2:		/* four random bytes, as a number would be */
		for (size_t i = at; i < n && i < at + 4; i++)
			p[i] = (uint8_t)random64();
		break;
	case 3:		/* the end is missing */
		n = at;
		break;
	case 4:		/* a piece is missing */
		if (at + k < n) {
			memmove(p + at, p + at + k, n - at - k);
			n -= k;
		}
		break;
	case 5:		/* a piece of another input, put in between */
		from = below(other->n);
		if (k > other->n - from)
			k = other->n - from;
		if (n + k <= max_len) {
			memmove(p + at + k, p + at, n - at);
			memcpy(p + at, other->p + from, k);
			n += k;
		}
		break;
	}
	return n;
}

static unsigned long fuzz_until(time_t end)
{
	uint8_t *buf = malloc(max_len);
	unsigned long tried = 0;

	if (buf == NULL)
		die("no memory", "input");
	while (time(NULL) < end) {
		const struct input *in = &corpus[below(ncorpus)];
		size_t n = in->n;

		memcpy(buf, in->p, n);
		for (size_t i = 1 + below(5); i > 0; i--)
			n = mutate(buf, n);
		try_input(buf, n);
		tried++;
	}
	free(buf);
	return tried;
}

/* The value of -name=value, or NULL. */
static const char *option(const char *arg, const char *name)
{
	size_t k = strlen(name);

	return strncmp(arg, name, k) == 0 && arg[k] == '=' ? arg + k + 1 : NULL;
}

int main(int argc, char **argv)
{
	const char *prefix = "", *v;
	unsigned long tried;
	size_t replayed;
	time_t seconds = 0;

	for (int i = 1; i < argc; i++) {
		if ((v = option(argv[i], "-max_total_time")) != NULL)
			seconds = atol(v);
		else if ((v = option(argv[i], "-max_len")) != NULL && atol(v) > 0)
			max_len = (size_t)atol(v);
		else if ((v = option(argv[i], "-artifact_prefix")) != NULL)
			prefix = v;
		else if ((v = option(argv[i], "-seed")) != NULL && atol(v) > 0)
			seed = (uint64_t)atol(v);
	}
	for (int i = 1; i < argc; i++)
		if (argv[i][0] != '-')
			add(argv[i]);
	open_current(prefix);
	replayed = ncorpus;
	for (size_t i = 0; i < ncorpus; i++)
		try_input(corpus[i].p, corpus[i].n);
	if (ncorpus == 0) {	/* nothing to change: begin with nothing */
		corpus = calloc(1, sizeof(*corpus));
		if (corpus == NULL || (corpus->p = calloc(1, max_len)) == NULL)
			die("no memory", "input");
		ncorpus = 1;
	}
	tried = seconds > 0 ? fuzz_until(time(NULL) + seconds) : 0;
	fprintf(stderr, "fuzz: %zu inputs replayed, %lu tried\n", replayed, tried);
	unlink(current_name);
	munmap(current, max_len);
	for (size_t i = 0; i < ncorpus; i++)
		free(corpus[i].p);
	free(corpus);
	return 0;
}
