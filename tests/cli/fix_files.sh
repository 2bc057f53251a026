# fix_files.sh - plumb fix on files of all kinds: its diffs, links, permissions, line ends, programs and
# databases.  The leaks here are simple ones.
# TIMEOUT: 400
. "$ROOT/tests/lib.sh"

git init -q . 2>/dev/null
mkdir -p src
cat >src/a.c <<'END'
#include <stdlib.h>

static int use(const char *p)
{
	return p[0];
}

int early(int n)
{
	char *p = malloc(n);

	if (!p)
		return -1;
	if (n > 4)
		return use(p);	/* the value is needed */
	free(p);
	return 0;
}
END
cat >src/b.c <<'END'
#include <stdlib.h>

void ends(int n)
{
	char *q = malloc(n);

	q[0] = 1;
}
END

run "$PLUMB" fix src/b.c src/a.c
expect_status "all leaks fixed" 0
expect_out "a diff of two files, in order" "--- a/src/a.c
+++ b/src/a.c
@@ -11,8 +11,11 @@
 
 	if (!p)
 		return -1;
-	if (n > 4)
-		return use(p);	/* the value is needed */
+	if (n > 4) {
+		int plumb_ret = use(p);	/* the value is needed */
+		free(p);
+		return plumb_ret;
+	}
 	free(p);
 	return 0;
 }
--- a/src/b.c
+++ b/src/b.c
@@ -5,4 +5,5 @@
 	char *q = malloc(n);
 
 	q[0] = 1;
+	free(q);
 }"
expect_err_has "a line for all of it" "2 of 2 leaks fixed, in 2 files"
cp .out fix.diff
check "git apply takes it" git apply --check fix.diff
check "patch -p1 takes it" patch -p1 --dry-run -s -i fix.diff
(cd src && "$PLUMB" fix a.c b.c 2>/dev/null) | cmp -s - fix.diff
verdict "the paths are those of the project, wherever it runs"

run "$PLUMB" fix -o out.diff src/a.c src/b.c
check "-o FILE writes the same" cmp -s out.diff fix.diff
expect_out "and nothing else" ""

# one leak of several
id=$("$PLUMB" check --format json src/a.c src/b.c | jq -r '.findings[] | select(.function == "ends").id')
run "$PLUMB" fix --finding "$id" src/a.c src/b.c
expect_status "--finding: that one is fixed" 0
expect_out_has "it is in the diff" '^\+	free\(q\);'
expect_out_lacks "the other is not" 'free\(p\)'
run "$PLUMB" fix --finding 0123456789abcdef src/a.c src/b.c
expect_status "no such finding" 2
expect_err_has "it says so" "no leak with the id 0123456789abcdef"

# in the reports
run "$PLUMB" fix --format json src/a.c src/b.c
check "JSON tells the edits" [ "$(echo "$out" | jq -r '[.findings[].fix.status] | unique | join(" ")')" = available ]
check "with their places" [ "$(echo "$out" | jq '[.findings[] | select(.function == "ends").fix.edits[]] | length')" = 1 ]
run "$PLUMB" fix --format sarif src/a.c src/b.c
check "SARIF has fixes" [ "$(echo "$out" | jq '[.runs[0].results[].fixes[0].artifactChanges[0].replacements | length] | add')" -ge 2 ]

# what counts
"$PLUMB" check --format json -o base.json src/a.c src/b.c
run "$PLUMB" fix --baseline base.json src/a.c src/b.c
expect_status "the baseline's leaks are left alone" 0
expect_out "no diff" ""
sed 's|malloc(n);|& // plumb-ignore: a test|' src/b.c >ignored.c
run "$PLUMB" fix ignored.c
expect_out "a suppressed leak is left alone" ""
expect_status "and is none" 0

# in place
mkdir -p place
cp src/a.c place/real.c
chmod 640 place/real.c
ln -s place/real.c link.c
run "$PLUMB" fix --in-place link.c
expect_status "in place" 0
expect_out "nothing on standard output" ""
expect_err_has "it says what changed" "1 of 1 leak fixed, in 1 file \(changed in place\)"
check "the link stays a link" [ -L link.c ]
check "the file has the fix" grep -q 'plumb_ret = use(p)' place/real.c
check "its permissions stay" [ "$(stat -c %a place/real.c)" = 640 ]
check "no other file is left" [ "$(ls -A place)" = real.c ]
run "$PLUMB" fix place/real.c
expect_status "fixed is fixed" 0
expect_out "nothing is left to do" ""
run "$PLUMB" fix --in-place -o x.diff src/a.c
expect_status "--in-place and -o FILE" 2

# line ends, tabs and blanks, text that is not ASCII, no newline at the end
printf '#include <stdlib.h>\r\n/* \303\244 \344 */\r\nint f(int n)\r\n{\r\n    char *p = malloc(n);\r\n    if (n)\r\n        return 0;\r\n    free(p);\r\n    return 1;\r\n}' >crlf.c
run "$PLUMB" fix --in-place crlf.c
expect_status "CR LF" 0
check "every line ends so" [ "$(tr -cd '\r' <crlf.c | wc -c)" = "$(tr -cd '\n' <crlf.c | wc -c)" ]
check "no newline was added" [ "$(tail -c1 crlf.c)" = "}" ]
check "bytes stay as they are" [ "$(sed -n 2p crlf.c | od -An -tx1 | tr -d ' \n')" = 2f2a20c3a420e4202a2f0d0a ]
check "blanks for blanks" grep -q '^        free(p);' crlf.c

# refused
cat >macro.c <<'END'
#include <stdlib.h>
#define CHECK(x) do { if (!(x)) return -1; } while (0)
int f(int n)
{
	char *p = malloc(8);

	if (!p)
		return 1;
	CHECK(n & 1);
	free(p);
	return 0;
}
END
run "$PLUMB" fix macro.c
expect_status "a leak stays" 1
expect_out "no diff" ""
expect_err_has "one line with place, reason and id" 'macro.c:5:12: .*not fixed: p: .*macro CHECK.*\([0-9a-f]{16}\)'
cat >line.c <<'END'
#include <stdlib.h>
#line 100 "grammar.y"
void f(int n)
{
	char *p = malloc(8);

	p[0] = n;
}
END
run "$PLUMB" fix line.c
expect_status "generated source" 1
expect_out "is not touched" ""
echo 'int broken(' >broken.c
run "$PLUMB" fix broken.c src/a.c
expect_status "a unit failed, no leak stays" 3
run "$PLUMB" fix broken.c
expect_status "nothing to analyse" 2
run "$PLUMB" fix --format nonsense src/a.c
expect_status "bad usage" 2
run "$PLUMB" fix --help
expect_out_has "help" "usage: plumb fix"

# a program that plumb cc built, a database
mkdir -p prog/inc
echo '#define LIMIT 4' >prog/inc/limit.h
sed 's/n > 4/n > LIMIT/; 1i #include "limit.h"' src/a.c >prog/a.c
cat src/b.c - >prog/b.c <<'END'
int early(int n);
int main(int argc, char **argv)
{
	(void)argv;
	ends(argc);
	return early(argc);
}
END
(cd prog && "$PLUMB" cc -Iinc -o prog a.c b.c)
run "$PLUMB" fix prog/prog
expect_status "a program built with plumb cc" 0
expect_out_has "is fixed with its own flags" '^\+\+\+ b/prog/a.c'
cat >prog/compile_commands.json <<END
[ { "directory": "$PWD/prog", "file": "a.c", "command": "cc -Iinc -c a.c" },
  { "directory": "$PWD/prog", "file": "b.c", "command": "cc -c b.c" } ]
END
cp .out elf.diff
run "$PLUMB" fix -p prog
check "the same from the database" cmp -s .out elf.diff

# generated from another file: that one is patched, if it has the same lines
mkdir -p gen
cat >gen/grammar.y <<'EOF'
%%
%%
#include <stdlib.h>
#include <string.h>

static int reduce(const char *t)
{
	char *s = strdup(t);

	if (!s)
		return -1;
	if (s[0] == 'e')
		return 1;
	free(s);
	return 0;
}

int main(void)
{
	return reduce("t");
}
EOF
generate() {
	(printf 'int yychar;\nint yynerrs;\n\n#line 3 "%s"\n' "$1"; sed -n '3,$p' gen/grammar.y) >gen/y.tab.c
}
generate /nowhere/src/grammar.y
cp gen/y.tab.c y.tab.before
run "$PLUMB" fix gen/y.tab.c
expect_status "the source beside the generated file" 0
expect_out "is patched, by its own lines" "--- a/gen/grammar.y
+++ b/gen/grammar.y
@@ -9,8 +9,10 @@
 
 	if (!s)
 		return -1;
-	if (s[0] == 'e')
+	if (s[0] == 'e') {
+		free(s);
 		return 1;
+	}
 	free(s);
 	return 0;
 }"
run "$PLUMB" fix --format json gen/y.tab.c
expect_out_has "the edits name it" '"file": "gen/grammar.y"'
expect_out_has "and its lines" '"line": 12,'
cp gen/grammar.y grammar.before
run "$PLUMB" fix --in-place gen/y.tab.c
expect_status "in place" 0
check "the generated file stays as it is" cmp -s gen/y.tab.c y.tab.before
run "$PLUMB" fix gen/y.tab.c
expect_status "made again, it is another one now" 1
expect_err_has "an older generated file is refused" "generated from another one"
generate grammar.y
run "$PLUMB" fix gen/y.tab.c
expect_status "no leak is left" 0
cp grammar.before gen/grammar.y
generate grammar.y
sed -i '/^static int reduce/i #line 90 "grammar.y"' gen/y.tab.c
run "$PLUMB" fix gen/y.tab.c
expect_status "wrong numbers" 1
expect_err_has "are noticed" "generated from another one"

# A folder that is reached over a link: the database has the other path.
mkdir -p real
cp src/a.c src/b.c real/
ln -s real linked
printf '[{ "directory": "%s/real", "file": "a.c", "arguments": ["cc", "-c", "a.c"] },
{ "directory": "%s/real", "file": "b.c", "arguments": ["cc", "-c", "b.c"] }]\n' "$PWD" "$PWD" >real/compile_commands.json
run sh -c 'cd linked && exec "$0" fix --no-cache -p .' "$PLUMB"
expect_status "all leaks fixed from a linked folder" 0
printf '[{ "directory": "%s/linked", "file": "a.c", "arguments": ["cc", "-c", "a.c"] }]\n' "$PWD" >real/compile_commands.json
run sh -c 'cd real && exec "$0" fix --no-cache -p .' "$PLUMB"
expect_status "all leaks fixed, though the database has the link" 0
