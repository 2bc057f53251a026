/* a result code, many ways to one label, one free there */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf { char *a; int n, size; };

static int grow(struct buf *b, int n)
{
	if (b->n + n > b->size) {
		char *a = realloc(b->a, (size_t)(b->n + n) * 2);

		if (a == NULL)
			return 7;
		b->a = a;
		b->size = (b->n + n) * 2;
	}
	return 0;
}

static int shrink(const char *in, int n, char **out, int *nout, char **err)
{
	int rc = 0;
	char *a = malloc((size_t)n + 1);

	if (a == NULL) {
		rc = 7;
	} else if (in[0] != '!') {
		memcpy(a, in, (size_t)n);
		*out = a;
		*nout = n;
	} else {
		free(a);
		*err = strdup("bad data");
		rc = 1;
	}
	return rc;
}

static int get_mode(const char *z, int dir, int *mode, char **err)
{
	if (z == NULL) {
		*mode = dir ? 0755 : 0644;
	} else if (z[0] >= '0' && z[0] <= '9') {
		*mode = atoi(z);
	} else {
		*err = strdup("bad mode");
		return 1;
	}
	return 0;
}

int step(struct buf *b, const char *name, const char *data, const char *mode_text, int method)
{
	int rc = 0, dir = 0, mode = 0, n = 0, len = (int)strlen(name);
	char *err = NULL, *to_free = NULL, *to_free2 = NULL;
	const char *p = NULL;

	if (method != 0 && method != 8 && method != -1) {
		err = strdup("bad method");
		rc = 1;
		goto out;
	}
	if (data == NULL) {
		dir = 1;
		method = 0;
	} else {
		p = data;
		n = (int)strlen(data);
		if (method < 0 || method == 8) {
			int nout = 0;

			rc = shrink(p, n, &to_free, &nout, &err);
			if (rc != 0)
				goto out;
			if (method == 8 || nout < n) {
				p = to_free;
				n = nout;
				method = 8;
			} else {
				method = 0;
			}
		}
	}
	rc = get_mode(mode_text, dir, &mode, &err);
	if (rc)
		goto out;
	if (dir == 0) {
		if (len > 0 && name[len - 1] == '/') {
			err = strdup("not a directory");
			rc = 1;
			goto out;
		}
	} else if (len == 0 || name[len - 1] != '/') {
		to_free2 = malloc((size_t)len + 2);
		if (to_free2 == NULL) {
			rc = 7;
			goto out;
		}
		sprintf(to_free2, "%s/", name);
		name = to_free2;
		len++;
	}
	if ((rc = grow(b, len)))
		goto out;
	memcpy(b->a + b->n, name, (size_t)len);
	b->n += len;
	if (n > 0) {
		if ((rc = grow(b, n)))
			goto out;
		memcpy(b->a + b->n, p, (size_t)n);
		b->n += n;
	}
	b->n += mode & method & 1;
out:
	free(to_free);
	free(to_free2);
	if (rc && err)
		fputs(err, stderr);
	free(err);
	return rc;
}
