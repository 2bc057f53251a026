#include "ops.h"

#include <stdlib.h>
#include <string.h>

static void *file_open(const char *name)
{
	return strdup(name);
}

static void file_close(void *h)
{
	free(h);
}

static void *null_open(const char *name)
{
	(void)name;
	return calloc(1, 4);
}

static void null_close(void *h)
{
	free(h);
}

const struct ops file_ops = { file_open, file_close };
const struct ops null_ops = { null_open, null_close };
