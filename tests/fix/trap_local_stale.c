// A callee that fails has freed the member, and left it as it is: what releases the struct elsewhere would free it again.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char *s;
	int n;
};

struct chunk {
	int mid;
	char *id;
	struct text *more;
};

static int version;

static void chunk_free(struct chunk *c)
{
	free(c->id);
	if (c->more)
		free(c->more->s);
	free(c->more);
}

static int read_string(const char *in, char **out)
{
	char *s = NULL;

	if (*in) {
		s = malloc(strlen(in) + 1);
		if (!s)
			return 2;
		strcpy(s, in);
	}
	*out = s;
	return 0;
}

static int read_new(const char *in, struct chunk *c)
{
	int rc = read_string(in, &c->id);

	if (rc)
		return rc;
	if (in[0] == 'x')
		return 1;
	c->mid = in[0];
	return 0;
}

static int read_old(const char *in, struct chunk *c)
{
	int rc = read_string(in, &c->id);

	if (rc)
		return rc;
	if (in[0] == 'x')
		goto error;
	c->mid = in[0];
	return 0;
error:
	free(c->id);
	return 1;
}

static int process(const char *in)
{
	struct chunk c;
	int rc;

	memset(&c, 0, sizeof(c));
	if (version > 4)
		rc = read_new(in, &c);
	else
		rc = read_old(in, &c);
	if (rc) {
		printf("bad\n");
		return rc;
	}
	printf("%s %d\n", c.id, c.mid);
	chunk_free(&c);
	return 0;
}

int main(void)
{
	version = 5;
	process("abc");
	process("xyz");
	version = 3;
	process("abc");
	process("xyz");
	return 0;
}
