# TIMEOUT: 400
#
# traps.sh - a checkout full of traps: check, fix, dump, report, bounds and watch execute nothing of it, load
# nothing of it, and write nothing but their outputs.
#
# A trap that fires leaves a file in fired/, or a file somewhere else: before and after each command all files of the checkout,
# of HOME and of TMPDIR are listed with their hashes.  So that no trap is a dud, each is shown to fire where clang itself, or a
# shell, is given what the checkout has ("armed").
. "$ROOT/tests/lib.sh"

top=$PWD
mkdir -p home/.ssh tmp fired out checkout/sub checkout/include "$top/elsewhere"
export HOME="$top/home" TMPDIR="$top/tmp" PLUMB_CACHE_DIR="$top/cache" FIRED="$top/fired"
unset XDG_CONFIG_HOME XDG_CACHE_HOME
echo 'keep me' >home/.bashrc
echo 'a secret' >home/.ssh/id_rsa
clang=$(command -v clang-19)
cd checkout || exit 1

# ---- the traps ----

# Programs, by all names under which somebody might look for them in the current folder.
for name in evil.sh clang clang-19 cc gcc cc1 as ld ld.lld collect2 git valgrind addr2line llvm-symbolizer diff patch sh; do
	printf '#!/bin/sh\ntouch "%s/fired/program-%s"\nexit 0\n' "$top" "$name" >$name
	chmod +x $name
done
mkdir -p bin lib && cp clang clang-19 gcc cc git bin
# Libraries, by all names under which one might be loaded.
cat >../plugin.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
__attribute__((constructor)) static void fire(void)
{
	char path[4096], *dir = getenv("FIRED"), *p = path;

	while (*dir)
		*p++ = *dir++;
	for (const char *s = "/plugin"; (*p++ = *s++);)
		;
	open(path, O_CREAT | O_WRONLY, 0666);
}
END
gcc -shared -fPIC -o plugin.so ../plugin.c || exit 1
for name in libclang-19.so.19 libclang-19.so.1 libz3.so.4 libc.so.6 libdebuginfod.so.1 lib/libclang-19.so.19 plugin.c; do
	cp plugin.so "$name"
done
# What clang reads without being asked: configuration beside a target's name, precompiled headers, response files.
printf -- '-fplugin=./plugin.so\n' >evil-clang.cfg
cp evil-clang.cfg clang.cfg
cp evil-clang.cfg evil.cfg
printf '.c:\n./evil.sh %%i\n\n' >evil.specs
echo 'int from_header(void);' >include/trap.h
echo 'int from_pch(void) { return 1; }' >pch.h
"$clang" -x c-header pch.h -o include/trap.h.pch
cp include/trap.h.pch include/trap.h.gch
# Too large for plumb to read, not for clang.
(echo 'x -load ./plugin.so'; head -c 5000000 /dev/zero | tr '\0' ' ') >big.rsp
# Links and things that are no files.
ln -s "$HOME/.bashrc" report.html
ln -s "$HOME/.bashrc" plumb-true.json
ln -s "$HOME" home
mkfifo fifo.c fifo.json fifo.h
ln -s /dev/zero zero.c
ln -s /dev/zero zero.json
ln -s /dev/null null.html
mkdir folder.c
# A repository whose settings run programs.
mkdir -p .git && printf '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ./evil.sh\n\tpager = ./evil.sh\n\tsshCommand = ./evil.sh\n[diff]\n\texternal = ./evil.sh\n' >.git/config
mkdir -p .git/refs .git/objects && echo 'ref: refs/heads/main' >.git/HEAD
printf -- '--log-file=%s\n--tool=none\n' "$HOME/.bashrc" >.valgrindrc

leak='#include <stdlib.h>
int NAME(int n)
{
	char *p = malloc(8);

	if (!p || n > 3)
		return -1;
	free(p);
	return n;
}'
source_file()	# FILE NAME [MORE]
{
	printf '%s\n%s\n' "${leak//NAME/$2}" "${3-}" >"$1"
}
source_file ../elsewhere/o.c elsewhere
cp ../elsewhere/o.c ../o.before
ln -s ../elsewhere/o.c link.c
source_file a.c a
source_file shell.c shell
source_file wrapper.c wrapper
source_file outputs.c outputs
source_file target.c target
source_file response.c response
source_file pch.c in_pch '#ifndef PRE
int from_include = sizeof(from_header());
#endif'
source_file asm.c with_asm '__asm__(".section .x; .incbin \"/etc/passwd\"; .print \"printed\"");'
source_file sub/waits.c waits '#include "../fifo.h"'
source_file crash.c crash '#pragma clang __debug crash'
mkdir ./-fplugin=.
source_file ./-fplugin=./plugin.c dashed
source_file ./-fplugin=plugin.c option
source_file @big.c at
source_file @trap.c trapped
echo 'x -load ./plugin.so' >trap.c
source_file '|touch fired.c' pipe
source_file '$(touch fired).c' dollar
source_file '`touch fired`;touch fired.c' ticks
source_file $'a\nb.c' newline
source_file $'\033]0;title\007.c' escape
source_file '<script>alert(1)<|script>.c' script

# Generated, as they say, from a device, and from what is the user's.
source_file line.c line
sed -i '1a # 2 "/dev/zero"' line.c
source_file secret.c secret
sed -i '1i # 1 "/proc/self/environ"' secret.c
export PASSWORD=opensesame
source_file endless.c endless '#include "/dev/zero"'

cat >make_db.py <<'END'
import json
import os
import sys

here, home = os.getcwd(), os.environ['HOME']
db = []

def unit(file, *words, compiler='cc', **more):
    db.append({'directory': here, 'file': file, 'arguments': [compiler, *words, '-c', file], **more})

unit('a.c', compiler='./evil.sh')
unit('sub/../a.c', '-DSUB', compiler=here + '/clang')
db.append({'directory': here, 'file': 'shell.c', 'command': 'touch fired/shell; ./evil.sh `./evil.sh` $(./evil.sh) | ./evil.sh && cc -c shell.c > out.txt'})
unit('wrapper.c', '-wrapper', './evil.sh,x', '-B.', '-B', here, '-fplugin=./plugin.so', '-fplugin-arg-plugin-x', '-Xclang', '-load',
     '-Xclang', './plugin.so', '-fpass-plugin=./plugin.so', '-mllvm', '-load=./plugin.so', '-mllvm=-load=./plugin.so',
     '-specs=./evil.specs', '--config=./evil.cfg', '--config', './evil.cfg', '-fuse-ld=./evil.sh', '-no-integrated-cpp', '-ccc-gcc-name', './evil.sh',
     '-Wp,-load,./plugin.so', '-Wa,--x=./evil.sh', '-Wl,-plugin,./plugin.so', '-fno-integrated-as', '-gcc-toolchain', here)
unit('outputs.c', '-MD', '-MF', home + '/.bashrc', '-MJ' + home + '/mj', '-save-temps', '-save-temps=obj', '-dumpdir', home + '/', '-dumpbase', 'x',
     '-ftime-trace=' + home + '/trace', '-fprofile-generate=' + home, '-fprofile-instr-generate=' + home + '/prof', '--coverage', '-gsplit-dwarf',
     '--serialize-diagnostics', home + '/diag', '-fcrash-diagnostics-dir=' + home, '-index-store-path', home + '/index', '-fmodules',
     '-fmodules-cache-path=' + home + '/modules', '-fsave-optimization-record', '-foptimization-record-file=' + home + '/opt',
     '-mllvm', '-info-output-file=' + home + '/info', '-mllvm=-info-output-file=' + home + '/info', '-mllvm', '-stats', '-module-dependency-dir', home + '/deps',
     '-aux-info', home + '/aux', '-fdump-tree-all', '-fstack-usage', '-gen-reproducer', '-emit-ast', '-E', '-o', home + '/.bashrc')
db[-1]['arguments'].remove('-E')
unit('target.c', '--target=./evil')
unit('target.c', '-target', './evil', '-DAGAIN')
unit('response.c', '-I', '@big.rsp', '-isystem', '@big.rsp', '-target', '@big.rsp', '--sysroot', '')
unit('response.c', '@big.rsp', '-DAGAIN')
unit('pch.c', '-include', 'include/trap.h')
unit('pch.c', '-includeinclude/trap.h', '-DAGAIN')
unit('asm.c')
unit('crash.c')
unit('link.c')
unit('line.c')
unit('secret.c')
unit('endless.c')
for name in sys.argv[1:]:
    unit(name)
unit('fifo.c')
unit('zero.c')
unit('folder.c')
unit('/dev/stdin')
unit('a.c', '-include', 'include/trap.h', '-DDIR', directory=here + '/home/../../checkout')
unit('missing.c', directory='/proc/self/cwd')
unit('a.c', directory='/nonexistent')
unit('../a.c', '-ivfsoverlay', 'evil.cfg', '-working-directory', home, directory=here + '/sub')
json.dump(db, open('compile_commands.json', 'w'), indent=1)
END
python3 make_db.py -fplugin=./plugin.c @big.c @trap.c '|touch fired.c' '$(touch fired).c' '`touch fired`;touch fired.c' $'a\nb.c' $'\033]0;title\007.c' \
	'<script>alert(1)<|script>.c' || exit 1
rm make_db.py

# Reports with paths of their choice.
cat >findings.json <<END
{ "schema": "plumb-findings/1", "tool_version": "0", "units": { "analysed": 1, "failed": [] }, "findings": [
  { "id": "0123456789abcdee", "kind": "never-freed", "resource": "memory", "file": "/dev/zero", "line": 1, "column": 1, "function": "f",
    "allocator": "malloc", "variable": "", "leak": { "file": "/proc/self/environ", "line": 1, "function": "f" }, "condition": "", "path": [],
    "engines": [ "vfg" ], "confidence": "high", "assumptions": [], "suppressed": false, "fix": { "status": "refused", "reason": "", "edits": [] } },
  { "id": "0123456789abcdef", "kind": "never-freed", "resource": "memory", "file": "fifo.c", "line": 1, "column": 1, "function": "</script><script>x()</script>",
    "allocator": "malloc", "variable": "<img src=x onerror=y()>", "leak": { "file": "zero.c", "line": 1, "function": "f" }, "condition": "", "path": [
      { "file": "$HOME/.ssh/../fifo", "line": 1, "message": "m" } ],
    "engines": [ "vfg" ], "confidence": "high", "assumptions": [], "suppressed": false, "fix": { "status": "refused", "reason": "</script>", "edits": [] } } ] }
END

# ---- armed ----

list()
{
	(cd "$top" && find checkout home tmp fired elsewhere ! -name .out ! -name .err -printf '%p %y %m %l\n' &&
		find checkout home tmp fired elsewhere -type f ! -name .out ! -name .err -exec sha256sum {} +) | sort
}

armed()	# WHAT FILE COMMAND...: the command leaves FILE
{
	what=$1 file=$2
	shift 2
	"$@" >/dev/null 2>&1 </dev/null
	check "armed: $what" [ -e "$file" ]
	rm -rf "$top"/fired/* "$file"
}

list >../clean
armed "a plugin" ../fired/plugin "$clang" -fsyntax-only -fplugin=./plugin.so a.c
armed "a plugin, by -Xclang -load" ../fired/plugin "$clang" -fsyntax-only -Xclang -load -Xclang ./plugin.so a.c
armed "a configuration beside a target" ../fired/plugin "$clang" -fsyntax-only --target=./evil a.c
armed "a response file" ../fired/plugin "$clang" -fsyntax-only -I@big.rsp a.c
armed "a response file as a source" ../fired/plugin "$clang" -fsyntax-only ./@trap.c
armed "a name that is an option" ../fired/plugin "$clang" -fsyntax-only -x c a.c -fplugin=./plugin.c
armed "a specs file" ../fired/program-evil.sh gcc -specs=./evil.specs -c a.c -o /dev/null
armed "a wrapper" ../fired/program-evil.sh gcc -wrapper ./evil.sh -c a.c -o /dev/null
armed "tools in a folder" ../fired/program-cc1 gcc -B"$PWD"/ -c a.c -o /dev/null
armed "a compiler of the checkout" ../fired/program-evil.sh ./evil.sh
armed "an output" "$HOME/trace" "$clang" -c -ftime-trace="$HOME/trace" a.c -o /dev/null
armed "LLVM's output" "$HOME/info" "$clang" -c -mllvm -info-output-file="$HOME/info" -ftime-report a.c -o /dev/null
armed "shell text" fired.c sh -c 'cat |touch fired.c'
"$clang" -c crash.c -o /dev/null 2>/dev/null
check "armed: a crash leaves files" [ -n "$(ls -A "$TMPDIR")" ]
rm -rf "$TMPDIR"/*
"$clang" -include include/trap.h -DPRE -S -emit-llvm pch.c -o - 2>/dev/null | grep -q from_pch
check "armed: a precompiled header" [ $? -eq 0 ]
(cd include && mv trap.h.pch ..)
"$clang" -include include/trap.h -DPRE -S -emit-llvm pch.c -o - 2>/dev/null | grep -q from_pch
check "armed: a precompiled header, of gcc's name" [ $? -eq 0 ]
mv trap.h.pch include/
list >../now
diff ../clean ../now
check "all is as it was" [ $? -eq 0 ]

# ---- plumb ----

untouched()	# WHAT
{
	list >../now
	diff ../clean ../now >../difference
	[ -s ../difference ] && { head -n 20 ../difference; tell_last; }
	check "$1: nothing ran, nothing was written" [ ! -s ../difference ]
}

plumb()	# WHAT STATUS ARGUMENT...
{
	what=$1 want=$2
	shift 2
	run timeout 240 "$PLUMB" "$@"
	expect_status "$what: exit code $want" "$want"
	untouched "$what"
}

plumb "check" 1 check -p .
cp .out ../check.out
# the crash, three that are no files, and three that are not there: whatever else fails was not a trap
expect_err_has "the pipe is named" '^plumb: error: fifo\.c: not a regular file$'
expect_err_has "a name that clang would take for a response file is named" '^plumb: error: @trap\.c: its name begins with @'
expect_err_has "the device is named" '^plumb: error: zero\.c: not a regular file$'
expect_err_lacks "nothing of a terminal's language is printed" $'\033'
expect_out_lacks "... nor in the report" $'\033'
expect_out_lacks "... which quotes no environment" opensesame
expect_err_has "a source that includes a device is named" '^plumb: error: endless\.c: it includes /dev/zero, which is not a regular file$'
for name in a.c shell.c wrapper.c outputs.c target.c response.c pch.c asm.c link.c; do
	check "$name was analysed" grep -q "\(^\|/\)$name:4:[0-9]*: leak" ../check.out
done
for name in '-fplugin=./plugin.c' '@big.c' '|touch fired.c' '$(touch fired).c' '`touch fired`;touch fired.c'; do
	check "$name was analysed" grep -qF -e "$name:4:" ../check.out
done
for format in json sarif html; do
	plumb "check, $format" 1 check -p . --format $format -o ../out/check.$format
done
check "no script of a name is in the page" [ "$(grep -c '<script>alert' ../out/check.html)" -eq 0 ]
plumb "check of files, as *.c names them" 1 check ./*.c
plumb "check of files that look like options" 2 check *.c
expect_err_has "... says so" '`-fplugin=plugin\.c` is an option, and a file here has that name'
plumb "fix" 1 fix -p .
expect_out_lacks "... names files without the language of terminals" $'\033'
plumb "fix, of the database that is found" 3 fix -p sub a.c	# all of it is analysed, and some units cannot be
for stage in ir vfg; do
	plumb "dump $stage" 3 dump $stage -p .
done
run "$PLUMB" dump functions -p .
expect_out_lacks "no precompiled header was read" 'from_pch'
expect_out_lacks "... nor is a terminal's language printed" $'\033'
plumb "report" 0 report findings.json ../out/check.json -o ../out/report.html
check "... and nothing of the environment" [ "$(grep -c opensesame ../out/report.html)" -eq 0 ]
check "no script is in the page" [ "$(grep -c '<script>x()\|<script>alert\|<img src=x' ../out/report.html)" -eq 0 ]
plumb "report of a device" 2 report zero.json -o ../out/zero.html
plumb "bounds" 2 bounds findings.json
plumb "watch of a file" 2 watch --from findings.json -o ../out/watched

sh -c 'exec cat fifo.h' & waits=$!
sleep 0.3
[ "$(cat /proc/$waits/wchan 2>/dev/null)" = wait_for_partner ] && tells=yes || tells=no
kill $waits
if [ $tells = yes ]; then
	plumb "a source that includes a pipe" 2 check sub/waits.c
	expect_err_has "... is refused with that reason" 'sub/waits\.c: it includes a pipe that nobody writes to'
	# A program that says that its debug information is in a pipe.
	printf '#include <stdlib.h>\nint main(void) { return malloc(9) == 0; }\n' >../out/linked.c
	(cd ../out && gcc -g -o linked linked.c && objcopy --only-keep-debug linked linked.debug && strip linked &&
		objcopy --add-gnu-debuglink=linked.debug linked && rm linked.debug && mkfifo linked.debug)
	plumb "watch of a program whose debug information is a pipe" 0 watch -q -o ../out/linked-report -- ../out/linked
	check "... ends, with a report" [ -s ../out/linked-report.json ]
else
	skip "a source that includes a pipe" "the kernel does not tell what a program waits for"
fi

# Through links that came with the checkout.
plumb "check -o, over a link" 2 check a.c --format html -o report.html
expect_err_has "... says where it leads" "cannot write report\.html: it is a symbolic link to $HOME/\.bashrc"
plumb "check -o, over a link to a device" 2 check a.c --format html -o null.html
expect_err_has "... says where it leads, too" 'cannot write null\.html: it is a symbolic link to /dev/null'
plumb "fix -o, over a link" 2 fix a.c -o report.html
plumb "report -o, over a link" 2 report ../out/check.json -o report.html

# A pipe as settings or models, and those of another user.
mkfifo .plumb.conf && list >../clean
plumb "settings that are a pipe" 1 check a.c
rm .plumb.conf
for line in 'baseline = /dev/zero' 'model = zero.json'; do
	echo "$line" >.plumb.conf && list >../clean
	plumb "settings: $line" 2 check a.c
	expect_err_has "... is said" 'zero(\.json)? is not a regular file'
	rm .plumb.conf
done
for line in 'clang = ./evil.sh' 'clang = evil.sh' "cache-dir = $HOME/cache" "output = $HOME/.bashrc"; do
	echo "$line" >.plumb.conf && list >../clean
	plumb "settings: $line" 2 check -p .
	plumb "settings, for fix: $line" 2 fix -p .
	if [ "$(id -u)" -eq 0 ]; then
		chown 12345 .plumb.conf && list >../clean
		plumb "settings of another user: $line" 1 check a.c
	fi
	rm .plumb.conf
done
printf 'malloc { return null; }\nsystem { free arg1; }\n' >evil.model
printf 'model = evil.model\nbaseline = findings.json\nformat = json\n' >.plumb.conf && list >../clean
plumb "settings that only say what is looked at" 0 fix a.c
rm .plumb.conf && list >../clean

# A program built from such sources, and IR and bitcode of them.
(cd ../out && "$PLUMB" cc -shared -fPIC -o program.so ../checkout/a.c ../checkout/link.c && "$clang" -c -emit-llvm -g -O0 ../checkout/a.c -o a.bc)
"$PLUMB" dump ir a.c >../out/a.plir
list >../clean
plumb "check of a program" 1 check ../out/program.so
plumb "fix of a program" 0 fix ../out/program.so
plumb "check of bitcode" 1 check ../out/a.bc
plumb "fix of bitcode" 1 fix ../out/a.bc
plumb "fix of IR as text" 1 fix ../out/a.plir

if command -v valgrind >/dev/null && [ -e "$BUILD/valgrind" ]; then
	plumb "train" 0 train -o ../out/bounds -- /bin/true
fi
plumb "watch" 0 watch -q -o ../out/true -- /bin/true

# In place: what is in the checkout, and nothing else.
run timeout 240 "$PLUMB" fix --in-place -p .
expect_status "fix --in-place" 1
check "... patches what is in the checkout" grep -q 'free(p);$' a.c
check "... a.c for one" [ "$(grep -c 'free(p);' a.c)" -eq 2 ]
check "... not what a link leads to" cmp ../o.before ../elsewhere/o.c
expect_err_has "... and says so" 'link\.c.*outside of this project'
check "... nothing fired" [ -z "$(ls -A ../fired)" ]
check "... the journal of it is empty" [ -f "$HOME/.local/state/plumb/fix-journal" -a ! -s "$HOME/.local/state/plumb/fix-journal" ]
(cd "$HOME" && find . -type f ! -name fix-journal) >../home.now
check "... and HOME is as it was" [ "$(wc -l <../home.now)" -eq 2 ]
check "... with what it had" [ "$(cat "$HOME/.bashrc")" = 'keep me' ]
check "... nothing is left in TMPDIR" [ -z "$(ls -A "$TMPDIR")" ]
