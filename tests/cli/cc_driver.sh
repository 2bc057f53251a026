# cc_driver.sh - plumb cc as a compiler among others: errors, streams, probes.
. "$ROOT/tests/lib.sh"

echo 'int f(int a) { return a; }' >f.c
echo 'int main(void) { return 0; }' >main.c
echo 'int broken(' >broken.c

ir()	# does the file have IR?
{
	readelf -SW "$1" 2>/dev/null | grep -q '\.plumb'
}

no_ir()
{
	! ir "$1"
}

# ---- exactly the real compiler ----

same()	# ARGS...: output, messages and status are those of cc
{
	cc "$@" >want.out 2>want.err </dev/null
	want=$?
	run "$PLUMB" cc "$@"
	[ "$status" -eq "$want" ] && cmp -s want.out .out && cmp -s want.err .err
	verdict "as cc: $*"
}

same --version
same -dumpmachine
same -print-prog-name=ld
same -E f.c
same -S f.c -o -
same -M f.c
same -fsyntax-only f.c
same -c broken.c
same -c nothere.c
same
same -o x f.c
same -Wall -c f.c -no-such-flag
same -c f.c -o nodir/x.o
same -c f.c main.c -o x.o
run "$PLUMB" cc -c broken.c -o broken.o
check "no object after an error" test ! -e broken.o
run sh -c 'echo "int g(void) { return 1; }" | "$PLUMB" cc -x c -c - -o stdin.o'
check "standard input" test -e stdin.o
run sh -c 'echo "int g;" >fifo.c.txt; "$PLUMB" cc -include /dev/stdin -c f.c -o inc.o <fifo.c.txt'
expect_status "standard input as a header" 0
run "$PLUMB" cc -c f.c -o /dev/null
expect_status "-o /dev/null" 0
check "/dev/null is still what it was" test -c /dev/null
echo '.globl asm_f' >a.S
run "$PLUMB" cc -c a.S
expect_status "assembly" 0
check "has no IR" no_ir a.o
run env PLUMB_CC_DISABLE=1 "$PLUMB" cc -c f.c -o off.o
check "PLUMB_CC_DISABLE=1" no_ir off.o
cat >killed.sh <<'END'
#!/bin/sh
kill -TERM $$
END
chmod +x killed.sh
(PLUMB_REAL_CC=./killed.sh "$PLUMB" cc -c f.c -o k.o; exit $?) 2>/dev/null
check "a signal of the real compiler is passed on" test $? -eq 143
run env PLUMB_REAL_CC="sh -c 'exit 42'" "$PLUMB" cc -c f.c
check "an exit code of the real compiler is passed on" test "$status" -eq 42
run env PLUMB_REAL_CC=no-such-compiler "$PLUMB" cc -c f.c
check "no real compiler" test "$status" -eq 127
expect_one_line "one line for it"

mkdir bin
ln -s "$PLUMB" bin/plumb-cc
ln -s "$PLUMB" bin/cc
run env PATH="$PWD/bin:$PATH" plumb-cc -c f.c -o masq.o
expect_status "plumb itself under the name of cc is passed over" 0
printf '#!/bin/sh\nexec "$PLUMB" cc "$@"\n' >loop
chmod +x loop
run env PLUMB_REAL_CC=./loop "$PLUMB" cc -c f.c -o loop.o
check "a circle ends" test "$status" -eq 127

# ---- the IR fails, the build goes on ----

cat >nested.c <<'END'
int outer(int a) { int inner(int b) { return a + b; } return inner(1); }
END
run "$PLUMB" cc -c nested.c
expect_status "gcc takes it, clang does not: the build succeeds" 0
expect_one_line "one line of warning"
expect_err_has "which names the source and the reason" \
	'^plumb: warning: nested.c: no IR: nested.c:1:[0-9]+: error: '
check "the object is there" test -e nested.o
run "$PLUMB" cc -o prog main.c nested.c
expect_status "when linking, too" 0
check "the other source has its IR" ir prog
run env PLUMB_CLANG=/nonexistent PLUMB_CACHE_DIR= "$PLUMB" cc -c f.c
expect_status "without clang the build succeeds" 0
expect_err_has "with a warning" '^plumb: warning: f.c: no IR: .*PLUMB_CLANG'
run env PLUMB_CLANG=/nonexistent PLUMB_CACHE_DIR= "$PLUMB" cc -c broken.c
expect_err_lacks "but no warning after an error" 'plumb:'

# ---- probes of configure scripts ----

mkdir conf
cd conf || exit 1
echo 'int main(void) { int in(int a) { return a; } return in(0); }' >conftest.c
run "$PLUMB" cc -c conftest.c
expect_one_line "conftest.c alone is a source like any other"
: >confdefs.h
run "$PLUMB" cc -c conftest.c
check "conftest.c beside confdefs.h is a probe: not a word" test -z "$err"
run "$PLUMB" cc -o conftest conftest.c
check "nor when it is linked" test -z "$err"
cd ..

cat >configure <<'END'
#!/bin/sh
# What configure scripts do to a compiler.
echo >confdefs.h
try() { echo "$2" >conftest.c; rm -f conftest.o conftest; eval "$CC $1" >conftest.out 2>conftest.err; }
yes() { echo "$1: yes"; }
no() { echo "$1: no"; }
try '-o conftest conftest.c' 'int main(void){return 0;}' && ./conftest && yes works || no works
try '-c conftest.c' 'int main(void){return 0;}' && test ! -s conftest.err && test -f conftest.o && yes silent || no silent
try '-c -Wall -Werror conftest.c' 'int x;' && test ! -s conftest.err && yes flags || no flags
try '-c conftest.c' 'syntax error' && yes accepts-rubbish || no accepts-rubbish
try '-c -no-such-flag conftest.c' 'int x;' && yes accepts-flag || no accepts-flag
try '-o conftest conftest.c -lm' 'char floor(); int main(void){return floor();}' && yes libm || no libm
try '-o conftest conftest.c -lnosuchlib' 'int main(void){return 0;}' && yes nosuchlib || no nosuchlib
try '-c conftest.c -o conftest2.o' 'int x;' && test -f conftest2.o && yes c-o || no c-o
try '-E conftest.c' '#include <stdio.h>' && grep -q printf conftest.out && yes cpp || no cpp
$CC --version >/dev/null 2>&1 && yes version || no version
$CC -V >/dev/null 2>&1 && yes V || no V
echo 'int main(void){return 0;}' | $CC -x c -o conftest - && yes stdin || no stdin
END
chmod +x configure
CC=cc ./configure >want.txt 2>&1
CC="$PLUMB cc" ./configure >got.txt 2>&1
diff want.txt got.txt
check "a configure script sees no difference" cmp -s want.txt got.txt

# ---- make, in parallel, with warm and cold cache ----

mkdir proj
i=0
while [ $i -lt 8 ]; do
	echo "int f$i(int a) { return a + $i; }" >"proj/f$i.c"
	i=$((i + 1))
done
echo 'int main(void) { return 0; }' >proj/main.c
cat >proj/Makefile <<'END'
OBJ := $(patsubst %.c,%.o,$(wildcard *.c))
prog: $(OBJ)
	$(CC) -o $@ $(OBJ)
%.o: %.c
	$(CC) $(CFLAGS) -MMD -c -o $@ $<
clean:
	rm -f *.o prog
END
for round in cold warm; do
	make -s -C proj clean
	run make -s -j4 -C proj CC="$PLUMB cc" CFLAGS=-O1
	expect_status "make CC='plumb cc', $round" 0
	check "not a word, $round" test -z "$out$err"
	n=$("$PLUMB" dump ir proj/prog | grep -c '^func .*{')
	check "all functions, $round" test "$n" -eq 9
done

if command -v cmake >/dev/null; then
	mkdir cm
	cat >cm/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(demo C)
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wall HAVE_WALL)
check_c_compiler_flag(-fno-such-thing-at-all HAVE_NONSENSE)
add_library(part STATIC part.c)
add_executable(demo demo.c)
target_link_libraries(demo part)
END
	echo 'int part(void) { return 0; }' >cm/part.c
	echo 'int part(void); int main(void) { return part(); }' >cm/demo.c
	run cmake -S cm -B cm/build -DCMAKE_C_COMPILER="$PWD/bin/plumb-cc"
	expect_status "CMake takes plumb-cc for a compiler" 0
	expect_out_has "and knows which one" 'identification is GNU'
	expect_out_has "flags it has" 'HAVE_WALL - Success'
	expect_out_has "flags it has not" 'HAVE_NONSENSE - Failed'
	run cmake --build cm/build
	expect_status "and builds" 0
	n=$("$PLUMB" dump ir cm/build/demo | grep -c '^func .*{')
	check "a program with IR" test "$n" -eq 2
else
	skip "CMake" "it is not installed"
fi
