/*
 * model.h - what a function does to memory, in a small language.
 *
 * Grown from Figure 8 of Xu and Zhang (QSIC 2008).  The same language is
 * written by hand for libraries (models/, --model FILE), read from attributes
 * in the source, and printed for the summaries that the path engine infers.
 * docs/models.md tells it to users.
 *
 *	# a comment
 *	resource file "open file";
 *	resource library "loaded library" active;
 *
 *	malloc          { return new memory; }
 *	free            { free arg1; }
 *	fopen, fopen64  { return new file freed by fclose; }
 *	fclose          { free arg1 as file; }
 *	realloc         { return new memory; free arg1 when return != null;
 *	                  copy arg1 to return; }
 *	asprintf        { *arg1 = new memory when return >= 0; }
 *	getline         { free *arg1; *arg1 = new memory; write arg2; }
 *	getaddrinfo     { *arg4 = new addrinfo freed by freeaddrinfo when return == 0; }
 *	regcomp         { *arg1 = new regex freed by regfree when return == 0; }
 *	scandir         { *arg2 = new memory when return >= 0;
 *	                  (*arg2)->[*] = new memory when return >= 0; }
 *	mmap            { return new mapping freed by munmap nonnull or -1; }
 *	strchr          { return into arg1 or null; }
 *	getenv          { return static or null; }
 *	memcpy          { copy arg2 to arg1; return arg1; }
 *	read            { write arg2; }
 *	putenv          { keep arg1; }
 *	qsort           { call arg4(into arg1, into arg1); write arg1; }
 *	pthread_create  { call later arg3(arg4) when return == 0; write arg1; }
 *	exit            { noreturn; }
 *	error           { noreturn when arg1 != 0; }
 *	strlen          { ignore; }
 *	node_free       { free arg1->name; free arg1; }
 *	table_free      { free arg1->rows->[*].text; free arg1->rows; free arg1; }
 *	queue_push      { keep arg2 in arg1 when return == 0; }
 *	X509_up_ref     { ref arg1; }
 *	"odd.name$1"    { ignore; }
 *	override json_decref { free arg1 as json; }
 *
 * name    letters (also beyond ASCII), digits, _ and $; any other name is quoted
 *         ("a.b", with \" \\ \xHH), as is a function called `resource` or
 *         `override`.  Names are those of the compiler's output.  A model may
 *         also have the name of an external variable that holds a function's
 *         address (xmlFree): it tells what a call through that variable does (hooks.h).
 * place   a value: return, argN (from 1), argN... (that one and all after),
 *         global NAME, then steps: *PLACE is what it points to, PLACE->f a
 *         member of what it points to, PLACE->[8] the same by byte offset,
 *         PLACE->[*] any element or member, PLACE->[*].f and PLACE->[*].[8] a
 *         member of any element; f may be nested: PLACE->a.b.  As in C, -> binds
 *         before *; parentheses help: (*arg1)->f.  *PLACE is PLACE->[0], and
 *         PLACE->[*].[0] is PLACE->[*].
 * effect  return VALUE or ... | PLACE = VALUE or ... | free PLACE [as RESOURCE]
 *         | keep PLACE [in PLACE] | hold PLACE [in PLACE] | ref PLACE | copy PLACE to PLACE | write PLACE
 *         | call [later] PLACE(VALUE, ...) | noreturn | ignore
 * value   new RESOURCE [freed by NAME, ...] [zeroed] [nonnull] | PLACE | into PLACE
 *         | null | nonnull | static [in PLACE] | unknown [in PLACE] | INT
 * when    an effect may end in `when PLACE OP CONST [and ...]`; OP is one of
 *         == != < <= > >= has lacks, CONST an integer or (with == and !=) null
 *
 * Whatever is not mentioned does not happen: an argument that is not freed or
 * kept still belongs to the caller afterwards.  A function with no model is
 * unknown, which is something else (see the design: it keeps what it is given).
 * A model is for functions whose code is not at hand: code in the program wins,
 * unless the model says `override` (an inline function that counts references).
 *
 * All effects of a call happen together.  What they and their conditions read is
 * as it was before the call, but for what begins at `return`; what they set is
 * so after it, and the way to it is that after it.  So, whatever the order,
 * `free *arg1; *arg1 = new memory; (*arg1)->next = null;` frees the old one, stores
 * a new one and sets a member of that.  Freeing null is nothing, and so is an
 * effect whose place is reached through null.
 *
 * set     Several values for one place, by `or` or in several effects, are
 *         alternatives: the place gets one of those whose condition holds, and
 *         is unchanged (`return`: any number or null) if there is none.  Set
 *         through [*], any of the places meant may have got the value.
 * new     An object that is the caller's to free.  May be null unless `nonnull` is
 *         said.  Stored where an object lies that is no pointer (a regex_t), it
 *         says that this object now owns something: engines may take it for a
 *         pointer at its offset 0.  `freed by` names what a person would call
 *         to free it, the best first; these names are for messages and fixes, may
 *         be macros (OPENSSL_free), and are `free` if none is given.  Whether a
 *         call frees it is told by the model of the function called.
 *         `zeroed`: full of zeros at first.  `used by return`: stored through an argument,
 *         and in use as long as what the call returns is not released (the memory that
 *         open_memstream() writes to): plumb fix frees it after that.
 * into    A pointer to somewhere in the object that the place points to; not null.
 * static  A pointer to memory that nobody need free, and that may be used again
 *         by the next call; not null.  `unknown` may be null and point anywhere;
 *         whatever it points to is not the caller's.
 * in      Behind these two: the value is of no use any more once the object is freed
 *         that the place points to (dlsym; fileno, which gives a number).  plumb fix
 *         wants to know that.
 * nonnull A pointer or number that is not zero.  negative: a number below zero, as errors are.
 * active  A resource that does something by being there (a library that is loaded): one
 *         that the program asks nothing of is not released by plumb fix.
 * free    The object that the place points to is given back.
 * keep    Somebody else can reach it from now on and may free it: a leak of it is
 *         no longer the caller's, who may still use it.  With `in B`: reached
 *         through the object that B points to, and lost when that is lost.
 * hold    The place is a number (`unknown in`) that others use from now on, or that there is a
 *         lock on: plumb fix releases nothing that it leads to.  With `in return` it is from
 *         now on the new object's (fdopen).  With `for null` it is an argument that points to
 *         memory, which calls of the same function look at that have null there (strtok):
 *         plumb fix does not free that before them.  To engines it is nothing.
 * ref     One owner more: it takes one free more.  An engine that does not count
 *         treats the object as kept, and any later free and use of it as right.
 * copy    Copies memory that A points to into memory that B points to, with the
 *         pointers in it.
 * write   Memory that P points to is written with plain data: numbers in it are
 *         unknown afterwards.  Pointers that were in it may have survived, and no
 *         engine may report them lost (ioctl on a struct that holds a buffer).
 *         What the same model sets there is so all the same.
 * call    Calls a function, any number of times, during the call; `later`: after
 *         it or in another thread (atexit, signal, pthread_create).
 * has     (P & CONST) != 0; lacks: (P & CONST) == 0.
 *
 * Where a member name fits no member of the type at hand, it means any member.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/arena.h"
#include "base/mem.h"
#include "effect/resource.h"

#include <stdio.h>

enum model_base { MODEL_RETURN, MODEL_ARG, MODEL_ARGS_FROM, MODEL_GLOBAL };

struct model_step {		/* one dereference */
	const char *field;	/* member name, "a.b" for nested ones; NULL: by offset */
	int64_t offset;
	bool any;		/* [*]: of any element; offset 0 and no field: any member, too */
};

enum { MODEL_MAX_ARG = 255, MODEL_MAX_STEPS = 16 };

struct model_place {
	enum model_base base;
	unsigned arg;		/* from 1 */
	const char *global;
	unsigned nsteps;
	const struct model_step *steps;
};

enum model_vkind {
	MODEL_V_NEW, MODEL_V_PLACE, MODEL_V_INTO, MODEL_V_NULL, MODEL_V_NONNULL, MODEL_V_NEGATIVE,
	MODEL_V_STATIC, MODEL_V_UNKNOWN, MODEL_V_INT,
};

struct model_value {
	enum model_vkind kind;
	struct model_place place;		/* PLACE, INTO; STATIC, UNKNOWN if `in` */
	bool in;
	const struct resource *resource;	/* NEW */
	bool nonnull, zeroed, used;		/* NEW */
	unsigned nfreers;			/* NEW ... freed by */
	const char *const *freers;
	int64_t value;				/* INT */
};

enum model_cmp {
	MODEL_EQ, MODEL_NE, MODEL_LT, MODEL_LE, MODEL_GT, MODEL_GE,
	MODEL_HAS, MODEL_LACKS,	/* some, none of the bits of value is set */
};

struct model_cond {
	struct model_place place;
	enum model_cmp cmp;
	bool null;		/* compared with null; value is 0 then */
	int64_t value;
};

enum model_ekind {
	MODEL_E_SET,		/* place = value; `return V` is place MODEL_RETURN */
	MODEL_E_FREE,		/* free place as resource */
	MODEL_E_KEEP,		/* keep place [in to] */
	MODEL_E_COPY,		/* copy place to to */
	MODEL_E_WRITE,
	MODEL_E_CALL,		/* call [later] place(args) */
	MODEL_E_REF,
	MODEL_E_HOLD,		/* hold place [in to | for null] */
	MODEL_E_NORETURN,	/* noreturn when ...; see model.noreturn */
};

struct model_effect {
	enum model_ekind kind;
	struct model_place place;
	bool has_to;
	struct model_place to;
	struct model_value value;
	const struct resource *resource;	/* FREE; memory if not said */
	bool later;				/* CALL; HOLD: for null */
	unsigned nargs;				/* CALL */
	const struct model_value *args;		/* without freers */
	unsigned nconds;
	const struct model_cond *conds;		/* all must hold */
};

struct model {
	const char *name;
	bool override;		/* counts even where the function has a body */
	bool noreturn;		/* never, whatever the arguments */
	unsigned neffects;	/* 0 and !noreturn: ignore */
	const struct model_effect *effects;
	const char *file;	/* where it was defined, for messages */
	unsigned line;
};

struct model_set;

struct model_set *model_set_new(void);
void model_set_free(struct model_set *s);

/* Adds the models of a text; a later model of the same name replaces an earlier
 * one, but two in one text are an error, as is a resource that was not declared
 * before its use, here or in a text added earlier (`memory` always is).
 * Negative: nothing was added, the message is "name:line:col: ...". */
int model_parse(struct model_set *s, const char *text, size_t n, const char *name);
int model_parse_file(struct model_set *s, const char *path);
/* All *.model files of a folder, in the order of their names; it is an error if
 * there are none.  Negative: those before the one that failed were added. */
int model_parse_dir(struct model_set *s, const char *dir);
/* The shipped models: found beside the executable, in the source tree or where
 * make install put them; $PLUMB_MODELS, a folder or a file, comes first. */
int model_load_shipped(struct model_set *s);

const struct model *model_find(const struct model_set *s, const char *name);
unsigned model_count(const struct model_set *s);
/* In order of definition; i is below model_count(). */
const struct model *model_at(const struct model_set *s, unsigned i);
/* Those that the texts have declared. */
const struct resources *model_resources(const struct model_set *s);

/* The same effects, under the same name; where they were defined does not count. */
bool model_equal(const struct model *a, const struct model *b);

/* Printing gives text that parses to the same model, once the resources that it
 * names are declared.  model_set_print declares them and prints every model. */
void model_print(const struct model *m, FILE *f);
void model_effect_print(const struct model_effect *e, FILE *f);		/* without `;` */
void model_place_print(const struct model_place *p, FILE *f);
void model_name_print(const char *name, FILE *f);	/* a function's, quoted if need be */
void model_set_print(const struct model_set *s, FILE *f);

/* A number that differs if an answer to an engine could differ: a hash of the texts that the
 * set was made from, in their order, and of their names.  So a new comment changes it, too. */
uint64_t model_set_digest(const struct model_set *s);
uint64_t model_effect_digest(const struct model_effect *e);	/* 0 for NULL */

/* Questions that every engine asks.  The first effect that fits, or NULL. */
const struct model_effect *model_allocates(const struct model *m);	/* return = new ... */
const struct model_effect *model_frees(const struct model *m, unsigned arg);	/* free argN */
/* Does it change memory behind the argument, or call a function that may? */
bool model_writes(const struct model *m, unsigned arg);
/* *argN = return: the result is stored there, too. */
const struct model_effect *model_stores_result(const struct model *m);
/* Does the model nothing with the argument but put new plain memory there (`*argN = new memory`)?  Then
 * the function does not look at the old value.  With other resources it may: whoever sets a GError looks
 * whether one is set. */
bool model_only_sets(const struct model *m, unsigned arg);
/* How many effects from e on, of n, are alternatives of one set? */
unsigned model_alternatives(const struct model_effect *e, unsigned n);

/* Does the place begin at argument number arg (from 1)? */
bool model_place_begins_at(const struct model_place *p, unsigned arg);
/* Is the place that argument itself? */
bool model_place_is_arg(const struct model_place *p, unsigned arg);
/* Is the value that argument, or a pointer into the object that the argument points to? */
bool model_value_is_arg(const struct model_value *v, unsigned arg);
/* Is the value the place's pointer, or one that is of no use any more when that object is freed? */
bool model_value_depends(const struct model_value *v);
/* Does the condition hold if its place has the number x? */
bool model_cond_holds(const struct model_cond *c, int64_t x);

/* Assert all invariants of one model, of a set and all models in it. */
void model_check(const struct model *m);
void model_set_check(const struct model_set *s);

#endif
