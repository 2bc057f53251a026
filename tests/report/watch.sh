#!/bin/bash
#
# watch.sh - reports of runs, in each format, over run files made by hand (mkrun.c).
#
# Screenshots are left in build/report-shots.
# TIMEOUT: 600

# shellcheck source=tests/report/mkrun.inc
. "$(dirname "$0")/mkrun.inc" "$(dirname "$0")"

for set in some none hostile many untracked; do
	mkrun $set $set.run
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

if npm_ready; then
	check "JSON follows plumb-run/1" node "$here/validate.js" "$npm_dir" \
		"$here/plumb-run-1.schema.json" {some,none,hostile,many,untracked}.json
	printf '%s\n' '#include <stdlib.h>' 'void first(void)' '{' '	char *p = malloc(1);' '	*p = 1;' '}' \
		'void second(void)' '{' '	char *q = malloc(2);' '	*q = 1;' '}' >two.c
	"$PLUMB" check --format html -o findings.html two.c 2>/dev/null
	mkdir -p "$ROOT/build/report-shots"
	node "$here/pages.js" "$npm_dir" "$ROOT/build/report-shots" "$PWD"
fi
