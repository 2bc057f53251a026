/*
 * pl_debug.c - debug information that Valgrind shall not read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sites are modules and offsets, and plumb finds names and lines later, so that nobody here
 * needs the line tables of the program.  Valgrind's core reads them all the same, which
 * takes most of the time in which a program starts, and version 3.19 gives up, program
 * and all, where it meets DWARF 5 as clang writes it.  The linker puts this function in
 * the place of the core's (--wrap, see the Makefile).  Unwind tables are read by another
 * one.
 */
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);

void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void)
{
}
