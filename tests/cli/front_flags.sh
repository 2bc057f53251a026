# front_flags.sh - flags of gcc, old C, attributes that clang refuses.
. "$ROOT/tests/lib.sh"

cat >a.c <<'END'
#include <stdlib.h>
#ifdef WANT
int wanted(void) { return 0; }
#endif
#ifdef __OPTIMIZE__
int optimised(void) { return 0; }
#endif
char c = -1;
END

run "$PLUMB" dump ir a.c -- -DWANT
expect_out_has "-D is kept" '^func @wanted[#(]'
run "$PLUMB" dump ir a.c -- -O2 -Wall -Werror -g3 -MMD -MF x.d -o x.o -c -fopenmp -flto -save-temps -pipe
expect_status "flags for gcc's other work do no harm" 0
expect_out_lacks "-O is left out" '^func @optimised[#(]'
check "no file was written" test ! -e x.d -a ! -e x.o -a ! -e a.s -a ! -e a.o

run "$PLUMB" dump ir a.c -- -fno-such-flag -mno-such-flag -march=no-such-cpu -std=gnu77 \
	-mpreferred-stack-boundary=4 -fplugin=x.so -specs=x --param max-x=3 -mcmodel=nonsense -DWANT \
	--target=no-such-machine -finput-charset=latin1 -nosuchflag -Wp,-DX,-MD,x.d
expect_status "flags that clang does not know are dropped" 0
expect_out_has "the others are kept" '^func @wanted[#(]'

printf -- '"-DB=\\"x y\\""\n@more.rsp\n' >args.rsp
printf -- '-DWANT\n' >more.rsp
run "$PLUMB" dump ir a.c -- @args.rsp
expect_out_has "a response file in a response file" '^func @wanted[#(]'

cat >old.c <<'END'
struct s { int a; };
int (*fp)(char *);
int f(int x) { return x; }
add(a, b) { char *p = a; undeclared(p); return p + b; }
int noval(n) int n; { if (n) return; fp = f; return &n; }
void val() { return 3; }
char *conv(s) struct s *s; { float *q = s; return q == s ? 7 : s; }
END
run "$PLUMB" dump ir old.c
expect_status "old C, no standard named" 0
expect_out_has "with its functions" '^func @conv[#(]'
run "$PLUMB" dump ir old.c -- -std=gnu89
expect_status "old C, -std=gnu89" 0
run "$PLUMB" dump ir old.c -- -ansi -pedantic-errors -Werror
expect_status "old C, -ansi -pedantic-errors" 0

# ---- attributes ----

cat >mem.h <<'END'
void my_free(int how, void *p);
__attribute__((malloc(my_free, 2), nonnull(1))) void *my_alloc(const char *name);
#define DEALLOC(f) __attribute__((__malloc__(f)))
void other_free(void *);
void *other(int) DEALLOC(other_free);
END
cat >attr.c <<'END'
#include "mem.h"
int use_bad(void) {
	char *p = my_alloc("x"); return p != 0; }
int use_ok(void) { char *p = my_alloc("x"); my_free(1, p); return 0; }
END
cat >attr2.c <<'END'
#include "mem.h"
int use2(void) { other_free(other(3)); return 0; }
END
run "$PLUMB" dump ir attr.c attr2.c
expect_status "gcc's malloc(deallocator), which clang refuses" 0
expect_out_has "is read" '^model "my_alloc \{ return new memory freed by my_free; \}"'
expect_out_has "with its deallocator" '^model "my_free \{ free arg2; \}"'
expect_out_has "also through a macro" '^model "other \{ return new memory freed by other_free; \}"'
expect_out_has "positions are those of the source" '@my_alloc.*@3:12'
run "$PLUMB" check --no-cache attr.c
expect_status "the leak is found" 1
expect_out_has "at its place" '^attr.c:3:12: '
expect_out_lacks "and only there" '^attr.c:4:'

cat >own.c <<'END'
void *mk(unsigned long) __attribute__((ownership_returns(malloc, 1)));
void rm(void *) __attribute__((ownership_takes(malloc, 1)));
void keep(int, void *) __attribute__((ownership_holds(malloc, 2)));
int own_ok(void) { rm(mk(3)); keep(1, mk(2)); return 0; }
END
run "$PLUMB" dump ir own.c
expect_out_has "ownership_returns" '^model "mk \{ return new memory; \}"'
expect_out_has "ownership_takes" '^model "rm \{ free arg1; \}"'
expect_out_has "ownership_holds" '^model "keep \{ keep arg2; \}"'
run "$PLUMB" check own.c
expect_status "and they are believed" 0

# ---- what gcc has preprocessed ----

printf '#define _GNU_SOURCE\n#include <stdlib.h>\n#include <math.h>\n#include "mem.h"\n' >pre.c
echo 'double pre(void) { free(my_alloc("x")); return fabs(1.0); }' >>pre.c
if gcc -O2 -E pre.c -o pre.i 2>/dev/null; then
	run "$PLUMB" dump ir pre.i -- -D free=wrong -include nothere.h
	expect_status "gcc's output of its preprocessor" 0
	expect_out_has "the attributes in it" '^model "my_alloc \{ return new memory freed by my_free; \}"'
	expect_out_has "positions in the source" '"pre.c"'
	expect_out_lacks "macros are not expanded twice" '@wrong'
else
	skip "gcc's output of its preprocessor" "no gcc"
fi
