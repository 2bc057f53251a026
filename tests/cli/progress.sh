# NOSAN: sanitizers are slower, that is all
#
# progress.sh - on a terminal each stage is named while it runs, and nothing of it is left; elsewhere nothing is said.
. "$ROOT/tests/lib.sh"

cat >a.c <<'END'
#include <stdlib.h>

int lose(int n)
{
	char *p = malloc(n);

	return p != 0;
}
END

# What a terminal gets.
terminal()	# COMMAND...
{
	script -qec "TERM=xterm NO_COLOR=1 $*" /dev/null </dev/null >tty 2>&1
	tr '\r' '\n' <tty | sed 's/.*\x1b\[K//' >lines
}

erased()	# is each line that was drawn erased before anything else is printed?
{
	python3 - <<'END'
import re
text = open('tty', newline='').read()
left = re.sub(r'[^\r\n]*\r\x1b\[K', '', text)
print(left)
raise SystemExit(bool(re.search(r'\[ *\d+/\d+\]|points-to', left)))
END
}

if command -v script >/dev/null; then
	terminal "$PLUMB" check --no-cache a.c
	for s in compiling linking points-to paths 'memory SSA' 'value flow' coverage; do
		check "check: $s" grep -qE "^(\[[0-9 ]+/[0-9]+\] )?$s( |\$)" lines
	done
	check "check: paths are counted" grep -qE '^\[0/1\] paths lose$' lines
	check "check: nothing is left of it" erased
	check "... but the report" grep -q '^1 leak in 1 unit' lines
	terminal "$PLUMB" fix --no-cache a.c
	for s in planning editing; do
		check "fix: $s" grep -qE "^\[[01]/1\] $s" lines
	done
	for s in compiling points-to 'value flow'; do
		check "fix: the proof: $s" grep -qE "^proof 1 of at most 20: .*$s" lines
	done
	check "fix: nothing is left of it" erased
	terminal "$PLUMB" check --no-cache a.c '2>err'
	check "standard error is none: nothing is said" [ ! -s err ]
else
	skip "a terminal" "script is not there"
fi
run "$PLUMB" check --no-cache a.c
check "no terminal: nothing is said" [ ! -s .err ]
