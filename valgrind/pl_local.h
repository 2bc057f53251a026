/*
   pl_local.h - what the files of the tool share.

   SPDX-License-Identifier: GPL-2.0-or-later

   Words.  A *block* is memory handed to the client.  A *site* is the innermost
   frames of the call stack that asked for it (--depth).  The *age* of a block
   is 1 if it is the newest of its site, 2 for the one before, and so on; the
   *bound* of a site is the largest age at which one of its blocks was accessed
   (m in Nguyen and Rinard, "Using Cyclic Memory Allocation to Eliminate Memory
   Leaks", section 3.1).
*/
#ifndef VALGRIND_PL_LOCAL_H
#define VALGRIND_PL_LOCAL_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "trainfile.h"

/*--- pl_data.c: the training file ---*/

/* Opens the file of this process.  Without a name, or if it cannot be had,
   records are kept in memory only. */
void data_open(const HChar* name, UInt depth);
/* In a forked child: leaves the parent's file, and begins its own. */
void data_reopen(void);
/* A new record of size bytes, zeroed but for its head, for as long as the
   process lives.  data_done() makes what was put into it part of the file. */
void* data_new(UInt kind, SizeT size);
void data_done(void);
void data_finish(Int exit_code);

/*--- pl_module.c: code addresses -> (module, offset) ---*/

typedef struct _Module {
   Addr start, end;             // of the mapping that an address was found in
   Addr bias;                   // address = bias + offset
   const HChar* path;
   UInt id_len;
   UChar id[32];
   Bool is_preload;             // our own replacement functions
   UInt number;                 // in the training file, from 0
   UInt generation;             // of the training file that number is good for
} Module;

/* The module of a code address, or NULL if it is in no file. */
Module* module_find(Addr a);
/* Its number in the training file, written there if need be. */
UInt module_number(Module* m);
/* The addresses a .. a + len - 1 mean something else now.  Was there a module? */
Bool module_forget(Addr a, SizeT len);
/* In a forked child: a new file knows no modules. */
void module_renumber(void);

/*--- pl_site.c ---*/

typedef struct _Site {
   struct _Site* next;          // of the same hash
   ULong allocated;             // of this process and, before a fork, its parents
   ULong bound;                 // that rec knows of
   struct train_site* rec;      // NULL: not used since the fork
   UInt n;
   struct { Module* module; Addr offset; } frames[];
} Site;

void site_init(UInt depth);
/* The site of the call that the client's thread is in. */
Site* site_here(ThreadId tid);
/* Counts; the results of site_allocated are sequence numbers from 0. */
ULong site_allocated(Site* s, SizeT size);
void site_freed(Site* s);
void site_raise(Site* s, ULong age);
void site_forget_addresses(void);
void site_reopen(void);         // in a forked child
UInt site_count(void);

/*--- pl_heap.c: blocks, and the map from addresses to them ---*/

typedef struct {
   Addr start;
   SizeT size;                  // as the client asked for
   Site* site;
   ULong seq;
} Block;

/* All blocks lie in heap_lo .. heap_lo + heap_span - 1, and perhaps other
   things too.  Generated code reads both. */
extern Addr heap_lo;
extern UWord heap_span;

/* The shadow map: 16 bytes of the client's memory are a granule, which belongs
   to at most one block. */
#define GRANULE_BITS 4
#define REGION_BITS 22
#define REGIONS (1UL << (47 - REGION_BITS))
#define REGION_GRANULES (1UL << (REGION_BITS - GRANULE_BITS))
extern Block*** heap_regions;

/* The block at a, which is inside heap_lo and heap_span; NULL if none. */
static inline Block* heap_block(Addr a)
{
   Block** region = heap_regions[a >> REGION_BITS];

   return region ? region[(a >> GRANULE_BITS) & (REGION_GRANULES - 1)] : NULL;
}

void heap_init(void);
void heap_replace_malloc(void);
void heap_print(void);

/*--- pl_access.c: loads, stores and system calls ---*/

/* The client's access to an object of its site, now. */
static inline void access_block(Block* b)
{
   Site* s = b->site;
   ULong age = s->allocated - b->seq;

   if (UNLIKELY(age > s->bound))
      site_raise(s, age);
}

void access_range(Addr a, SizeT len);
void access_track_syscalls(void);
IRSB* access_instrument(VgCallbackClosure* closure, IRSB* in,
                        const VexGuestLayout* layout,
                        const VexGuestExtents* vge,
                        const VexArchInfo* archinfo_host,
                        IRType gWordTy, IRType hWordTy);

#endif
