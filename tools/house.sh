#!/bin/bash
#
# house.sh - the house in figures.
#
#	tools/house.sh		size, widths, asserts, long conditions and functions, what folders include, repeated code
#	tools/house.sh -v	names every place, not the worst ten
#
# What tests hold to is in tests/tree/; here is what one looks at before and after a clean-up.

set -eu
cd "$(dirname "$0")/.."
most=10
[ "${1-}" != -v ] || most=100000

files=$(git ls-files 'src/*.[ch]' 'runtime/*.[ch]')
src=$(git ls-files 'src/*.[ch]')

top()
{
	sort -rn | head -n "$most" | sed 's/^/  /'
}

echo "== tokens"
tools/tokens.sh | sed 's/^/  /'

echo "== lines over 110 columns (tabs of 8)"
# shellcheck disable=SC2086
for f in $files; do
	n=$(expand -t8 "$f" | grep -cE '^.{111}' || true)
	[ "$n" -eq 0 ] || printf '%6d  %s\n' "$n" "$f"
done | tee >(awk '{ n += $1 } END { printf "  %d in %d files\n", n, NR }' >&2) 2>&1 | top

echo "== asserts in 1,000 lines"
for d in src/*/ runtime; do
	# shellcheck disable=SC2046
	set -- $(git ls-files "$d" | grep -E '\.[ch]$')
	awk -v d="${d%/}" '/\<assert\(|static_assert\(|_Static_assert\(/ { a++ } END { printf "  %5.1f  %s\n", 1000 * a / NR, d }' "$@"
done
# shellcheck disable=SC2086
cat $src | awk '/\<assert\(|static_assert\(|_Static_assert\(/ { a++ } END { printf "  %5.1f  src/ in all\n", 1000 * a / NR }'

echo "== functions of most lines, of more than six parameters; conditions of more than five operands; nested ?:"
# shellcheck disable=SC2086
tools/house.py $files >"${TMPDIR:-/tmp}/house.$$"
for what in lines parameters operands nested; do
	echo "  -- $what: $(awk -v w=$what '$2 == w' "${TMPDIR:-/tmp}/house.$$" | wc -l)"
	awk -v w=$what '$2 == w { $2 = ""; print }' "${TMPDIR:-/tmp}/house.$$" | top
done
rm -f "${TMPDIR:-/tmp}/house.$$"

echo "== what a folder includes and may not (tests/tree/layers.sh)"
tests/run --no-build tree layers 2>/dev/null | tail -n 1 | sed 's/^/  /'

if command -v duplicates >/dev/null 2>&1; then
	echo "== repeated code"
	duplicates --most "$((most < 40 ? most : 40))" --seconds 60 | sed 's/^/  /'
fi
