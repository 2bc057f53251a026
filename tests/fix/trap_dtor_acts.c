// A destructor that removes a file, or closes one that is the caller's, is not called: nobody knows whether that is meant.  Nor is one that prints;
// there free() will do.
// LEAKS: 3
// EXPECT: partial
// LEFT: 2
// REFUSED: temp_free\(\) does more than to release: it calls unlink\(\)
// REFUSED: session_free\(\) does more than to release: it calls close\(\)
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct temp {
	char path[64];
};

static struct temp *temp_new(void)
{
	struct temp *t = calloc(1, sizeof(*t));
	int fd;

	if (!t)
		return NULL;
	strcpy(t->path, "/tmp/plumb-XXXXXX");
	fd = mkstemp(t->path);
	if (fd >= 0)
		close(fd);
	return t;
}

static void temp_free(struct temp *t)
{
	unlink(t->path);
	free(t);
}

static int temp_work(char *keep)
{
	struct temp *t = temp_new();

	if (!t)
		return -1;
	if (keep) {
		strcpy(keep, t->path);
		return 1;
	}
	temp_free(t);
	return 0;
}

struct note {
	int n;
};

static void note_free(struct note *n)
{
	printf("note %d ends\n", n->n);
	free(n);
}

static int note_work(int k)
{
	struct note *n = malloc(sizeof(*n));

	if (!n)
		return -1;
	n->n = k;
	if (k > 3)
		return -k;
	note_free(n);
	return k;
}

struct session {
	int fd;
};

static struct session *session_new(int fd)
{
	struct session *s = malloc(sizeof(*s));

	if (s)
		s->fd = fd;
	return s;
}

static void session_free(struct session *s)
{
	close(s->fd);
	free(s);
}

static int session_work(int fd, int n)
{
	struct session *s = session_new(fd);

	if (!s)
		return -1;
	if (n < 0)
		return -1;
	session_free(s);
	return 0;
}

int main(void)
{
	char keep[64] = "";
	int fd = open("/dev/null", O_WRONLY);

	printf("%d %d\n", temp_work(NULL), temp_work(keep));
	printf("%d\n", access(keep, F_OK));
	unlink(keep);
	printf("%d %d\n", note_work(1), note_work(5));
	printf("%d\n", session_work(fd, -1));
	printf("%d\n", (int)write(fd, "x", 1));
	printf("%d\n", session_work(fd, 1));
	return 0;
}
