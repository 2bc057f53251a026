# options.sh - the same option from .plumb.conf, the environment and the command line.
. "$ROOT/tests/lib.sh"

cat >leak.c <<'EOF'
#include <stdlib.h>
void my_release(void *p);
int g(void) { char *p = malloc(3); my_release(p); return 0; }
EOF
echo 'my_release { free arg1; }' >free.model
echo 'my_release { ignore; }' >ignore.model

run "$PLUMB" check leak.c
expect_status "an unknown function keeps what it is given" 0
run "$PLUMB" check --model ignore.model leak.c
expect_status "--model tells otherwise" 1
run "$PLUMB" check --model=free.model leak.c
expect_status "--model=FILE, too" 0

echo 'format = json   # a comment' >.plumb.conf
run "$PLUMB" check leak.c
expect_out_has "a setting of .plumb.conf" '"schema": "plumb-findings/1"'
run env PLUMB_FORMAT=sarif "$PLUMB" check leak.c
expect_out_has "the environment beats it" '"version": "2.1.0"'
run env PLUMB_FORMAT=sarif "$PLUMB" check --format text leak.c
expect_out_has "the command line beats both" '^no leaks found'

mkdir -p deep/er && cp leak.c deep/er
echo 'model = ignore.model' >.plumb.conf
cd deep/er || exit 1
run "$PLUMB" check leak.c
expect_status "the file is found in a folder above, and paths in it are its own" 1
cd ../..

echo 'modle = x' >.plumb.conf
run "$PLUMB" check leak.c
expect_status "a misspelt setting: exit code 2" 2
expect_one_line "a misspelt setting: one line"
expect_err_has "a misspelt setting is named with its line" 'plumb.conf:1: unknown setting `modle`'
echo 'jobs' >.plumb.conf
run "$PLUMB" check leak.c
expect_err_has "a line without =" 'plumb.conf:1: expected'
echo 'jobs = many' >.plumb.conf
run "$PLUMB" check leak.c
expect_err_has "a number that is none" 'plumb.conf:1: jobs: expected a number'
rm .plumb.conf

run "$PLUMB" check --frobnicate leak.c
expect_status "an unknown option: exit code 2" 2
expect_one_line "an unknown option: one line"
run "$PLUMB" check --format
expect_err_has "an option that lacks its value" '--format needs a value'
run "$PLUMB" check --format xml leak.c
expect_status "an unknown format: exit code 2" 2
run "$PLUMB" check --engine warp leak.c
expect_err_has "an unknown engine" 'unknown engine `warp`'
run "$PLUMB" check -j2 leak.c
expect_status "-jN" 0
run "$PLUMB" check --help
expect_status "--help: exit code 0" 0
expect_out_has "--help lists the options" '--baseline FILE'
cp .out check.help
run "$PLUMB" help check
expect_status "help COMMAND: exit code 0" 0
check "help COMMAND is COMMAND --help" cmp check.help .out
run "$PLUMB" help nothing
expect_status "help of a command that there is not" 2
run "$PLUMB" frobnicate
expect_status "an unknown command: exit code 2" 2
run "$PLUMB"
expect_status "no command: exit code 2" 2
run "$PLUMB" --version
expect_out_has "--version" '^plumb [0-9]'
expect_out_has "--version names the solver" '^SMT solver: (Z3 [0-9]|none$)'
run "$PLUMB" dump nonsense leak.c
expect_status "an unknown stage: exit code 2" 2
expect_err_has "the stages are listed" 'callgraph'

# ---- suppression and baseline ----

cat >two.c <<'EOF'
#include <stdlib.h>
int a(void) { char *p = malloc(3); return p != 0; }
int b(void)
{
	/* plumb-ignore: on purpose */
	char *p = malloc(4);
	return p != 0;
}
EOF
run "$PLUMB" check --format json -o base.json two.c
expect_status "one counts, one is suppressed" 1
check "the report went to the file" grep -q '"suppressed": true' base.json
run "$PLUMB" check --baseline base.json two.c
expect_status "with a baseline only new ones count" 0
sed -i 's/^int a/int zero;\nint a/' two.c
run "$PLUMB" check --baseline base.json two.c
expect_status "and a moved line is not new" 0
run "$PLUMB" check --baseline nothere.json two.c
expect_status "a missing baseline: exit code 2" 2
run "$PLUMB" check -o /nonexistent/x.json --format json two.c
expect_status "an output that cannot be written: exit code 2" 2

# The current folder was removed meanwhile, and has no folder above that could be asked for.
in_no_folder='mkdir gone && cd gone && rmdir ../gone && exec "$@"'
run sh -c "$in_no_folder" - "$PLUMB" check "$PWD/leak.c"
expect_status "in a folder that is no more, a file with its whole name is checked" 0
run sh -c "$in_no_folder" - "$PLUMB" check -p .
expect_err_has "and nothing else is found" 'no compile_commands.json there'
