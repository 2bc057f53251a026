#!/bin/bash
#
# findings-cost.sh - what do many findings cost?
#
#	bench/findings-cost.sh [N...]		default: 5000 10000 20000 50000
#
# A program of N functions that leak, every second of them on one path only, in N / 100 files or in
# one.  Times are user + system seconds, children included, with what the front end and the engines
# know in the cache, so that what is left is the work on findings; `first` is the run that filled it.
#
# Must hold:	a finding costs at most 1.5 times as much among 50,000 as among 5,000, in each column
#
# Writes build/bench/results/findings-cost.txt; exits with 1 if it does not hold.

. "$(dirname "$0")/lib.sh"

WORK=$OUT/findings-cost
SIZES=("$@")
[ $# -gt 0 ] || SIZES=(5000 10000 20000 50000)
COLUMNS_SHOWN=(first text json sarif html baseline report)

program()	# N FILES
{
	rm -rf "$WORK"
	mkdir -p "$WORK/src"
	awk -v n="$1" -v files="$2" -v dir="$WORK/src" 'BEGIN {
		per = n / files
		for (i = 0; i < n; i++) {
			f = dir "/u" int(i / per) ".c"
			if (i % per == 0)
				print "#include <stdlib.h>" >f
			printf "\nint f%d(int n)\n{\n\tchar *p = malloc(n + 1);\n\n\tif (!p)\n\t\treturn 1;\n", i >f
			printf i % 2 ? "\tp[0] = 0;\n\treturn p[n];\n}\n" : "\tif (n < 3)\n\t\treturn 2;\n\tfree(p);\n\treturn 0;\n}\n" >f
		}
	}'
}

seconds()	# of plumb with the arguments, which finds leaks
{
	local status=0
	/usr/bin/time -q -o "$WORK/time" -f '%U %S' "${NICE[@]}" "$PLUMB" "$@" >/dev/null 2>"$WORK/log" || status=$?
	[ "$status" -le 1 ] || { show_tail "$WORK/log"; die "plumb $1: exit status $status"; }
	awk '{ print $1 + $2 }' "$WORK/time"
}

measure()	# N FILES: a row
{
	local c args s row=""
	program "$1" "$2"
	for c in "${COLUMNS_SHOWN[@]}"; do
		args=(check --cache-dir "$WORK/cache" "$WORK"/src/*.c)
		case $c in
		first)		;;
		baseline)	args+=(--baseline "$WORK/out.json") ;;
		report)		args=(report "$WORK/out.json" -o "$WORK/report.html") ;;
		*)		args+=(--format "$c" -o "$WORK/out.$c") ;;
		esac
		s=$(seconds "${args[@]}")
		row="$row$(printf '%9.2f' "$s")"
	done
	printf '%8d %6d%s\n' "$1" "$2" "$row"
}

need_plumb
need_packages time
{
	printf '%8s %6s' findings files
	printf '%9s' "${COLUMNS_SHOWN[@]}"
	echo
	for n in "${SIZES[@]}"; do
		measure "$n" $((n / 100))
		measure "$n" 1
	done
} | tee "$OUT/results/findings-cost.txt"
rm -rf "$WORK"

# The same number of files for both sizes: by one file or by many.
awk 'NR > 1 { way = $2 > 1
	for (i = 3; i <= NF; i++) {
		if (!((way, i) in first)) { first[way, i] = $i / $1; n[way] = $1 }
		if ($1 >= 10 * n[way] && $i / $1 > 1.5 * first[way, i]) bad = 1
	} } END { exit bad }' "$OUT/results/findings-cost.txt" || die "more findings cost more than their share"
