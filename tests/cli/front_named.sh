# front_named.sh - with -p DIR, named files say what is reported, not what is analysed.
. "$ROOT/tests/lib.sh"

mkdir -p src inc build
cat >src/util.c <<'EOF'
#include <stdlib.h>
#include "util.h"
char *make_text(void) { return malloc(9); }
void eat(char *p, int n) { if (n > 3) return; free(p); }
EOF
cat >src/main.c <<'EOF'
#include "util.h"
int work(int n)
{
	char *p = make_text();

	eat(p, n);
	return n;
}
int main(int argc, char **argv) { (void)argv; return work(argc) + round_up(argc) + COUNT; }
EOF
cat >src/other.c <<'EOF'
#include <stdlib.h>
int other(void)
{
	char *q = malloc(3);

	return q != 0;
}
EOF
cat >src/clean.c <<'EOF'
#include <stdlib.h>
#include "util.h"
void clean(void) { eat(make_text(), 1); }
EOF
cat >inc/util.h <<'EOF'
#include <stdlib.h>
#include "only.h"
char *make_text(void);
void eat(char *p, int n);
static inline int round_up(int n)
{
	char *r = malloc(4);

	if (n > 7)
		return 3;
	free(r);
	return 1;
}
EOF
echo '#define COUNT 0' >inc/only.h
echo '#define COUNT 1' >inc/unused.h
echo 'int left_out(void) { return 0; }' >src/left_out.c
{
	echo '['
	for u in main util other clean; do
		[ $u = main ] || echo ','
		printf '{ "directory": "%s", "file": "../src/%s.c", "command": "gcc -I../inc -c ../src/%s.c" }\n' \
			"$PWD/build" $u $u
	done
	echo ']'
} >build/compile_commands.json

# The lines of the leaks that were reported.
leaks()
{
	grep -oE '^[^ :]+:[0-9]+:[0-9]+: leak' .out | sed 's/: leak//' | sort | tr '\n' ' '
}

names()	# WHAT LEAKS FILE...
{
	what=$1 want=$2
	shift 2
	run "$PLUMB" check -p build "$@"
	got=$(leaks)
	check "$what" [ "$got" = "$want" ]
	if [ -n "$want" ]; then
		expect_status "$what: exit code 1" 1
	else
		expect_status "$what: exit code 0" 0
	fi
}

run "$PLUMB" check -p build
all=$(leaks)
check "there are three leaks in the whole" [ "$(echo "$all" | wc -w)" -eq 3 ]
names "a unit alone does not show it, the whole does: the caller" "src/main.c:4:12 " src/main.c
expect_err_has "how many others there are is said" '^plumb: note: 2 findings that do not concern the files named: plumb check -p build'
names "the file that loses what another one made" "src/main.c:4:12 " src/util.c
names "a file that others do not touch" "src/other.c:4:12 " src/other.c
names "a file without a leak" "" src/clean.c
names "two files" "src/main.c:4:12 src/other.c:4:12 " src/main.c src/other.c
names "a header" "inc/util.h:7:12 " inc/util.h
names "a header that has only macros is known, too" "" inc/only.h
names "a folder" "inc/util.h:7:12 " inc
names "an absolute path" "src/other.c:4:12 " "$PWD/src/other.c"
names "a path from the folder of the database" "src/other.c:4:12 " ../src/other.c
ln -s other.c src/alias.c
mkdir elsewhere
ln -s ../src/other.c elsewhere/other.c
names "a path with a symbolic link" "src/other.c:4:12 " elsewhere/other.c
cd src || exit 1
run "$PLUMB" check -p ../build other.c
cd ..
cp src/.out .out
check "relative to where we are" [ "$(leaks)" = "other.c:4:12 " ]
run "$PLUMB" check --no-cache -p build inc/only.h
expect_status "without a cache headers are known as well" 0

run "$PLUMB" check -p build --format json
whole=$(jq -r '.findings[] | select(.file == "src/other.c") | .id' .out)
run "$PLUMB" check -p build --format json src/other.c
check "ids are those of the whole program" [ "$(jq -r '.findings[].id' .out)" = "$whole" ]
check "other findings are not in it" [ "$(jq '.findings | length' .out)" -eq 1 ]
check "all units were analysed" [ "$(jq .units.analysed .out)" -eq 4 ]

unknown()	# WHAT FILE PATTERN
{
	run "$PLUMB" check -p build "$2"
	expect_status "$1: exit code 2" 2
	expect_one_line "$1: one line"
	expect_err_has "$1: which tells why, and what to do" "^plumb: error: $3"
}

unknown "a source that the database does not have" src/left_out.c \
	"src/left_out.c: not in .*build/compile_commands.json, and no unit there includes it; add it to the build, or check it alone"
unknown "a header that nobody includes" inc/unused.h "inc/unused.h: not in .*compile_commands.json, and no unit there includes it"
unknown "a file that is not there" src/gone.c "src/gone.c: no such file, neither here nor in .*build"
unknown "a folder with nothing of the program" elsewhere "elsewhere: no unit of .*compile_commands.json is in there"

# ---- plumb fix ----

run "$PLUMB" fix -p build src/other.c
expect_status "fix: what concerns the file is fixed" 0
expect_out_has "fix: the file" '^\+\+\+ b/src/other\.c'
check "fix: nothing else" [ "$(grep -c '^+++' .out)" -eq 1 ]
expect_err_has "fix: and counted" '1 of 1 leak fixed, in 1 file'
run "$PLUMB" fix -p build --format json src/other.c
check "fix: a report has nothing else either" [ "$(jq '.findings | length' .out)" -eq 1 ]
run "$PLUMB" fix -p build src/clean.c
expect_status "fix: nothing to fix" 0
expect_out "fix: no diff" ""

# ---- a unit that cannot be read ----

echo 'int broken(void) { return 1 +; }' >src/broken.c
sed -i "s|^]|,{ \"directory\": \"$PWD/build\", \"file\": \"../src/broken.c\", \"command\": \"gcc -c ../src/broken.c\" }]|" build/compile_commands.json
run "$PLUMB" check -p build src/clean.c
expect_status "a unit elsewhere was not read: not called clean" 3
run "$PLUMB" check -p build src/broken.c
expect_status "the named one was not read" 3
run "$PLUMB" check -p build inc/unused.h
expect_status "who includes a header is not known then" 3
