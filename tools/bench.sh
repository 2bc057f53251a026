#!/bin/sh
#
# bench.sh - run the checks of bench/, one after another: make bench-check.
#
# That is every bench/bench_*.sh.  Each installs what it needs, prints a table and
# exits with 0 if all that must hold does hold.  QUICK=1 measures small programs, once.

set -u
bad=0
for s in bench/bench_*.sh; do
	echo "== $s"
	bash "$s" || { echo "bench: $s: does not hold" >&2; bad=1; }
done
exit $bad
