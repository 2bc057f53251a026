// kmod-project/kmod 267: a buffer begins on the stack and moves to the heap when it has become too
// long; it has to be released then, and is not.
#include <stdlib.h>
#include <string.h>

struct str {
	char *bytes;
	size_t size, used;
	int heap;
};

static int str_push(struct str *s, char c)
{
	char *p;

	if (s->used == s->size) {
		p = realloc(s->heap ? s->bytes : NULL, s->size * 2); // FN: LEAK@long
		if (!p)
			return -1;
		if (!s->heap)
			memcpy(p, s->bytes, s->used);
		s->bytes = p;
		s->size *= 2;
		s->heap = 1;
	}
	s->bytes[s->used++] = c;
	return 0;
}

static void str_release(struct str *s)
{
	if (s->heap)
		free(s->bytes);
}

int copied_ok(const char *from)
{
	char local[16];
	struct str s = { local, sizeof(local), 0, 0 };
	int ret = 0;

	while (*from && ret == 0)
		ret = str_push(&s, *from++);
	str_release(&s);
	return ret;
}

int copied_bad(const char *from)
{
	char local[16];
	struct str s = { local, sizeof(local), 0, 0 };
	int ret = 0;

	while (*from && ret == 0)
		ret = str_push(&s, *from++); // FN: LEAK@long
	return ret;
}
