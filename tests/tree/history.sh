# bench/history.py: a project made here, in whose history a leak is fixed, goes all the way; what counts as the same leak; the sums.
. "$ROOT/tests/lib.sh"

export PYTHONDONTWRITEBYTECODE=1 GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test

mkdir source records
cat >source/name.c <<'END'
#include <stdlib.h>
#include <string.h>
char *copy(const char *s);
int length(const char *s)
{
	char *name = copy(s);
	int n = name ? (int)strlen(name) : 0;

	return n;
}
END
cat >source/copy.c <<'END'
#include <string.h>
#include <stdio.h>
int length(const char *s);
char *copy(const char *s) { return strdup(s); }
int main(int argc, char **argv) { printf("%d\n", length(argv[argc - 1])); return 0; }
END
cat >source/Makefile <<'END'
prog: name.o copy.o
	cc -Werror -o $@ name.o copy.o
END
git init -q source
git -C source add .
git -C source commit -qm leak
sed 's/return n;/free(name);\n\treturn n;/' source/name.c >fixed
mv fixed source/name.c
git -C source commit -qam fix
git clone -q --bare source mirror/one+project
parent=$(git -C source rev-parse HEAD~) fix=$(git -C source rev-parse HEAD)

record()
{
	printf '{"repo": "one/project", "fix": "%s", "parent": "%s", "file": "name.c", "function": "%s", "lost_file": "name.c",
		"lost_function": "%s", "variable": "%s", "allocator": "copy", "allocator_kind": "constructor", "class": "never-freed",
		"crosses": true, "line": %s, "build": "make"}' "$fix" "$parent" "$1" "$1" "$2" "$3" | tr -d '\n\t'
	echo
}
{ record length name 6; record other x 99; } >records/seen.jsonl
echo '{}' >records/seen.builds.json

history() { run python3 "$ROOT/bench/history.py" --plumb "$PLUMB" --records records --mirror mirror --work work --jobs 1 "$@"; }

git init -q .		# paths are reported from its top
history --save sums.json
expect_status "a history is measured" 0
expect_out_has "the build has an end" 'built, '
check "found on the parent, gone at the fix, and what is not there is not found" python3 - <<'END'
import json
s = json.load(open('records/sums.json'))['seen']
assert s['records'] == 2 and not s['not_built']
for part in ('found', 'told_apart'):
    assert s['all']['whole'][part]['n'] == 1, s['all']
assert s['all']['whole']['still']['n'] == 0 and s['all']['unit']['found']['n'] == 0
assert s['obstacles']['whole'] == {'silent': 1}, s['obstacles']
END

history --units
expect_status "its units are compiled again" 0
expect_out_lacks "and nothing is built" 'build 1'
expect_out_has "with the same result" 'all +2 .* 1 \( 50'

check "no result by record is kept of a half that is only counted" bash -c '
	cp records/seen.jsonl records/unseen.jsonl; cp records/seen.builds.json records/unseen.builds.json
	out=$(python3 "$0/bench/history.py" --half unseen --plumb "$1" --records records --mirror mirror --work work --jobs 1) || exit 1
	! ls work/unseen.* 2>/dev/null && ! echo "$out" | grep -q name.c' "$ROOT" "$PLUMB"

mkdir nothing
history --mirror nothing --work fresh
expect_out_has "a repository that is not there is named" 'one/project: no repository'
expect_out_has "and the rest goes on" 'not built: 2 no repository'

check "what is the same leak" python3 - "$ROOT/bench" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import history
r = {'file': 'a.c', 'function': 'f', 'lost_file': 'b.c', 'lost_function': 'g', 'variable': '*this->x', 'allocator': 'make'}
def f(file='a.c', function='f', line=10, allocator='make', variable='v', leak=('b.c', 'g'), path=()):
    return {'file': file, 'function': function, 'line': line, 'allocator': allocator, 'variable': variable,
            'leak': {'file': leak[0], 'function': leak[1], 'line': 5}, 'path': [{'file': 'a.c', 'line': n, 'message': m} for n, m in path]}
same = lambda x, line=10: history.same_leak(r, x, line, lambda p: p)
assert same(f()) and same(f(line=12)) and not same(f(line=13)) and not same(f(line=11, allocator='other'))
assert not same(f(function='h')) and same(f(function='h', path=[(10, 'returned to f()')]))
assert not same(f(function='h', path=[(10, 'returned to g()')])) and not same(f(function='h', leak=('b.c', 'h'), path=[(10, 'handed to f()')]))
assert same(f(line=50, variable='o->x')) and not same(f(line=50, variable='x')) and not same(f(), None)
assert same(f(function='h', variable='(this)->x'), None)
assert history.wilson(0, 10)[0] == 0 and history.wilson(5, 10) == [0.269, 0.731] and history.wilson(0, 0) is None
END

if [ -e "$ROOT/../shared/RESERVED.md" ]; then
	run python3 "$ROOT/bench/history.py" check
	expect_status "the committed records are what they shall be" 0
else
	skip "the committed records are what they shall be" "which programs are reserved is not known here"
fi
