# NOSAN: the installed program is the one that users get
#
# make install: what lands where, and does it run from there, and from elsewhere?
. "$ROOT/tests/lib.sh"

here=$PWD
cd "$ROOT" || exit 1
tools/install.sh build "$here/dest" /usr
check "installs below DESTDIR" [ $? -eq 0 ]
cd "$here" || exit 1

for f in bin/plumb lib/plumb/libplumb.so share/plumb/models/libc.model; do
	check "$f" [ -e "dest/usr/$f" ]
done
check "nothing but usr" [ "$(ls dest)" = usr ]

cat >leak.c <<'END'
#include <stdlib.h>

int main(int argc, char **argv)
{
	char *p = malloc(10);

	(void)argv;
	if (argc > 1)
		return 1;
	free(p);
	return argc > 5;
}

void f(int n)
{
	char *p = malloc(10);

	if (n > 1)
		return;
	free(p);
}
END
run dest/usr/bin/plumb check leak.c
expect_status "the installed plumb finds a leak" 1
mv dest/usr moved
run moved/bin/plumb check leak.c
expect_status "and again after its tree was moved" 1
run moved/bin/plumb --version
expect_out_has "--version" '^plumb [0-9]+\.[0-9]+'

if [ -e "$ROOT/build/valgrind/plumb-amd64-linux" ]; then
	run env VALGRIND_LIB="$here/moved/libexec/plumb/valgrind" valgrind --tool=plumb true
	expect_err_has "the installed Valgrind tool runs" 'allocations:'
else
	skip "the installed Valgrind tool runs" "not built on this machine"
fi
run env LD_PRELOAD="$here/moved/lib/plumb/libplumb.so" PLUMB_RUN_FILE="$here/run" true
check "the installed library writes a run file" [ -s run ]
run moved/bin/plumb watch -q -o watched -- true
expect_status "the installed plumb watches" 0
check "and reports" [ -s watched.json -a -s watched.html ]
mv moved 'a folder: with spaces'
run 'a folder: with spaces/bin/plumb' watch -q -o spaced -- true
check "also from a path that LD_PRELOAD cannot take" grep -q '"exited with code 0"' spaced.json
