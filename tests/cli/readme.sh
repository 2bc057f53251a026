# README.md: what it shows in console blocks works in the clone, word for word.  The two commands of
# make are run by tests/fresh.sh; here they must only be there, and first.
# NOSAN: the page is about the plumb that users get
. "$ROOT/tests/lib.sh"

cd "$ROOT" || exit 1
sed -n '/^```console/,/^```$/s/^\$ //p' README.md | sed 's/  *#.*//' >"$TMPDIR/commands"
check "two commands do all the set-up" [ "$(head -n 2 "$TMPDIR/commands" | paste -sd' ')" = "make demo make test" ]
check "more is shown" [ "$(wc -l <"$TMPDIR/commands")" -gt 3 ]
tail -n +3 "$TMPDIR/commands" >"$TMPDIR/rest"
cd "$TMPDIR" || exit 1
for f in examples docs tests src; do
	ln -s "$ROOT/$f" .
done
mkdir build && ln -s "$PLUMB" build/plumb
while IFS= read -r command; do
	case $command in build/plumb*) ;; *) not_ok "a command of plumb: $command" ;; esac
	run sh -c "$command"
	[ "$status" -le 1 ]
	verdict "$command" "exit code 0 or 1"
	case $command in
	*" -o "*) check "... writes its file" [ -s "$(sed 's/.* -o \([^ ]*\).*/\1/' <<<"$command")" ] ;;
	*) expect_out_has "... prints something" . ;;
	esac
done <rest

# make demo, but for the building: the last line is the command for the reader's own program.
cd "$ROOT" || exit 1
run tools/demo.sh "$PLUMB" "$TMPDIR/demo.html"
expect_status "the demo" 0
check "... writes its page" grep -q '</html>' "$TMPDIR/demo.html"
printf '#include <stdlib.h>\nvoid f(void)\n{\n\tchar *p = malloc(1);\n\n\t*p = 0;\n}\n' >"$TMPDIR/mine.c"
last=$(tail -n 1 <<<"$out")
mkdir "$TMPDIR/mine" && mv "$TMPDIR/mine.c" "$TMPDIR/mine" && cd "$TMPDIR/mine" || exit 1
run sh -c "$last"
expect_status "its last line finds a leak in the reader's own folder" 1
