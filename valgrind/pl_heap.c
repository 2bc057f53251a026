/*--------------------------------------------------------------------*/
/*--- Blocks, and the map from addresses to them.         pl_heap.c ---*/
/*--------------------------------------------------------------------*/

/*
   Part of plumb's tool.  SPDX-License-Identifier: GPL-2.0-or-later

   The client's blocks come from Valgrind's client arena, at multiples of 16, and
   no two share a granule of 16 bytes.  The shadow map has a pointer to the block
   for each granule: a table of regions of 4 MB, filled as needed, and in each a
   table of granules.  Two loads lead from an address to its block.

   A realloc is a new object at the site of that call, made from the old one:
   the old one is read (at its age before the call) and given back.  So it is in
   the run-time library, where both may be in cyclic buffers.

   Words for the summary.  An *allocation* is a block handed to the client, a
   *free* one taken back, a *resize* a realloc of a block to another size, which
   is neither.  Hence allocations - frees == blocks still held.  A free of what
   is no block (twice, or never allocated) is counted apart and ignored: the
   client goes on.

   Where it errs: blocks carved by the client out of its own pools, and memory
   it maps, are not seen.  What pads a block to 16 bytes counts as the block.
*/

#include "pl_local.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_poolalloc.h"
#include "pub_tool_replacemalloc.h"

Addr heap_lo;
UWord heap_span;
Block*** heap_regions;

static PoolAlloc* block_pool;

static ULong n_allocs, n_frees, n_resizes, n_bad_frees;
static ULong bytes_alloced, bytes_freed, bytes_peak;

static void count_bytes(ULong plus, ULong minus)
{
   bytes_alloced += plus;
   bytes_freed += minus;
   tl_assert(bytes_alloced >= bytes_freed);
   if (bytes_alloced - bytes_freed > bytes_peak)
      bytes_peak = bytes_alloced - bytes_freed;
}

/*------------------------------------------------------------*/
/*--- The shadow map                                       ---*/
/*------------------------------------------------------------*/

/* Pages for the map, all zeros. */
static void* shadow_alloc(const HChar* who, SizeT n)
{
#ifdef VALGRIND_SHADOW_RESULT
   SysRes r = VG_(am_shadow_alloc)(n);

   if (sr_isError(r))
      VG_(out_of_memory_NORETURN)(who, n, sr_Err(r));
   return (void*)(Addr)sr_Res(r);
#else
   void* p = VG_(am_shadow_alloc)(n);

   if (p == NULL)
      VG_(out_of_memory_NORETURN)(who, n);
   return p;
#endif
}

static Block** region_at(Addr a)
{
   Block*** slot = &heap_regions[a >> REGION_BITS];

   if (UNLIKELY(*slot == NULL))
      *slot = shadow_alloc("pl.heap.region", REGION_GRANULES * sizeof(Block*));
   return *slot;
}

/* Makes b, or nobody, the owner of n bytes at a, at least one granule. */
static void set_owner(Addr a, SizeT n, Block* b)
{
   Addr end = a + (n ? n : 1);

   tl_assert(a % (1 << GRANULE_BITS) == 0);
   while (a < end) {
      Block** region = region_at(a);
      UWord i = (a >> GRANULE_BITS) & (REGION_GRANULES - 1);

      for (; i < REGION_GRANULES && a < end; i++, a += 1 << GRANULE_BITS)
         region[i] = b;
   }
}

static void widen(Addr a, SizeT n)
{
   Addr end = a + n + 1;

   if (heap_span == 0) {
      heap_lo = a;
      heap_span = end - a;
      return;
   }
   if (a < heap_lo) {
      heap_span += heap_lo - a;
      heap_lo = a;
   }
   if (end > heap_lo + heap_span)
      heap_span = end - heap_lo;
}

/* The block that begins at p, or NULL. */
static Block* block_at(void* p)
{
   Block* b;

   if ((Addr)p - heap_lo >= heap_span)
      return NULL;
   b = heap_block((Addr)p);
   return b != NULL && b->start == (Addr)p ? b : NULL;
}

/*------------------------------------------------------------*/
/*--- Blocks                                               ---*/
/*------------------------------------------------------------*/

static Block* make_block(ThreadId tid, SizeT size, SizeT align, Bool zeroed)
{
   Block* b;
   void* p;

   if ((SSizeT)size < 0)
      return NULL;
   if (align < 1 << GRANULE_BITS)
      align = 1 << GRANULE_BITS;
   p = VG_(cli_malloc)(align, size);
   if (p == NULL)
      return NULL;
   if (zeroed)
      VG_(memset)(p, 0, size);
   b = VG_(allocEltPA)(block_pool);
   b->start = (Addr)p;
   b->size = size;
   b->site = site_here(tid);
   b->seq = site_allocated(b->site, size);
   widen(b->start, size);
   set_owner(b->start, size, b);
   if (zeroed && size > 0)
      access_block(b);
   return b;
}

static void drop_block(Block* b)
{
   Addr start = b->start;

   site_freed(b->site);
   set_owner(start, b->size, NULL);
   VG_(freeEltPA)(block_pool, b);
   VG_(cli_free)((void*)start);
}

static void* new_block(ThreadId tid, SizeT size, SizeT align, Bool zeroed)
{
   Block* b = make_block(tid, size, align, zeroed);

   if (b == NULL)
      return NULL;
   n_allocs++;
   count_bytes(size, 0);
   return (void*)b->start;
}

static void end_block(void* p)
{
   Block* b = block_at(p);

   if (b == NULL) {
      n_bad_frees += p != NULL;
      return;
   }
   n_frees++;
   count_bytes(0, b->size);
   drop_block(b);
}

/* The block p with a new size, at a new address.  NULL: p is as it was. */
static void* resize_block(ThreadId tid, void* p, SizeT size)
{
   Block* old = block_at(p);
   Block* b;
   SizeT keep;

   if (old == NULL) {
      n_bad_frees++;
      return NULL;
   }
   access_block(old);
   b = make_block(tid, size, VG_(clo_alignment), False);
   if (b == NULL)
      return NULL;
   keep = old->size < size ? old->size : size;
   VG_(memcpy)((void*)b->start, p, keep);
   if (keep > 0)
      access_block(b);
   n_resizes++;
   count_bytes(size, old->size);
   drop_block(old);
   return (void*)b->start;
}

/*------------------------------------------------------------*/
/*--- malloc() et al, for the client                       ---*/
/*------------------------------------------------------------*/

static void* pl_malloc(ThreadId tid, SizeT szB)
{
   return new_block(tid, szB, VG_(clo_alignment), False);
}

/* Newer versions of Valgrind also hand over the alignment that the client asked for. */
#ifdef VALGRIND_ORIG_ALIGN
#define ORIG_ALIGN , SizeT orig_align
#else
#define ORIG_ALIGN
#endif

static void* pl_new_aligned(ThreadId tid, SizeT szB, SizeT align ORIG_ALIGN)
{
   return new_block(tid, szB, align, False);
}

static void* pl_calloc(ThreadId tid, SizeT m, SizeT szB)
{
   SizeT n;

   if (__builtin_mul_overflow(m, szB, &n))
      return NULL;
   return new_block(tid, n, VG_(clo_alignment), True);
}

static void* pl_memalign(ThreadId tid, SizeT align ORIG_ALIGN, SizeT szB)
{
   return new_block(tid, szB, align, False);
}

static void pl_free(ThreadId tid, void* p)
{
   end_block(p);
}

static void pl_delete_aligned(ThreadId tid, void* p, SizeT align)
{
   end_block(p);
}

static void* pl_realloc(ThreadId tid, void* p, SizeT new_szB)
{
   if (p == NULL)
      return new_block(tid, new_szB, VG_(clo_alignment), False);
   if (new_szB == 0) {
      end_block(p);
      return NULL;
   }
   return resize_block(tid, p, new_szB);
}

static SizeT pl_malloc_usable_size(ThreadId tid, void* p)
{
   Block* b = block_at(p);

   if (b == NULL)
      return 0;
   access_block(b);     // in a cyclic buffer the answer is beside the object
   return b->size;
}

void heap_replace_malloc(void)
{
   VG_(needs_malloc_replacement)(pl_malloc,
                                 pl_malloc, pl_new_aligned,
                                 pl_malloc, pl_new_aligned,
                                 pl_memalign, pl_calloc,
                                 pl_free,
                                 pl_free, pl_delete_aligned,
                                 pl_free, pl_delete_aligned,
                                 pl_realloc, pl_malloc_usable_size,
                                 0);
}

void heap_init(void)
{
   heap_regions = shadow_alloc("pl.heap.regions", REGIONS * sizeof(*heap_regions));
   block_pool = VG_(newPA)(sizeof(Block), 4096, VG_(malloc), "pl.heap.blocks",
                           VG_(free));
}

void heap_print(void)
{
   tl_assert(n_allocs >= n_frees);
   VG_(umsg)("allocations: %'llu blocks, %'llu bytes\n",
             n_allocs, bytes_alloced);
   VG_(umsg)("frees:       %'llu blocks, %'llu bytes\n",
             n_frees, bytes_freed);
   VG_(umsg)("resizes:     %'llu\n", n_resizes);
   VG_(umsg)("held at end: %'llu blocks, %'llu bytes\n",
             n_allocs - n_frees, bytes_alloced - bytes_freed);
   VG_(umsg)("most held:   %'llu bytes\n", bytes_peak);
   if (n_bad_frees > 0)
      VG_(umsg)("ignored:     %'llu frees of no block\n", n_bad_frees);
}

/*--------------------------------------------------------------------*/
/*--- end                                                 pl_heap.c ---*/
/*--------------------------------------------------------------------*/
