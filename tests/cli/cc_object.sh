# cc_object.sh - plumb cc: objects, archives, libraries, programs with .plumb.
. "$ROOT/tests/lib.sh"

for i in 1 2 3; do
	echo "int f$i(int a) { return a + $i; }" >"f$i.c"
done
echo 'int f1(int), f2(int), f3(int); int main(void) { return f1(1) + f2(2) + f3(3) - 12; }' >main.c

functions()	# FILE...: the functions that are defined, in one line
{
	"$PLUMB" dump ir "$@" 2>&1 | sed -n 's/^func @\([A-Za-z0-9_]*\).*{.*/\1/p' | sort | tr '\n' ' '
}

has()	# WHAT FUNCTIONS FILE...
{
	what=$1 want=$2
	shift 2
	got=$(functions "$@")
	echo "functions: $got"
	check "$what" test "$got" = "$want"
}

# ---- one object ----

run "$PLUMB" cc -O2 -c f1.c
expect_status "-c makes an object" 0
check "and says nothing" test -z "$out$err"
has "the object has the function" "f1 " f1.o
cc -O2 -c f1.c -o plain.o
objcopy --remove-section=.plumb f1.o stripped.o
for s in .text .data .bss .comment .eh_frame; do
	objcopy -O binary --only-section=$s --set-section-flags $s=alloc plain.o a.bin 2>/dev/null
	objcopy -O binary --only-section=$s --set-section-flags $s=alloc f1.o b.bin 2>/dev/null
	check "section $s is the real compiler's" cmp -s a.bin b.bin
done
n=$(wc -c <plain.o)
cmp -l plain.o f1.o 2>/dev/null | awk '$1 > 64' >diff
check "no byte but the header's has changed" test ! -s diff
check "and $n bytes are still there" test "$(wc -c <f1.o)" -gt "$n"
run readelf -SW f1.o
expect_out_has "the section is not loaded" '\.plumb +PROGBITS +0+ [0-9a-f]+ [0-9a-f]+ 00 +0 +0 +8'
check "readelf finds no fault" test -z "$err"

run "$PLUMB" cc -c f2.c -o sub.o
has "-o" "f2 " sub.o
run "$PLUMB" cc -c f1.c f2.c f3.c
expect_status "several sources" 0
has "each in its own object" "f1 f2 f3 " f1.o f2.o f3.o
has "and nowhere else" "f2 " f2.o
run "$PLUMB" cc -g -MD -MF deps -c main.c
check "-MD is the real compiler's" grep -q main.o deps
(umask 027; rm f1.o; "$PLUMB" cc -c f1.c)
check "the object's mode is what cc gave it" test "$(stat -c %a f1.o)" = 640
cp f1.c other.txt
run "$PLUMB" cc -x c -c other.txt -o other.o
has "-x c" "f1 " other.o
cc -E f1.c -o f1.i
run "$PLUMB" cc -c f1.i -o pre.o
has "a preprocessed source" "f1 " pre.o
echo '-c f2.c -o resp.o' >args
run "$PLUMB" cc @args
has "a response file" "f2 " resp.o

# ---- what linkers make of it ----

cc -o prog main.o f1.o f2.o f3.o
check "the program runs" ./prog
has "a program" "f1 f2 f3 main " prog
ar rcs libf.a f1.o f2.o f3.o
has "an archive" "f1 f2 f3 " libf.a
ar rcsT thin.a f1.o f2.o
has "a thin archive" "f1 f2 " thin.a
cc -o prog2 main.o libf.a
has "a program from an archive" "f1 f2 f3 main " prog2
cc -shared -o libf.so f1.o f2.o
has "a shared library" "f1 f2 " libf.so
ld -r -o both.o f1.o f2.o
has "ld -r" "f1 f2 " both.o
cc -Wl,--gc-sections -o gc main.o libf.a
has "--gc-sections" "f1 f2 f3 main " gc
strip -g prog
has "strip -g" "f1 f2 f3 main " prog
strip prog2
has "strip" "f1 f2 f3 main " prog2
run "$PLUMB" check prog
expect_status "check reads the program" 0

# ---- compile and link at once ----

run "$PLUMB" cc -o all main.c f1.c f2.c f3.c
expect_status "compile and link" 0
check "it runs" ./all
has "all sources are in it" "f1 f2 f3 main " all
run "$PLUMB" cc main.c f1.c f2.o libf.a
has "a.out, with objects and an archive" "f1 f2 f3 main " a.out
check "which runs" ./a.out
check "no objects are left" test ! -e main.c.o
run "$PLUMB" cc -o linked main.o f1.o f2.o f3.o
has "only linking" "f1 f2 f3 main " linked

# ---- other compilers ----

run env PLUMB_REAL_CC="$CLANG -Dint=long" "$PLUMB" cc -c f1.c -o c.o
expect_status "PLUMB_REAL_CC with an argument" 0
run "$PLUMB" dump ir c.o
expect_out_has "which counts for the IR as well" '@f1[#(].*i64'
cat >mycc <<'END'
#!/bin/sh
exec cc "$@"
END
chmod +x mycc
run env PLUMB_REAL_CC=./mycc "$PLUMB" cc -c f1.c -o d.o
has "PLUMB_REAL_CC with a path" "f1 " d.o
if cc -m32 -c f1.c -o m32.o 2>/dev/null; then
	run "$PLUMB" cc -m32 -c f1.c -o m32.o
	has "a 32-bit object" "f1 " m32.o
else
	skip "a 32-bit object" "the compiler cannot make it"
fi
ln -s "$PLUMB" plumb-cc
run ./plumb-cc -c f3.c -o e.o
has "called as plumb-cc" "f3 " e.o

# ---- parts of damaged sections ----

cp prog bad
python3 - bad <<'END'
import sys
d = bytearray(open(sys.argv[1], 'rb').read())
at = d.find(b'plumb-ir')
d[at + 60] ^= 0xff
open(sys.argv[1], 'wb').write(d)
END
run "$PLUMB" check bad
expect_status "one damaged record: the rest is analysed" 3
check "it is one line, and one for the exit code" [ "$(wc -l <.err)" -eq 2 ]
expect_err_has "... which says so" '^plumb: note: exit code 3: 1 unit was left out$'
expect_err_has "and is named" '^plumb: error: bad: '
python3 - bad <<'END'
import sys
d = open(sys.argv[1], 'rb').read().replace(b'plumb-ir', b'plumb-xx')
open(sys.argv[1], 'wb').write(d)
END
run "$PLUMB" check bad
expect_status "all damaged" 2
