# The test runner itself: does it see what it must see?  It runs on a scratch tree
# with a plumb made of shell, which reports each line with say(KIND) in its input, and
# under --engine X also those with say-X(KIND).  Its plumb fix puts in what stands behind
# INSERT in a comment, and refuses for each comment REFUSE.
# TIMEOUT: 400
. "$ROOT/tests/lib.sh"

mkdir -p tree/tests/check tree/tests/dump tree/tests/cli tree/tests/fix tree/build/tests
cd tree || exit 1
cp "$ROOT/tests/run" "$ROOT/tests/lib.sh" tests/

cat >build/plumb <<'END'
#!/bin/bash
command=$1 stage=$2 args=$*
while [ $# -gt 0 ]; do
	case $1 in
	*.c) files+=("$1") ;;
	--engine) engine=$2 ;;
	esac
	shift
done
if [ "$command" = dump ]; then
	echo "stage $stage of ${files[*]}"
	exit 0
fi
if [ "$command" = fix ]; then
	sed 's|/\* INSERT \(.*\) \*/|\1|' "${files[0]}" >new
	diff -u --label "a/${files[0]}" --label "b/${files[0]}" "${files[0]}" new
	rm new
	grep -n 'REFUSE ' "${files[0]}" >&2 && exit 1
	exit 0
fi
if ! [[ " $args " == *" --format "* ]]; then
	echo "no leaks found: 1 allocation, judged"
	exit 0
fi
printf '{ "findings": ['
comma= status=0
for f in "${files[@]}"; do
	n=0
	while IFS= read -r line; do
		n=$((n + 1))
		for kind in $(grep -oE "say(-$engine)?\([a-z-]+\)" <<<"$line" | sed 's/.*(//; s/)//'); do
			printf '%s{"file":"%s","line":%d,"column":%d,"function":"f","kind":"%s","confidence":"high","path":[],"suppressed":false}' \
				"$comma" "$f" $n $((++col)) "$kind"
			comma=,
			status=1
		done
	done <"$f"
done
echo '], "coverage": { "allocations": 1, "judged": 1, "stored": 0, "cut": 0, "cut_reasons": [], "functions_incomplete": [], "not_c": [], "libraries_not_given": [], "units_left_out": [] } }'
grep -q crash "${files[@]}" && kill -SEGV $$
grep -q hang "${files[@]}" && sleep 60
exit $status
END
chmod +x build/plumb

given()	# NAME LINE...
{
	name=$1
	shift
	mkdir -p "$(dirname "tests/check/$name")"
	printf '%s\n' "$@" >"tests/check/$name"
}

# One test in a tree of its own: expect PASSED FAILED and a pattern.  Annotated programs
# are judged once for each engine setting, vfg and all.
judged()	# WHAT PASSED FAILED PATTERN [GROUP]
{
	run_any tests/run --no-build "${5-check}"
	expect_out_has "$1" "^$2 passed, $3 failed\$"
	expect_out_has "$1: it says so" "$4"
	rm -rf tests/check/* tests/dump/* tests/cli/* tests/fix/*
}

given a.c 'p = say(conditional); // LEAK(conditional)' 'q = ok();'
judged "a leak that is reported" 2 0 "^known \\(all\\): 0 false alarms, 0 misses, in 0 of 1"
given a.c 'p = x(); // LEAK'
judged "a leak that is not reported" 0 2 "a.c:1: leak not reported"
given a.c 'p = say(conditional); // LEAK(never-freed): the other kind'
judged "a leak reported as something else" 0 2 "reported as conditional"
given a.c 'p = say(never-freed);'
judged "a false alarm" 0 2 "against the source"
given a.c 'p = x(); // FN: LEAK(conditional)' 'p = say(overwritten); // FP: a reason'
judged "known failures" 2 0 "^known \\(vfg\\): 1 false alarms, 1 misses, in 1 of 1"
given a.c 'p = say(conditional); // FN: LEAK'
judged "a known miss that is found" 0 2 "remove the tag FN"
given a.c 'p = x(); // FP'
judged "a known false alarm that is gone" 0 2 "remove the tag FP"
given a.c 'p = x(); // LEAK(leaked)'
judged "a kind that does not exist" 0 1 "no such kind"
given a.c '// EXIT: 3' 'p = x();'
judged "a wrong exit code" 0 2 "exit code 0, expected 3"
given a.c 'crash'
judged "a crash" 0 2 "killed by signal 11"
given a.c '// TIMEOUT: 1' 'hang'
judged "a program that hangs" 0 2 "did not end within 1 s"
given dir/a.c 'p = say(overwritten); // LEAK'
given dir/b.c 'p = say(never-freed); // LEAK'
judged "a folder is one program" 2 0 "^known"
given set/README.md 'What these are.'
given set/a.c 'p = say(overwritten); // LEAK'
given set/b.c 'p = say(never-freed);'
judged "a folder with a README.md is several" 2 2 "^FAILED check: set/b"
given a.c '// FILES: a.c b.c' 'p = x();'
given b.c 'p = say(never-freed); // LEAK(never-freed)'
judged "FILES is one program" 2 0 "^known"
given a.c '// RUN: plumb check %s %S/none.txt -- -DX' 'p = x();'
judged "a RUN line" 2 0 "^known"

given a.c '// RUN: plumb check --engine all %s' 'p = say-all(stale); // LEAK'
judged "a RUN line with an engine is for that engine" 1 0 "^known \\(all\\)"
given a.c 'p = say-vfg(stale); // FN(all): LEAK' 'p = say-all(stale); // FP(stale,all)'
judged "known failures of one setting" 2 0 "^known \\(all\\): 1 false alarms, 1 misses"
given a.c 'p = say-vfg(stale); // FN(vfg): LEAK' 'p = say-all(stale); // FP(vfg)'
judged "known failures of the other setting" 0 2 "a.c:2: reported as stale"
given a.c 'p = x(); // FN(none): LEAK'
judged "a setting that does not exist" 0 1 "no such engine setting"
given a.c 'say(double-free) // DOUBLE-FREE' 'say(use-after-free) // USE-AFTER-FREE' \
	'f(); // FN: DOUBLE-FREE' 'say(double-free) // FP(double-free)'
judged "other errors than leaks" 2 0 "^known \\(vfg\\): 1 false alarms, 1 misses"
given a.c 'p = say(double-free); // LEAK'
judged "a double free is no leak" 0 2 "a.c:1: leak not reported"
given a.c 'p = say(stale); // LEAK@one' 'p = f(); // LEAK@one(stale)' 'g(); // FN: LEAK@two'
judged "a leak told at one of two places" 2 0 "^known \\(vfg\\): 0 false alarms, 1 misses"
given a.c 'p = f(); // LEAK@one' 'g(); // LEAK@one(stale)'
judged "a leak told at none of two places" 0 2 "a.c:1: leak not reported"
given a.c 'p = say-path(stale); // LEAK'
judged "the path engine, where it is asked for" 1 0 "^known \\(path\\)" check-path

given a.c 'p = say-path(stale); // LEAK: words' 'p = say(overwritten);' \
	'p = x(); // FP(stale,path) words' 'say-vfg(double-free) // FN: DOUBLE-FREE' \
	'p = f(); // FN: LEAK@x' 'p = say-vfg(stale); // LEAK@x'
run_any tests/run --no-build --retag check check-path
cat >want <<'END'
p = say-path(stale); // FN(vfg,all): LEAK: words
p = say(overwritten); // FP(overwritten)
p = x(); words
say-vfg(double-free) // FN(path,all): DOUBLE-FREE
p = f(); // FN(path,all): LEAK@x
p = say-vfg(stale); // FN(path,all): LEAK@x
END
check "--retag writes the tags" cmp want tests/check/a.c
given b.c 'say-vfg(stale)' 'say-vfg(stale) // FN: LEAK' 'say-all(stale) // LEAK' \
	'say-all(stale) // FP'
run_any tests/run --no-build --untag check b
cat >want <<'END'
say-vfg(stale)
say-vfg(stale) // FN(path,all): LEAK
say-all(stale) // LEAK
say-all(stale) // FP(path,all)
END
check "--untag only takes tags away" cmp want tests/check/b.c
rm tests/check/b.c
judged "what it wrote passes" 2 0 "^known"

printf '// RUN: plumb dump ir %%s\n' >tests/dump/a.c
echo 'stage ir of tests/dump/a.c' >tests/dump/a.expected
judged "a dump as expected" 1 0 "^1 passed" dump
printf '// RUN: plumb dump ir %%s\n' >tests/dump/a.c
judged "a dump without expected text" 0 1 "^ *\+stage ir" dump
printf '// RUN: plumb dump ir %%s\n' >tests/dump/a.c
run_any tests/run --no-build --update dump
check "--update writes it" grep -qx 'stage ir of tests/dump/a.c' tests/dump/a.expected
rm -f tests/dump/*

echo 'echo ok - one; echo hm; echo not ok - two; echo ok - three \# SKIP tired' >tests/cli/a.sh
run_any tests/run --no-build cli
expect_out_has "a shell test is counted by its lines" "^1 passed, 1 failed, 1 skipped\$"
check "exit code 1 with failures" [ "$status" -eq 1 ]
cat >tests/cli/a.sh <<'END'
. "$ROOT/tests/lib.sh"
run sh -c 'echo came; exit 4'
expect_status "what" 5
END
run_any tests/run --no-build cli
expect_out_has "a failure says what was expected" "^    expected: exit code 5"
expect_out_has "... and what came" "^    exit code 4"
check "it is printed when it happens, before the group is done" [ "$(grep -nE -m1 '^FAILED cli: a: what' .out | cut -d: -f1)" -lt \
	"$(grep -n -m1 '^cli:' .out | cut -d: -f1)" ]
expect_out_has "and named once more at the end" "^    cli: a: what"
echo 'exit 3' >tests/cli/a.sh
judged "a shell test that says nothing" 0 1 "exit code 3" cli
echo 'echo ok - one; exit 3' >tests/cli/a.sh
judged "a shell test that ends badly" 1 1 "exit code 3" cli

# plumb fix.  f(1) frees, f(0) does not; the patch is what is inserted.
"${CC:-gcc}" -O1 -g1 -c -o build/tests/live.o "$ROOT/tests/live.c" || exit 1
fixing()	# HEAD STATEMENT
{
	{
		printf '%b\n' "$1"
		cat <<END
#include <stdio.h>
#include <stdlib.h>
static int f(int n)
{
	int *p = malloc(sizeof *p);
	*p = n;
	if (n) {
		free(p);
		return n;
	}
	$2
	return n;
}
int main(void)
{
	printf("%d", f(1));
	printf("%d\\n", f(0));
	return 0;
}
END
	} >tests/fix/a.c
}

fixing '// LEAKS: 1' '/* INSERT free(p); */'
judged "a leak that is fixed" 1 0 "^known \\(fix\\): 0 of 1" fix
fixing '// LEAKS: 2' '/* INSERT free(p); */'
judged "a program that does not leak as it says" 0 1 "1 objects left; expected 0, 2" fix
fixing '// LEAKS: 1' ';'
judged "a leak that is not fixed" 0 1 "no patch" fix
fixing '// LEAKS: 1' '/* REFUSE for a reason */'
judged "a leak that is refused" 0 1 "exit code 1, expected 0" fix
fixing '// LEAKS: 1\n// KNOWN: a reason' '/* REFUSE for a reason */'
judged "a leak that is known not to be fixed" 1 0 "^known \\(fix\\): 1 of 1" fix
fixing '// LEAKS: 1\n// KNOWN: a reason' '/* INSERT free(p); */'
judged "a leak that is no longer unfixed" 0 1 "remove the tag KNOWN" fix
fixing '// LEAKS: 1\n// EXPECT: refused\n// REFUSED: for a' '/* REFUSE for a reason */'
judged "a leak that must be refused" 1 0 "^1 passed" fix
fixing '// LEAKS: 1\n// EXPECT: refused\n// KNOWN: no' '/* INSERT free(p); */'
judged "... and is not" 0 1 "a patch where there must be none" fix
fixing '// LEAKS: 0' 'free(p); /* INSERT n++; */'
judged "a safe program that is patched" 0 1 "a patch where there must be none" fix
fixing '// LEAKS: 1\n// KNOWN: no' '/* INSERT free(p); n = *p; */'
judged "a patch that uses what is free" 0 1 "(AddressSanitizer|without warnings)" fix
fixing '// LEAKS: 1\n// KNOWN: no' '/* INSERT free(p); n = 7; */'
judged "a patch that changes the output" 0 1 "behaves differently" fix
fixing '// LEAKS: 1\n// KNOWN: no' '/* INSERT free(p); exit(3); */'
judged "a patch that changes the exit code" 0 1 "behaves differently" fix
fixing '// LEAKS: 1\n// KNOWN: no' '/* INSERT free(p); int unused; */'
judged "a patch with a warning" 0 1 "not without warnings" fix
fixing '// LEAKS: 1' '/* INSERT n += 0; */'
judged "a patch that does not end the leak" 0 1 "loses 1 objects, expected 0" fix
fixing '// LEAKS: 1\n// PATCH: no such line' '/* INSERT free(p); */'
judged "a line that the patch lacks" 0 1 "PATCH: no such line: 0 lines match" fix
fixing '// LEAKS: 1\n// NEVER: ^[+].*free' '/* INSERT free(p); */'
judged "a line that the patch must not have" 0 1 "NEVER: .*free: 1 lines match" fix
fixing '// LEAKS: 1' '/* INSERT free(p); */'
touch tests/fix/a.diff
judged "another patch than expected" 0 1 "the patch is not tests/fix/a.diff" fix
fixing '// LEAKS: 1' '/* INSERT free(p); */'
touch tests/fix/a.diff
run_any tests/run --no-build --update fix
judged "--update takes it" 1 0 "^1 passed" fix

# Without the npm registry: nobody waits, and the reason is said.
mkdir npm && echo '{ "dependencies": { "ajv": "8.17.1" } }' >npm/package.json
if command -v npm >/dev/null; then
	start=$SECONDS
	run_any env ROOT="$PWD/npm" here="$PWD/npm" HOME="$PWD/npm" npm_config_registry=http://127.0.0.1:9/ \
		bash -c ". '$ROOT/tests/lib.sh'; . '$ROOT/tests/report/npm.inc'; npm_ready || echo again; npm_ready"
	expect_out_has "no npm registry: skipped, with the reason" '^ok - npm packages.* # SKIP .*cannot be reached: .*ECONNREFUSED'
	expect_out_lacks "... and no failure" '^not ok'
	check "... within a minute" [ $((SECONDS - start)) -lt 60 ]
fi
