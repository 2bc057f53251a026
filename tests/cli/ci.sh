# NOSAN: scripts around the plumb that users get
#
# What CI uses: the steps of action.yml, hooks for pre-commit, the baseline workflow of docs/ci.md.
. "$ROOT/tests/lib.sh"

ci=$ROOT/packaging/ci
cat >'a leak.c' <<'END'
#include <stdlib.h>

void f(void)
{
	char *p = malloc(SIZE);

	*p = 0;
}
END
printf 'int g(void)\n{\n\treturn 1;\n}\n' >clean.c

# ---- the action ----

step()	# ARGS BASELINE
{
	rm -f output summary plumb.sarif
	run env INPUT_ARGS="$1" INPUT_BASELINE="$2" INPUT_SARIF=plumb.sarif GITHUB_OUTPUT="$PWD/output" \
		GITHUB_STEP_SUMMARY="$PWD/summary" "$ci/check.sh"
	expect_status "the step itself does not fail ($1)" 0
}

step "'a leak.c' clean.c -- '-DSIZE=1 + 1'" ""
check "leaks: status" grep -qx 'status=1' output
check "leaks: the file, by its whole name" grep -qx "sarif=$PWD/plumb.sarif" output
check "leaks: in the summary" grep -q 'a leak.c:5:.*: leak: ' summary
expect_out_has "leaks: in the log" '1 leak in 2 units'
step "clean.c" ""
check "clean: status" grep -qx 'status=0' output
check "clean: SARIF all the same" [ -s plumb.sarif ]
check "clean: the summary says what was judged" grep -qx 'no leaks found: there is no allocation' summary
step 'missing.c $(touch expanded)' ""
check "nothing analysed: status" grep -qx 'status=2' output
check "nothing analysed: no file" bash -c '! grep -q sarif= output'
check "arguments are words, no script" [ ! -e expanded ]

# names that others choose, and texts
mkdir -p pull && cd pull || exit 1
printf '#!/bin/sh\ntouch fired\n' >evil.sh
chmod +x evil.sh
names=('x --clang=.%evil.sh y.c' '--clang=evil.c' '$(touch fired).c' '::set-output name=status::0.c' '-oMakefile.c' "it's.c")
for name in "${names[@]}"; do
	cp "../a leak.c" "$(mkdir -p -- "$(dirname -- "./${name//%//}")"; echo "./${name//%//}")"
done
sed -i 's,\*p = 0;,/* \n::set-output name=status::0 */ *p = 0;,' ./*.c
run env GITHUB_ACTIONS=true INPUT_ARGS="-- -DSIZE=1" INPUT_FILES="$(printf '%s\n' "${names[@]//%//}")" INPUT_SARIF=plumb.sarif \
	GITHUB_OUTPUT="$PWD/output" GITHUB_STEP_SUMMARY="$PWD/summary" "$ci/check.sh"
check "files with names of all kinds are checked" grep -qx 'status=1' output
expect_out_has "... all of them" "6 leaks in 6 units"
check "... and nothing runs, nor is written elsewhere" [ ! -e fired -a ! -e Makefile.c -a ! -e y.c ]
awk '/^::stop-commands::[0-9a-f]+$/ { stop = substr($0, 18); next } stop && $0 == "::" stop "::" { stop = ""; next }
	!stop && /^[ \t]*::/ { print; bad = 1 } END { exit bad || stop }' .out
check "no line of a report is a command to the runner" [ $? -eq 0 ]
check "... of which there would be some" grep -q '^[[:space:]]*::set-output' .out
cd ..

verdict_is()	# STATUS FAIL EXIT
{
	run env STATUS="$1" FAIL="$2" "$ci/verdict.sh"
	expect_status "exit code $1 with fail: $2 gives $3" "$3"
}
verdict_is 0 leaks 0
verdict_is 1 leaks 1
verdict_is 2 leaks 1
verdict_is 3 leaks 1
verdict_is 1 errors 0
verdict_is 2 errors 1
verdict_is 1 never 0
verdict_is '' leaks 1

# ---- baseline ----

"$PLUMB" check --format json -o base.json 'a leak.c' -- -DSIZE=1
run "$PLUMB" check --baseline base.json 'a leak.c' -- -DSIZE=1
expect_status "what the baseline has does not fail" 0
echo 'baseline = base.json' >.plumb.conf
run "$PLUMB" check --format json -o anew.json 'a leak.c' -- -DSIZE=1
rm .plumb.conf
run "$PLUMB" check --baseline anew.json 'a leak.c' -- -DSIZE=1
expect_status "nor what one has that was written with a baseline in force" 0
sed -i 's/^void f/void another(void)\n{\n\tchar *q = malloc(2);\n\n\t*q = 1;\n}\n\nvoid f/' 'a leak.c'
run "$PLUMB" check --baseline base.json 'a leak.c' -- -DSIZE=1
expect_status "a new leak fails, though lines have moved" 1
expect_out_has "and only that counts" '^1 new leak|^1 leak'

# ---- YAML ----

check "action.yml, hooks and examples are YAML; the hooks call plumb" python3 - "$ROOT" <<'END'
import re
import sys
import yaml

root = sys.argv[1]
action = yaml.safe_load(open(f'{root}/action.yml'))
assert action['runs']['using'] == 'composite'
for step in action['runs']['steps']:
    assert 'uses' in step or step['shell'] == 'bash', step
used = set(re.findall(r'inputs\.([a-z-]+)', open(f'{root}/action.yml').read()))
assert used == set(action['inputs']), used ^ set(action['inputs'])
for hook in yaml.safe_load(open(f'{root}/.pre-commit-hooks.yaml')):
    assert hook['entry'] == 'plumb check' and hook['language'] == 'system'
blocks = re.findall(r'```yaml\n(.*?)```', open(f'{root}/docs/ci.md').read(), re.S)
assert len(blocks) >= 4
for block in blocks:
    yaml.safe_load(block)
END
