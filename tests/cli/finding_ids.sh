# finding_ids.sh - an id names the same leak wherever the sources lie and plumb runs.
. "$ROOT/tests/lib.sh"

mkdir -p tree/src tree/lib
cat >tree/src/a.c <<'END'
#include <stdlib.h>
#include "../lib/b.h"
int run(int argc, char **argv)
{
	char *p = malloc(3), *q;
	free(p);
	p = malloc(4);
	q = make(argc);
	if (argc > 2)
		free(p);
	p = malloc(5);
	return p[0] + q[0] + argv[0][0];
}
END
cat >tree/lib/b.c <<'END'
#include <stdlib.h>
#include "b.h"
static int lose(int n)
{
	char *p = malloc(n);
	return p[n - 1];
}
char *make(int n)
{
	return lose(n) ? NULL : calloc(n, 1);
}
END
echo 'char *make(int n);' >tree/lib/b.h

# The ids that plumb check gives, sorted; FOLDER is where it runs.
ids()	# FOLDER ARGS...
{
	(cd "$1" && shift && "$PLUMB" check --format json "$@" 2>/dev/null) | jq -r '.findings[].id' | sort | paste -sd ' '
}

same()	# WHAT FOLDER ARGS...
{
	what=$1
	shift
	got=$(ids "$@")
	[ "$got" = "$want" ] || echo "expected $want, got $got"
	check "$what" [ "$got" = "$want" ]
}

want=$(ids tree src/a.c lib/b.c)
check "there are findings" [ "$(wc -w <<<"$want")" -ge 4 ]
check "all ids differ" [ "$(tr ' ' '\n' <<<"$want" | sort -u | wc -l)" = "$(wc -w <<<"$want")" ]
same "run from another folder" tree/src a.c ../lib/b.c
same "run from the root" / "$PWD/tree/src/a.c" "$PWD/tree/lib/b.c"
same "in another order" tree lib/b.c src/a.c

cat >tree/compile_commands.json <<END
[ { "directory": "$PWD/tree/src", "file": "a.c", "command": "cc -c a.c" },
  { "directory": "$PWD/tree", "file": "$PWD/tree/lib/b.c", "command": "cc -c lib/b.c" } ]
END
same "by a build database" tree -p .
same "by a build database, from elsewhere" / -p "$PWD/tree"

(cd tree && "$PLUMB" cc -shared -fPIC -o prog src/a.c lib/b.c)
same "by plumb cc" tree prog
same "by plumb cc, from elsewhere" / "$PWD/tree/prog"

cp -a tree copy
same "the tree copied" copy src/a.c lib/b.c
mkdir -p other/place
mv tree other/place/renamed
same "the tree moved" other/place renamed/src/a.c renamed/lib/b.c
same "the tree moved away from under the program" other/place renamed/prog

git init -q copy
same "in a git work tree" copy src/a.c lib/b.c
same "below the top of a git work tree" copy/lib b.c ../src/a.c

sed -i 's|^int run|/* a comment */\nstatic int other(int x)\n{\n\treturn x + 1;\n}\n\nint run|; s|free(p);|free( p ); /* gone */|' \
	copy/src/a.c
same "other lines come and go" copy src/a.c lib/b.c
sed -i 's|char \*p = malloc(3)|char *r = malloc(9), *p = malloc(3)|; s|q = make|free(r);\n\tq = make|' copy/src/a.c
same "an allocation into another variable comes before" copy src/a.c lib/b.c
sed -i 's|\tif (argc > 2)|\tif (argc < 7)|' copy/src/a.c
same "the leak becomes another one of the same allocation" copy src/a.c lib/b.c
