# plumb train, plumb bounds: are the numbers those of the program?
# TIMEOUT: 300
. "$ROOT/tests/lib.sh"

if [ ! -e "$ROOT/build/valgrind/plumb-amd64-linux" ]; then
	skip "training" "the Valgrind tool is not built on this machine"
	exit 0
fi
${CC:-gcc} -std=gnu17 -O0 -g -fno-builtin -o bounds "$ROOT/valgrind/tests/bounds.c" -lpthread || exit 1

# A member of the site whose innermost function is $2.
site()	# FILE FUNCTION MEMBER
{
	"$PLUMB" bounds --format json "$1" | python3 -c '
import json, sys
sites = json.load(sys.stdin)["sites"]
print([s[sys.argv[2]] for s in sites if s["frames"][0]["function"] == sys.argv[1]])' "$2" "$3" | tr -d ' '
}

member()	# FILE EXPRESSION: of the whole file, d
{
	"$PLUMB" bounds --format json "$1" | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$2"
}

numbers()	# FILE FUNCTION ALLOCATED FREED BOUNDS STABLE LEAKING
{
	got="$(site "$1" "$2" allocated) $(site "$1" "$2" freed) $(site "$1" "$2" bounds)"
	got="$got $(site "$1" "$2" stable) $(site "$1" "$2" leaking)"
	[ "$got" = "[[$3]] [[$4]] [[$5]] [$6] [$7]" ] || echo "$2: $got"
	check "$2: $3 allocated, $4 freed, m = $5" [ "$got" = "[[$3]] [[$4]] [[$5]] [$6] [$7]" ]
}

run "$PLUMB" train -o b -- ./bounds 20
expect_status "the program's own exit code" 5
check "no folder is left behind" [ "$(ls)" = "$(printf 'b\nbounds')" ]
run "$PLUMB" train -o b -- ./bounds 80
numbers b newest 20,80 0,0 1,1 True True
numbers b last_three 20,80 0,0 3,3 True True
numbers b never 20,80 20,80 0,0 True False
numbers b by_kernel 20,80 0,0 3,3 True True
numbers b by_libc 20,80 20,80 2,2 True False
numbers b resized 20,80 20,80 1,1 True False
numbers b zeroed 20,80 20,80 1,1 True False
numbers b aligned 20,80 20,80 1,1 True False
numbers b by_thread 3,3 0,0 3,3 True False
got="$(site b all_of_them allocated) $(site b all_of_them bounds) $(site b all_of_them stable)"
check "all_of_them: the bound varies" [ "$got" = "[[1,1],[20,80]] [[1,1],[20,80]] [True,False]" ]
check "the largest size" [ "$(site b last_three max_size)" = "[69]" ]
check "bytes" [ "$(site b newest bytes)" = "[12900]" ]
check "schema and runs" [ "$(member b "d['schema'], [r['command'][1] for r in d['runs']], d['runs'][0]['ended']")" = \
	"('plumb-bounds/1', ['20', '80'], 'exit 5')" ]
check "program and build-id" [ "$(member b "d['program'].endswith('/bounds'), len(d['build_id'])")" = "(True, 40)" ]
check "lines" [ "$(member b "[f['line'] for s in d['sites'] for f in s['frames'][:1] if f['function'] == 'newest']")" = \
	"[$(grep -n 'malloc(129)' "$ROOT/valgrind/tests/bounds.c" | cut -d: -f1)]" ]

# Whatever ends the program
run_any "$PLUMB" train -o killed -- ./bounds 30 kill
check "killed: the same signal" [ "$status" -eq 137 ]
check "killed: its data" [ "$(site killed newest allocated)$(site killed newest bounds)" = "[[30]][[1]]" ]
check "killed: it is told" [ "$(member killed "d['runs'][0]['ended']")" = "signal 9" ]
run_any "$PLUMB" train -o crashed -- ./bounds 30 crash
check "crashed: the same signal" [ "$status" -eq 139 ]
check "crashed: its data" [ "$(site crashed last_three bounds)" = "[[3]]" ]
run "$PLUMB" train -o executed -- ./bounds 30 exec
check "an executed program is trained, too" [ "$(site executed newest allocated)" = "[[60]]" ]
run "$PLUMB" train -o forked -- ./bounds 30 fork
check "a forked child counts for itself, and its accesses do" \
	[ "$(site forked for_child allocated)$(site forked for_child bounds)" = "[[4],[1]][[4],[0]]" ]
check "what the parent did is counted once" [ "$(site forked newest allocated)" = "[[30]]" ]

# A training that was killed itself leaves its run to the next one.
"$PLUMB" train -o left -- sh -c './bounds 40; echo $$ >pid; exec sleep 100' >/dev/null 2>&1 &
pid=$!
for _ in $(seq 1200); do
	[ -s pid ] && break
	sleep 0.1
done
kill -KILL $pid "$(cat pid)"
wait $pid 2>/dev/null
run "$PLUMB" train -o left -- sh -c './bounds 50'
check "what a killed training left is taken in" \
	[ "$(member left "[r['ended'] for r in d['runs']]")" = "['killed', 'exit 5']" ]
check "with its numbers" [ "$(site left newest allocated)" = "[[40,50]]" ]
check "and its folder goes" [ -z "$(ls -d left.training-* 2>/dev/null)" ]

# Depth
run "$PLUMB" train --depth 1 -o shallow -- ./bounds 20
check "depth 1: one frame a site" [ "$(member shallow "{len({f['offset'] for f in s['frames']}) for s in d['sites']}")" = "{1}" ]
run "$PLUMB" train --depth 2 -o shallow -- ./bounds 20
expect_err_has "another depth is refused" "was trained with --depth 1"
expect_status "another depth is refused: exit code" 2

# Another program
run "$PLUMB" train -o b -- /bin/true
expect_err_has "another program is refused" "another program"
expect_status "another program is refused: exit code" 2
run "$PLUMB" train -o b -- ./does-not-exist
expect_err_has "no such program" "does-not-exist: no such program"
run "$PLUMB" train -o b
expect_status "no program: bad usage" 2
expect_one_line "no program: one line"
run "$PLUMB" train -- ./bounds
expect_status "no file: bad usage" 2

# A script is its interpreter
printf '#!/bin/sh\nexec ./bounds 5\n' >script
chmod +x script
run "$PLUMB" train -o script.b -- ./script
expect_status "a script: exit code" 5
check "a script: what it starts is trained" [ "$(site script.b newest allocated)" = "[[5]]" ]

# Stripped, and without a build-id
${CC:-gcc} -O0 -g -fno-builtin -s -Wl,--build-id=none -o plain "$ROOT/valgrind/tests/bounds.c" -lpthread
run "$PLUMB" train -o plain.b -- ./plain 20
run "$PLUMB" train -o plain.b -- ./plain 40
check "no build-id: known by its code" [ "$(member plain.b "d['build_id'][:8]")" = "74657874" ]
check "stripped: sites all the same" [ "$(member plain.b "sum(s['max_size'] == 129 and s['m'] == 1 for s in d['sites'])")" = 1 ]

# The table
run "$PLUMB" bounds b
expect_status "a table" 0
expect_out_has "a table: the leaking site" "^ +1 stable +leaks .* 129 +20 80 +0 0 +1 1 +newest \(bounds.c:[0-9]+\)"
expect_out_has "a table: histogram" "^m +0 +1 +2 +3"
expect_out_has "a table: shares" "sites executed, .* m-bounded \([0-9.]+%\), .* leaking, [0-9.]+% of memory"
run "$PLUMB" train -o large -- ./bounds 200
run "$PLUMB" bounds b --validate large
expect_status "validation: all bounds hold" 0
expect_out_has "validation: nothing invalidated" "0 invalidated"
cp b small
python3 - <<'END'
import json
d = json.load(open('small'))
for s in d['sites']:
    if s['bounds'] == [3, 3]:
        s['bounds'] = [2, 2]
json.dump(d, open('small', 'w'))
END
run "$PLUMB" bounds small --validate large
expect_status "validation: a bound is too small" 1
expect_out_has "validation: it is named" "last_three .*INVALIDATED"

# What is no bounds file
echo '{"schema":"plumb-bounds/1"}' >bad1
echo '{' >bad2
printf 'plumbtrn' >bad3
for f in bad1 bad2 bad3 none; do
	run "$PLUMB" bounds $f
	expect_status "$f: refused" 2
	expect_one_line "$f: one line"
done
cp bad1 before
run "$PLUMB" train -o bad1 -- ./bounds 5
expect_status "train: a damaged file is refused before the program runs" 2
check "train: and left as it was" cmp -s bad1 before

# What Valgrind cannot run with our tool: refused as the program itself, executed as it is as a program's child.
${CC:-gcc} -fsanitize=address -o asan "$ROOT/valgrind/tests/bounds.c" -lpthread || exit 1
run "$PLUMB" train -o none -- ./asan 20
expect_status "a program with AddressSanitizer is refused" 2
expect_err_has "and it is said why" 'asan is built with a sanitizer: it cannot be trained'
expect_one_line "in one line"
cat >bits32.c <<'END'
__attribute__((noreturn)) void _start(void);
void _start(void) { for (;;) __asm__ volatile("int $0x80" : : "a"(1), "b"(7)); }
END
if ${CC:-gcc} -m32 -O1 -nostdlib -static -fno-pie -no-pie -o bits32 bits32.c 2>/dev/null && ./bits32; [ $? -eq 7 ]; then
	run "$PLUMB" train -o none -- ./bits32
	expect_err_has "a 32-bit program is refused" 'bits32 is no program for 64 bits of x86: it cannot be trained'
	printf '#! %s/bits32 x\n' "$PWD" >script32
	chmod +x script32
	for prog in bits32 script32; do
		run "$PLUMB" train -o parent -- sh -c "./$prog; exit \$?"
		check "a program's child: $prog runs as always ($status, $err)" [ "$status$err" = 7 ]
	done
else
	skip "a 32-bit program" "cannot be built or does not run here"
fi
