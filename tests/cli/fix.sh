# fix.sh - plumb fix as a command: what it prints, what it writes, how it ends.  What the
# patches are worth is asked in tests/fix.
. "$ROOT/tests/lib.sh"

cat >leak.c <<'END'
#include <stdlib.h>
#include <string.h>

int f(const char *s)
{
	char *p = strdup(s);

	if (p[0] == 'x')
		return 1;
	free(p);
	return 0;
}

int g(const char *s)
{
	char *q = strdup(s);

	if (q[0] == 'y')
		return 2;
	free(q);
	return 0;
}
END
cat >clean.c <<'END'
#include <stdlib.h>

int h(void)
{
	char *p = malloc(3);

	free(p);
	return 0;
}
END
# One leak that can be fixed, and one whose return is inside of a macro.
cat >mixed.c <<'END'
#include <stdlib.h>
#include <string.h>

#define QUIT_IF(c) do { if (c) return 1; } while (0)

int mf(const char *s)
{
	char *p = strdup(s);

	if (p[0] == 'x')
		return 1;
	free(p);
	return 0;
}

int mg(const char *s)
{
	char *q = strdup(s);

	QUIT_IF(q[0] == 'y');
	free(q);
	return 0;
}
END
cp leak.c leak.orig && cp mixed.c mixed.orig

# ---- the diff on standard output, and the exit code ----

run "$PLUMB" fix leak.c
expect_status "every leak fixed: exit code 0" 0
expect_err_has "every leak fixed: it is noted" '^plumb: note: 2 of 2 leaks fixed'
expect_one_line "every leak fixed: nothing else on standard error"
expect_out_has "the old name" '^--- a/leak\.c'
expect_out_has "the new name" '^\+\+\+ b/leak\.c'
expect_out_has "a free is added" '^\+.*free\(p\);'
check "the file itself is as it was" cmp -s leak.c leak.orig
cp .out whole.diff
mkdir one two && cp leak.c one && cp leak.c two
check "patch -p1 takes it" sh -c 'cd one && patch -s -p1 <../whole.diff'
check "git apply takes it" sh -c 'cd two && git apply ../whole.diff'
check "with the same result" cmp -s one/leak.c two/leak.c
check "which compiles" "${CC:-gcc}" -Wall -Werror -c -o one/leak.o one/leak.c

run "$PLUMB" fix clean.c
expect_status "no leak: exit code 0" 0
expect_out "no leak: no diff" ""
expect_err_lacks "no leak: nothing to complain of" 'warning|error'

run "$PLUMB" fix mixed.c
expect_status "some leaks remain: exit code 1" 1
check "one line for the leak that is not fixed" [ "$(grep -vc '^plumb: note: ' .err)" -eq 1 ]
expect_err_has "it names the place and the reason" '^mixed\.c:18:.*macro'
expect_out_has "the others are fixed" '^\+.*free\(p\);'
check "the diff still applies" sh -c 'mkdir m && cp mixed.c m && cd m && patch -s -p1 <../.out'

# ---- several inputs, folders, options ----

mkdir -p src/deep && cp leak.c src/deep/a.c && cp clean.c src/b.c
run "$PLUMB" fix src/b.c src/deep/a.c
expect_status "files in folders" 0
expect_out_has "their names are as they were given" '^\+\+\+ b/src/deep/a\.c'
check "patch -p1 takes it from here" patch -s -p1 --dry-run -i .out
cd src/deep || exit 1
run "$PLUMB" fix ../../leak.c
expect_status "a file above" 0
cd ../..
run "$PLUMB" fix "$PWD/leak.c"
expect_status "an absolute name" 0
check "patch -p1 takes that diff, too" patch -s -p1 --dry-run -i .out

# Outside of the current folder: names from /, all of them.
mkdir -p outer/build outer/src && cp leak.c outer/src/a.c
cd outer/build || exit 1
run "$PLUMB" fix ../src/a.c
expect_status "a file outside of the current folder" 0
expect_err_has "... it is said how patch finds it" "^plumb: note: the diff names files from /, as some are not below $PWD: patch -p1 -d /\$"
check "... and so it does" patch -s -p1 -d / --dry-run -i "$PWD/.out"
cd ../.. || exit 1
if command -v git >/dev/null; then
	git init -q outer
	cd outer/src || exit 1
	run "$PLUMB" fix a.c
	expect_err_has "below the top of a project names are from there" "^plumb: note: the diff names files from ${PWD%/src}: git apply, or patch -p1 -d ${PWD%/src}\$"
	check "... where patch finds them" patch -s -p1 -d "${PWD%/src}" --dry-run -i "$PWD/.out"
	check "... and git" git apply --check .out
	cd ../.. || exit 1
else
	skip "below the top of a project names are from there" "git is not installed"
fi

cat >flags.c <<'END'
#include <stdlib.h>
#include <string.h>
#ifndef WITH_LEAK
#error no flags
#endif
#if WITH_LEAK
int f(const char *s)
{
	char *p = strdup(s);

	return p[0] == 'x';
}
#endif
END
run "$PLUMB" fix flags.c -- -DWITH_LEAK=1
expect_status "the flags behind -- are used" 0
expect_out_has "... and the file is patched" '^\+.*free\(p\);'
run "$PLUMB" fix flags.c -- -DWITH_LEAK=0
expect_out "other flags: no leak" ""

mkdir -p proj/build proj/src && cp flags.c proj/src/flags.c
cat >proj/build/compile_commands.json <<END
[ { "directory": "$PWD/proj/build", "file": "../src/flags.c",
    "command": "cc -DWITH_LEAK=1 -c ../src/flags.c -o flags.o" } ]
END
cd proj || exit 1
run "$PLUMB" fix -p build
expect_status "-p DIR" 0
expect_out_has "-p DIR: names are relative to this folder" '^\+\+\+ b/src/flags\.c'
check "patch -p1 takes the diff" patch -s -p1 --dry-run -i .out
cd ..

# ---- --finding ----

"$PLUMB" check --format json leak.c >found.json
id=$(jq -r '.findings[] | select(.function == "g") | .id' found.json)
run "$PLUMB" fix --finding "$id" leak.c
expect_out_has "--finding fixes that one" '^\+.*free\(q\);'
expect_out_lacks "--finding fixes no other" '^\+.*free\(p\);'
run "$PLUMB" fix --finding 0123456789abcdef leak.c
check "a finding that does not exist is an error" [ "$status" -ne 0 ]
expect_out "... without a diff" ""
expect_one_line "... in one line"

# ---- -o and --in-place ----

run "$PLUMB" fix -o out.diff leak.c
expect_status "-o FILE" 0
expect_out "-o FILE: nothing on standard output" ""
check "-o FILE has the diff" cmp -s out.diff whole.diff
run "$PLUMB" fix -o none/out.diff leak.c
expect_status "-o into a folder that is not there: exit code 2" 2
expect_one_line "... in one line"

# ---- a standard output that cannot be written ----

run timeout 60 sh -c '"$PLUMB" fix leak.c >&-'
expect_status "a closed standard output: exit code 2" 2
expect_err_has "... which is told" 'cannot write standard output'
run timeout 60 sh -c '"$PLUMB" fix leak.c <&- 2>&-'
expect_status "the others closed: that does no harm" 0
expect_out "... and the diff is the same" "$(cat whole.diff)"

# ---- one source, two units ----

cat >twice.c <<'END'
#include <stdlib.h>

static int twice(int n)
{
	char *p = malloc(3);

	if (!p)
		return 1;
	if (n == 3)
		return 3;
	free(p);
#ifdef MORE
	char *q = malloc(4);

	if (!q || n == 4)
		return 4;
	free(q);
#endif
	return 0;
}
#ifdef MORE
int more(int n)
#else
int less(int n)
#endif
{
	return twice(n);
}
END
mkdir -p two
cat >two/compile_commands.json <<END
[ { "directory": "$PWD", "file": "twice.c", "command": "cc -c twice.c -o a.o" },
  { "directory": "$PWD", "file": "twice.c", "command": "cc -DMORE -c twice.c -o b.o" } ]
END
run "$PLUMB" fix -p two
expect_status "a source of two units with other settings: exit code 1" 1
expect_err_has "... one of which is told" 'compiled twice, with other settings'
"$PLUMB" fix --in-place -p two 2>err2
run "$PLUMB" fix -p two
if [ "$status" -ne 0 ]; then
	"$PLUMB" fix --in-place -p two 2>err2
	run "$PLUMB" fix -p two
fi
expect_status "... and both are fixed in the end" 0

# ---- --dry-run ----

cp leak.c dry.c
ls -la --time-style=full-iso dry.c >before
run "$PLUMB" fix --dry-run dry.c
expect_status "--dry-run: the exit code is that of a run" 0
expect_out_has "--dry-run: what would be fixed" '^dry\.c:[0-9]+:[0-9]+: would be fixed: .*free\(.*\([0-9a-f]{16}\)$'
n=$(grep -c '^+[^+]' whole.diff)
expect_out_has "--dry-run: how much each file would change" "^ dry\\.c \\| [0-9]+ \\+{$n}-*\$"
expect_out_has "--dry-run: and all of them" "^ 1 file changed, $n insertions?\\(\\+\\)"
expect_err_has "--dry-run says so" 'would be fixed, in 1 file \(dry run: nothing was written\)$'
ls -la --time-style=full-iso dry.c >after
check "--dry-run writes nothing" cmp -s before after
run "$PLUMB" fix --dry-run one/leak.c
expect_out "--dry-run with nothing to do" ""
for o in '-o x' --in-place '--format json'; do
	run "$PLUMB" fix --dry-run $o dry.c
	expect_status "--dry-run $o: exit code 2" 2
	expect_err_has "--dry-run $o: exclude each other" 'exclude each other'
done
check "--dry-run -o x writes no file" [ ! -e x ]
run timeout 60 sh -c '"$PLUMB" fix --dry-run leak.c >&-'
expect_status "--dry-run to a closed standard output: exit code 2" 2

cp leak.c in.c && chmod 640 in.c
run "$PLUMB" fix --in-place in.c
expect_status "--in-place" 0
expect_out "--in-place: nothing on standard output" ""
check "--in-place has patched the file" cmp -s in.c one/leak.c
check "--in-place keeps the permissions" [ "$(stat -c %a in.c)" = 640 ]
check "--in-place leaves nothing else behind" [ -z "$(find . -maxdepth 1 -name 'in.c?*' -o -maxdepth 1 -name '.in.c*')" ]
run "$PLUMB" fix --in-place in.c
expect_status "--in-place once more: nothing to do" 0
check "... and nothing was done" cmp -s in.c one/leak.c

chmod 755 in.c && cp leak.c in.c && ln -s in.c link.c
run "$PLUMB" fix --in-place link.c
check "--in-place through a symbolic link: the link stays" [ -L link.c ]
check "... and the file is patched" cmp -s in.c one/leak.c
check "... and keeps its permissions" [ "$(stat -c %a in.c)" = 755 ]

run "$PLUMB" fix --in-place mixed.c
expect_status "--in-place where some remain: exit code 1" 1
expect_err_has "... which are told" '^mixed\.c:18:.*macro'
check "... and the others are fixed" grep -q 'free(p);' mixed.c
check "... in the file" [ "$(grep -c 'free(p)' mixed.c)" -eq 2 ]

# root may write to everything: a folder that cannot be written to is one that is not
# there any more, or a file that is immutable.  Only tried as somebody else.
if [ "$(id -u)" -ne 0 ]; then
	mkdir locked && cp leak.c locked && chmod 555 locked
	run "$PLUMB" fix --in-place locked/leak.c
	expect_status "--in-place in a folder without permission: exit code 2" 2
	expect_one_line "... in one line"
	check "... and the file is whole" cmp -s locked/leak.c leak.orig
	chmod 755 locked
elif command -v setpriv >/dev/null && chmod 755 . .. &&
    setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$PWD/leak.c" &&
    setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$PLUMB"; then
	mkdir locked home && cp leak.c locked && chmod 555 locked && chmod 777 home
	run setpriv --reuid 65534 --regid 65534 --clear-groups \
		env HOME="$PWD/home" TMPDIR="$PWD/home" XDG_CACHE_HOME="$PWD/home" \
		"$PLUMB" fix --in-place locked/leak.c
	expect_status "--in-place in a folder without permission: exit code 2" 2
	expect_err_has "... names the file" 'locked/leak\.c'
	check "... and the file is whole" cmp -s locked/leak.c leak.orig
else
	skip "--in-place in a folder without permission" "no other user can run plumb here"
fi

# ---- JSON and SARIF ----

cp mixed.orig mixed.c
run "$PLUMB" fix --format json mixed.c leak.c
cp .out fix.json
expect_status "--format json: the exit code is the same" 1
check "one fix is refused, three are available" [ "$(jq -c '[.findings[].fix.status] | sort' fix.json)" = \
	'["available","available","available","refused"]' ]
check "a refusal has a reason and no edits" jq -e \
	'[.findings[] | select(.fix.status == "refused") | (.fix.reason | test("macro")) and .fix.edits == []] | all' fix.json
check "what is available has edits" jq -e \
	'[.findings[] | select(.fix.status == "available") | .fix.edits | length > 0] | all' fix.json
cat >apply.py <<'END'
# Applies the edits of plumb fix --format json, the last first: they must be the diff.
import json, sys
edits = {}
for f in json.load(open(sys.argv[1]))['findings']:
    for e in f['fix']['edits']:
        edits.setdefault(e['file'], set()).add(
            (e['line'], e['column'], e['end_line'], e['end_column'], e['text']))
for name, es in edits.items():
    text = open(name, 'rb').read().splitlines(keepends=True)
    at = [0]
    for line in text:
        at.append(at[-1] + len(line))
    text = b''.join(text)
    for l, c, el, ec, t in sorted(es, reverse=True):
        text = text[:at[l - 1] + c - 1] + t.encode() + text[at[el - 1] + ec - 1:]
    open(sys.argv[2] + '/' + name, 'wb').write(text)
END
mkdir by_json && python3 apply.py fix.json by_json
check "the edits of the JSON are those of the diff" cmp -s by_json/leak.c one/leak.c
run "$PLUMB" fix --format sarif mixed.c leak.c
cp .out fix.sarif
expect_status "--format sarif: the exit code is the same" 1
check "SARIF has the fixes" [ "$(jq '[.runs[0].results[] | select(.fixes)] | length' fix.sarif)" -eq 3 ]
check "each fix is described and changes a file" jq -e \
	'[.runs[0].results[].fixes // empty | .[] | (.description.text | length > 0) and (.artifactChanges[0].replacements | length > 0)] | all' fix.sarif
here=$ROOT/tests/report
# shellcheck source=tests/report/npm.inc
. "$ROOT/tests/report/npm.inc"
if npm_ready; then
	check "the JSON follows its schema" node "$here/validate.js" "$npm_dir" \
		"$here/plumb-findings-1.schema.json" fix.json
	check "the SARIF follows its schema" node "$here/validate.js" "$npm_dir" \
		"$npm_dir/node_modules/@microsoft/sarif-multitool-linux/sarif-2.1.0.json" fix.sarif
fi
run "$PLUMB" fix --format json clean.c
expect_status "--format json without a leak" 0
check "... is still JSON" [ "$(jq '.findings | length' .out)" -eq 0 ]

# ---- bad usage and bad input ----

run "$PLUMB" fix
expect_status "no input: exit code 2" 2
expect_one_line "no input: one line"
run "$PLUMB" fix --help
expect_status "--help: exit code 0" 0
for option in --in-place --finding --format -p -o; do
	expect_out_has "--help lists $option" "^ *.*$option"
done
run "$PLUMB" fix --frobnicate leak.c
expect_status "an unknown option: exit code 2" 2
expect_one_line "an unknown option: one line"
run "$PLUMB" fix --in-place -o x.diff leak.c
expect_status "--in-place and -o do not go together: exit code 2" 2
check "... and nothing was written" [ ! -e x.diff ]
check "... to the file, either" cmp -s leak.c leak.orig
run "$PLUMB" fix nothere.c
expect_status "a file that is not there: exit code 2" 2
expect_err_has "... is named" 'nothere\.c'
echo 'int f( {' >broken.c
run "$PLUMB" fix broken.c
expect_status "a file that does not compile: exit code 2" 2
expect_err_has "... is named" 'broken\.c'
expect_out "... without a diff" ""
run "$PLUMB" fix broken.c leak.c
expect_out_has "one of two does not compile: the other is fixed" '^\+.*free\(p\);'
expect_err_has "... and the first is named" 'broken\.c'
check "... and the exit code is not 0" [ "$status" -ne 0 ]

# A leak that the author has excused is left alone.
sed 's|strdup(s);|strdup(s);	// plumb-ignore: kept for the debugger|' leak.orig >excused.c
run "$PLUMB" fix excused.c
expect_status "excused leaks: exit code 0" 0
expect_out "excused leaks are not patched" ""

# A flag that is only for another compiler makes nobody read more than is needed.
cp leak.orig flags.c
run "$PLUMB" fix -v flags.c -- -malign-data=abi
expect_out_has "with a flag that clang does not know, leaks are patched" '^\+.*free'
expect_err_lacks "and the functions that are not edited are not read" 'taken whole'
