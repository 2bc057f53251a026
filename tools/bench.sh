#!/bin/sh
#
# bench.sh - run the measurements of bench/, one after another.
#
# Each script installs what it needs, prints a table and exits with 0 if all that
# must hold does hold.  QUICK=1 measures one program, once.

set -u
quick=${QUICK:+wget}
[ -z "$quick" ] || export RUNS=1

bad=0
for s in front front-cost; do
	echo "== bench/$s.sh $quick"
	# shellcheck disable=SC2086
	bash "bench/$s.sh" $quick || { echo "bench: $s: does not hold" >&2; bad=1; }
done
exit $bad
