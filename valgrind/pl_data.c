/*--------------------------------------------------------------------*/
/*--- The training file.                                  pl_data.c ---*/
/*--------------------------------------------------------------------*/

/*
   Part of plumb's tool.  SPDX-License-Identifier: GPL-2.0-or-later

   The file (trainfile.h) grows by chunks.  A chunk is written, as zeros, before
   it is mapped: its blocks exist then, and a store into it cannot fail for want
   of disk.  If a chunk cannot be had, what would have gone there is kept in
   memory, counted as skipped, and the client does not notice.

   Valgrind's core has the calls for shared mappings and for descriptors that
   the client cannot reach, but does not show them to tools.
*/

#include "pl_local.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot,
                                                      Int fd, Off64T offset);
extern Int VG_(safe_fd)(Int oldfd);

static const HChar* base_name;  // NULL: no file is wanted
static UInt file_depth;
static Int fd = -1;
static struct train_header* header;     // the start of the file; NULL: no file
static UChar* chunk;                    // the newest chunk
static ULong chunks;                    // how many there are
static UInt chunk_used;

static Int create_file(void)
{
   HChar* name = VG_(malloc)("pl.data.name", VG_(strlen)(base_name) + 64);
   Int got = -1;

   for (UInt n = 1; n <= 10000 && got < 0; n++) {
      SysRes r;

      VG_(sprintf)(name, "%s.%d.%u", base_name, VG_(getpid)(), n);
      r = VG_(open)(name, VKI_O_RDWR | VKI_O_CREAT | VKI_O_EXCL, 0600);
      if (!sr_isError(r))
         got = (Int)sr_Res(r);
      else if (sr_Err(r) != VKI_EEXIST)
         break;
   }
   VG_(free)(name);
   return got < 0 ? -1 : VG_(safe_fd)(got);
}

/* Adds a chunk to the file, which becomes the newest one. */
static Bool grow(void)
{
   static const UChar zeros[4096];
   SysRes r;

   if (fd < 0)
      return False;
   VG_(lseek)(fd, (Off64T)(chunks * TRAIN_CHUNK), VKI_SEEK_SET);
   for (UInt i = 0; i < TRAIN_CHUNK / sizeof(zeros); i++)
      if (VG_(write)(fd, zeros, sizeof(zeros)) != sizeof(zeros))
         return False;
   r = VG_(am_shared_mmap_file_float_valgrind)(
          TRAIN_CHUNK, VKI_PROT_READ | VKI_PROT_WRITE, fd,
          (Off64T)(chunks * TRAIN_CHUNK));
   if (sr_isError(r))
      return False;
   chunk = (UChar*)sr_Res(r);
   chunks++;
   chunk_used = 0;
   return True;
}

void data_open(const HChar* name, UInt depth)
{
   base_name = name;
   file_depth = depth;
   if (name != NULL)
      data_reopen();
}

void data_reopen(void)
{
   header = NULL;
   chunk = NULL;
   chunks = 0;
   chunk_used = 0;
   if (fd >= 0)
      VG_(close)(fd);
   fd = -1;
   if (base_name == NULL)
      return;
   fd = create_file();
   if (fd < 0 || !grow()) {
      VG_(umsg)("cannot write %s.%d.1: nothing of this process is kept\n",
                base_name, VG_(getpid)());
      return;
   }
   header = (struct train_header*)chunk;
   chunk_used = sizeof(*header);
   header->version = TRAIN_VERSION;
   header->depth = file_depth;
   header->pid = VG_(getpid)();
   header->parent = VG_(getppid)();
   header->state = TRAIN_LIVE;
   header->used = chunk_used;
   VG_(memcpy)(header->magic, TRAIN_MAGIC, sizeof(header->magic));
}

/* Fills what is left of the chunk: records do not cross its end. */
static void pad(void)
{
   struct train_record* r = (struct train_record*)(chunk + chunk_used);

   tl_assert(chunk_used % 8 == 0 && chunk_used <= TRAIN_CHUNK);
   if (chunk_used == TRAIN_CHUNK)
      return;
   r->kind = TRAIN_PAD;
   r->size = TRAIN_CHUNK - chunk_used;
   chunk_used = TRAIN_CHUNK;
   data_done();
}

void* data_new(UInt kind, SizeT size)
{
   struct train_record* r = NULL;

   tl_assert(size >= sizeof(*r));
   size = (size + 7) & ~(SizeT)7;
   tl_assert(size < TRAIN_CHUNK);
   if (header != NULL && chunk_used + size > TRAIN_CHUNK) {
      pad();
      if (!grow()) {
         VG_(umsg)("the training file cannot grow: new sites are not kept\n");
         VG_(close)(fd);
         fd = -1;
      }
   }
   if (header != NULL && fd >= 0) {
      r = (struct train_record*)(chunk + chunk_used);
      chunk_used += size;
   } else {
      r = VG_(calloc)("pl.data.record", 1, size);
      if (header != NULL)
         header->skipped++;
   }
   r->kind = kind;
   r->size = (UInt)size;
   return r;
}

void data_done(void)
{
   if (header != NULL && fd >= 0)
      header->used = (chunks - 1) * TRAIN_CHUNK + chunk_used;
}

void data_finish(Int exit_code)
{
   if (header == NULL)
      return;
   header->exit_code = exit_code;
   header->state = TRAIN_EXITED;
}

/*--------------------------------------------------------------------*/
/*--- end                                                 pl_data.c ---*/
/*--------------------------------------------------------------------*/
