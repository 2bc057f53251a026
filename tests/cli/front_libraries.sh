# front_libraries.sh - a program's own shared libraries are analysed with it.
. "$ROOT/tests/lib.sh"

mkdir -p lib deep
cat >text.h <<'EOF'
char *text_make(int n);
void text_drop(char *p);
void text_log(const char *s);
char *text_helper(void);
int text_private(void);
int deep_count(int n);
EOF
cat >text.c <<'EOF'
#include <stdlib.h>
#include "text.h"
static char *kept(int n) { return malloc((size_t)n); }
char *text_make(int n) { return kept(n); }
void text_drop(char *p) { free(p); }
void text_log(const char *s) { (void)s; }
char *text_helper(void) { return malloc(7); }
int text_private(void)
{
	char *helped = text_helper();

	return helped != 0;
}
EOF
cat >deep.c <<'EOF'
#include <stdlib.h>
#include "text.h"
int deep_count(int n)
{
	char *lost = text_make(n);

	return lost != 0;
}
EOF
cat >main.c <<'EOF'
#include "text.h"
static char *kept(void)
{
	static char here[9];

	return here;
}
char *text_helper(void) { return kept(); }
int work(int n)
{
	char *mine = text_make(n);

	text_log(mine);
	if (n > 5)
		return 1;
	text_drop(mine);
	return 0;
}
int main(int argc, char **argv)
{
	(void)argv;
	return work(argc) + deep_count(argc) + text_helper()[0] + text_private();
}
EOF

CC="$PLUMB cc"
$CC -g -fPIC -shared -Wl,-soname,libtext.so.1 -o lib/libtext.so.1 text.c || exit 1
ln -s libtext.so.1 lib/libtext.so
$CC -g -fPIC -shared -Wl,-soname,libdeep.so.2 -o deep/libdeep.so.2 deep.c -Llib -ltext -Wl,-rpath,'$ORIGIN/../lib'
ln -s libdeep.so.2 deep/libdeep.so
link()	# OUTPUT OPTION...
{
	to=$1
	shift
	$CC -g -o "$to" main.c -Ldeep -ldeep -Llib -ltext "$@"
}
link prog -Wl,-rpath,'${ORIGIN}/deep:$ORIGIN/lib'

# The lines of the leaks that were reported.
leaks()
{
	grep -oE '^[^ :]+:[0-9]+:[0-9]+: leak' .out | sed 's/: leak//' | sort | tr '\n' ' '
}

checks()	# WHAT LEAKS PROGRAM...
{
	what=$1 want=$2
	shift 2
	run "$PLUMB" check "$@"
	got=$(leaks)
	check "$what" [ "$got" = "$want" ]
}

all="deep.c:5:15 main.c:11:15 "
checks "RUNPATH with \$ORIGIN: the libraries are analysed with the program" "$all" ./prog
check "all units were analysed" grep -q "in 3 units" .out
expect_err_lacks "and none is missed" warning
run "$PLUMB" check -v ./prog
expect_err_has "--verbose names them" '^plumb: .*/deep/libdeep.so.2: needed by ./prog, analysed with it'
link old -Wl,--disable-new-dtags -Wl,-rpath,'$ORIGIN/deep:$ORIGIN/lib'
checks "RPATH" "$all" ./old
mkdir below
cp prog below/prog
checks "an \$ORIGIN with nothing there: not found" "" below/prog
expect_err_has "which is said with what helps" '^plumb: warning: libdeep.so.2: a library of the program is not analysed with it: not found: set LD_LIBRARY_PATH'
LD_LIBRARY_PATH=deep:lib run "$PLUMB" check below/prog
check "LD_LIBRARY_PATH" [ "$(leaks)" = "$all" ]
cp lib/libtext.so.1 below
run "$PLUMB" check below/prog
expect_err_has "one beside the program is no find, but named" 'libtext.so.1: .* not found, but there is .*/below/libtext.so.1: set LD_LIBRARY_PATH'
link none
checks "named by the user, in any order" "$all" deep/libdeep.so.2 ./none lib/libtext.so.1
checks "named and needed: taken once" "$all" ./prog lib/libtext.so.1
check "three units" grep -q "in 3 units" .out
checks "a library alone, with what it needs" "deep.c:5:15 text.c:10:17 " deep/libdeep.so.2
run "$PLUMB" dump functions ./prog
expect_out_has "plumb dump has them, too" 'text.c:[0-9]*: text_make'

# ---- which definition a name means ----

check "the program exports what a library asks for, and its own wins" [ "$(nm -D prog | grep -c ' T text_helper')" -eq 1 ]
$CC -g -fvisibility=hidden -o hidden main.c -Ldeep -ldeep -Llib -ltext -Wl,-rpath,'$ORIGIN/deep:$ORIGIN/lib'
checks "what it hides the library does not see" "deep.c:5:15 main.c:11:15 text.c:10:17 " ./hidden

# ---- libraries that there is nothing of ----

gcc -fPIC -shared -Wl,-soname,libtext.so.1 -o lib/libtext.so.1 text.c
run "$PLUMB" check ./prog
expect_err_has "a library without .plumb is named" '^plumb: warning: .*/lib/libtext.so.1: a library of the program is not analysed with it: no section .plumb; build it with CC="plumb cc"'
expect_err_lacks "the C library is not" 'libc.so'
run "$PLUMB" check --format json ./prog
check "and stands in the coverage" [ "$(jq -r '.coverage.libraries_not_given[]' .out)" = lib/libtext.so.1 ]
cat >text.model <<'EOF'
text_make { return new memory freed by text_drop; }
text_drop { free arg1; }
text_log, text_private { ignore; }
EOF
run "$PLUMB" check --model text.model ./prog
check "its model will do" [ "$(leaks)" = "$all" ]
expect_err_lacks "and then it is not missed" warning
cat >plain.c <<'EOF'
#include <stdio.h>
int main(void) { return puts("x") < 0; }
EOF
$CC -o plain plain.c lib/libtext.so.1 -Wl,--no-as-needed -Llib -ltext
run "$PLUMB" check ./plain
expect_err_lacks "nothing of it is called: not missed" warning
expect_status "clean" 0

# The program was built with its own, and the system has one of that name.
mkdir -p libtool/.libs
echo 'double fmaxmag(double x, double y) { return x > y ? x : y; }' >mag.c
cat >maths.c <<'EOF'
double fmaxmag(double x, double y);	/* no model has it */
int main(int n, char **v) { (void)v; return fmaxmag(n, 1) > 0; }
EOF
$CC -fno-builtin -o libtool/maths maths.c -lm
$CC -fno-builtin -fPIC -shared -Wl,-soname,libm.so.6 -o libtool/.libs/libm.so.6 mag.c
run "$PLUMB" check libtool/maths
expect_err_has "the system's is found, and the build's is named" 'libm.so.6: .* the loader takes the system.s; .*/libtool/.libs/libm.so.6 has a section .plumb: set LD_LIBRARY_PATH'
expect_out_has "... and counted as not given" "1 library of the program's own was not given$"
LD_LIBRARY_PATH=libtool/.libs run "$PLUMB" check libtool/maths
expect_err_lacks "... which helps" warning

# ---- damage, and traps ----

cp deep/libdeep.so.2 good
for at in 20 40 100 600 2000; do
	cp good deep/libdeep.so.2
	printf '\377\377\377\377\377\377\377\377' | dd of=deep/libdeep.so.2 bs=1 seek=$at conv=notrunc 2>/dev/null
	run "$PLUMB" check ./prog
	check "damage at byte $at: the program is analysed all the same" [ "$status" -le 3 ]
done
rm deep/libdeep.so.2
mkfifo deep/libdeep.so.2
run timeout 20 "$PLUMB" check ./prog
expect_err_has "a pipe in its place is no library" 'libdeep.so.2: .* not found'
rm deep/libdeep.so.2
cp good deep/libdeep.so.2
cat >evil.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void run(void) { fclose(fopen("was-run", "w")); }
int deep_count(int n) { return n; }
EOF
$CC -fPIC -shared -Wl,-soname,libdeep.so.2 -o deep/libdeep.so.2 evil.c
run "$PLUMB" check ./prog
run "$PLUMB" fix ./prog
check "nothing of it is executed" [ ! -e was-run ]
cp good deep/libdeep.so.2

# ---- plumb fix ----

$CC -g -fPIC -shared -Wl,-soname,libtext.so.1 -o lib/libtext.so.1 text.c
run "$PLUMB" fix ./prog
expect_status "leaks in program and library are fixed" 0
expect_out_has "in the program" '^\+\+\+ b/main.c'
expect_out_has "in the library" '^\+\+\+ b/deep.c'
