# The tour (docs/tour.md): every command in it does what the page says, to the letter but for
# what differs from run to run.  Nothing depends on time: plumb watch goes by a clock of requests.
#
# To write the page's outputs anew: UPDATE=1 tests/run cli tour
# NOSAN: the tour is for the plumb that users get
# TIMEOUT: 600
. "$ROOT/tests/lib.sh"

[ -e "$ROOT/build/valgrind/plumb-amd64-linux" ] || {
	skip "the tour" "the Valgrind tool is not built on this machine"
	exit 0
}
here=$PWD
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -shared -fPIC -I"$ROOT/tests/runtime" -o clock.so "$ROOT/tests/cli/tour_clock.c" -ldl
check "the clock can be built" [ -e clock.so ]
cd "$ROOT" || exit 1
if [ -n "${UPDATE:-}" ]; then
	python3 "$ROOT/tests/cli/tour.py" --update docs/tour.md "$here/clock.so"
	rm -rf "$HOME/tour"
fi
python3 "$ROOT/tests/cli/tour.py" docs/tour.md "$here/clock.so"

# What the page says in words.
cd "$HOME/tour" || exit 1
site=$(tr '\n' ' ' <report.html | sed 's/<tbody class="site"/\n&/g' | grep '^<tbody[^>]*data-kind="[^"]*leak')
check "all parts meet at one site" [ "$(grep -c . <<<"$site")" -eq 1 ]
for word in found trained bounded patch; do
	check "... which is said to be: $word" grep -qE "^[^>]*data-kind=\"([^\"]* )?$word[ \"]" <<<"$site"
done
kept=$(sed -n 's/.* \([0-9]*\) kB in memory$/\1/p' "$TMPDIR"/tour-out/* | tr '\n' ' ')
read -r plain bounded fixed <<<"$kept"
echo "kB in memory: $kept"
check "plumb run keeps the memory flat" [ "${plain:-0}" -gt $((2 * ${bounded:-100000})) ]
check "and so does the patch" [ "${plain:-0}" -gt $((2 * ${fixed:-100000})) ]
