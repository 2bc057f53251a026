#!/bin/sh
#
# demo.sh - check the example program, show the report and write it as a page.
#
#	tools/demo.sh PLUMB PAGE
#
# plumb's exit code says whether the program leaks: it must, the example is there
# for that.  Any other answer is a failure of the demo.  The last line is the command
# for a program of the reader's own.

set -eu
plumb=$1
page=$2
example=examples/stock

check()
{
	status=0
	"$plumb" check "$@" || status=$?
	if [ "$status" -ne 1 ]; then
		echo "demo: plumb check gave exit code $status, not 1 (leaks found)" >&2
		exit 1
	fi
}

echo "\$ $plumb check $example/*.c"
check "$example"/*.c
check --format html -o "$page" "$example"/*.c 2>/dev/null
echo
echo "The same as a page for a browser: $page"
echo "Your own program, from the folder of its sources:"
echo
echo "    $(realpath "$plumb") check *.c"
