// derf/feh 730: a temporary file is written to through a stream; where writing fails its name is
// freed, and the stream lost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *saved(const char *template, int close_too)
{
	char *name = strdup(template), buf[512];
	FILE *out;
	size_t n;
	int fd;

	if (!name)
		return NULL;
	fd = mkstemp(name);
	if (fd == -1) {
		free(name);
		return NULL;
	}
	out = fdopen(fd, "w"); // LEAK(conditional)
	if (!out) {
		close(fd);
		free(name);
		return NULL;
	}
	while ((n = fread(buf, 1, sizeof(buf), stdin)) > 0) {
		if (fwrite(buf, 1, n, out) < n) {
			if (close_too)
				fclose(out);
			free(name);
			return NULL;
		}
	}
	fclose(out);
	return name;
}

int first_bad(void)
{
	char *name = saved("/tmp/feh_XXXXXX", 0);
	int ret = name ? 0 : -1;

	free(name);
	return ret;
}

char *second_ok(void)
{
	char *name = strdup("/tmp/feh_XXXXXX");
	FILE *out;
	int fd;

	if (!name)
		return NULL;
	fd = mkstemp(name);
	out = fd == -1 ? NULL : fdopen(fd, "w");
	if (!out) {
		if (fd != -1)
			close(fd);
		free(name);
		return NULL;
	}
	if (fputs("x", out) < 0) {
		fclose(out);
		free(name);
		return NULL;
	}
	fclose(out);
	return name;
}
