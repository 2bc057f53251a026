/*--------------------------------------------------------------------*/
/*--- Loads, stores and system calls.                   pl_access.c ---*/
/*--------------------------------------------------------------------*/

/*
   Part of plumb's tool.  SPDX-License-Identifier: GPL-2.0-or-later

   Before each access of the client's code we insert a call of access_at(), with
   a guard: is the address between the lowest and the highest block there ever
   was?  Stacks and the program's own data lie outside, and cost a subtraction
   and a comparison.

   Accesses are joined within a superblock, which is entered at its top only:
   while it runs nothing is allocated, so that no age changes, and a second access
   to the same object tells nothing new.  Two accesses are taken to be to the same
   object if their addresses differ by a constant: addresses of different heap
   objects do not.  (A client that computes one block's address from another's
   breaks that, and C.)  An access that happens under a condition only is
   never a reason to leave out another one.

   What a system call reads counts before it is made, what it writes when it has
   returned; in between other threads may have allocated.
*/

#include "pl_local.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

/*------------------------------------------------------------*/
/*--- What generated code calls                            ---*/
/*------------------------------------------------------------*/

static VG_REGPARM(1) void access_at(Addr a)
{
   Block* b = heap_block(a);

   if (b != NULL)
      access_block(b);
}

/* All blocks that have a byte in a .. a + len - 1. */
void access_range(Addr a, SizeT len)
{
   Addr end = a + len;

   if (end < a || a >= heap_lo + heap_span || end <= heap_lo)
      return;
   if (a < heap_lo)
      a = heap_lo;
   if (end > heap_lo + heap_span)
      end = heap_lo + heap_span;
   while (a < end) {
      Block* b = heap_block(a);

      if (b == NULL) {
         a = (a | ((1UL << GRANULE_BITS) - 1)) + 1;
         continue;
      }
      access_block(b);
      a = (b->start + (b->size ? b->size : 1) + (1UL << GRANULE_BITS) - 1) &
          ~((1UL << GRANULE_BITS) - 1);
   }
}

static VG_REGPARM(2) void access_many(Addr a, SizeT len)
{
   access_range(a, len);
}

/*------------------------------------------------------------*/
/*--- System calls                                         ---*/
/*------------------------------------------------------------*/

static void on_read(CorePart part, ThreadId tid, const HChar* s, Addr a, SizeT n)
{
   access_range(a, n);
}

static void on_read_string(CorePart part, ThreadId tid, const HChar* s, Addr a)
{
   access_range(a, 1);
}

static void on_written(CorePart part, ThreadId tid, Addr a, SizeT n)
{
   access_range(a, n);
}

void access_track_syscalls(void)
{
   VG_(track_pre_mem_read)(on_read);
   VG_(track_pre_mem_read_asciiz)(on_read_string);
   VG_(track_post_mem_write)(on_written);
}

/*------------------------------------------------------------*/
/*--- Superblocks                                          ---*/
/*------------------------------------------------------------*/

/* One superblock at work. */
typedef struct {
   IRSB* out;
   IRTemp* root;        // of each temporary: what it is a constant away from
   Bool* seen;          // has something at this root been accessed for sure?
   Int n_temps;         // of the original superblock
   IRTemp lo, span;     // heap_lo and heap_span, once they are loaded
} Work;

static IRTemp assign(Work* w, IRType type, IRExpr* e)
{
   IRTemp t = newIRTemp(w->out->tyenv, type);

   addStmtToIRSB(w->out, IRStmt_WrTmp(t, e));
   return t;
}

static IRExpr* load_word(void* from)
{
   return IRExpr_Load(Iend_LE, Ity_I64, mkIRExpr_HWord((HWord)from));
}

/* A condition: can addr (an atom) be in the heap? */
static IRExpr* in_heap(Work* w, IRExpr* addr)
{
   IRTemp off, yes;

   if (w->lo == IRTemp_INVALID) {
      w->lo = assign(w, Ity_I64, load_word(&heap_lo));
      w->span = assign(w, Ity_I64, load_word(&heap_span));
   }
   off = assign(w, Ity_I64, IRExpr_Binop(Iop_Sub64, addr, IRExpr_RdTmp(w->lo)));
   yes = assign(w, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, IRExpr_RdTmp(off),
                                        IRExpr_RdTmp(w->span)));
   return IRExpr_RdTmp(yes);
}

/* Data of a mapped file cannot become a heap block. */
static Bool is_file_data(IRExpr* addr)
{
   const NSegment* seg;

   if (addr->tag != Iex_Const)
      return False;
   seg = VG_(am_find_nsegment)((Addr)addr->Iex.Const.con->Ico.U64);
   return seg != NULL && seg->kind == SkFileC;
}

static Bool known_already(const Work* w, IRExpr* addr)
{
   return addr->tag == Iex_RdTmp && w->seen[w->root[addr->Iex.RdTmp.tmp]];
}

/* The client accesses addr, if guard (NULL: always). */
static void add_access(Work* w, IRExpr* addr, IRExpr* guard)
{
   IRExpr* where = addr;
   IRDirty* d;

   tl_assert(isIRAtom(addr));
   if (known_already(w, addr) || is_file_data(addr))
      return;
   if (guard != NULL)           // address 0 is in no heap
      where = IRExpr_RdTmp(assign(w, Ity_I64,
                 IRExpr_ITE(guard, addr, IRExpr_Const(IRConst_U64(0)))));
   else if (addr->tag == Iex_RdTmp)
      w->seen[w->root[addr->Iex.RdTmp.tmp]] = True;
   d = unsafeIRDirty_0_N(1, "access_at", VG_(fnptr_to_fnentry)(access_at),
                         mkIRExprVec_1(where));
   d->guard = in_heap(w, where);
   addStmtToIRSB(w->out, IRStmt_Dirty(d));
}

/* A helper of VEX that reads or writes memory on the client's behalf. */
static void add_dirty_access(Work* w, const IRDirty* d)
{
   IRDirty* call;

   if (d->mFx == Ifx_None)
      return;
   call = unsafeIRDirty_0_N(2, "access_many", VG_(fnptr_to_fnentry)(access_many),
                            mkIRExprVec_2(d->mAddr, mkIRExpr_HWord(d->mSize)));
   call->guard = d->guard;
   addStmtToIRSB(w->out, IRStmt_Dirty(call));
}

/* Notes what t is a constant away from, if it is so computed. */
static void note_root(Work* w, IRTemp t, const IRExpr* e)
{
   const IRExpr* from = NULL;

   w->root[t] = t;
   if (e->tag == Iex_RdTmp) {
      from = e;
   } else if (e->tag == Iex_Binop &&
              (e->Iex.Binop.op == Iop_Add64 || e->Iex.Binop.op == Iop_Sub64)) {
      if (e->Iex.Binop.arg1->tag == Iex_RdTmp && e->Iex.Binop.arg2->tag == Iex_Const)
         from = e->Iex.Binop.arg1;
      else if (e->Iex.Binop.op == Iop_Add64 && e->Iex.Binop.arg1->tag == Iex_Const &&
               e->Iex.Binop.arg2->tag == Iex_RdTmp)
         from = e->Iex.Binop.arg2;
   }
   if (from != NULL)
      w->root[t] = w->root[from->Iex.RdTmp.tmp];
}

static void add_accesses(Work* w, const IRStmt* st)
{
   switch (st->tag) {
   case Ist_WrTmp:
      note_root(w, st->Ist.WrTmp.tmp, st->Ist.WrTmp.data);
      if (st->Ist.WrTmp.data->tag == Iex_Load)
         add_access(w, st->Ist.WrTmp.data->Iex.Load.addr, NULL);
      break;
   case Ist_Store:
      add_access(w, st->Ist.Store.addr, NULL);
      break;
   case Ist_StoreG:
      add_access(w, st->Ist.StoreG.details->addr, st->Ist.StoreG.details->guard);
      break;
   case Ist_LoadG:
      add_access(w, st->Ist.LoadG.details->addr, st->Ist.LoadG.details->guard);
      break;
   case Ist_CAS:
      add_access(w, st->Ist.CAS.details->addr, NULL);
      break;
   case Ist_LLSC:
      add_access(w, st->Ist.LLSC.addr, NULL);
      break;
   case Ist_Dirty:
      add_dirty_access(w, st->Ist.Dirty.details);
      break;
   default:
      break;
   }
}

IRSB* access_instrument(VgCallbackClosure* closure, IRSB* in,
                        const VexGuestLayout* layout,
                        const VexGuestExtents* vge,
                        const VexArchInfo* archinfo_host,
                        IRType gWordTy, IRType hWordTy)
{
   Work w;
   Int i;

   tl_assert(gWordTy == Ity_I64 && hWordTy == Ity_I64);
   w.out = deepCopyIRSBExceptStmts(in);
   w.n_temps = in->tyenv->types_used;
   w.root = VG_(malloc)("pl.access.root", w.n_temps * sizeof(*w.root) + 1);
   w.seen = VG_(calloc)("pl.access.seen", 1, w.n_temps * sizeof(*w.seen) + 1);
   w.lo = w.span = IRTemp_INVALID;
   for (i = 0; i < w.n_temps; i++)
      w.root[i] = (IRTemp)i;

   for (i = 0; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
      addStmtToIRSB(w.out, in->stmts[i]);
   for (; i < in->stmts_used; i++) {
      if (in->stmts[i]->tag == Ist_NoOp)
         continue;
      add_accesses(&w, in->stmts[i]);
      addStmtToIRSB(w.out, in->stmts[i]);
   }
   VG_(free)(w.seen);
   VG_(free)(w.root);
   return w.out;
}

/*--------------------------------------------------------------------*/
/*--- end                                               pl_access.c ---*/
/*--------------------------------------------------------------------*/
