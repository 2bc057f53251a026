# NOSAN: the installed program is the one that users get
#
# TIMEOUT: 300
#
# make install: what lands where, and does it run from there, and from elsewhere?
. "$ROOT/tests/lib.sh"

here=$PWD
cd "$ROOT" || exit 1
check "make install calls tools/install.sh" grep -qF "tools/install.sh build \"$here/dest\" \"/usr\"" \
	<(make -s -n install DESTDIR="$here/dest" PREFIX=/usr 2>&1)
tools/install.sh build "$here/dest" /usr
check "installs below DESTDIR" [ $? -eq 0 ]
cd "$here" || exit 1

for f in bin/plumb bin/plumb-cc lib/plumb/libplumb.so lib/plumb/libplumb-run.so share/plumb/models/libc.model \
    share/doc/plumb/README.md share/doc/plumb/tour.md share/doc/plumb/report.png share/doc/plumb/examples/tally/feed share/man/man1/plumb.1 share/man/man1/plumb-check.1 share/man/man5/plumb.conf.5 \
    share/bash-completion/completions/plumb share/zsh/vendor-completions/_plumb; do
	check "$f" [ -e "dest/usr/$f" ]
done
check "nothing but usr" [ "$(ls dest)" = usr ]


# ---- and away again ----

# What is there: names, kinds, targets of links.
tree()
{
	(cd "$1" && find . -mindepth 1 -printf '%p %y %l\n' | sort)
}

(cd "$ROOT" && tools/install.sh build "$here/dest" /usr)
cp -a dest again
(cd "$ROOT" && make -s --no-print-directory uninstall DESTDIR="$here/again" PREFIX=/usr) >log 2>&1
check "make uninstall" [ $? -eq 0 -a ! -s log ]
cat log
tree again
check "... leaves nothing, though it was installed twice" [ -z "$(tree again)" ]
mkdir -p other/usr/bin other/usr/share/man/man1 other/usr/lib/plumb
touch other/usr/bin/mine other/usr/share/man/man1/mine.1 other/usr/lib/plumb/mine.so
tree other >before
(cd "$ROOT" && tools/install.sh build "$here/other" /usr)
touch other/usr/share/plumb/models/mine.model
tree other >between
check "... of an installed one" grep -q '/usr/bin/plumb ' between
(cd "$ROOT" && tools/uninstall.sh "$here/other" /usr) >log
check "what is of others stays, and is named" grep -q 'usr/share/plumb/models/ has other files' log
rm -r other/usr/share/plumb
tree other >after
check "... and so do folders that were there before" cmp before after
(cd "$ROOT" && tools/uninstall.sh "$here/other" /usr) >log 2>&1
check "what is not installed is not removed" [ $? -eq 1 -a "$(wc -l <log)" -eq 1 ]

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
run moved/bin/plumb-cc -c -o leak.o leak.c
expect_status "plumb-cc compiles" 0
run moved/bin/plumb check leak.o
expect_status "and what it compiled can be checked" 1
run moved/bin/plumb --version
expect_out_has "--version" '^plumb [0-9]+\.[0-9]+'

if [ -e "$ROOT/build/valgrind/plumb-amd64-linux" ]; then
	run env VALGRIND_LIB="$here/moved/libexec/plumb/valgrind" valgrind --tool=plumb true
	expect_err_has "the installed Valgrind tool runs" 'allocations:'
	cc -g -o leak leak.c
	for n in 1 2; do
		run moved/bin/plumb train -o leak.bounds -- ./leak
		expect_status "the installed plumb trains ($n)" 0
	done
	run moved/bin/plumb run --bounds leak.bounds -- ./leak x
	expect_status "the installed plumb runs a program, with its exit status" 1
	run moved/bin/plumb bounds leak.bounds
	expect_out_has "and prints bounds" '2 runs'
else
	skip "the installed Valgrind tool runs" "not built on this machine"
fi
run env LD_PRELOAD="$here/moved/lib/plumb/libplumb.so" PLUMB_RUN_FILE="$here/run" true
check "the installed library writes a run file" [ -s run ]
run moved/bin/plumb watch -q -o watched -- true
expect_status "the installed plumb watches" 0
check "and reports" [ -s watched.json -a -s watched.html ]
run moved/bin/plumb report watched.json -o page.html
expect_status "also on one page" 0
mv moved 'a folder: with spaces'
run 'a folder: with spaces/bin/plumb' watch -q -o spaced -- true
check "also from a path that LD_PRELOAD cannot take" grep -q '"exited with code 0"' spaced.json
