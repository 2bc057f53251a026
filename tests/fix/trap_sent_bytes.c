// A struct with a pointer in it is written by the program's own loop, or copied byte by byte: who reads the bytes has the pointer.
// LEAKS: 2
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct msg {
	int id;
	char *text;
};

static int pipe_of[2];
static unsigned char ring[256];
static size_t ring_end, ring_start;

static int full_write(int fd, const void *buf, size_t n)
{
	const char *p = buf;

	while (n > 0) {
		ssize_t k = write(fd, p, n);

		if (k < 0)
			return -1;
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

static int send_msg(int id, const char *text)
{
	struct msg m;

	memset(&m, 0, sizeof(m));
	m.id = id;
	m.text = strdup(text);
	if (!m.text || id < 0)
		return -1;
	return full_write(pipe_of[1], &m, sizeof(m));
}

static void ring_put(const void *from, size_t n)
{
	const unsigned char *s = from;

	while (n-- > 0)
		ring[ring_end++ % sizeof(ring)] = *s++;
}

static void ring_get(void *to, size_t n)
{
	unsigned char *d = to;

	while (n-- > 0)
		*d++ = ring[ring_start++ % sizeof(ring)];
}

static int queue_msg(int id, const char *text)
{
	struct msg *m = calloc(1, sizeof(*m));

	if (!m)
		return -1;
	m->id = id;
	if (text[0] == '-')
		return -1;
	ring_put(&m, sizeof(m));
	return 0;
}

int main(void)
{
	struct msg m, *p;

	if (pipe(pipe_of))
		return 1;
	printf("%d %d\n", send_msg(1, "one"), send_msg(-1, "lost"));
	if (read(pipe_of[0], &m, sizeof(m)) == sizeof(m)) {
		printf("%d %s\n", m.id, m.text);
		free(m.text);
	}
	printf("%d %d\n", queue_msg(2, "two"), queue_msg(3, "-"));
	ring_get(&p, sizeof(p));
	printf("%d\n", p->id);
	free(p);
	return 0;
}
