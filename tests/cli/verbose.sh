# verbose.sh - what --verbose tells, and how units that failed are named.
. "$ROOT/tests/lib.sh"

cat >a.c <<'END'
#include <stdlib.h>
void keep_it(void *p);
int look_at(const char *s);
int f(int n)
{
	char *p = malloc(n), *q = malloc(3);
	keep_it(q);
	keep_it(q);
	return look_at("text") + p[0];
}
END
run "$PLUMB" check --verbose a.c
expect_err_has "the phases' times and shares" \
	'^plumb: phases: points-to [0-9.]+ s \([0-9.]+ %\), paths .*, memory SSA .*, value-flow graph .*, detection .*; [0-9.]+ s in all$'
expect_err_has "what was judged" '^plumb: 2 allocations: 2 judged, 0 skipped .*; 1 reported$'
expect_err_has "unknown functions are counted" '^plumb: 1 functions without code and model'
expect_err_has "unknown functions are named" '^plumb:   keep_it \(2 calls\)$'
expect_err_lacks "one that gets no pointer to memory is not named" 'look_at'
echo 'keep_it { keep arg1; }' >keep.model
run "$PLUMB" check --verbose --model keep.model a.c
expect_err_lacks "one with a model is not named" 'keep_it'

run "$PLUMB" check --slice-limit 0 --loop 2 a.c
expect_status "--loop and --slice-limit are taken" 1
run "$PLUMB" check --loop many a.c
expect_status "--loop wants a number" 2
expect_one_line "--loop wants a number: one line"

mkdir -p sub
echo 'int g(void) { return x; }' >sub/bad.c
run "$PLUMB" check a.c sub/bad.c
expect_out_has "a unit that failed is named once" '^  sub/bad\.c:1:22: error: '
expect_err_has "on standard error, too" '^plumb: error: sub/bad\.c:1:22: error: '
echo '[ { "directory": "'"$PWD"'/sub", "file": "bad.c", "command": "cc -c bad.c" },
  { "directory": "'"$PWD"'", "file": "a.c", "command": "cc -c a.c" } ]' >compile_commands.json
run "$PLUMB" check -p .
expect_out_has "by a build database it is named from here" '^  sub/bad\.c:1:22: error: '
expect_out_lacks "and only once" 'bad\.c.*bad\.c'

# Which limit ends the work on an allocation.
{
	echo '#include <stdlib.h>'
	echo 'int ask(int);'
	echo 'int many(int x, int n) { char *p = malloc(4); for (int i = 0; i < n; i++) {'
	for k in $(seq 8); do
		echo "switch (ask(x + $k)) {"
		seq 60 | sed 's/.*/case &: x = x + &; break;/'
		echo '}'
	done
	echo 'if (x == 3) return 1; } free(p); return x; }'
} >many.c
run "$PLUMB" check --engine vfg --verbose many.c
expect_err_has "too many conditions" '^plumb: many.c:3: allocation in many\(\): cut: too many conditions$'
expect_out_has "... are counted" '^no leaks found: 1 allocation, of them 0 judged, 0 only stored, 1 cut$'
