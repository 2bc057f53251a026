/*--------------------------------------------------------------------*/
/*--- truth: when was each byte touched last?                 tool.c ---*/
/*--------------------------------------------------------------------*/

/*
   This tool is linked against Valgrind's core and is, like that,
   distributed under the GNU General Public License, version 2 or later.

   The oracle that libplumb.so is held against, on programs as they come.  The
   client keeps its own malloc (libplumb.so, preloaded).  The tool notes for every
   16 bytes of memory when they were read or written last: by any instruction of
   any library, and by system calls on the client's behalf.  client.c asks.

   Time is counted in instructions: the clocks that the client reads (monotonic, and
   those of CPU time) advance with each of them.  So a run is the same on any
   machine, busy or not.  The program's instructions take 20 ns each, which makes a
   thousand million of them a run of 20 s; those of libplumb.so and system calls take
   about what they do on real machines, as the library watches as much as it can
   afford.

   What is not the client's doing: libplumb.so copies pages into its memfd by
   pwrite(), which is no touch.  Its clock is read after that, in any case.

   Valgrind 3.19 does not know userfaultfd.  Without it the kernel maps pages
   around a page that is read, and they look touched.  So the call is made here,
   in its place.
*/

#include "truth.h"

#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "libvex_guest_amd64.h"

#define INSTRUCTION 20          // ns of one of the program's
#define LIBRARY 1               // of one of libplumb.so's
#define SYSCALL 800
#define START 1000000000000ULL  // what the clock shows at first
#define JUDGE 1000000000        // ns between judgements

#define NR_userfaultfd 323

extern SysRes VG_(do_syscall)(UWord number, RegWord a, RegWord b, RegWord c,
                              RegWord d, RegWord e, RegWord f, RegWord g,
                              RegWord h);

static ULong now;               // ns since the start
static ULong next_judgement = JUDGE;
static Bool ours;               // libplumb.so is in a system call of its own
static struct truth_sums sums;

/*------------------------------------------------------------*/
/*--- The last touch of each 16 bytes                      ---*/
/*------------------------------------------------------------*/

typedef ULong Stamps[256];      // of a page
typedef struct { Stamps* page[1 << 18]; } Gigabyte;

static Gigabyte* memory[1 << 17];

static Stamps* stamps_of(Addr a)
{
   Gigabyte* g;

   if (a >> 47)
      return NULL;
   g = memory[a >> 30];
   return g == NULL ? NULL : g->page[a >> 12 & 0x3ffff];
}

static Stamps* stamps_make(Addr a)
{
   Gigabyte** g = &memory[a >> 30 & 0x1ffff];
   Stamps** s;

   if (*g == NULL)
      *g = VG_(am_shadow_alloc)(sizeof(**g));
   tl_assert(*g != NULL);
   s = &(*g)->page[a >> 12 & 0x3ffff];
   if (*s == NULL)
      *s = VG_(calloc)("truth.stamps", 1, sizeof(**s));
   return *s;
}

static void touch(Addr a, SizeT n)
{
   Addr end = a + (n ? n : 1);

   for (a &= ~(Addr)15; a < end; a += 16) {
      Stamps* s = stamps_of(a);

      if (s == NULL)
         s = stamps_make(a);
      (*s)[a >> 4 & 255] = now;
   }
}

static VG_REGPARM(2) void access_at(Addr a, SizeT n)
{
   Stamps* s = stamps_of(a);

   if (LIKELY(s != NULL && (a & 15) + n <= 16))
      (*s)[a >> 4 & 255] = now;
   else
      touch(a, n);
}

static ULong last_touch(Addr a, SizeT n)
{
   Addr end = a + n;
   ULong last = 0;

   for (a &= ~(Addr)15; a < end; a += 16) {
      Stamps* s = stamps_of(a);

      if (s == NULL)
         a |= 4095 & ~15UL;
      else if ((*s)[a >> 4 & 255] > last)
         last = (*s)[a >> 4 & 255];
   }
   return last;
}

/*------------------------------------------------------------*/
/*--- Instrumentation                                      ---*/
/*------------------------------------------------------------*/

static void add_access(IRSB* out, IRExpr* addr, SizeT n, IRExpr* guard)
{
   IRDirty* d = unsafeIRDirty_0_N(2, "access_at", VG_(fnptr_to_fnentry)(access_at),
                                  mkIRExprVec_2(addr, mkIRExpr_HWord(n)));

   if (guard != NULL)
      d->guard = guard;
   addStmtToIRSB(out, IRStmt_Dirty(d));
}

static void add_accesses(IRSB* out, IRStmt* st)
{
   const IRTypeEnv* env = out->tyenv;

   switch (st->tag) {
   case Ist_WrTmp:
      if (st->Ist.WrTmp.data->tag == Iex_Load)
         add_access(out, st->Ist.WrTmp.data->Iex.Load.addr,
                    sizeofIRType(st->Ist.WrTmp.data->Iex.Load.ty), NULL);
      break;
   case Ist_Store:
      add_access(out, st->Ist.Store.addr,
                 sizeofIRType(typeOfIRExpr(env, st->Ist.Store.data)), NULL);
      break;
   case Ist_StoreG:
      add_access(out, st->Ist.StoreG.details->addr,
                 sizeofIRType(typeOfIRExpr(env, st->Ist.StoreG.details->data)),
                 st->Ist.StoreG.details->guard);
      break;
   case Ist_LoadG: {
      IRType loaded, result;

      typeOfIRLoadGOp(st->Ist.LoadG.details->cvt, &result, &loaded);
      add_access(out, st->Ist.LoadG.details->addr, sizeofIRType(loaded),
                 st->Ist.LoadG.details->guard);
      break;
   }
   case Ist_CAS: {
      const IRCAS* c = st->Ist.CAS.details;
      SizeT n = sizeofIRType(typeOfIRExpr(env, c->dataLo));

      add_access(out, c->addr, c->dataHi != NULL ? 2 * n : n, NULL);
      break;
   }
   case Ist_LLSC:
      add_access(out, st->Ist.LLSC.addr, 8, NULL);
      break;
   case Ist_Dirty:
      if (st->Ist.Dirty.details->mFx != Ifx_None)
         add_access(out, st->Ist.Dirty.details->mAddr,
                    st->Ist.Dirty.details->mSize, st->Ist.Dirty.details->guard);
      break;
   default:
      break;
   }
}

/* The clock goes n ns further. */
static void add_time(IRSB* out, Int n)
{
   IRExpr* where = mkIRExpr_HWord((HWord)&now);
   IRTemp was = newIRTemp(out->tyenv, Ity_I64), is = newIRTemp(out->tyenv, Ity_I64);

   addStmtToIRSB(out, IRStmt_WrTmp(was, IRExpr_Load(Iend_LE, Ity_I64, where)));
   addStmtToIRSB(out, IRStmt_WrTmp(is, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(was),
                                                    mkIRExpr_HWord((HWord)n))));
   addStmtToIRSB(out, IRStmt_Store(Iend_LE, where, IRExpr_RdTmp(is)));
}

static Bool is_library(Addr a)
{
   const NSegment* seg = VG_(am_find_nsegment)(a);
   const HChar* name = seg != NULL ? VG_(am_get_filename)(seg) : NULL;

   return name != NULL && VG_(strstr)(name, "/libplumb.so") != NULL;
}

static IRSB* instrument(VgCallbackClosure* closure, IRSB* in,
                        const VexGuestLayout* layout, const VexGuestExtents* vge,
                        const VexArchInfo* archinfo_host, IRType gWordTy,
                        IRType hWordTy)
{
   IRSB* out = deepCopyIRSBExceptStmts(in);
   Int i, n = 0;

   for (i = 0; i < in->stmts_used; i++)
      n += in->stmts[i]->tag == Ist_IMark;
   for (i = 0; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
      addStmtToIRSB(out, in->stmts[i]);
   add_time(out, n * (is_library((Addr)closure->readdr) ? LIBRARY : INSTRUCTION));
   for (; i < in->stmts_used; i++) {
      if (in->stmts[i]->tag == Ist_NoOp)
         continue;
      add_accesses(out, in->stmts[i]);
      addStmtToIRSB(out, in->stmts[i]);
   }
   return out;
}

/*------------------------------------------------------------*/
/*--- System calls                                         ---*/
/*------------------------------------------------------------*/

static void on_read(CorePart part, ThreadId tid, const HChar* s, Addr a, SizeT n)
{
   if (!ours)
      touch(a, n);
}

static void on_read_string(CorePart part, ThreadId tid, const HChar* s, Addr a)
{
   touch(a, VG_(strlen)((const HChar*)a) + 1);
}

static void on_written(CorePart part, ThreadId tid, Addr a, SizeT n)
{
   touch(a, n);
}

/* Is this descriptor the library's memfd? */
static Bool is_memfd(Int fd)
{
   HChar name[64], to[64];
   SSizeT n;

   VG_(sprintf)(name, "/proc/self/fd/%d", fd);
   n = VG_(readlink)(name, to, sizeof(to));
   return n > 12 && VG_(strncmp)(to, "/memfd:plumb", 12) == 0;
}

static void before_syscall(ThreadId tid, UInt number, UWord* args, UInt nargs)
{
   now += SYSCALL;
   ours = number == __NR_pwrite64 && is_memfd((Int)args[0]);
}

static void set_clock(struct vki_timespec* t, ULong ns)
{
   t->tv_sec = ns / 1000000000;
   t->tv_nsec = ns % 1000000000;
}

static void after_syscall(ThreadId tid, UInt number, UWord* args, UInt nargs, SysRes res)
{
   ours = False;
   if (number == __NR_clock_gettime && !sr_isError(res)) {
      switch (args[0]) {
      case 2: case 3:           // CPU time of the process, of the thread
         set_clock((struct vki_timespec*)args[1], now);
         break;
      case 1: case 4: case 6:   // monotonic, raw, coarse
         set_clock((struct vki_timespec*)args[1], START + now);
         break;
      default:
         break;
      }
   } else if (number == NR_userfaultfd && sr_isError(res)) {
      SysRes r = VG_(do_syscall)(NR_userfaultfd, args[0], 0, 0, 0, 0, 0, 0, 0);

      if (!sr_isError(r)) {
         UWord fd = sr_Res(r);

         VG_(set_shadow_regs_area)(tid, 0, offsetof(VexGuestAMD64State, guest_RAX),
                                   sizeof(fd), (UChar*)&fd);
      }
   }
}

/*------------------------------------------------------------*/
/*--- Requests                                             ---*/
/*------------------------------------------------------------*/

static Bool on_request(ThreadId tid, UWord* arg, UWord* ret)
{
   ULong last;

   switch (arg[0]) {
   case TRUTH_BORN:
      touch(arg[1], arg[2]);
      *ret = now >= next_judgement;
      return True;
   case TRUTH_LAST:
      last = last_touch(arg[1], arg[2]);
      *ret = last ? START + last : 0;
      return True;
   case TRUTH_NOW:
      *ret = START + now;
      return True;
   case TRUTH_SUMS:
      sums = *(const struct truth_sums*)arg[1];
      next_judgement = now + JUDGE;
      *ret = 1;
      return True;
   default:
      return False;
   }
}

static UInt share(double part, double whole)
{
   return whole > 0 ? (UInt)(part / whole * 1000) : 1000;
}

static void tool_end(Int exitcode)
{
   UInt recall = share(sums.known, sums.stale), weighted = share(sums.known_drag, sums.drag);

   VG_(printf)("truth: seconds %llu judgements %lu objects %lu wrong %lu claims %lu "
               "wrong %lu sites %lu recall %u.%03u weighted %u.%03u\n",
               now / 1000000000, sums.judgements, sums.objects, sums.wrong_objects,
               sums.claims, sums.wrong_claims, sums.sites, recall / 1000, recall % 1000,
               weighted / 1000, weighted % 1000);
}

static void after_fork(ThreadId tid)
{
   sums = (struct truth_sums){ 0 };
}

static void tool_begin(void)
{
   VG_(atfork)(NULL, NULL, after_fork);
}

static void tool_init(void)
{
   VG_(details_name)("truth");
   VG_(details_version)("1");
   VG_(details_description)("notes when memory was touched last");
   VG_(details_copyright_author)("Part of plumb; Valgrind's terms apply.");
   VG_(details_bug_reports_to)("the authors of plumb");
   VG_(basic_tool_funcs)(tool_begin, instrument, tool_end);
   VG_(needs_client_requests)(on_request);
   VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
   VG_(track_pre_mem_read)(on_read);
   VG_(track_pre_mem_read_asciiz)(on_read_string);
   VG_(track_post_mem_write)(on_written);
}

VG_DETERMINE_INTERFACE_VERSION(tool_init)
