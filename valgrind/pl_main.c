/*--------------------------------------------------------------------*/
/*--- plumb: which objects does a program still use?      pl_main.c ---*/
/*--------------------------------------------------------------------*/

/*
   SPDX-License-Identifier: GPL-2.0-or-later

   This tool becomes one program with Valgrind's core and is, like that, under
   the GNU General Public License, version 2 or later (COPYING).

   Overview
   --------
   Training, after Nguyen and Rinard, "Using Cyclic Memory Allocation to
   Eliminate Memory Leaks", section 3.1.  The tool replaces malloc and its
   family, watches every load and store of the client and what system calls read
   and write for it, and keeps for each allocation site how many objects were
   allocated and freed and how old, counted in allocations of the same site, the
   oldest object was that the client still accessed.

      pl_heap.c     blocks, and the shadow map from addresses to them
      pl_access.c   instrumentation
      pl_site.c     sites and their numbers
      pl_module.c   what a code address means in the next run
      pl_data.c     the training file, which survives whatever ends the client

   A forked child begins with its parent's objects and their ages, but what it
   does is kept in a file of its own.

   The paper keeps the bound of a site per run and so do we; whether bounds are
   stable is for the reader of many runs (src/run/bounds.c).
*/

#include "pl_local.h"

#include "pub_tool_xarray.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_replacemalloc.h"

static const HChar* clo_data;
static Int clo_depth = 4;

/* The client's command, as the first record of the training file. */
static void write_command(void)
{
   SizeT len = VG_(strlen)(VG_(args_the_exename)) + 1, n = 0, max = 8192;
   struct train_record* r;
   HChar* text;

   for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++)
      len += VG_(strlen)(*(HChar**)VG_(indexXA)(VG_(args_for_client), i)) + 1;
   r = data_new(TRAIN_COMMAND, sizeof(*r) + (len < max ? len : max));
   max = r->size - sizeof(*r);
   text = (HChar*)(r + 1);
   for (Word i = -1; i < VG_(sizeXA)(VG_(args_for_client)); i++) {
      const HChar* s = i < 0 ? VG_(args_the_exename)
                             : *(HChar**)VG_(indexXA)(VG_(args_for_client), i);
      SizeT k = VG_(strlen)(s) + 1;

      if (n + k > max)
         break;
      VG_(memcpy)(text + n, s, k);
      n += k;
   }
   data_done();
}

static void after_fork(ThreadId tid)
{
   data_reopen();
   module_renumber();
   site_reopen();
   write_command();
}

static void on_unmapped(Addr a, SizeT len)
{
   if (module_forget(a, len))
      site_forget_addresses();
}

static void on_mapped(Addr a, SizeT len, Bool rr, Bool ww, Bool xx, ULong di_handle)
{
   on_unmapped(a, len);
}

static void pl_post_clo_init(void)
{
   site_init((UInt)clo_depth);
   data_open(clo_data, (UInt)clo_depth);
   write_command();
   VG_(atfork)(NULL, NULL, after_fork);
}

static void pl_fini(Int exitcode)
{
   data_finish(exitcode);
   if (VG_(clo_verbosity) > 0)
      heap_print();
}

static Bool pl_process_cmd_line_option(const HChar* arg)
{
   if (VG_STR_CLO(arg, "--data", clo_data)) {}
   else if (VG_BINT_CLO(arg, "--depth", clo_depth, 1, TRAIN_MAX_DEPTH)) {}
   else
      return VG_(replacement_malloc_process_cmd_line_option)(arg);
   return True;
}

static void pl_print_usage(void)
{
   VG_(printf)(
"    --data=NAME      keep what is seen in NAME.PID.N, one file a process\n"
"    --depth=N        frames that make an allocation site, 1 .. 16 [4]\n");
}

static void pl_print_debug_usage(void)
{
   VG_(printf)("    (none)\n");
}

static void pl_pre_clo_init(void)
{
   VG_(details_name)("plumb");
   VG_(details_version)(PLUMB_VERSION);
   VG_(details_description)("observes how long allocated objects are used");
   VG_(details_copyright_author)("Part of plumb; GNU GPL, version 2 or later.");
   VG_(details_bug_reports_to)("the authors of plumb");
   VG_(details_avg_translation_sizeB)(640);

   VG_(basic_tool_funcs)(pl_post_clo_init, access_instrument, pl_fini);
   VG_(needs_libc_freeres)();   // for the summary; plumb train turns it off
   VG_(needs_cxx_freeres)();
   VG_(needs_command_line_options)(pl_process_cmd_line_option,
                                   pl_print_usage, pl_print_debug_usage);
   VG_(track_die_mem_munmap)(on_unmapped);
   VG_(track_new_mem_mmap)(on_mapped);
   access_track_syscalls();
   heap_init();
   heap_replace_malloc();
}

VG_DETERMINE_INTERFACE_VERSION(pl_pre_clo_init)

/*--------------------------------------------------------------------*/
/*--- end                                                pl_main.c ---*/
/*--------------------------------------------------------------------*/
