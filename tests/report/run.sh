#!/bin/bash
#
# run.sh - whole reports, in each format, over findings made by hand (mkfindings.c).
#
#	tests/report/run.sh		as part of the tests: ok and not ok lines
#	tests/report/run.sh --update	take what is printed now as expected
#
# Needs $BUILD/libplumb-core.a (BUILD=build), node and npm: the schema of SARIF and
# its validators come from the npm registry, pinned in package.json, and are kept in
# build/report-npm.  Where the registry cannot be reached those tests are skipped.
# TIMEOUT: 600

here=$(cd "$(dirname "$0")" && pwd)
ROOT=${ROOT:-$(cd "$here/../.." && pwd)}
export ROOT
BUILD=$(cd "$ROOT" && cd "${BUILD:-build}" && pwd) || exit 1
update=
[ "${1-}" = --update ] && update=1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source=tests/lib.sh
. "$ROOT/tests/lib.sh"

# shellcheck source=tests/report/npm.inc
. "$here/npm.inc"
npm_schema=$npm_dir/node_modules/@microsoft/sarif-multitool-linux/sarif-2.1.0.json

# ---- set-up ----

# A root with a name that needs escapes in a URI, and sources that git or an
# editor might mend.
root="$work/a b%ü/proj"
mkdir -p "$root"
cp -r "$here/src" "$root/src"
printf '#include <stdlib.h>\r\n\r\nvoid crlf(int n)\r\n{\r\n\tchar *p = malloc(n);\r\n\r\n\t*p = 0;\r\n}' \
	>"$root/src/crlf.c"
printf '/* caf\351 */\nvoid f(void)\n{\n\tg("\351\377\033[31mred"); h = malloc(9);\n}\n' \
	>"$root/src/latin1.c"

san=
case $BUILD in
*/san-*) san=-fsanitize=${BUILD##*/san-}; san=${san/address-undefined/address,undefined} ;;
esac
# shellcheck disable=SC2086
if ! ${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -O1 -g $san -I"$ROOT/src" \
    -o mkfindings "$here/mkfindings.c" "$BUILD/libplumb-core.a" -ljansson -lm; then
	not_ok "mkfindings can be built"
	exit 1
fi

# ---- what people read ----

# Standard output of mkfindings is as in expected/NAME, up to what must vary.
golden()	# NAME ARGUMENTS...
{
	name=$1
	shift
	run ./mkfindings "$root" "$@"
	sed -e "s|file://$uri|file:///ROOT|" -e "s/ersion\": \"$version\"/ersion\": \"VERSION\"/" .out >got
	[ -n "$update" ] && cp got "$here/expected/$name"
	if [ "$status" -eq 0 ] && diff -u "$here/expected/$name" got; then
		ok "$name"
	else
		cat .err
		not_ok "$name"
	fi
}

version=$(sed -n 's/^#define PLUMB_VERSION "\(.*\)"/\1/p' "$ROOT/src/report/report.h")
uri=$(printf %s "$work" | sed 's/ /%20/g')/a%20b%25%C3%BC/proj
golden all.txt all text
golden suppressed.txt all text --suppressed --width 80
golden narrow.txt all text --width 50
golden color.txt some text --color
golden none.txt none text
golden part.txt part text
golden empty.txt empty text
golden all.json all json
golden all.sarif all sarif

./mkfindings "$root" some json >base.json
./mkfindings "$root" some sarif >base.sarif
golden baseline.txt all text --baseline base.json
./mkfindings "$root" all text --baseline base.sarif >again
check "JSON and SARIF are the same baseline" cmp -s again "$here/expected/baseline.txt"
./mkfindings "$root" some text --baseline base.json --suppressed --width 60 >out
check "what is in the baseline is told as old" grep -q 'old leak' out
run ./mkfindings "$root" some text --baseline "$here/package.json"
expect_status "a file that is no baseline is refused" 1
expect_one_line "... in one line"

./mkfindings "$root" all json >all.json
./mkfindings "$root" "read:$work/all.json" json >again.json
check "JSON reads back as it was" cmp -s all.json again.json

rm -rf elsewhere && mkdir elsewhere && cp -r "$root" elsewhere/copy
check "the same findings have the same ids in another folder" \
	cmp -s all.json <(./mkfindings "$work/elsewhere/copy" all json)
check "and from another folder" \
	cmp -s all.json <(cd / && "$work/mkfindings" "$root" all json)

# ---- what machines read ----

for set in all some none part empty hostile; do
	for format in text json sarif html; do
		run ./mkfindings "$root" $set $format
		cp .out "$set.$format"
		expect_status "$set as $format" 0
	done
done
./mkfindings "$root" all sarif --baseline base.json >baseline.sarif

if npm_ready; then
	check "JSON follows plumb-findings/1" node "$here/validate.js" "$npm_dir" \
		"$here/plumb-findings-1.schema.json" {all,some,none,part,empty,hostile}.json
	check "SARIF follows its schema, and what code scanning needs" node "$here/validate.js" \
		"$npm_dir" "$npm_schema" {all,some,none,part,empty,hostile,baseline}.sarif
	sed 's/"endColumn": [0-9]*/"endColumn": 0/' all.sarif >bad.sarif
	check "the validator sees errors" bash -c \
		'! node "$1" "$2" "$3" bad.sarif >/dev/null' - "$here/validate.js" "$npm_dir" "$npm_schema"
	DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 "$multitool" validate \
		{all,some,none,part,hostile,baseline}.sarif --rule-kind 'Sarif;Ghas' >multitool.log 2>&1
	grep -E ': error |[Ee]xception|Unhandled' multitool.log
	check "SARIF Multitool has no complaint" bash -c \
		'grep -q "Analysis completed successfully" multitool.log && ! grep -q ": error " multitool.log'
fi

grep -Eo '(src|href)="[^"#]*"|@import|url\(' all.html hostile.html
check "the page needs no other file" bash -c \
	'! grep -Eq "(src|href)=\"[^\"#]|@import|url\(" all.html hostile.html'
check "a page of nothing says so, and nothing of what was judged" bash -c '
	grep -q "<title>plumb: nothing was analysed" empty.html && grep -q "<h1 class=\"some\">nothing was analysed</h1>" empty.html &&
	grep -q "<p class=\"summary\"></p>" empty.html && grep -q "<h1 class=\"none\">" none.html && ! grep -q "summary\"></p>" none.html'
check "no text becomes markup" bash -c '! grep -q "<script>alert\|</script><b>" hostile.html'
check "no control characters reach the terminal" bash -c \
	'! LC_ALL=C grep -q "[[:cntrl:]]" hostile.text'
check "a partial analysis is not called clean" bash -c \
	'grep -q "could not be analysed" part.text && grep -q "not complete" part.html &&
	 grep -q "\"executionSuccessful\": false" part.sarif'
part_tail='4 allocations, of them 3 judged, 1 only stored, 0 cut'
check "no report says that there are no leaks without what was judged" bash -c '
	for f in part.text part.html part.sarif; do
		grep -q "$1" $f || { echo "$f lacks it"; exit 1; }
	done
	tail -n 1 part.text | grep -q "$1" && grep -q "<title>[^<]*no leaks in what was judged" part.html &&
	! grep -q "in what was judged" none.html && grep -q "all 40 allocations judged" none.html' - "$part_tail"
