# plumb checks its own sources, all programs whole, with both engines: no leak is left, but for
# those that a comment `plumb-ignore: reason` excuses.  The cache is kept in build/, so that
# what has not changed since the last time costs nothing.
# NOSAN: it is slow enough as it is
# TIMEOUT: 3600
. "$ROOT/tests/lib.sh"

for p in plumb libplumb libplumb-run libplumb-oblivious libplumb-guard; do
	db=$ROOT/build/compdb/$p
	check "$p: it is known how it is compiled" [ -s "$db/compile_commands.json" ]
	(cd "$ROOT" && "$PLUMB" check --engine all --cache-dir build/compdb/cache -p "build/compdb/$p" --format json) >$p.json 2>$p.err
	status=$?
	jq -r '.findings[] | select(.suppressed | not) | "\(.file):\(.line): \(.kind) \(.variable) (\(.allocator)), lost at \(.leak.file):\(.leak.line)"' $p.json
	cat $p.err
	# 3: more than one allocation in twenty is cut (functions with too many paths), of which nothing is said
	check "$p: nothing leaks" [ "$status" -eq 0 -o "$status" -eq 3 ]
	check "$p: nothing is reported" [ "$(jq '[.findings[] | select(.suppressed | not)] | length' $p.json)" -eq 0 ]
	check "$p: all of it was analysed" [ "$(jq '.units.analysed' $p.json)" -eq "$(grep -c '"file"' "$db/compile_commands.json")" ]
done
