#!/bin/bash
#
# rerun-cost.sh - what does a second run cost, after an edit?
#
#	bench/rerun-cost.sh [--way db|elf] [PACKAGE]	default: both, wget
#
# Of a copy of a tree, with a cache of its own; there are two ways to plumb check:
#
#	db		-p on the tree as bench/build.sh PACKAGE db leaves it: the
#			front end compiles the edited unit again
#	elf		the program, built in a copy of the tree of bench/build.sh PACKAGE cc:
#			make compiles the edited unit again, by plumb cc, and links.
#			Only the check is measured, so that there is no front end to hide behind
#
# In each:
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

WAYS="db elf"
if [ "${1:-}" = --way ]; then
	WAYS=${2:-}
	shift 2
fi
PKG=${1:-wget}
EDITS=${EDITS:-5}
TEXT=$OUT/results/rerun-cost.txt

# Runs plumb check with the options "$@"; prints user + system seconds.
checked()
{
	local status=0
	/usr/bin/time -q -o "$WORK/time" -f '%U %S' "${NICE[@]}" "$PLUMB" check --engine all "${INPUT[@]}" \
		--format json "$@" >/dev/null 2>"$WORK/log" || status=$?
	case $status in
	0|1|3)	awk '{ print $1 + $2 }' "$WORK/time" ;;
	*)	show_tail "$WORK/log"; die "plumb check: exit status $status" ;;
	esac
}

percent()
{
	awk "BEGIN { printf \"%.1f\", 100 * $1 / $2 }"
}

# Builds what has changed.
make_elf()
{
	(cd "$WORK/tree" && PLUMB_CACHE_DIR=$WORK/cc-cache "make_$PKG" "${NICE[@]}" make -j "$JOBS" CC="$PLUMB cc") \
		>"$WORK/make.log" 2>&1 </dev/null || { show_tail "$WORK/make.log"; die "$PKG: make failed"; }
}

# Each way: makes $WORK/tree, sets INPUT, lists its sources in $WORK/sources and defines
# rebuild(), which is done after each edit.
prepare_db()
{
	[ -e "$OUT/db/$PKG/compile_commands.json" ] || "$BENCH_DIR/build.sh" "$PKG" db
	cp -r "$OUT/db/$PKG" "$WORK/tree"
	sed -i "s|$(realpath "$OUT/db/$PKG")|$WORK/tree|g" "$WORK/tree/compile_commands.json"
	jq -r '.[].file' "$WORK/tree/compile_commands.json" | sort -u >"$WORK/sources"
	INPUT=(-p "$WORK/tree")
	rebuild() { :; }
}

# All units are compiled in the copy: where a unit lies belongs to its identity.
prepare_elf()
{
	local pkg bin
	read -r _ pkg bin < <(printf '%s\n' "${JUDGED[@]}" | awk -v p="$PKG" '$1 == p')
	[ "${pkg:-}" = "$PKG" ] || die "$PKG: no program of it in programs.sh"
	[ -e "$OUT/cc/$PKG/$bin" ] || "$BENCH_DIR/build.sh" "$PKG" cc
	cp -a "$OUT/cc/$PKG" "$WORK/tree"
	find "$WORK/tree" \( -name '*.o' -o -name '*.a' -o -name '*.lo' -o -name '*.la' \) -delete
	rm -f "$WORK/tree/$bin"
	make_elf
	(cd "$WORK/tree" && "$PLUMB" dump functions "$bin") |
		sed -nE "s#^([^/].*\.c):[0-9]+: .*#$WORK/tree/\1#p" | sort -u >"$WORK/sources"
	INPUT=("$WORK/tree/$bin")
	rebuild() { make_elf; }
}

# Puts statement $2 into function number $1 (of those whose body begins with `{` alone in
# a line) of the sources; prints file and line.
edit()
{
	local file line
	read -r file line < <(xargs -d '\n' grep -nHs '^{$' <"$WORK/sources" |
		awk -F: -v n="$1" '{ f[NR] = $1; l[NR] = $2 } END { i = (n * 7919) % NR + 1; print f[i], l[i] }')
	cp -p "$file" "$WORK/saved"
	sed -i "${line}a $2" "$file"
	echo "$file $line"
}

# Measures one way; sets FAILED if it does not hold.
measure()
{
	local first again edited i statement file line
	WORK=$(realpath -m "$OUT/rerun/$PKG-$1")
	rm -rf "$WORK"
	mkdir -p "$WORK"
	"prepare_$1"
	[ -s "$WORK/sources" ] || die "$PKG: no sources found"
	first=$(checked --cache-dir "$WORK/cache" -o "$WORK/first.json")
	again=$(checked --cache-dir "$WORK/cache" -o "$WORK/again.json")
	cmp "$WORK/first.json" "$WORK/again.json" || die "the second run says something else"
	cp -r "$WORK/cache" "$WORK/cache.first"
	echo "$PKG, $1: first $first s, again $again s ($(percent "$again" "$first") %)"
	for ((i = 1; i <= EDITS; i++)); do
		case $((i % 3)) in
		0)	statement='{ extern char *getenv (const char *); if (!getenv ("PLUMB_X")) __builtin_puts ("edited"); }' ;;
		1)	statement='char *plumb_p = __builtin_malloc (10); __builtin_puts (plumb_p);' ;;
		2)	statement='static int plumb_n; plumb_n++;' ;;
		esac
		read -r file line < <(edit "$i" "$statement")
		rebuild
		rm -rf "$WORK/cache"
		cp -r "$WORK/cache.first" "$WORK/cache"
		edited=$(checked --cache-dir "$WORK/cache" -o "$WORK/edited.json")
		checked --no-cache -o "$WORK/fresh.json" >/dev/null
		cmp "$WORK/edited.json" "$WORK/fresh.json" || die "$file:$line: the cache says something else"
		cp "$WORK/saved" "$file"	# built with the next edit
		echo "edited ${file#"$WORK"/tree/}:$line: $edited s ($(percent "$edited" "$first") %)"
		awk "BEGIN { exit $edited > 0.15 * $first }" || FAILED=1
	done
}

need_plumb
need_packages jq time "$(basename "$CLANG")"
{
	FAILED=0
	for way in $WAYS; do
		case $way in
		db|elf)	measure "$way" ;;
		*)	die "--way $way: db or elf" ;;
		esac
	done
	exit $FAILED
} | tee "$TEXT"
