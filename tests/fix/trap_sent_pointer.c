// A pointer that is written to a pipe is used by who reads it.
// LEAKS: 3
// EXPECT: partial
// LEFT: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
	int id;
	char *path;
};

static int pipe_of[2];

static int submit(int id, const char *path)
{
	struct job j;

	memset(&j, 0, sizeof(j));
	j.id = id;
	j.path = strdup(path);
	if (!j.path)
		return -1;
	if (id < 0)
		return -1;
	return write(pipe_of[1], &j, sizeof(j)) == sizeof(j) ? 0 : -1;
}

static int post(int id)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	j->id = id;
	if (id < 0)
		return -1;
	if (write(pipe_of[1], &j, sizeof(j)) != sizeof(j)) {
		free(j);
		return -1;
	}
	return 0;
}

int main(void)
{
	struct job j, *p;

	if (pipe(pipe_of))
		return 1;
	printf("%d %d %d\n", submit(1, "a"), submit(-1, "b"), submit(-2, "c"));
	if (read(pipe_of[0], &j, sizeof(j)) == sizeof(j)) {
		printf("%d %s\n", j.id, j.path);
		free(j.path);
	}
	printf("%d %d\n", post(2), post(-2));
	if (read(pipe_of[0], &p, sizeof(p)) == sizeof(p)) {
		printf("%d\n", p->id);
		free(p);
	}
	return 0;
}
