/*--------------------------------------------------------------------*/
/*--- Allocation sites.                                   pl_site.c ---*/
/*--------------------------------------------------------------------*/

/*
   Part of plumb's tool.  SPDX-License-Identifier: GPL-2.0-or-later

   A site is found in two steps.  The first table is keyed by the raw return
   addresses and answers nearly always.  The second is keyed by (module, offset)
   and is asked when the first does not know: so that a library which was
   unloaded and loaded elsewhere has the same sites as before.

   Frames of our own replacement functions are left out: the first frame is the
   caller of malloc, as it is for the run-time library.  So is the outermost frame
   of a stack: it is _start, or the C library's way to begin a thread, which under
   Valgrind is another one (clone) than outside (clone3).  Valgrind gives the last
   byte of each call; we keep the return address behind it.
*/

#include "pl_local.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_stacktrace.h"

#define TABLE 16384             // heads of chains, in either table
#define OWN_FRAMES 4            // at most so many of ours on top
#define MORE_FRAMES (OWN_FRAMES + 1)    // to see whether one is the outermost

typedef struct _Raw {
   struct _Raw* next;
   Site* site;
   UInt n;
   Addr ips[];
} Raw;

static Raw* raws[TABLE];
static Site* sites[TABLE];
static UInt depth, n_sites;

static UWord mix(UWord h, UWord x)
{
   h = (h ^ x) * 0x9e3779b97f4a7c15UL;
   return h ^ (h >> 29);
}

static Bool same_frames(const Site* a, const Site* b)
{
   if (a->n != b->n)
      return False;
   for (UInt i = 0; i < a->n; i++)
      if (a->frames[i].module != b->frames[i].module ||
          a->frames[i].offset != b->frames[i].offset)
         return False;
   return True;
}

/* The site of these addresses by module and offset.  The last one is the outermost
   if there are fewer than were asked for, not counting what Valgrind makes up where
   the stack has ended. */
static Site* find_site(const Addr* ips, UInt n)
{
   Site* s = VG_(calloc)("pl.site", 1, sizeof(*s) + depth * sizeof(s->frames[0]));
   UWord h = 0;

   while (n > 1 && module_find(ips[n - 1]) == NULL)
      n--;
   if (n > 1 && n < depth + MORE_FRAMES)
      n--;
   for (UInt i = 0; i < n && s->n < depth; i++) {
      Module* m = module_find(ips[i]);

      if (m != NULL && m->is_preload && s->n == 0)
         continue;
      s->frames[s->n].module = m;
      s->frames[s->n].offset = ips[i] + 1 - (m ? m->bias : 0);
      h = mix(mix(h, (UWord)m), s->frames[s->n].offset);
      s->n++;
   }
   for (Site* o = sites[h % TABLE]; o != NULL; o = o->next)
      if (same_frames(s, o)) {
         VG_(free)(s);
         return o;
      }
   s->next = sites[h % TABLE];
   sites[h % TABLE] = s;
   n_sites++;
   return s;
}

Site* site_here(ThreadId tid)
{
   Addr ips[TRAIN_MAX_DEPTH + MORE_FRAMES];
   UInt n = VG_(get_StackTrace)(tid, ips, depth + MORE_FRAMES, NULL, NULL, 0);
   UWord h = n;
   Raw* r;

   for (UInt i = 1; i < n; i++)
      h = mix(h, ips[i]);
   for (r = raws[h % TABLE]; r != NULL; r = r->next)
      if (r->n == n && VG_(memcmp)(r->ips, ips, n * sizeof(Addr)) == 0)
         return r->site;
   r = VG_(malloc)("pl.site.raw", sizeof(*r) + n * sizeof(Addr));
   r->n = n;
   VG_(memcpy)(r->ips, ips, n * sizeof(Addr));
   r->site = find_site(ips, n);
   r->next = raws[h % TABLE];
   raws[h % TABLE] = r;
   return r->site;
}

/* The site's record in the training file, made when it is first needed. */
static struct train_site* record(Site* s)
{
   UInt numbers[TRAIN_MAX_DEPTH];
   struct train_site* r;

   if (LIKELY(s->rec != NULL))
      return s->rec;
   for (UInt i = 0; i < s->n; i++)      // modules come before the site
      numbers[i] = module_number(s->frames[i].module);
   r = data_new(TRAIN_SITE, sizeof(*r) + s->n * sizeof(r->frames[0]));
   r->nframes = s->n;
   for (UInt i = 0; i < s->n; i++) {
      r->frames[i].module = numbers[i];
      r->frames[i].offset = s->frames[i].offset;
   }
   data_done();
   return s->rec = r;
}

ULong site_allocated(Site* s, SizeT size)
{
   struct train_site* r = record(s);

   r->allocated++;
   r->bytes += size;
   if (size > r->max_size)
      r->max_size = size;
   return s->allocated++;
}

void site_freed(Site* s)
{
   record(s)->freed++;
}

void site_raise(Site* s, ULong age)
{
   tl_assert(age > s->bound);
   s->bound = age;
   record(s)->bound = age;
}

void site_forget_addresses(void)
{
   for (UInt i = 0; i < TABLE; i++)
      while (raws[i] != NULL) {
         Raw* r = raws[i];

         raws[i] = r->next;
         VG_(free)(r);
      }
}

void site_reopen(void)
{
   for (UInt i = 0; i < TABLE; i++)
      for (Site* s = sites[i]; s != NULL; s = s->next) {
         s->rec = NULL;
         s->bound = 0;
      }
}

UInt site_count(void)
{
   return n_sites;
}

void site_init(UInt d)
{
   tl_assert(d >= 1 && d <= TRAIN_MAX_DEPTH);
   depth = d;
}

/*--------------------------------------------------------------------*/
/*--- end                                                 pl_site.c ---*/
/*--------------------------------------------------------------------*/
