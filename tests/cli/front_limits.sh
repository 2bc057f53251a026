# front_limits.sh - a unit that wants too much memory fails alone.
. "$ROOT/tests/lib.sh"

case $BUILD in
*/san-*)
	skip "memory limits" "a sanitizer's own memory counts too"
	exit 0 ;;
esac

cat >bomb.c <<'END'
#define F(x) x + x + x + x + x + x + x + x + x + x
int a = F(F(F(F(F(F(F(F(1))))))));
END
cat >leak.c <<'END'
#include <stdlib.h>
int f(int n) { char *p = malloc(n); return p[0]; }
END
run "$PLUMB" check --no-cache --memory-limit 500M bomb.c
expect_status "alone: nothing could be analysed" 2
expect_err_has "the reason is told" 'bomb\.c: LLVM ERROR: out of memory'
expect_one_line "in one line"
run "$PLUMB" check --no-cache --memory-limit 500M bomb.c leak.c
expect_status "the other unit is analysed" 1
expect_out_has "and the failed one is named" '^  bomb\.c: LLVM ERROR: out of memory'
run "$PLUMB" check --no-cache --memory-limit 1M leak.c
expect_status "no memory at all" 2
expect_one_line "no memory at all: one line"
run "$PLUMB" check --no-cache --memory-limit much leak.c
expect_status "a limit that is no size" 2
