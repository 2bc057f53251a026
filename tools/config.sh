#!/bin/sh
#
# config.sh - what make must know of the machine, as make variables.
#
#	tools/config.sh FILE.mk
#
# Run by make before each build, after deps.sh.  FILE is rewritten only if its
# text changes, since make starts over when a file that it includes changes.
#
# LLVM is the one part that must be there.  What the others need is tried, not
# looked up: a part that cannot be built here is left out, with one line that says
# what is missing, and everything else is built.  The command that wants the part
# says at run time that it was left out.
#
# LLVM is linked statically where that is possible: loading libLLVM.so costs 12
# milliseconds at every start of plumb, the static parts that we need cost one,
# and `plumb cc` starts once for every file of a build.  --exclude-libs keeps
# those symbols to ourselves: a libclang in the same process brings its own.  (Not
# --exclude-libs,ALL: that would hide the malloc of clang's ASan from libc.)

set -u
out=$1
tools=$(dirname "$0")
. "$tools/llvm.sh"

say()
{
	echo "plumb: $*" >&2
}

# Does C text on standard input compile with these flags?
compiles()
{
	${CC:-gcc} -xc -fsyntax-only "$@" - >/dev/null 2>&1
}

# Can we link a program that calls the function $1 (none: main) with these?
links()
{
	t=$(mktemp -d) || return 1
	echo "int ${1:-other}(); int main(void) { return ${1:+$1()+}0; }" >"$t/a.c"
	shift
	${CC:-gcc} -o "$t/a" "$t/a.c" "$@" >/dev/null 2>&1
	r=$?
	rm -rf "$t"
	return $r
}

# Reuse the old answer while llvm-config and the compiler are the same files:
# asking takes 100 ms, and this script runs at every make.
llvm_config=$(llvm_config) || llvm_config=
key="$(ls -lLd "$0" "$tools/llvm.sh" "$llvm_config" "$(command -v "${CC:-gcc}")" \
	/usr/include/zstd.h /usr/include/z3.h /usr/include/Zydis/Zydis.h /usr/include/sqlite3.h /usr/include/valgrind/config.h \
	/usr/lib/llvm-*/lib/libclang*.so /usr/lib/llvm-*/lib/clang/*/lib/linux 2>/dev/null | cksum) \
${CC:-gcc} z3=${Z3-}"
if [ -f "$out" ] && grep -Fqx "# key: $key" "$out"; then
	sed -n 's/^# left out: /plumb: /p' "$out" >&2
	exit 0
fi

if [ -z "$llvm_config" ]; then
	say "no LLVM of version $(echo "${LLVM:-$llvm_versions}" | sed 's/ /, /g') with headers (llvm-19-dev) was found, and plumb" \
		"cannot read C without it; LLVM_CONFIG=PROGRAM names another llvm-config"
	exit 1
fi
left_out=
leave_out()	# WHAT IS MISSING: WHAT DOES NOT WORK
{
	say "left out: $*"
	left_out="$left_out# left out: left out: $*
"
}

version=$(llvm_major "$llvm_config")
clang=$(clang_of "$llvm_config") || clang=
llvm_inc=$("$llvm_config" --includedir)
dir=$("$llvm_config" --libdir)
# shellcheck disable=SC2086
libs=$("$llvm_config" --link-static --libs core bitreader irreader target 2>/dev/null | tr '\n' ' ')
own=$(echo "$libs" | sed 's/-l\([^ ]*\) */lib\1.a:/g; s/:$//')
llvm_libs="-L$dir -Wl,--exclude-libs,$own $libs-Wl,--as-needed"
for l in $("$llvm_config" --link-static --system-libs 2>/dev/null); do
	links '' "$l" && llvm_libs="$llvm_libs $l"	# our parts may do without
done
llvm_libs="$llvm_libs -lstdc++"
# shellcheck disable=SC2086
links LLVMParseIRInContext $llvm_libs ||
	llvm_libs="-L$dir $("$llvm_config" --link-shared --libs core 2>/dev/null) -Wl,--as-needed"

# What edits source text; its library is loaded at run time.
libclang=
for f in "$dir/libclang-$version.so" "$dir"/libclang-"$version".so.* "$dir/libclang.so"; do
	[ -f "$f" ] && libclang=$f && break
done
have_libclang=
echo '#include <clang-c/Index.h>' | compiles -I"$llvm_inc" && have_libclang=yes
[ -n "$have_libclang" ] ||
	leave_out "plumb fix and the patches of plumb report (no clang-c/Index.h: libclang-$version-dev)"

# libFuzzer comes with clang's run-time library package.
fuzzer=
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
if [ "${Z3-}" != no ]; then
	echo '#include <z3.h>' | compiles && z3=yes
	[ -n "$z3" ] || leave_out "the SMT solver, which refutes some false alarms (no z3.h: libz3-dev)"
fi

# The decoder of instructions that plumb run --oblivious steps over.
zydis=
echo '#include <Zydis/Zydis.h>' | compiles && links ZydisGetVersion -lZydis && zydis=yes
[ -n "$zydis" ] || leave_out "plumb run --oblivious (no Zydis/Zydis.h: libzydis-dev)"

# The database of plumb scan.
sqlite=
echo '#include <sqlite3.h>' | compiles && links sqlite3_libversion -lsqlite3 && sqlite=yes
[ -n "$sqlite" ] || leave_out "the database of plumb scan (no sqlite3.h: libsqlite3-dev)"

# Valgrind's headers, its static libraries and its libexec folder.
vg_inc= vg_lib= vg_exec= vg_flags=
find_valgrind()
{
	[ "$(uname -sm)" = "Linux x86_64" ] || return
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
	[ -n "$vg_inc" ] && [ -n "$vg_lib" ] && [ -n "$vg_exec" ]
}

# Does C that includes the headers of Valgrind's tools compile?
valgrind_has()	# CODE
{
	compiles -std=gnu99 -Werror -Wno-unused -I"$vg_inc" -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 \
		-DVGPV_amd64_linux_vanilla=1 <<END
#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"
$1
END
}

# Valgrind has changed twice what a tool must say and is told; see valgrind/pl_heap.c.
valgrind_features()
{
	new="void *(*)(ThreadId, SizeT)" free="void (*)(ThreadId, void *)" drop="void (*)(ThreadId, void *, SizeT)"
	for extra in "" ", SizeT"; do
		aligned="void *(*)(ThreadId, SizeT, SizeT$extra)"
		valgrind_has "void (*f)($new, $new, $aligned, $new, $aligned, $aligned, void *(*)(ThreadId, SizeT, SizeT),
			$free, $free, $drop, $free, $drop, void *(*)(ThreadId, void *, SizeT),
			SizeT (*)(ThreadId, void *), SizeT) = VG_(needs_malloc_replacement);" || continue
		[ -z "$extra" ] || vg_flags="$vg_flags -DVALGRIND_ORIG_ALIGN"
		if valgrind_has 'void *(*f)(SizeT) = VG_(am_shadow_alloc);'; then
			return 0
		elif valgrind_has 'SysRes (*f)(SizeT) = VG_(am_shadow_alloc);
		    void (*g)(const HChar *, SizeT, UWord) = VG_(out_of_memory_NORETURN);'; then
			vg_flags="$vg_flags -DVALGRIND_SHADOW_RESULT"
			return 0
		fi
	done
	return 1
}

if ! find_valgrind; then
	vg_inc=
	leave_out "plumb train (no Valgrind for x86_64 with its headers and libraries: valgrind)"
elif ! valgrind_features; then
	vg_inc=
	leave_out "plumb train (the tool interface of $(valgrind --version 2>/dev/null || echo this Valgrind) is not known)"
fi

mkdir -p "$(dirname "$out")"
cat >"$out.$$" <<END
# written by tools/config.sh
# key: $key
${left_out}LLVM_VERSION := $version
LLVM_INC := $llvm_inc
LLVM_LIBS := $llvm_libs
LIBCLANG := $libclang
HAVE_LIBCLANG := $have_libclang
CLANG := $clang
CLANG_HEADERS := $([ -z "$clang" ] || "$clang" -print-resource-dir)
HAVE_LIBFUZZER := $fuzzer
HAVE_Z3 := $z3
HAVE_ZYDIS := $zydis
HAVE_SQLITE := $sqlite
VG_INC := $vg_inc
VG_LIB := $vg_lib
VG_EXEC := $vg_exec
VG_HEAP := $vg_flags
END
mv "$out.$$" "$out"
