# front_compdb.sh - compilation databases.
. "$ROOT/tests/lib.sh"

mkdir -p src/sub inc build
cat >src/a.c <<'END'
#include "x.h"
int a(void) { return X; }
#ifdef PIC
int a_pic(void) { return X; }
#endif
END
echo 'int b(void) { return 0; }' >src/sub/b.c
echo 'int never(void) { return 0; }' >src/never.c
echo '#define X 1' >inc/x.h
echo '-DWHATEVER -I ../inc' >build/flags.rsp

cat >build/compile_commands.json <<END
[
 { "directory": "$PWD/build", "file": "../src/a.c",
   "command": "ccache gcc -I../inc -O2 '-DS=\"x y\"' -o a.o -c ../src/a.c" },
 { "directory": "$PWD/build", "file": "../src/a.c",
   "arguments": [ "gcc", "-I../inc", "-DS=\"x y\"", "-c", "../src/a.c", "-O3" ] },
 { "directory": ".", "file": "../src/a.c",
   "arguments": [ "gcc", "@flags.rsp", "-DPIC", "-c", "../src/a.c" ] },
 { "directory": "../src/sub", "file": "b.c", "command": "plumb cc -c b.c" },
 { "directory": "$PWD/build", "file": "x.cpp", "command": "g++ -c x.cpp" },
 { "directory": "$PWD/build", "file": "y.S", "command": "gcc -c y.S" }
]
END

for p in build build/compile_commands.json . src "$PWD/build"; do
	[ "$p" = src ] && cp build/compile_commands.json . && sed -i 's/"directory": "\./"directory": "build\/./' compile_commands.json
	run "$PLUMB" dump ir -p "$p"
	expect_status "-p $p" 0
	expect_out_has "-p $p: a.c" '^func @a[#(]'
	expect_out_has "-p $p: the same with other flags" '^func @a_pic[#(]'
	expect_out_has "-p $p: b.c" '^func @b[#(]'
	expect_out_lacks "-p $p: nothing else" '^func @never[#(]'
done
rm compile_commands.json
run "$PLUMB" check -v -p build
expect_err_has "duplicates and other languages are counted" '3 units, 1 duplicates, 2 entries not C'
expect_status "and are no failure" 0
run "$PLUMB" dump ir -p build src/sub/b.c src/never.c
expect_out_has "inputs choose from the database" '^func @b[#(]'
expect_out_lacks "and nothing else of it is taken" '^func @a[#(]'
expect_out_has "an input that it does not know" '^func @never[#(]'
run "$PLUMB" dump ir -p build src/a.c
expect_out_has "the flags come from the database" '^func @a_pic[#(]'

# ---- trouble ----

trouble()	# WHAT PATH PATTERN
{
	run "$PLUMB" check -p "$2"
	expect_status "$1: exit code 2" 2
	expect_one_line "$1: one line"
	expect_err_has "$1: which tells why" "^plumb: error: $3"
}

trouble "a folder that is not there" nothere 'nothere: no such file or folder'
mkdir -p none/deep
trouble "no database" none/deep 'none/deep: no compile_commands.json'
trouble "a folder below a file" src/a.c/x 'src/a.c/x: '
echo '[ { "directory": ' >bad.json
trouble "invalid JSON" bad.json 'bad.json:2:'
echo '{ "a": 1 }' >bad.json
trouble "JSON that is no database" bad.json 'bad.json: not a compilation database'
echo '[ 3 ]' >bad.json
trouble "an entry that is no object" bad.json 'bad.json: not a compilation database: entry 1'
: >bad.json
trouble "an empty file" bad.json 'bad.json:'
echo '[]' >bad.json
trouble "an empty database" bad.json 'bad.json: no C source in it'
echo '[ { "directory": "/", "file": "x.cc", "command": "g++ -c x.cc" } ]' >bad.json
trouble "no C in the database" bad.json 'bad.json: no C source in it'
echo '[ { "directory": "'"$PWD"'", "file": "gone.c", "command": "cc -c gone.c" } ]' >bad.json
trouble "a source that is gone" bad.json 'gone.c: No such file or directory'
echo '[ { "directory": "'"$PWD"'/nodir", "file": "'"$PWD"'/src/never.c", "command": "cc -c '"$PWD"'/src/never.c" } ]' >bad.json
trouble "a folder of a command that is gone" bad.json 'src/never.c: .*nodir'
echo '[ { "directory": "'"$PWD"'", "file": "src/never.c", "command": "cc -c src/never.c" }, { "file": "x.c" } ]' >bad.json
run "$PLUMB" check -p bad.json
expect_status "an entry without a command: the rest is analysed" 3
expect_err_has "and it is named" 'x.c: the compilation database has no command for it'
