/*
   trainfile.h - the training file: what one trained process leaves behind.

   SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
   (it is part of the tool and of plumb itself)

   The file is written by the Valgrind tool, piece by piece, through a shared
   mapping, so that whatever ends the process, kill -9 included, the file holds
   all that was seen until then.  It is read by src/run/training.c.

   It is a header and a sequence of records in the machine's own byte order,
   each a multiple of eight bytes long and none across a multiple of
   TRAIN_CHUNK; `used` in the header is raised when a record is complete.
   Frames name their module by its number in the file, in order of appearance;
   a module is written before the first site that needs it.

   One process, one file: NAME.PID.N, where N tells the programs apart that one
   process executed.  A forked child's file holds what the child did; it has
   records only of the sites that the child used.

   vocabulary
      site       the innermost frames of the call stack of an allocation, without
                 the outermost one of all (_start, or what begins a thread)
      allocated  blocks handed out at the site; a realloc hands out a new one
      freed      blocks of the site that were given back; realloc included
      bound      m of the paper's section 3.1: the largest age of an object of
                 this site at which it was accessed, where the newest has age 1
      offset     of the return address, as the ELF file counts (its virtual
                 address, whatever the place it is loaded at)
*/
#ifndef VALGRIND_TRAINFILE_H
#define VALGRIND_TRAINFILE_H

#define TRAIN_MAGIC "plumbtrn"
#define TRAIN_VERSION 1
#define TRAIN_CHUNK 65536
#define TRAIN_MAX_DEPTH 16
#define TRAIN_NO_MODULE 0xffffffffu

enum train_state {
   TRAIN_LIVE = 1,      /* running, or ended by force, or by executing another program */
   TRAIN_EXITED = 2,
};

enum train_kind {
   TRAIN_PAD = 1,       /* the rest of a chunk */
   TRAIN_COMMAND = 2,   /* the program and its arguments, each with its NUL */
   TRAIN_MODULE = 3,
   TRAIN_SITE = 4,
};

struct train_header {
   char magic[8];
   unsigned version;
   unsigned depth;              /* at most so many frames a site */
   unsigned pid, parent;
   unsigned state;
   int exit_code;               /* if exited */
   unsigned long long used;     /* bytes of the file that are complete */
   unsigned long long skipped;  /* sites that found no room on the disk */
};

struct train_record {
   unsigned kind, size;         /* size: with this head */
};

struct train_module {
   struct train_record head;
   unsigned id_len;             /* of the build-id; 0: none */
   unsigned path_len;           /* without the NUL */
   unsigned char id[32];
   char path[];                 /* NUL-terminated */
};

struct train_frame {
   unsigned module, unused;
   unsigned long long offset;
};

struct train_site {
   struct train_record head;
   unsigned long long allocated, freed, bound;
   unsigned long long max_size, bytes;  /* as the program asked */
   unsigned nframes, unused;
   struct train_frame frames[];
};

#endif
