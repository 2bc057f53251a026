/*
 * priv.h - what the files of src/ir/ share and nobody else sees.
 */
#ifndef IR_PRIV_H
#define IR_PRIV_H

#include "ir/build.h"
#include "ir/io.h"

#include "base/hash.h"

/* ---- memo tables (build.c) ------------------------------------------- */

struct ir_strkey {
	const char *s;
	size_t n;
};

#define MAP_NAME ir_strtab
#define MAP_KEY struct ir_strkey
#define MAP_VAL const char *
#define MAP_HASH(k) hash_bytes((k).s, (k).n, 0)
#define MAP_EQ(a, b) ((a).n == (b).n && memcmp((a).s, (b).s, (a).n) == 0)
#include "base/map.h"

/* The names of interned strings compare by address. */
#define MAP_NAME ir_ptrmap
#define MAP_KEY const char *
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix((uintptr_t)(k))
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME ir_intmap
#define MAP_KEY int64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix((uint64_t)(k))
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME ir_addrmap
#define MAP_KEY struct ir_addr
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join((k).base, (uint64_t)(k).offset)
#define MAP_EQ(a, b) ((a).base == (b).base && (a).offset == (b).offset)
#include "base/map.h"

/* Types by content; the key's name and fields point into the module. */
uint64_t ir__type_hash(const struct ir_type *t);
bool ir__type_same(const struct ir_type *a, const struct ir_type *b);

#define MAP_NAME ir_typemap
#define MAP_KEY const struct ir_type *
#define MAP_VAL uint32_t
#define MAP_HASH(k) ir__type_hash(k)
#define MAP_EQ(a, b) ir__type_same(a, b)
#include "base/map.h"

struct ir_strings {
	struct ir_strtab tab;
};

/* Symbols of one name hang on a chain, latest first: statics of several units
 * share names in a linked module. */
struct ir_symtab {
	struct ir_ptrmap head;		/* name -> number + 1 of the latest */
	VEC(uint32_t) next;		/* per symbol: number + 1 of the one before */
};

struct ir_lookup {
	struct ir_ptrmap files;
	struct ir_intmap ints;
	struct ir_addrmap addrs;
	struct ir_typemap types;
	uint32_t nfiles, nints, naddrs, ntypes;	/* of each, how many are in the table */
	struct ir_symtab funcs, globals, aliases;
};

/* The interned string equal to s, or NULL if the module has none. */
const char *ir__find_string(const struct ir_module *m, const char *s);

/* t with its strings interned in m and its fields in m's arena. */
struct ir_type ir__own_type(struct ir_module *m, const struct ir_type *t);

/* Makes symbols that were put into the module's arrays directly findable. */
void ir__index_symbols(struct ir_module *m);

/* Computes blocks' successors and predecessors from the terminators, and the
 * definition table, in a body whose insts, blocks[].first/n and nvregs are set.
 * Every block must end in a terminator, targets must be in range. */
void ir__finish_body(struct ir_module *m, struct ir_func *f);

/* write.c: the checksum that the module's record has. */
uint64_t ir__content_hash(const struct ir_module *m);

/* verify.c: a type that contains itself other than by pointer; IR_NONE if there is
 * none.  With cut, such members become of unknown type. */
uint32_t ir__type_cycle(const struct ir_module *m, bool cut);

/* uses.c: negative if a value is used where it does not exist.  The body must be
 * valid otherwise. */
int ir__check_uses(const struct ir_func *f);

#endif
