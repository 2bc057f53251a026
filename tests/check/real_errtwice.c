/* a message made for a failed read is overwritten by the next one only where the two meet: after the
 * first failures rc keeps the second message from being made, after the last one it does not */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
	char *message;
	FILE *file;
	unsigned char *buffer;
};

struct entry {
	char *name;
	int offset;
	struct entry *next;
};

static int read_data(FILE *f, unsigned char *into, int n, char **message)
{
	if (fread(into, 1, n, f) != (size_t)n) {
		*message = strdup("error in fread()");
		return 1;
	}
	return 0;
}

static int read_head(const unsigned char *at, int *offset)
{
	int rc = 0;
	if (at[0] != 'P')
		rc = 1;
	else
		*offset = at[1];
	return rc;
}

static void entry_free(struct entry *e)
{
	if (e) {
		free(e->name);
		free(e);
	}
}

static int get_entry(struct table *t, const unsigned char *blob, FILE *f, struct entry **out)
{
	const unsigned char *at;
	char **message = &t->message;
	int rc = 0;

	if (!blob) {
		at = t->buffer;
		rc = read_data(f, t->buffer, 8, message);
	} else {
		at = blob;
	}
	if (rc == 0) {
		struct entry *e = malloc(sizeof(*e));
		if (!e) {
			rc = 7;
		} else {
			memset(e, 0, sizeof(*e));
			rc = read_head(at, &e->offset);
			if (rc != 0)
				*message = strdup("bad head");
			else if (!blob)
				rc = read_data(f, t->buffer, 16, message);
			else
				at = blob + 8;
		}
		if (rc == 0) {
			e->name = strndup((const char *)at, 8);
			if (!e->name)
				rc = 7;
		}
		if (rc == 0) {
			int local;
			if (f)
				rc = read_data(f, t->buffer, 4, message); // LEAK(overwritten)
			else
				at = blob + e->offset;
			if (rc == 0)
				rc = read_head(at, &local);
			if (rc == 0)
				e->offset += local;
			else
				*message = strdup("bad local head");
		}
		if (rc != 0)
			entry_free(e);
		else
			*out = e;
	}
	return rc;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		unsigned char buffer[64];
		struct table t = { .file = fopen(argv[i], "rb"), .buffer = buffer };
		int rc = 0;
		if (!t.file)
			continue;
		for (int k = 0; rc == 0 && k < 8; k++) {
			struct entry *e = NULL;
			rc = get_entry(&t, NULL, t.file, &e);
			if (rc == 0)
				entry_free(e);
		}
		if (t.message)
			puts(t.message);
		free(t.message);
		fclose(t.file);
	}
	return 0;
}
