# lib.sh - for shell tests: . "$ROOT/tests/lib.sh"
#
# A test script prints `ok - what` or `not ok - what` for each thing it checks;
# what it prints before a `not ok` is shown as the reason.  It runs in an empty
# folder of its own.  From tests/run it has
#
#	$PLUMB	the plumb to be tested (also found in PATH)
#	$ROOT	the source tree		$BUILD	the folder of $PLUMB
#	$CLANG	the clang of the LLVM that plumb was built with
#
#	run COMMAND...			sets $status, $out, $err; never ends the script
#	run_any COMMAND...		the same for a program that may crash
#	ok WHAT / not_ok WHAT		the line itself
#	skip WHAT WHY
#	check WHAT CONDITION...		ok if the command CONDITION... succeeds
#	expect_status WHAT N		of the last run
#	expect_out WHAT TEXT		standard output of the last run is TEXT
#	expect_out_has WHAT PATTERN	... has a line that matches (grep -E)
#	expect_err_has WHAT PATTERN	the same for standard error
#	expect_out_lacks, expect_err_lacks WHAT PATTERN
#	expect_one_line WHAT		the last run said exactly one line on standard error
#
# A crash or a sanitizer's report in `run` is a failure of its own, whatever else
# is asked about it; so is a line that says that there are no leaks, and not what was judged.

set -u

status=0 out= err=
script_dir=$PWD kept=$PWD

ok()
{
	echo "ok - $1"
}

not_ok()
{
	echo "not ok - $1"
}

skip()
{
	echo "ok - $1 # SKIP $2"
}

run_any()
{
	kept=$PWD
	[ "$PWD" != "$ROOT" ] || kept=$script_dir	# nothing is written into the source tree
	"$@" >"$kept/.out" 2>"$kept/.err" </dev/null
	status=$?
	out=$(tr -d '\0' <"$kept/.out")
	err=$(tr -d '\0' <"$kept/.err")
	ran="$*"
}

run()
{
	run_any "$@"
	if [ "$status" -ge 128 ] || [ "$status" -eq 99 ] ||
	    grep -qE 'ERROR: (Address|Leak)Sanitizer|runtime error: ' "$kept/.err"; then
		tell_last
		not_ok "no crash in: $ran"
	fi
	honest >"$PWD/.unsaid" || not_ok "it says what was judged: $ran: $(head -n 1 "$PWD/.unsaid")"
	rm "$PWD/.unsaid"
}

honest()
{
	! LC_ALL=C grep -ahE '(^|: )no (new )?leaks?( found)?[ :]' "$PWD/.out" "$PWD/.err" |
		grep -avE ' judged|there is no (other )?allocation|with the id'
}

# What the last run did, for the reader of a failure.
tell_last()
{
	echo "\$ $ran"
	head -n 40 "$kept/.out" | sed 's/^/out: /'
	head -n 40 "$kept/.err" | sed 's/^/err: /'
	echo "exit code $status"
}

verdict()	# WHAT [EXPECTED], with the answer in $?
{
	if [ $? -eq 0 ]; then
		ok "$1"
	else
		tell_last
		[ -z "${2-}" ] || echo "expected: $2"
		not_ok "$1"
	fi
}

check()
{
	what=$1
	shift
	if "$@"; then
		ok "$what"
	else
		echo "failed: $*"
		not_ok "$what"
	fi
}

expect_status()
{
	[ "$status" -eq "$2" ]
	verdict "$1" "exit code $2"
}

expect_out()
{
	[ "$out" = "$2" ]
	verdict "$1" "standard output is: $2"
}

expect_out_has()
{
	grep -qE -e "$2" "$kept/.out"
	verdict "$1" "a line of standard output matches: $2"
}

expect_err_has()
{
	grep -qE -e "$2" "$kept/.err"
	verdict "$1" "a line of standard error matches: $2"
}

expect_out_lacks()
{
	! grep -qE -e "$2" "$kept/.out"
	verdict "$1" "no line of standard output matches: $2"
}

expect_err_lacks()
{
	! grep -qE -e "$2" "$kept/.err"
	verdict "$1" "no line of standard error matches: $2"
}

expect_one_line()
{
	[ "$(wc -l <"$kept/.err")" -eq 1 ]
	verdict "$1" "one line on standard error"
}
