#!/bin/bash
#
# bench_verdicts.sh - is what was found in real programs still found?
#
# What "make bench-check" runs of verdicts.sh.  QUICK=1: two small programs.

programs=()
[ -z "${QUICK:-}" ] || programs=(make wget)
exec bash "$(dirname "$0")/verdicts.sh" --build "${programs[@]}"
