# NOSAN: the package is the plumb that users get
# TIMEOUT: 600
#
# make deb: the package has all parts and says what it needs, lintian has no error, and
# what is in it works.
. "$ROOT/tests/lib.sh"

[ -e "$ROOT/build/valgrind/plumb-amd64-linux" ] || {
	skip "the package" "the Valgrind tool is not built on this machine"
	exit 0
}
here=$PWD
cd "$ROOT" || exit 1
DEB_COMPRESS=gzip tools/deb.sh 1.2.3 "$here/deb" >"$here/name" 2>"$here/log" || cat "$here/log"
cd "$here" || exit 1
deb=$(cat name)
check "a package is made" [ -s "$deb" ]
[ -s "$deb" ] || exit 0
check "named by version and architecture" grep -q '/plumb_1\.2\.3[^/]*_amd64\.deb$' name

run dpkg-deb -f "$deb" Depends
llvm=$(sed -n 's/^LLVM_VERSION := //p' "$ROOT/build/config.mk")
for p in libc6 'libdw1(t64)?' 'libelf1(t64)?' libjansson4 "clang-$llvm" "libclang1-$llvm" valgrind; do
	expect_out_has "depends on $p" "(^|, )$p( |,|\$)"
done
run dpkg-deb -c "$deb"
for f in usr/bin/plumb usr/bin/plumb-cc usr/lib/plumb/libplumb.so usr/share/plumb/models/libc.model \
    usr/libexec/plumb/valgrind/plumb-amd64-linux usr/share/man/man1/plumb-check.1.gz usr/share/doc/plumb/copyright \
    usr/share/bash-completion/completions/plumb; do
	expect_out_has "has $f" " \./$f( |\$)"
done
expect_out_lacks "nothing in local folders" ' \./usr/local/'
check "all of it is root's" [ -z "$(grep -v " root/root " .out)" ]

dpkg-deb -x "$deb" root
printf '#include <stdlib.h>\nvoid f(void)\n{\n\tchar *p = malloc(1);\n\n\t*p = 0;\n}\n' >leak.c
run root/usr/bin/plumb check leak.c
expect_status "what is in it finds a leak" 1
run root/usr/bin/plumb watch -q -o watched -- true
expect_status "and watches" 0

if command -v lintian >/dev/null; then
	lintian -X binaries/spelling --fail-on error --tag-display-limit 0 "$deb" >lint 2>lint.err
	check "lintian has no error" [ $? -eq 0 ]
	cat lint
else
	not_ok "lintian is there"
fi
