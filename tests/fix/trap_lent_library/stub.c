#include <stdio.h>
#include <stdlib.h>

#include "log.h"

static struct table *current;
static char *last;

void log_open(struct table *t)
{
	current = t;
}

void log_error(void)
{
	last = current->err;
}

void log_close(void)
{
	if (last)
		puts(last);
	free(last);
}
