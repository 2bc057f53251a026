/*
 * pl_child.c - programs that the program executes, and that this tool cannot run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Valgrind's core would start a 32-bit program with the tool's 32-bit twin, which there is
 * not, and the program would fail.  So it is executed as it is: nothing is learned of it.
 * The linker puts this function before the core's (--wrap, see the Makefile).  What cannot
 * be read, or is odd, is the core's to judge.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"

#include <elf.h>

#define HEAD 256
#define SCRIPTS 5    // a script of a script of ..., as the kernel

/* The path after `#!`; NULL: it is no script. */
static HChar* interpreter(HChar* text)
{
   HChar* p = text + 2;
   HChar* end;

   if (text[0] != '#' || text[1] != '!')
      return NULL;
   while (*p == ' ' || *p == '\t')
      p++;
   for (end = p; *end != 0 && *end != ' ' && *end != '\t' && *end != '\n'; end++)
      ;
   *end = 0;
   return *p != 0 ? p : NULL;
}

/* Up to HEAD bytes of a file, zeros behind them. */
static void read_head(HChar head[HEAD + 1], const HChar* path)
{
   SysRes fd = VG_(open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK, 0);

   VG_(memset)(head, 0, HEAD + 1);
   if (sr_isError(fd))
      return;
   if (VG_(read)(sr_Res(fd), head, HEAD) < 0)
      head[0] = 0;
   VG_(close)(sr_Res(fd));
}

static Bool runs_elsewhere(const HChar* path)
{
   HChar head[2][HEAD + 1];
   const Elf32_Ehdr* e;

   for (Int i = 0; i < SCRIPTS; i++) {
      HChar* h = head[i % 2];
      HChar* next;

      read_head(h, path);
      next = interpreter(h);
      if (next == NULL) {
         e = (const Elf32_Ehdr*)h;   // its beginning is that of 64 bits, too
         return VG_(memcmp)(h, ELFMAG, SELFMAG) == 0 &&
                (h[EI_CLASS] != ELFCLASS64 || e->e_machine != EM_X86_64);
      }
      path = next;
   }
   return False;
}

Bool __real_vgPlain_should_we_trace_this_child(const HChar* exe, const HChar** argv);
Bool __wrap_vgPlain_should_we_trace_this_child(const HChar* exe, const HChar** argv);

Bool __wrap_vgPlain_should_we_trace_this_child(const HChar* exe, const HChar** argv)
{
   if (exe != NULL && runs_elsewhere(exe))
      return False;
   return __real_vgPlain_should_we_trace_this_child(exe, argv);
}
