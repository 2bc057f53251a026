# Programs that must live with little: what malloc gives them is what libc's would give, but for
# what the library takes itself: 768 kB, and a tenth; a sixth where blocks are of many sizes.
. "$ROOT/tests/lib.sh"

lib=$ROOT/build/libplumb.so
progs=$ROOT/build/tests/runtime

# How many kB there are, under a limit (of ulimit) of so many kB.
allowed()	# LIMIT KB ARGS...
{
	(
		ulimit "$1" "$2"
		shift 2
		"$progs/limits" "$@" 2>/dev/null
	)
}

compare()	# WHAT PLAIN WATCHED [PART]
{
	local part=${4:-10}

	echo "$1: libc $2 kB, watched ${3:-none} kB"
	check "$1" [ "${3:-0}" -ge $(($2 * (part - 1) / part - 768)) -a "${3:-0}" -gt 0 ]
}

for limit in -d -v; do
	for kb in 5120 6144 8192 12288 14336 16384 24576 49152; do
		for args in 100 3000 100000 "100 -1 thread" "1000 -1 thread" -1000 -40000; do
			# shellcheck disable=SC2086
			plain=$(allowed $limit $kb $args)
			[ -n "$plain" ] || continue	# not even the program itself
			rm -f run
			# shellcheck disable=SC2086
			watched=$(LD_PRELOAD=$lib PLUMB_RUN_FILE=$PWD/run allowed $limit $kb $args)
			part=10
			case $args in -*) part=6 ;; esac
			compare "ulimit $limit $kb, limits $args" "$plain" "$watched" $part
		done
	done
done

# Whoever uses up its mappings has memory as long as the break can be moved.
for thread in "" thread; do
	for left in 0 1 4; do
		for size in 100 3000 100000; do
			# shellcheck disable=SC2086
			plain=$("$progs/limits" $size $left $thread)
			rm -f run
			# shellcheck disable=SC2086
			watched=$(LD_PRELOAD=$lib PLUMB_RUN_FILE=$PWD/run "$progs/limits" $size $left $thread)
			compare "$left mappings left, blocks of $size${thread:+, two threads}" "$plain" "$watched"
		done
	done
done
