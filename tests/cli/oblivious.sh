# plumb cc --oblivious: programs that go on after their mistakes.
# TIMEOUT: 300
. "$ROOT/tests/lib.sh"

source=astray.c
cp "$ROOT/tests/runtime/astray.inc" $source
good="store 16 112
below 16 112
step 32 112
kept 48 112
load 80
null 0 (nil)
memset 16 neighbour
strcpy a string that is neighbour
strcat abcdefgbcdefgbcd neighbour
sprintf 1111111 and 222 neighbour
memcpy 0123456789abcdef neighbour
twice fine
list 6
ring 1
waits 1001
endless 50000 50000
nested 9066"
all="store step kept load null strings twice ring waits endless nested"
for o in 0 1 2 3; do
	run "$PLUMB" cc --oblivious -O$o -g -w -o astray$o "$source"
	expect_status "-O$o: compiles" 0
	# shellcheck disable=SC2086
	run env PLUMB_GUARD_LOG=log$o ./astray$o $all
	expect_out "-O$o: mistakes are survived" "$good"
	check "-O$o: and told" grep -qE '^left out: [1-9][0-9]* stores, [1-9][0-9]* loads, [1-9][0-9]* frees, 2 loops' log$o
done

# The compiler's ways
cat >a.c <<'EOF'
#include "a.h"
int main(void) { return twice(21) - 42; }
EOF
cat >b.c <<'EOF'
#include "a.h"
int twice(int n) { int *p = malloc(sizeof(*p)); *p = n; n += *p; free(p); return n; }
EOF
printf '#include <stdlib.h>\nint twice(int);\n' >a.h
run "$PLUMB" cc --oblivious -c -MD a.c b.c
expect_status "objects of several sources" 0
check "dependencies" grep -q '^a.o: a.c a.h' a.d
run "$PLUMB" cc --oblivious -o ab a.o b.o
expect_status "linked alone" 0
run ./ab
expect_status "and run" 0
# a word that an option takes is no input, though one is spelled alike
echo 'int from_b(void);' >twice.c
run "$PLUMB" cc --oblivious -include twice.c -o twice twice.c a.c b.c
expect_status "a source that is included, too, is compiled once" 0
run "$PLUMB" cc --oblivious -MMD -MF d/x.d -c -o x.o a.c
expect_status "a dependency file that cannot be written" 1
echo 'int main(void) { return x; }' >bad.c
run "$PLUMB" cc --oblivious -c bad.c
expect_status "an error: exit code" 1
expect_err_has "an error: clang's" "bad.c:1:.*undeclared"
check "an error: no object" [ ! -e bad.o ]
run "$PLUMB" cc --oblivious -static -o s a.c b.c
expect_status "static programs are refused" 1
expect_one_line "static programs are refused: one line"
run "$PLUMB" cc --oblivious -E a.c
expect_out_has "anything else is clang's" "int twice"
check "no folder is left behind" [ -z "$(ls -d "${TMPDIR:-/tmp}"/plumb-cc-* 2>/dev/null)" ]

# What training has seen of loops holds when running; so does what earlier runs saw.
cat >loop.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, i = 0;
	char *kept = NULL;

	while (i != n) {
		kept = malloc(64);
		sprintf(kept, "%ld", ++i);
	}
	printf("%s\n", kept);
	return 0;
}
EOF
about()	# WHAT NUMBER: what was printed is that, or one round more than what was counted
{
	check "$1" [ "$out" -ge "$2" -a "$out" -le $(($2 + 2000)) ]
}

run "$PLUMB" cc --oblivious -O2 -g -o loop loop.c
expect_status "a loop" 0
run ./loop 5000
expect_out "never seen before: no bound" 5000
if [ -e "$ROOT/build/valgrind/plumb-amd64-linux" ]; then
	run "$PLUMB" train -o loop.b -- ./loop 2
	run "$PLUMB" train -o loop.b -- ./loop 4
	run "$PLUMB" run -v --bounds loop.b -- ./loop 3500
	expect_out "within 1000 times what was seen" 3500
	expect_err_has "cyclic buffers in such a program" "; [1-9][0-9]* sites used"
	run "$PLUMB" run --bounds loop.b -- ./loop -1
	about "an endless loop is left" 3500000
fi

# Servers: the same answers, and conflict runs survived, by checks alone.
if [ -e "$ROOT/build/valgrind/plumb-amd64-linux" ]; then
	WORK=$PWD/servers
	. "$ROOT/bench/train_lib.sh"
	build_servers || exit 1
	for name in $SERVERS; do
		count=2000
		# shellcheck disable=SC2046
		serve $name "" env "$WORK/$name" $(server_args $name)
		answers "$WORK/$name.load" >$name.plain
	done
	build_servers "$PLUMB" cc --oblivious || exit 1
	for name in $SERVERS; do
		check "$name: trained" train_server $name 20 80
		count=2000
		# shellcheck disable=SC2046
		serve $name "" "$PLUMB" run --bounds "$WORK/$name.bounds" -- "$WORK/$name" $(server_args $name)
		check "$name: the same answers" [ -s $name.plain -a "$(answers "$WORK/$name.load")" = "$(cat $name.plain)" ]
		# shellcheck disable=SC2046
		check "$name: survives a conflict run" serve $name "" "$PLUMB" run --scale 0.5 \
			--bounds "$WORK/$name.bounds" -- "$WORK/$name" $(server_args $name)
	done
fi

rm -f loops
export PLUMB_GUARD_LOOPS=$PWD/loops
run ./loop 4
run ./loop 4500
about "earlier executions count" 4000
run env PLUMB_GUARD_ROUNDS=1000000 ./loop 4600
expect_out "PLUMB_GUARD_ROUNDS: not before that" 4600
rm -f loops
run ./loop 4
check "the file is small on disk" [ "$(du -k loops | cut -f1)" -lt 200 ]
echo "no table of loops" >loops
run ./loop 4500
expect_out "a file that is none is not used" 4500
check "nor changed" grep -q "^no table" loops
