#!/bin/bash
#
# watch.sh - reports of runs, in each format, over run files made by hand (mkrun.c).
#
# Screenshots are left in build/report-shots.
# TIMEOUT: 600

here=$(cd "$(dirname "$0")" && pwd)
ROOT=${ROOT:-$(cd "$here/../.." && pwd)}
export ROOT
BUILD=$(cd "$ROOT" && cd "${BUILD:-build}" && pwd) || exit 1
PLUMB=${PLUMB:-$BUILD/plumb}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source=tests/lib.sh
. "$ROOT/tests/lib.sh"
# shellcheck source=tests/report/npm.inc
. "$here/npm.inc"

san=
case $BUILD in
*/san-*) san=-fsanitize=${BUILD##*/san-}; san=${san/address-undefined/address,undefined} ;;
esac
# the source at hand, as it would be for a user
mkdir -p proj && cp "$here/mkrun.c" proj/
# shellcheck disable=SC2086
if ! (cd proj && ${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -O1 -fno-optimize-sibling-calls -g $san \
    -I"$ROOT/src" -I"$ROOT/tests/unit" -o mkrun mkrun.c \
    "$BUILD/libplumb-core.a"); then
	not_ok "mkrun can be built"
	exit 1
fi

for set in some none hostile many untracked; do
	ASAN_OPTIONS=detect_leaks=0 proj/mkrun $set $set.run
	run "$PLUMB" watch --from $set.run -o $set --format json,html,pprof
	expect_status "$set" 0
	cp .err $set.err
done

check "the summary names the leak and its place" grep -q '1\. leak: .* from session_open() (proj/mkrun.c:[0-9]*)' some.err
check "and the bloat" grep -q '2\. bloat: .* from load_mime_types() ' some.err
check "no control characters reach the terminal" bash -c \
	'! LC_ALL=C tr -d "\n" <hostile.err | LC_ALL=C grep -q "[[:cntrl:]]" && ! grep -q $'"'\u202e'"' hostile.err'

python3 "$here/pprof.py" some.pb.gz >pprof.txt || not_ok "the profile can be read"
grep -c kind= pprof.txt >/dev/null || cat pprof.txt
check "profile: types" grep -qx 'inuse_objects/count inuse_space/bytes stale_objects/count stale_space/bytes drag/byte_seconds default stale_space' pprof.txt
check "profile: the leak with its stack" grep -qE \
	'^40000 2560000 38000 2432000 [0-9]+ kind=leak session_xmalloc:[0-9]+ session_open:[0-9]+ handle_request:[0-9]+ ' pprof.txt
check "profile: inlined calls" grep -qE 'new_entry:[0-9]+ cache_insert:[0-9]+ ' pprof.txt
for set in none hostile many untracked; do
	check "profile: $set" python3 "$here/pprof.py" $set.pb.gz >/dev/null
done
if command -v go >/dev/null; then
	check "go tool pprof reads it" bash -c \
		'HOME=$PWD go tool pprof -top some.pb.gz 2>&1 | grep -q "94.*session_open"'
else
	skip "go tool pprof reads it" "go is not installed"
fi

if npm_install >npm.log 2>&1; then
	check "JSON follows plumb-run/1" node "$here/validate.js" "$npm_dir" \
		"$here/plumb-run-1.schema.json" {some,none,hostile,many,untracked}.json
	printf '%s\n' '#include <stdlib.h>' 'void first(void)' '{' '	char *p = malloc(1);' '	*p = 1;' '}' \
		'void second(void)' '{' '	char *q = malloc(2);' '	*q = 1;' '}' >two.c
	"$PLUMB" check --format html -o findings.html two.c 2>/dev/null
	mkdir -p "$ROOT/build/report-shots"
	node "$here/pages.js" "$npm_dir" "$ROOT/build/report-shots" "$PWD"
else
	cat npm.log
	not_ok "npm packages"
fi
