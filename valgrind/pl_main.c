
/*--------------------------------------------------------------------*/
/*--- plumb: what does a program allocate and give back?  pl_main.c ---*/
/*--------------------------------------------------------------------*/

/*
   This tool is linked against Valgrind's core and is, like that,
   distributed under the GNU General Public License, version 2 or later.

   Overview
   --------
   The tool replaces malloc and its family for the client, gives it blocks of
   Valgrind's own client arena, and counts.  It looks at no memory access: the
   client's code runs as under Nulgrind.  At the end it says how much was
   allocated, given back and kept.

   A block's requested size is kept in a hash table, keyed by its address, so
   that all numbers are what the program asked for and not what an allocator
   rounds it up to.

   Words.  An *allocation* is a block handed to the client, a *free* one taken
   back, a *resize* a realloc of a block to another size, which is neither.
   Hence allocations - frees == blocks still held.  A free of what is no block
   (twice, or never allocated) is counted apart and ignored: the client goes
   on.

   Where it errs: blocks carved by the client out of its own pools, and memory
   it maps, are not seen.  A forked child starts with its parent's numbers;
   it prints a summary of its own.
*/

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_replacemalloc.h"
#include "pub_tool_tooliface.h"

/*------------------------------------------------------------*/
/*--- Blocks                                               ---*/
/*------------------------------------------------------------*/

/* A block that the client holds.  The first two fields are those of a
   VgHashNode. */
typedef struct _Block {
   struct _Block* next;
   UWord payload;               // address of the block
   SizeT req_szB;               // as the client asked for
} Block;

static VgHashTable* blocks = NULL;

static ULong n_allocs, n_frees, n_resizes, n_bad_frees;
static ULong bytes_alloced, bytes_freed, bytes_peak;

static void check_invariants(void)
{
   tl_assert(n_allocs >= n_frees);
   tl_assert(bytes_alloced >= bytes_freed);
   tl_assert(VG_(HT_count_nodes)(blocks) == n_allocs - n_frees);
}

static void count_bytes(ULong plus, ULong minus)
{
   bytes_alloced += plus;
   bytes_freed += minus;
   tl_assert(bytes_alloced >= bytes_freed);
   if (bytes_alloced - bytes_freed > bytes_peak)
      bytes_peak = bytes_alloced - bytes_freed;
}

static void* new_block(SizeT req_szB, SizeT align, Bool zeroed)
{
   Block* b;
   void* p;

   if ((SSizeT)req_szB < 0)
      return NULL;
   p = VG_(cli_malloc)(align, req_szB);
   if (p == NULL)
      return NULL;
   if (zeroed)
      VG_(memset)(p, 0, req_szB);

   b = VG_(malloc)("pl.main.block", sizeof(Block));
   b->payload = (UWord)p;
   b->req_szB = req_szB;
   VG_(HT_add_node)(blocks, b);
   n_allocs++;
   count_bytes(req_szB, 0);
   return p;
}

static void end_block(void* p)
{
   Block* b = VG_(HT_remove)(blocks, (UWord)p);

   if (b == NULL) {
      if (p != NULL)
         n_bad_frees++;
      return;
   }
   n_frees++;
   count_bytes(0, b->req_szB);
   VG_(free)(b);
   VG_(cli_free)(p);
}

/* The block p with a new size, at a new address.  NULL: p is as it was. */
static void* resize_block(void* p, SizeT new_szB)
{
   Block* b = VG_(HT_lookup)(blocks, (UWord)p);
   void* q;

   if (b == NULL) {
      n_bad_frees++;
      return NULL;
   }
   if ((SSizeT)new_szB < 0)
      return NULL;
   q = VG_(cli_malloc)(VG_(clo_alignment), new_szB);
   if (q == NULL)
      return NULL;
   VG_(memcpy)(q, p, b->req_szB < new_szB ? b->req_szB : new_szB);

   VG_(HT_remove)(blocks, (UWord)p);
   VG_(cli_free)(p);
   n_resizes++;
   count_bytes(new_szB, b->req_szB);
   b->payload = (UWord)q;
   b->req_szB = new_szB;
   VG_(HT_add_node)(blocks, b);
   return q;
}

/*------------------------------------------------------------*/
/*--- malloc() et al, for the client                       ---*/
/*------------------------------------------------------------*/

static void* pl_malloc(ThreadId tid, SizeT szB)
{
   return new_block(szB, VG_(clo_alignment), False);
}

static void* pl_new_aligned(ThreadId tid, SizeT szB, SizeT align)
{
   return new_block(szB, align, False);
}

static void* pl_calloc(ThreadId tid, SizeT m, SizeT szB)
{
   SizeT n;

   if (__builtin_mul_overflow(m, szB, &n))
      return NULL;
   return new_block(n, VG_(clo_alignment), True);
}

static void* pl_memalign(ThreadId tid, SizeT align, SizeT szB)
{
   return new_block(szB, align, False);
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
      return new_block(new_szB, VG_(clo_alignment), False);
   if (new_szB == 0) {
      end_block(p);
      return NULL;
   }
   return resize_block(p, new_szB);
}

static SizeT pl_malloc_usable_size(ThreadId tid, void* p)
{
   Block* b = VG_(HT_lookup)(blocks, (UWord)p);

   return b ? b->req_szB : 0;
}

/*------------------------------------------------------------*/
/*--- The rest of a tool                                   ---*/
/*------------------------------------------------------------*/

static void pl_post_clo_init(void)
{
}

static IRSB* pl_instrument(VgCallbackClosure* closure, IRSB* bb,
                           const VexGuestLayout* layout,
                           const VexGuestExtents* vge,
                           const VexArchInfo* archinfo_host,
                           IRType gWordTy, IRType hWordTy)
{
   return bb;
}

static void pl_fini(Int exitcode)
{
   check_invariants();
   if (VG_(clo_verbosity) == 0)
      return;
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

static Bool pl_process_cmd_line_option(const HChar* arg)
{
   return VG_(replacement_malloc_process_cmd_line_option)(arg);
}

static void pl_print_usage(void)
{
   VG_(printf)("    (none)\n");
}

static void pl_print_debug_usage(void)
{
   VG_(printf)("    (none)\n");
}

static void pl_pre_clo_init(void)
{
   VG_(details_name)("plumb");
   VG_(details_version)(PLUMB_VERSION);
   VG_(details_description)("counts allocations and frees");
   VG_(details_copyright_author)("Part of plumb; Valgrind's terms apply.");
   VG_(details_bug_reports_to)("the authors of plumb");
   VG_(details_avg_translation_sizeB)(275);

   VG_(basic_tool_funcs)(pl_post_clo_init, pl_instrument, pl_fini);

   VG_(needs_libc_freeres)();
   VG_(needs_cxx_freeres)();
   VG_(needs_command_line_options)(pl_process_cmd_line_option,
                                   pl_print_usage, pl_print_debug_usage);
   VG_(needs_malloc_replacement)(pl_malloc,
                                 pl_malloc, pl_new_aligned,
                                 pl_malloc, pl_new_aligned,
                                 pl_memalign, pl_calloc,
                                 pl_free,
                                 pl_free, pl_delete_aligned,
                                 pl_free, pl_delete_aligned,
                                 pl_realloc, pl_malloc_usable_size,
                                 0);

   blocks = VG_(HT_construct)("pl.main.blocks");
}

VG_DETERMINE_INTERFACE_VERSION(pl_pre_clo_init)

/*--------------------------------------------------------------------*/
/*--- end                                                pl_main.c ---*/
/*--------------------------------------------------------------------*/
