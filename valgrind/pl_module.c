/*--------------------------------------------------------------------*/
/*--- Modules: what a code address means in the next run. pl_module.c */
/*--------------------------------------------------------------------*/

/*
   Part of plumb's tool.  SPDX-License-Identifier: GPL-2.0-or-later

   An address is (module, offset): the offset is the virtual address that the
   ELF file gives to that byte, so that it is the same wherever the module is
   loaded.  Module and offset are read from the mapped image itself: its program
   headers and its build-id note are in memory, and the file on disk may be
   another one by now.

   A module without a build-id gets one of 16 bytes made from its code, "text" and
   a hash, by the same rule as in src/run and in the run-time library: FNV-1a, 64
   bits, over the file's bytes of its first executable segment.

   Modules are kept for good; only the ranges of addresses are forgotten when
   something is unmapped.
*/

#include "pl_local.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

#include <elf.h>

static XArray* modules;         // of Module*; start == end: no longer mapped there
static UInt generation = 1;
static UInt next_number;

/* The address at which byte 0 of a segment's file is mapped, if it is mapped
   readable below it; 0 if not. */
static Addr image_of(const NSegment* seg)
{
   Addr a = seg->start;

   for (UInt i = 0; i < 16 && a > 0; i++) {
      const NSegment* s = VG_(am_find_nsegment)(a);

      if (s == NULL)
         return 0;
      if (s->kind == SkFileC && s->dev == seg->dev && s->ino == seg->ino &&
          s->offset == 0 && s->hasR)
         return s->start;
      a = s->start - 1;
   }
   return 0;
}

static Bool readable(Addr a, SizeT n)
{
   return VG_(am_is_valid_for_client)(a, n, VKI_PROT_READ);
}

/* The build-id among the notes at a. */
static void read_notes(Module* m, Addr a, SizeT n)
{
   while (n >= sizeof(Elf64_Nhdr)) {
      const Elf64_Nhdr* h = (const Elf64_Nhdr*)a;
      SizeT name = ((SizeT)h->n_namesz + 3) & ~(SizeT)3;
      SizeT desc = ((SizeT)h->n_descsz + 3) & ~(SizeT)3;
      SizeT all = sizeof(*h) + name + desc;

      if (all > n)
         return;
      if (h->n_type == NT_GNU_BUILD_ID && h->n_namesz == 4 &&
          VG_(memcmp)(h + 1, "GNU", 4) == 0 && h->n_descsz > 0 &&
          h->n_descsz <= sizeof(m->id)) {
         m->id_len = h->n_descsz;
         VG_(memcpy)(m->id, (const UChar*)(h + 1) + name, h->n_descsz);
         return;
      }
      a += all;
      n -= all;
   }
}

/* An id from the code itself. */
static void hash_text(Module* m, Addr a, SizeT n)
{
   ULong h = 0xcbf29ce484222325ULL;

   if (!readable(a, n))
      return;
   for (SizeT i = 0; i < n; i++)
      h = (h ^ ((const UChar*)a)[i]) * 0x100000001b3ULL;
   VG_(memcpy)(m->id, "text", 4);
   for (UInt i = 0; i < 8; i++)
      m->id[4 + i] = (UChar)(h >> (8 * i));
   m->id_len = 12;
}

/* Bias and build-id from the image at base.  False: that is no ELF image. */
static Bool read_image(Module* m, Addr base)
{
   const Elf64_Ehdr* e = (const Elf64_Ehdr*)base;
   const Elf64_Phdr* ph;
   Bool have_bias = False;

   if (!readable(base, sizeof(*e)) || VG_(memcmp)(e->e_ident, ELFMAG, SELFMAG) ||
       e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_phentsize != sizeof(*ph) ||
       !readable(base + e->e_phoff, (SizeT)e->e_phnum * sizeof(*ph)))
      return False;
   ph = (const Elf64_Phdr*)(base + e->e_phoff);
   for (UInt i = 0; i < e->e_phnum; i++)
      if (ph[i].p_type == PT_LOAD && !have_bias) {
         m->bias = base - (ph[i].p_vaddr - ph[i].p_offset);
         have_bias = True;
      }
   for (UInt i = 0; have_bias && i < e->e_phnum && m->id_len == 0; i++)
      if (ph[i].p_type == PT_NOTE && readable(m->bias + ph[i].p_vaddr, ph[i].p_memsz))
         read_notes(m, m->bias + ph[i].p_vaddr, ph[i].p_memsz);
   for (UInt i = 0; have_bias && i < e->e_phnum && m->id_len == 0; i++)
      if (ph[i].p_type == PT_LOAD && (ph[i].p_flags & PF_X))
         hash_text(m, m->bias + ph[i].p_vaddr, ph[i].p_filesz);
   return have_bias;
}

static Module* same_as(const Module* m)
{
   for (Word i = 0; i < VG_(sizeXA)(modules); i++) {
      Module* o = *(Module**)VG_(indexXA)(modules, i);

      if (o->start == o->end && o->id_len == m->id_len &&
          VG_(memcmp)(o->id, m->id, m->id_len) == 0 && VG_(strcmp)(o->path, m->path) == 0)
         return o;
   }
   return NULL;
}

static Module* module_of(const NSegment* seg)
{
   const HChar* path = VG_(am_get_filename)(seg);
   Module* m = VG_(calloc)("pl.module", 1, sizeof(*m));
   Module* known;
   Addr base = image_of(seg);

   m->start = seg->start;
   m->end = seg->end + 1;
   m->path = VG_(strdup)("pl.module.path", path ? path : "?");
   m->is_preload = VG_(strstr)(m->path, "/vgpreload_") != NULL;
   if (base == 0 || !read_image(m, base))
      m->bias = seg->start - (Addr)seg->offset;
   known = same_as(m);
   if (known != NULL) {        // loaded again, or another of its segments
      known->start = m->start;
      known->end = m->end;
      known->bias = m->bias;
      VG_(free)((void*)m->path);
      VG_(free)(m);
      return known;
   }
   VG_(addToXA)(modules, &m);
   return m;
}

Module* module_find(Addr a)
{
   static Module* last;
   const NSegment* seg;

   if (last != NULL && a >= last->start && a < last->end)
      return last;
   if (modules == NULL)
      modules = VG_(newXA)(VG_(malloc), "pl.modules", VG_(free), sizeof(Module*));
   for (Word i = 0; i < VG_(sizeXA)(modules); i++) {
      Module* m = *(Module**)VG_(indexXA)(modules, i);

      if (a >= m->start && a < m->end)
         return last = m;
   }
   seg = VG_(am_find_nsegment)(a);
   if (seg == NULL || seg->kind != SkFileC)
      return NULL;
   return last = module_of(seg);
}

UInt module_number(Module* m)
{
   struct train_module* r;
   SizeT len;

   if (m == NULL)
      return TRAIN_NO_MODULE;
   if (m->generation == generation)
      return m->number;
   len = VG_(strlen)(m->path);
   if (len > 8192)
      len = 8192;
   r = data_new(TRAIN_MODULE, sizeof(*r) + len + 1);
   r->id_len = m->id_len;
   r->path_len = (UInt)len;
   VG_(memcpy)(r->id, m->id, m->id_len);
   VG_(memcpy)(r->path, m->path, len);
   data_done();
   m->generation = generation;
   return m->number = next_number++;
}

Bool module_forget(Addr a, SizeT len)
{
   Bool any = False;

   for (Word i = 0; modules != NULL && i < VG_(sizeXA)(modules); i++) {
      Module* m = *(Module**)VG_(indexXA)(modules, i);

      if (m->start < a + len && a < m->end) {
         m->start = m->end = 0;
         any = True;
      }
   }
   return any;
}

void module_renumber(void)
{
   generation++;
   next_number = 0;
}

/*--------------------------------------------------------------------*/
/*--- end                                               pl_module.c ---*/
/*--------------------------------------------------------------------*/
