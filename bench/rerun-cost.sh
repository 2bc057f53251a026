#!/bin/bash
#
# rerun-cost.sh - what does a second run cost, after an edit?
#
#	bench/rerun-cost.sh [PACKAGE]		default: wget
#
# Of a copy of the tree as bench/build.sh PACKAGE db leaves it, with a cache of its own:
#
#	first		nothing is known
#	again		nothing has changed
#	edited		one function has one statement more, each of EDITS (5) times another
#			function with another statement, from the first run's cache
#
# Times are user + system seconds, children included.  Each result must be the same as
# without a cache.
#
# Must hold:	edited / first		at most 0.15, for every edit
#
# Writes build/bench/results/rerun-cost.txt; exits with 1 if it does not hold.

. "$(dirname "$0")/lib.sh"
. "$BENCH_DIR/programs.sh"

PKG=${1:-wget}
EDITS=${EDITS:-5}
WORK=$OUT/rerun/$PKG
TEXT=$OUT/results/rerun-cost.txt

# Runs plumb check with the options "$@"; prints user + system seconds.
checked()
{
	local status=0
	/usr/bin/time -q -o "$WORK/time" -f '%U %S' "${NICE[@]}" "$PLUMB" check --engine all -p "$WORK/tree" \
		--format json "$@" >/dev/null 2>"$WORK/log" || status=$?
	case $status in
	0|1|3)	awk '{ print $1 + $2 }' "$WORK/time" ;;
	*)	show_tail "$WORK/log"; die "plumb check: exit status $status" ;;
	esac
}

# Puts statement $2 into function number $1 (of those whose body begins with `{` alone in
# a line) of the sources in the database; prints file and line.
edit()
{
	local file line
	read -r file line < <(jq -r '.[].file' "$WORK/tree/compile_commands.json" | sort -u |
		xargs -d '\n' grep -nHs '^{$' | awk -F: -v n="$1" '{ f[NR] = $1; l[NR] = $2 }
			END { i = (n * 7919) % NR + 1; print f[i], l[i] }')
	cp "$file" "$WORK/saved"
	sed -i "${line}a $2" "$file"
	echo "$file $line"
}

need_plumb
need_packages jq time "$(basename "$CLANG")"
[ -e "$OUT/db/$PKG/compile_commands.json" ] || "$BENCH_DIR/build.sh" "$PKG" db
rm -rf "$WORK"
mkdir -p "$WORK"
cp -r "$OUT/db/$PKG" "$WORK/tree"
sed -i "s|$(realpath "$OUT/db/$PKG")|$WORK/tree|g" "$WORK/tree/compile_commands.json"
first=$(checked --cache-dir "$WORK/cache" -o "$WORK/first.json")
again=$(checked --cache-dir "$WORK/cache" -o "$WORK/again.json")
cmp "$WORK/first.json" "$WORK/again.json" || die "the second run says something else"
cp -r "$WORK/cache" "$WORK/cache.first"
holds=0
{
	echo "$PKG: first $first s, again $again s ($(awk "BEGIN { printf \"%.1f\", 100 * $again / $first }") %)"
	for ((i = 1; i <= EDITS; i++)); do
		case $((i % 3)) in
		0)	statement='if (!__builtin_getenv ("PLUMB_X")) __builtin_puts ("edited");' ;;
		1)	statement='char *plumb_p = __builtin_malloc (10); __builtin_puts (plumb_p);' ;;
		2)	statement='static int plumb_n; plumb_n++;' ;;
		esac
		read -r file line < <(edit "$i" "$statement")
		rm -rf "$WORK/cache"
		cp -r "$WORK/cache.first" "$WORK/cache"
		edited=$(checked --cache-dir "$WORK/cache" -o "$WORK/edited.json")
		checked --no-cache -o "$WORK/fresh.json" >/dev/null
		cmp "$WORK/edited.json" "$WORK/fresh.json" || die "$file:$line: the cache says something else"
		cp "$WORK/saved" "$file"
		echo "edited ${file#"$WORK"/tree/}:$line: $edited s ($(awk "BEGIN { printf \"%.1f\", 100 * $edited / $first }") %)"
		awk "BEGIN { exit $edited > 0.15 * $first }" || holds=1
	done
	exit $holds
} | tee "$TEXT"
