#!/bin/sh
#
# cov.sh - which lines of src/ the tests execute, by folder.
#
#	tools/cov.sh BUILD GROUP...	BUILD: a folder made by make COV=1
#
# gcov's own summaries, added up; headers are left out.  For one file line by line:
#
#	gcov -o build/cov/obj/src/ir src/ir/ssa.c
#
# What a worker did that was killed is not counted.

set -u
build=$1
shift
find "$build" -name '*.gcda' -delete
tests/run --no-build --build "$build" "$@"
status=$?
find "$build/obj/src" -name '*.gcno' -exec gcov -n {} + 2>/dev/null | awk -F"[':% ]+" '
/^File /	{ file = $2 }
/^Lines executed/ && file ~ /^src\/.*\.c$/ {
	n = split(file, part, "/")
	folder = part[1] "/" part[2]
	all[folder] += $5
	done[folder] += $3 * $5 / 100
	file = ""
}
END {
	for (f in all) {
		printf "%-14s %6.0f of %6d lines  %5.1f %%\n", f, done[f], all[f], 100 * done[f] / all[f]
		a += all[f]
		d += done[f]
	}
	if (a)
		printf "%-14s %6.0f of %6d lines  %5.1f %%\n", "~all", d, a, 100 * d / a
}' | sort | sed 's/^~all/all /'
exit $status
