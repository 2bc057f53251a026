#!/bin/bash
# bench_run.sh - training and cyclic runs, for `make bench-check`.  QUICK=1: fewer requests.

cd "$(dirname "$0")/.." || exit 1
bad=0
for s in "long.sh" "mend.sh" "real.sh ${QUICK:+sqlite3}" "train_cost.sh ${QUICK:+2}"; do
	echo "== bench/$s"
	# shellcheck disable=SC2086
	bash bench/$s || { echo "bench: $s: does not hold" >&2; bad=1; }
done
exit $bad
