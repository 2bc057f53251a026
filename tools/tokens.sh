#!/bin/sh
#
# tokens.sh - how large is plumb?  Tokens without comments, as clang's lexer sees them, of each folder.
#
#	tools/tokens.sh [FOLDER...]	default: the folders of src/, runtime, valgrind, models
#	tools/tokens.sh --files FOLDER	of each file
#
# Lines say little: they get longer or shorter with the style.  A size that is compared with an older one is measured with this.

set -eu
cd "$(dirname "$0")/.."
. tools/llvm.sh
clang=$(clang_of "$(llvm_config)")
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT

# Models are read as C is: words, numbers, operators.  To the raw lexer blank space is a token, too, called unknown; a token that
# goes over several lines ends where its place is named.
count()	# FILE...
{
	cat /dev/null "$@" >"$tmp"
	"$clang" -cc1 -x c -dump-raw-tokens "$tmp" 2>&1 |
		awk '!open { n += $1 != "unknown" && $1 != "comment" && $1 != "eof" } { open = !/\tLoc=<.*>$/ } END { print n + 0 }'
}

sources()	# FOLDER
{
	git ls-files "$1" | grep -E '\.([ch]|def|model)$' | grep -v /tests/
}

if [ "${1-}" = --files ]; then
	for f in $(sources "$2"); do
		printf '%8d  %s\n' "$(count "$f")" "$f"
	done
	exit
fi
[ $# -gt 0 ] || set -- src/*/ runtime valgrind models
total=0
for d in "$@"; do
	# shellcheck disable=SC2046
	n=$(count $(sources "${d%/}"))
	printf '%8d  %s\n' "$n" "${d%/}"
	case $d in src/*) total=$((total + n)) ;; esac
done
[ "$total" -eq 0 ] || printf '%8d  src/ in all\n' "$total"
