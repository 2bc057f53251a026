# Our own programs under plumb watch: they do exactly what they do without.
# NOSAN: programs with a sanitizer have a malloc of their own
# TIMEOUT: 600
. "$ROOT/tests/lib.sh"

for exe in "$ROOT"/build/tests/unit/u_*; do
	name=${exe##*/}
	mkdir "$name" && cd "$name" || exit 1
	"$exe" >../plain 2>&1 </dev/null
	plain=$?
	cd .. && rm -rf "$name" && mkdir "$name" && cd "$name" || exit 1
	"$PLUMB" watch -q -o ../watched -- "$exe" >../under 2>&1 </dev/null
	status=$?
	cd ..
	check "$name: the same exit status ($plain)" [ "$status" -eq "$plain" ]
	diff plain under
	check "$name: the same output" cmp -s plain under
	check "$name: it was watched" grep -q '"exited with code 0"' watched.json
	rm -f watched.*
done

cp "$ROOT"/examples/stock/*.[ch] .
for command in "check" "check --format json" "check --format sarif" "fix" "dump ir" "dump summaries"; do
	# shellcheck disable=SC2086
	"$PLUMB" $command --no-cache ./*.c >plain 2>plain.err </dev/null
	plain=$?
	# shellcheck disable=SC2086
	"$PLUMB" watch -q -o watched -- "$PLUMB" $command --no-cache ./*.c >under 2>under.err </dev/null
	check "plumb $command: the same exit status ($plain)" [ $? -eq "$plain" ]
	check "plumb $command: the same on standard output" cmp -s plain under
	check "plumb $command: the same on standard error" cmp -s plain.err under.err
	check "plumb $command: it was watched" grep -q "\"exited with code $plain\"" watched.json
	rm -f watched.*
done
