#!/bin/bash
# mend.sh - bounds that mend themselves: a server whose true bound is 4, trained with
# requests that show only 3, under 10,000 requests of which some need 4.
#
#	bench/mend.sh [REQUESTS]
#
# Without mending the answers must be wrong (that is the technique's risk); with it
# they must be right, and the bound is raised in the bounds file.

cd "$(dirname "$0")/.." || exit 1
PLUMB=${PLUMB:-$PWD/build/plumb}
WORK=${WORK:-$PWD/build/bench/mend}
requests=${1:-10000}
. bench/train_lib.sh

build_servers || exit 1
bad=0

# The answers of the server, run by COMMAND, to requests of which each $each-th is deep.
ask()	# COMMAND...
{
	count=$requests serve late "-d $each" "$@" "$WORK/late" || return 1
	answers "$WORK/late.load"
}

bound()
{
	"$PLUMB" bounds --format json "$WORK/late.bounds" |
		jq '[.sites[] | select(.leaking) | .m] | max'
}

for each in 1 7 100; do
	train_server late 20 80 200 || exit 1
	trained=$(bound)
	plain=$(ask env)
	overlaid=$(ask "$PLUMB" run --no-mend --bounds "$WORK/late.bounds" --)
	after_overlay=$(bound)
	mended=$(ask "$PLUMB" run --bounds "$WORK/late.bounds" --)
	echo "every $each-th request deep: trained m = $trained; answers without mending:" \
		"$([ "$plain" = "$overlaid" ] && echo right || echo wrong); with it:" \
		"$([ "$plain" = "$mended" ] && echo right || echo wrong), m = $(bound) after"
	[ "$trained" = 3 ] && [ "$after_overlay" = 3 ] && [ "$plain" != "$overlaid" ] &&
		[ "$plain" = "$mended" ] && [ "$(bound)" -ge 4 ] || bad=1
done
exit $bad
