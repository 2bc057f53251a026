/*
 * store_none.c - without SQLite: single jobs work and write their result files; the driver reports an error.
 */
#include "scan/scan.h"

#include "base/error.h"

int scan_store_open(struct scan_store **s, const char *path)
{
	(void)s;
	return error_set("%s: plumb was built without SQLite (libsqlite3-dev): single jobs work, with --job",
			 path);
}

void scan_store_close(struct scan_store *s)
{
	(void)s;
}

bool scan_store_has(struct scan_store *s, const char *name, const char *entry)
{
	(void)s, (void)name, (void)entry;
	return false;
}

int scan_store_put(struct scan_store *s, const json_t *result)
{
	(void)s, (void)result;
	return -1;
}

int scan_store_print(struct scan_store *s, FILE *f)
{
	(void)s, (void)f;
	return -1;
}
