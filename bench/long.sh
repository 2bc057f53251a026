#!/bin/bash
# long.sh - the evaluation of cyclic allocation as in section 4 of Nguyen and Rinard,
# on the servers of examples/leaky: training runs, validation, long runs with and
# without cyclic buffers, conflict runs.
#
#	bench/long.sh [REQUESTS]	default 1000000; 20000 with QUICK=1
#
# Leaves build/bench/long/*.tsv (requests, resident kB) and memory.svg, and prints
# for each server the leaking site, memory after 1,000 requests and at the end,
# and whether the answers were the same.  Exit code 1 if they were not, memory grew by more
# than 5 %, or a server did not survive its conflict run.

cd "$(dirname "$0")/.." || exit 1
PLUMB=${PLUMB:-$PWD/build/plumb}
WORK=${WORK:-$PWD/build/bench/long}
count=${1:-$([ -n "$QUICK" ] && echo 20000 || echo 1000000)}
. bench/train_lib.sh

build_servers || exit 1
bad=0

# One long run; $1.KIND.tsv gets the curve.
long_run()	# NAME KIND COMMAND...
{
	local name=$1 kind=$2
	shift 2

	# shellcheck disable=SC2046
	serve "$name" "-m 1000" "$@" "$WORK/$name" $(server_args "$name") || return 1
	awk '$1 == "memory" { print $2 "\t" $3 }' "$WORK/$name.load" >"$WORK/$name.$kind.tsv"
	cp "$WORK/$name.load" "$WORK/$name.$kind.load"
}

report()	# NAME
{
	local name=$1 kind first last same=no
	[ "$(answers "$WORK/$name.plain.load")" = "$(answers "$WORK/$name.cyclic.load")" ] && same=yes
	for kind in plain cyclic; do
		first=$(sed -n '1s/.*\t//p' "$WORK/$name.$kind.tsv")
		last=$(sed -n '$s/.*\t//p' "$WORK/$name.$kind.tsv")
		printf '%-8s %-7s %9d %8d %8d  %6.2f' "$name" "$kind" "$count" "$first" "$last" \
			"$(echo "scale=3; $last / $first" | bc)"
		[ $kind = cyclic ] && printf '  answers the same: %s' "$same"
		echo
	done
	[ $same = yes ] && [ $((last * 100)) -le $((first * 105)) ] || bad=1
}

for name in $SERVERS; do
	train_server $name 20 80 200 || { echo "$name: training failed"; exit 1; }
	echo "== $name"
	"$PLUMB" bounds --all "$WORK/$name.bounds" | grep leaks
done

echo
echo "server   memory   requests after 1k   at end   ratio"
for name in $SERVERS; do
	long_run $name plain env || exit 1
	long_run $name cyclic "$PLUMB" run --bounds "$WORK/$name.bounds" -- || exit 1
	report $name
done

echo
echo "conflict runs: bounds halved, --oblivious"
requests=$count
train_server late 20 80 200 || exit 1
for name in $SERVERS late; do
	count=$((requests < 20000 ? requests : 20000))
	# shellcheck disable=SC2046
	if serve $name "-d 7" "$PLUMB" run --bounds "$WORK/$name.bounds" --scale 0.5 --oblivious -- \
	    "$WORK/$name" $(server_args $name); then
		echo "$name: served $count requests, server ended with $server_status"
	else
		echo "$name: FAILED"
		bad=1
	fi
done

bench/plot.py "$WORK/memory.svg" "$WORK"/*.tsv && echo && echo "plot: $WORK/memory.svg"
exit $bad
