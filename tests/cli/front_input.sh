# front_input.sh - inputs of all kinds, good and bad.
. "$ROOT/tests/lib.sh"

cat >ok.c <<'END'
#include <stdlib.h>
int f(void) { char *p = malloc(3); free(p); return 0; }
END
cat >leak.c <<'END'
#include <stdlib.h>
int g(void) { char *p = malloc(3); return p != 0; }
END

# ---- good ones ----

run "$PLUMB" check ok.c
expect_status "a clean source exits with 0" 0
run "$PLUMB" check leak.c
expect_status "a leaking source exits with 1" 1
run "$PLUMB" dump ir ok.c leak.c
expect_out_has "several sources are one program: the first" '^func @f[#(]'
expect_out_has "several sources are one program: the second" '^func @g[#(]'

"$CLANG" -E ok.c -o pre.i
run "$PLUMB" dump ir pre.i
expect_out_has "a preprocessed source" '^func @f[#(]'
"$CLANG" -g -O0 -emit-llvm -c ok.c -o ok.bc
run "$PLUMB" dump ir ok.bc
expect_out_has "bitcode" '^func @f[#(]'
"$CLANG" -g -O0 -emit-llvm -S ok.c -o ok.ll
run "$PLUMB" dump ir ok.ll
expect_out_has "the text of LLVM" '^func @f[#(]'
cp ok.bc odd-name.o
run "$PLUMB" dump ir odd-name.o
expect_out_has "bitcode under the name of an object, as clang -flto makes it" '^func @f[#(]'
"$PLUMB" dump ir ok.c >text.plir
run "$PLUMB" dump ir text.plir
expect_out_has "the text of our IR" '^func @f[#(]'
cp ok.c "odd name-é.c"
run "$PLUMB" dump ir "odd name-é.c"
expect_out_has "a name with blanks" '^func @f[#(]'
mkdir -- -d
cp ok.c ./-d/-x.c
run "$PLUMB" dump ir ./-d/-x.c
expect_out_has "a name with a dash" '^func @f[#(]'
run "$PLUMB" check ok.c ok.c
expect_status "the same source twice is taken once" 0
: >empty.c
run "$PLUMB" check empty.c
expect_status "an empty source is a good source" 0

# ---- bad ones: one line each, exit code 2 ----

bad()	# WHAT FILE PATTERN
{
	run "$PLUMB" check "$2"
	expect_status "$1: exit code 2" 2
	expect_one_line "$1: one line"
	case $3 in
	"$2":*)	set -- "$1" "$2" "$3" "^plumb: error: $3" ;;	# the reason names the file
	*)	set -- "$1" "$2" "$3" "^plumb: error: $2: $3" ;;
	esac
	expect_err_has "$1: which tells the file and the reason" "$4"
}

bad "a missing file" nothere.c "No such file or directory"
bad "a missing object" nothere.o "No such file or directory"
: >empty.bc
bad "an empty bitcode file" empty.bc "the file is empty"
echo hello >text.bc
bad "a text file called .bc" text.bc "not LLVM bitcode"
head -c 700 ok.bc >cut.bc
bad "truncated bitcode" cut.bc "."
echo hello >text.ll
bad "no LLVM text" text.ll "text.ll:1:1: error: expected top-level entity"
: >empty.o
bad "an empty object" empty.o "the file is empty"
echo hello >text.o
bad "a text file called .o" text.o "neither an ELF file nor an archive"
bad "a program without .plumb" /bin/true 'no section .plumb; build with CC="plumb cc"'
printf '!<arch>\nrubbish' >bad.a
bad "a damaged archive" bad.a "damaged archive"
printf '!<arch>\n' >none.a
bad "an archive with no IR" none.a "no member has a section .plumb"
printf '\177ELF\002\001' >cut.so
bad "an ELF file cut short" cut.so "damaged ELF file"
echo hello >what.txt
bad "a file of no known kind" what.txt "not a C source"
mkdir folder
bad "a folder" folder "is a folder"
printf 'int f(void) {\n  return 1 +;\n}\n' >syntax.c
bad "a source that does not compile" syntax.c "syntax.c:2:13: error: expected expression"
echo '#include "nothere.h"' >include.c
bad "a missing header" include.c "include.c:1:10: fatal error: 'nothere.h' file not found"
echo 'not our IR' >bad.plir
bad "no text of our IR" bad.plir "bad.plir:1: does not begin"
printf 'plumb-ir rubbish' >bad.rec
bad "a damaged record" bad.rec "bad.rec:1: does not begin"

run "$PLUMB" check
expect_status "no input: exit code 2" 2
expect_err_has "no input: a line tells what to do" "no input"

# ---- a partial analysis is not a clean one ----

run "$PLUMB" check ok.c syntax.c nothere.c
expect_status "some units failed, no leak: exit code 3" 3
expect_err_has "the failed ones are named" "^plumb: error: syntax.c:2:13: error: "
expect_err_has "all of them" "^plumb: error: nothere.c: "
run "$PLUMB" check leak.c syntax.c
expect_status "some units failed, a leak in another: exit code 1" 1

# ---- the compiler ----

run env PLUMB_CLANG=/nonexistent/clang "$PLUMB" check --no-cache ok.c
expect_status "without clang nothing can be analysed" 2
expect_err_has "and the line tells how to have it" "set PLUMB_CLANG"
cat >crash.sh <<'END'
#!/bin/sh
case "$*" in
*ok.c*) kill -SEGV $$ ;;
esac
exec "$CLANG" "$@"
END
chmod +x crash.sh
run "$PLUMB" check --no-cache --clang ./crash.sh ok.c leak.c
expect_status "clang dies in one unit, the other one is analysed" 1
expect_err_has "the unit is named" "^plumb: error: ok.c: crash.sh killed by signal 11"
run "$PLUMB" check --no-cache -j 1 ok.c leak.c
expect_status "one worker" 1
run "$PLUMB" check --no-cache -j 7 ok.c leak.c
expect_status "more workers than units" 1
run ls -A "$TMPDIR"
expect_out_lacks "no temporary files stay behind" 'plumb-[^t]|\.tmp$'
