#!/bin/sh
#
# config.sh - what make must know of the machine, as make variables.
#
#	tools/config.sh FILE.mk
#
# Run by make before each build, after deps.sh.  FILE is rewritten only if its
# text changes, since make starts over when a file that it includes changes.
#
# LLVM is linked statically where that is possible: loading libLLVM.so costs 12
# milliseconds at every start of plumb, the static parts that we need cost one,
# and `plumb cc` starts once for every file of a build.  --exclude-libs keeps
# those symbols to ourselves: a libclang in the same process brings its own.  (Not
# --exclude-libs,ALL: that would hide the malloc of clang's ASan from libc.)

set -u
out=$1

find_llvm_config()
{
	for c in "${LLVM_CONFIG-}" /usr/lib/llvm-19/bin/llvm-config \
	    llvm-config-19; do
		[ -n "$c" ] && command -v "$c" 2>/dev/null && return
	done
}

# Can we link against all of these?
links()
{
	t=$(mktemp -d) || return 1
	echo 'int main(void) { return 0; }' >"$t/a.c"
	${CC:-gcc} -o "$t/a" "$t/a.c" "$@" >/dev/null 2>&1
	r=$?
	rm -rf "$t"
	return $r
}

# Reuse the old answer while llvm-config and the compiler are the same files:
# asking takes 100 ms, and this script runs at every make.
llvm_config=$(find_llvm_config)
key="$(ls -lLd "$0" "$llvm_config" "$(command -v "${CC:-gcc}")" \
	/usr/include/zstd.h /usr/include/z3.h /usr/include/valgrind/config.h \
	/usr/lib/llvm-19/lib/clang/19/lib/linux 2>/dev/null | cksum) ${CC:-gcc} z3=${Z3-}"
if [ -f "$out" ] && grep -Fqx "# key: $key" "$out"; then
	exit 0
fi

llvm_inc= llvm_libs= llvm_bin= libclang=
if [ -n "$llvm_config" ]; then
	llvm_inc=$("$llvm_config" --includedir)
	llvm_bin=$("$llvm_config" --bindir)
	dir=$("$llvm_config" --libdir)
	for f in "$dir"/libclang-19.so "$dir"/libclang.so; do
		[ -f "$f" ] && libclang=$f && break
	done
	parts="core bitreader irreader target"
	# shellcheck disable=SC2086
	libs=$("$llvm_config" --link-static --libs $parts 2>/dev/null | tr '\n' ' ')
	own=$(echo "$libs" | sed 's/-l\([^ ]*\) */lib\1.a:/g; s/:$//')
	libs="-L$dir -Wl,--exclude-libs,$own $libs-Wl,--as-needed \
$("$llvm_config" --link-static --system-libs 2>/dev/null | tr '\n' ' ')-lstdc++"
	# shellcheck disable=SC2086
	if links $libs; then
		llvm_libs=$libs
	else
		llvm_libs="-L$dir -lLLVM-19 -Wl,--as-needed"
	fi
fi

# libFuzzer comes with clang's run-time library package.
fuzzer=
clang=
for c in "$llvm_bin/clang" clang-19; do
	if command -v "$c" >/dev/null 2>&1; then
		clang=$(command -v "$c")
		break
	fi
done
if [ -n "$clang" ]; then
	t=$(mktemp -d)
	echo 'int LLVMFuzzerTestOneInput(const unsigned char *p,
		unsigned long n) { (void)p; (void)n; return 0; }' >"$t/f.c"
	"$clang" -fsanitize=fuzzer,address,undefined -o "$t/f" "$t/f.c" \
		>/dev/null 2>&1 && fuzzer=yes
	rm -rf "$t"
fi

# The SMT solver's header; its library is loaded at run time.
z3=
[ "${Z3-}" != no ] && echo '#include <z3.h>' |
	${CC:-gcc} -E -xc - >/dev/null 2>&1 && z3=yes

# Valgrind's headers, its static libraries and its libexec folder.
vg_inc= vg_lib= vg_exec=
if [ "$(uname -sm)" = "Linux x86_64" ]; then
	for d in /usr/include /usr/local/include; do
		[ -f "$d/valgrind/pub_tool_basics.h" ] && vg_inc=$d/valgrind && break
	done
	for d in /usr/lib/x86_64-linux-gnu /usr/lib /usr/lib64 /usr/local/lib; do
		[ -f "$d/valgrind/libcoregrind-amd64-linux.a" ] &&
			vg_lib=$d/valgrind && break
	done
	for d in /usr/libexec /usr/lib/x86_64-linux-gnu /usr/lib \
	    /usr/local/libexec; do
		[ -f "$d/valgrind/none-amd64-linux" ] && vg_exec=$d/valgrind && break
	done
	[ -n "$vg_inc" ] && [ -n "$vg_lib" ] && [ -n "$vg_exec" ] || vg_inc=
fi

mkdir -p "$(dirname "$out")"
cat >"$out.$$" <<END
# written by tools/config.sh
# key: $key
LLVM_INC := $llvm_inc
LLVM_LIBS := $llvm_libs
LIBCLANG := $libclang
CLANG := $clang
CLANG_HEADERS := $("$clang" -print-resource-dir)
HAVE_LIBFUZZER := $fuzzer
HAVE_Z3 := $z3
VG_INC := $vg_inc
VG_LIB := $vg_lib
VG_EXEC := $vg_exec
END
mv "$out.$$" "$out"
