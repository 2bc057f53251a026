#!/bin/sh
#
# demo.sh - check the example program and show the report.
#
#	tools/demo.sh PLUMB
#
# plumb's exit code says whether the program leaks: it must, the example is there
# for that.  Any other answer is a failure of the demo.

set -eu
plumb=$1
example=examples/stock

echo "\$ plumb check $example/*.c"
status=0
"$plumb" check "$example"/*.c || status=$?
if [ "$status" -ne 1 ]; then
	echo "demo: plumb check gave exit code $status, not 1 (leaks found)" >&2
	exit 1
fi
