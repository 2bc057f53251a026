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
expect_err_has "a misspelt setting is named with its line" "plumb.conf:1: unknown setting 'modle': did you mean 'model'\?"
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
expect_err_has "an unknown engine" "unknown engine 'warp'"
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

# What somebody may have meant: MEANT WORDS...
suggests()
{
	meant=$1
	shift
	run "$PLUMB" "$@"
	expect_status "$*: exit code 2" 2
	if [ -n "$meant" ]; then
		expect_err_has "$*: did you mean $meant" ": did you mean '$meant'\\?\$"
	else
		expect_err_lacks "$*: nothing is near" 'did you mean'
	fi
}
suggests check chekc leak.c
suggests version vesrion
suggests '' frobnicate
suggests check help chek
suggests --engine check --enigne=all leak.c
suggests --engine check -engine all leak.c
suggests --output check -output x leak.c
check "-output x is not -o utput" [ ! -e utput ]
suggests --color watch --colour always -- true
suggests --safe-directory check --safe-directry . leak.c
suggests '' check --frobnicate leak.c
suggests json check --format jsno leak.c
suggests '' check --format xml leak.c
suggests diff fix --format dif leak.c
suggests html watch --format json,htlm -- true
suggests text bounds --format txt none
suggests path check --engine paht leak.c
suggests leaking run --only leakign --bounds none -- true
suggests callgraph dump calgraph leak.c
suggests '' dump nonsense leak.c
suggests always check --color alwasy leak.c
echo 'enigne = all' >.plumb.conf
suggests engine check leak.c
echo 'clagn = x' >.plumb.conf
suggests clang check leak.c
echo 'frobnicate = x' >.plumb.conf
suggests '' check leak.c
rm .plumb.conf

# ---- colour ----

colour=$(printf '\033')
coloured()	# WHAT YES STREAM COMMAND...
{
	what=$1 yes=$2 stream=$3
	shift 3
	run "$@"
	if grep -q "$colour" "$PWD/.$stream"; then got=yes; else got=no; fi
	check "$what: colour: $yes" [ "$got" = "$yes" ]
}
coloured "a file" no out "$PLUMB" check leak.c
coloured "--color always" yes out "$PLUMB" check --color always leak.c
coloured "--color always, messages" yes err "$PLUMB" check --color always none.c
coloured "--color always and NO_COLOR" yes out env NO_COLOR=1 "$PLUMB" check --color=always leak.c
coloured "PLUMB_COLOR" yes out env PLUMB_COLOR=always "$PLUMB" check leak.c
echo 'color = always' >.plumb.conf
coloured "color in the settings" yes out "$PLUMB" check leak.c
coloured "and the command line beats it" no out "$PLUMB" check --color never leak.c
coloured "JSON" no out "$PLUMB" check --format json leak.c
coloured "a diff" no out "$PLUMB" fix leak.c
coloured "a report in a file" no out "$PLUMB" check -o text leak.c
check "is not coloured" [ -s text -a "$(grep -c "$colour" text)" = 0 ]
rm .plumb.conf
if command -v script >/dev/null; then
	# two runs on a terminal
	export PLUMB
	script -qec 'TERM=xterm "$PLUMB" check leak.c' /dev/null </dev/null >tty.out 2>&1
	check "a terminal: colour" grep -q "$colour\[" tty.out
	script -qec 'TERM=xterm NO_COLOR=1 "$PLUMB" check leak.c' /dev/null </dev/null >tty.out 2>&1
	check "a terminal and NO_COLOR: none" [ "$(grep -c "$colour\[[0-9;]*m" tty.out)" = 0 ]
	script -qec 'TERM=xterm "$PLUMB" check --color never leak.c' /dev/null </dev/null >tty.out 2>&1
	check "a terminal and --color never: none" [ "$(grep -c "$colour\[[0-9;]*m" tty.out)" = 0 ]
else
	skip "a terminal: colour" "script is not there"
fi

run "$PLUMB" version
expect_out_has "version" '^plumb [0-9]'
cp .out version
run "$PLUMB" --version
check "version is --version" cmp version .out
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
