# TIMEOUT: 300
#
# exclude.sh - --exclude: analysed for what it does, and not reported, but never silently.
. "$ROOT/tests/lib.sh"

mkdir -p src third_party/deep
cat >src/main.c <<'END'
#include <stdlib.h>

char *lib_make(int n);
void lib_drop(char *p);
int lose(int n)
{
	char *p = lib_make(n);

	return p != 0;
}

int keep(int n)
{
	char *p = lib_make(n);
	int ret = p != 0;

	lib_drop(p);
	return ret;
}
END
cat >third_party/lib.c <<'END'
#include <stdlib.h>

char *lib_make(int n) { return malloc(n); }
void lib_drop(char *p) { free(p); }

int lib_lose(int n)
{
	char *p = malloc(n);

	return p != 0;
}
END
cp third_party/lib.c third_party/deep/more.c
sed -i 's/lib_/more_/g' third_party/deep/more.c
all='src/main.c third_party/lib.c third_party/deep/more.c'

# The files and lines reported, and what is excluded, of the last run, which has printed JSON.
told()
{
	python3 - "$PWD/.out" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
print(*('%s:%d' % (f['file'], f['line']) for f in d['findings']))
x = d['coverage'].get('excluded')
print(x and '%s: %d findings, %d allocations' % (' '.join(x['globs']), x['findings'], x['allocations']))
END
}

reports()	# WHAT "FILE:LINE ..." EXCLUDED ARGS...
{
	local what=$1 want=$2 excluded=$3 got
	shift 3
	run "$PLUMB" check --format json "$@"
	got=$(told)
	[ "$got" = "$want
$excluded" ] || echo "got: $got"
	check "$what" [ "$got" = "$want
$excluded" ]
}

own='src/main.c:7'
reports "without --exclude" "$own third_party/deep/more.c:8 third_party/lib.c:8" None $all
reports "a folder and all in it" "$own" 'third_party/**: 2 findings, 3 allocations' --exclude 'third_party/**' $all
reports "the folder by its name" "$own" 'third_party: 2 findings, 3 allocations' --exclude third_party $all
reports "./ before it" "$own" 'third_party/: 2 findings, 3 allocations' --exclude ./third_party/ $all
reports "names of one folder" "$own third_party/deep/more.c:8" 'third_party/*.c: 1 findings, 1 allocations' \
	--exclude 'third_party/*.c' $all
reports "two patterns" "$own" '**/more.c third_party/li?.c: 2 findings, 3 allocations' \
	--exclude 'third_party/li?.c' --exclude='**/more.c' $all
reports "from the root" "$own" "$PWD/third_party/**: 2 findings, 3 allocations" --exclude "$PWD/third_party/**" $all
reports "what fits nothing" "$own third_party/deep/more.c:8 third_party/lib.c:8" 'lib.c: 0 findings, 0 allocations' --exclude lib.c $all
for e in vfg path; do
	reports "--engine $e" "$own" 'third_party: 2 findings, 3 allocations' --engine $e --exclude third_party $all
done

run "$PLUMB" check --exclude 'src/**' --exclude third_party -v $all
expect_status "all is excluded: exit code 0" 0
expect_out_has "and said" '^no leaks found: there is no other allocation; 3 findings are excluded; 5 allocations lie in excluded files$'
expect_err_has "--verbose names them" '^plumb: third_party/lib\.c:8: never-freed in lib_lose\(\): excluded$'
run "$PLUMB" check --exclude third_party $all
expect_out_has "the last line counts them" '^1 leak in 3 units: all 2 allocations judged; 2 findings are excluded; 3 allocations lie in excluded files$'
for f in sarif html; do
	run "$PLUMB" check --exclude third_party --format $f $all
	expect_out_has "$f counts them, too" '2 findings are excluded'
	expect_out_lacks "$f has none of them" 'lib_lose'
done

# ---- where it may be said ----

echo 'exclude = third_party/deep/**' >.plumb.conf
reports "in the project's settings" "$own third_party/lib.c:8" "$PWD/third_party/deep/**: 1 findings, 2 allocations" $all
reports "the command line adds to it" "$own" "$PWD/third_party/deep/** third_party/*.c: 2 findings, 3 allocations" --exclude 'third_party/*.c' $all
(cd third_party && run "$PLUMB" check deep/more.c && expect_status "relative to the settings, wherever plumb runs" 0)
rm .plumb.conf
mkdir -p own/plumb
echo 'exclude = third_party/deep/**' >own/plumb/config
run env XDG_CONFIG_HOME="$PWD/own" "$PLUMB" check --format json $all
check "in the user's own, for any project" [ "$(told | tail -n 1)" = 'third_party/deep/**: 1 findings, 2 allocations' ]
run env PLUMB_EXCLUDE=third_party "$PLUMB" check --format json $all
check "in the environment" [ "$(told | tail -n 1)" = 'third_party: 2 findings, 3 allocations' ]

# ---- other inputs, other commands ----

python3 - $all >compile_commands.json <<'END'
import json, os, sys
print(json.dumps([{ 'directory': os.getcwd(), 'file': f, 'arguments': [ 'cc', '-c', f ] } for f in sys.argv[1:]]))
END
reports "-p" "$own" 'third_party: 2 findings, 3 allocations' --exclude third_party -p .
reports "-p, of one file" "third_party/lib.c:8" 'src: 1 findings, 2 allocations' --exclude src -p . third_party/lib.c
"$PLUMB" cc -g -shared -fPIC -o all.so $all
reports "a linked program" "$own" 'third_party: 2 findings, 3 allocations' --exclude third_party all.so

run "$PLUMB" check --exclude third_party --format json -o one.json $all
run "$PLUMB" report one.json -o page.html
expect_status "plumb report reads it" 0
check "and counts them" grep -q '2 findings are excluded' page.html

run "$PLUMB" fix --exclude third_party $all
expect_status "fix: what is excluded is not to be fixed: exit code 0" 0
check "... the other is" grep -q '^+++ b/src/main.c' .out
expect_out_lacks "... in its own file" 'third_party'
expect_err_has "... and findings there are not counted" 'note: 1 of 1 leak fixed, in 1 file$'
run "$PLUMB" fix $all
expect_status "fix: without it, all are fixed" 0
expect_err_has "... all three" 'note: 3 of 3 leaks fixed, in 3 files$'
run "$PLUMB" fix --in-place --exclude '**' $all
expect_status "fix: all excluded" 0
expect_err_has "... is said" 'nothing to fix: no leak found: there is no other allocation; 3 findings are excluded'

# A leak that can only be fixed in an excluded file.
cat >src/box.c <<'END'
#include <stdlib.h>
#include <string.h>

struct box { char *name; int n; };
void box_free(struct box *b);

static struct box *box_new(const char *name)
{
	struct box *b = calloc(1, sizeof(*b));

	b->name = strdup(name);
	return b;
}

int main(int argc, char **argv)
{
	struct box *b = box_new(argv[argc - 1]);
	int ret = (int)strlen(b->name);

	box_free(b);
	return ret;
}
END
cat >third_party/box.c <<'END'
#include <stdlib.h>

struct box { char *name; int n; };

void box_free(struct box *b)
{
	free(b);
}
END
run "$PLUMB" fix src/box.c third_party/box.c
check "fix: a leak that ends in a file of theirs" grep -q '^+++ b/third_party/box.c' .out
run "$PLUMB" fix --exclude third_party src/box.c third_party/box.c
expect_status "... stays if that is excluded: exit code 1" 1
expect_err_has "... with the reason" '^src/box\.c:11:12: warning: not fixed: b.*: its file is excluded \(--exclude\)'
