#!/bin/bash
#
# bench_front.sh - the front end on real programs: is it complete, what does it cost?
#
# What "make bench-check" runs of front.sh and front-cost.sh.  QUICK=1: two small
# programs, measured once.

dir=$(dirname "$0")
programs=()
if [ -n "${QUICK:-}" ]; then
	programs=(make wget)
	export RUNS=${RUNS:-1}
fi
bad=0
bash "$dir/front.sh" "${programs[@]}" || bad=1
bash "$dir/front-cost.sh" "${programs[@]}" || bad=1
exit $bad
