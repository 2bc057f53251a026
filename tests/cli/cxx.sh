# C++: plumb reads C, and says so of what is not.
. "$ROOT/tests/lib.sh"

cat >leak.c <<'END'
#include <stdlib.h>
int g(void) { char *p = malloc(3); return p != 0; }
END
for f in a.cc a.cpp a.cxx a.C a.hpp; do
	echo 'int main() { int *p = new int; return 0; }' >"$f"
	run "$PLUMB" check "$f"
	expect_status "$f: nothing can be analysed" 2
	expect_err_has "... and the line says why" "^plumb: error: $f: C\+\+ is not supported"
	expect_one_line "... alone"
done
run "$PLUMB" check a.cc leak.c
expect_status "beside a C source, that is analysed" 1
expect_err_has "... and the other is named" '^plumb: error: a.cc: C\+\+ is not supported'

entry() { printf '{ "directory": "%s", "file": "%s", "command": "%s -c %s" }' "$PWD" "$2" "$1" "$2"; }
mkdir mixed only
echo "[ $(entry cc leak.c), $(entry c++ a.cc), $(entry c++ a.cpp) ]" >mixed/compile_commands.json
echo "[ $(entry c++ a.cc) ]" >only/compile_commands.json
run "$PLUMB" check -p mixed
expect_status "a database of both: what is C is analysed" 1
expect_err_has "... and the rest is counted" 'compile_commands.json: 2 units left out: C\+\+ is not supported'
run "$PLUMB" check -p only
expect_status "a database without C" 2
expect_err_has "... says so" 'no C source in it, only C\+\+, which is not supported'
expect_one_line "... alone"
