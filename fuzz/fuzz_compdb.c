/*
 * fuzz_compdb.c - compilation databases: JSON, shell quoting, flags of compilers.
 */
#include "base/error.h"
#include "front/compdb.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct compdb db;

	if (compdb_parse(&db, (const char *)data, n, "fuzz", "/nonexistent") < 0)
		assert(error_last()[0]);
	for (uint32_t i = 0; i < db.units.n; i++) {
		const struct unit *u = &db.units.v[i];

		assert(u->file && u->path && u->dir && u->dir[0] == '/');
		assert(!u->flags.v || !u->flags.v[u->flags.n]);
	}
	compdb_release(&db);
	return 0;
}
