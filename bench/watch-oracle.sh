#!/bin/bash
#
# watch-oracle.sh - does plumb watch ever say more than is true, and how much does it find?
#
#	bench/watch-oracle.sh [PROGRAM...]
#
# Runs real programs, watched by libplumb.so, under a tool that sees every access
# (tests/runtime/truth/), and compares all that the library says of objects and sites, once a
# second, with the truth.  Time is counted in instructions: the table is the same on every
# machine with the same programs.
#
# Must hold:	no statement says more than is true; weighted recall at least 0.9
#
# Writes build/bench/results/watch-oracle.txt; exits with 1 if one does not hold.

. "$(dirname "$0")/lib.sh"

TRUTH=$TOP/tests/runtime/truth
ORACLE=$OUT/oracle
TEXT=$OUT/results/watch-oracle.txt
status=0

packages_of()
{
	case $1 in
	python3|threads) echo python3 ;;
	*) echo "$1" ;;
	esac
}

make -s -C "$TOP" build/libplumb.so
"$TRUTH/build.sh" "$TOP" "$ORACLE" || exit 1
[ $# -gt 0 ] || set -- $("$TRUTH/run.sh" "" "" "")
{
	printf '%-10s %8s %6s %10s %6s %9s %9s\n' program seconds sites statements over "recall" weighted
	for p in "$@"; do
		line=$("$TRUTH/run.sh" "$TOP" "$ORACLE" "$p") || {
			[ $? -eq 77 ] && apt-get install -y -q "$(packages_of "$p")" >/dev/null 2>&1
			line=$("$TRUTH/run.sh" "$TOP" "$ORACLE" "$p")
		} || { printf '%-10s could not be run\n' "$p"; status=1; continue; }
		read -r _ seconds _ sites statements over recall weighted <<<"$line"
		printf '%-10s %8d %6d %10d %6d %9s %9s%s\n' "$p" "$seconds" "$sites" "$statements" "$over" "$recall" "$weighted" \
			"$(awk "BEGIN { if ($over > 0 || $weighted < 0.9) print \"  FAILS\" }")"
		awk "BEGIN { exit !($over > 0 || $weighted < 0.9) }" && status=1
	done
	exit $status
} | tee "$TEXT"
exit "${PIPESTATUS[0]}"
