#!/bin/bash
#
# site.sh - plumb report: findings, runs and bounds on one page.
#
# The run is that of mkrun.c, findings and bounds are made to fit (mksites.py).
# Screenshots are left in build/report-shots.
# TIMEOUT: 600

# shellcheck source=tests/report/mkrun.inc
. "$(dirname "$0")/mkrun.inc" "$(dirname "$0")"

for set in some none hostile many; do
	mkrun $set $set.run
	"$PLUMB" watch -q --from $set.run -o $set --format json
done
python3 "$here/mksites.py" some.json . || not_ok "findings and bounds can be made"

# ---- what is written ----

run "$PLUMB" report findings.json some.json bounds.json raw.bounds -o site.html
expect_status "all four kinds of files" 0
check "and nothing is said" [ ! -s .err ]
run "$PLUMB" report raw.bounds bounds.json some.json findings.json -o again.html
check "their order does not matter to the sites" cmp -s \
	<(grep -o 'tbody class="site" id="[^"]*"' site.html) <(grep -o 'tbody class="site" id="[^"]*"' again.html)
for f in findings some bounds; do
	run "$PLUMB" report $f.json -o one-$f.html
	expect_status "$f alone" 0
done
run "$PLUMB" report <(cat findings.json) some.json
expect_status "from a pipe, to standard output" 0
expect_out_has "it is a page" '^<!DOCTYPE html>'
for set in none hostile many; do
	run "$PLUMB" report $set.json -o site-$set.html
	expect_status "the run \`$set\`" 0
done
check "the page needs no other file" bash -c '! grep -Eq "(src|href)=\"[^\"#]|@import|url\(" site.html site-hostile.html'

# ---- what cannot be read ----

echo before >kept.html
refused()	# WHAT FILE
{
	run "$PLUMB" report "$2" -o kept.html
	if [ "$status" -ne 2 ] || [ "$(wc -l <.err)" -ne 1 ] || [ "$(cat kept.html)" != before ] || ! grep -qF "$2" .err; then
		tell_last
		not_ok "$1"
		return 1
	fi
}

printf '{' >cut.json
printf '' >empty.json
printf '[]' >array.json
printf '{"schema":"plumb-findings/2"}' >later.json
head -c 300 findings.json >half.json
for f in cut empty array later half; do
	refused "$f.json is refused" $f.json && ok "$f.json is refused in one line that names it"
done
refused "a run file is refused" some.run && ok "a run file is refused" && check "and it is said what to do" grep -q 'plumb watch --from' .err
for f in findings some bounds raw.bounds; do
	f=${f%.bounds}
	mkdir damaged.$f
	python3 "$here/damage.py" $(ls $f.json $f.bounds 2>/dev/null | head -1) damaged.$f
	n=0 bad=0
	for d in damaged.$f/*.json; do
		n=$((n + 1))
		refused "$d" "$d" || bad=1
	done
	check "$f: each of $n damaged copies is refused, nothing half written" [ $bad -eq 0 ] && [ $n -gt 5 ]
done
run "$PLUMB" report -o x.html
expect_status "no file" 2
run "$PLUMB" report nowhere.json -o x.html
expect_status "a file that is not there" 2
run "$PLUMB" report findings.json -o nowhere/x.html
expect_status "a folder that is not there" 2
check "nothing was left behind" [ -z "$(find . -name '*.html.*' -o -name 'x.html')" ]

# ---- in a browser ----

if npm_ready; then
	"$PLUMB" bounds --format json raw.bounds >named.json
	check "JSON follows plumb-bounds/1" node "$here/validate.js" "$npm_dir" "$here/plumb-bounds-1.schema.json" \
		bounds.json named.json
	mkdir -p "$ROOT/build/report-shots"
	node "$here/site.js" "$npm_dir" "$ROOT/build/report-shots" "$PWD"
	(cd "$work" && patch -s -p1 --dry-run <patch.txt) || cat patch.txt
	check "the patch applies" bash -c 'patch -s -p1 <patch.txt && grep -q "the patch" proj/mkrun.c'
fi
