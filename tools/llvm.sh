# llvm.sh - which LLVM.  Sourced by deps.sh and config.sh, which must agree.
#
# plumb reads bitcode through LLVM's C interface and source text through libclang, and
# asks clang of the same version for both.  Versions 19 to 22 give the same findings
# (docs/architecture.md); the first of the list is the one that the tests have met most.
# make LLVM=22 asks for a version, LLVM_CONFIG=PROGRAM for one that is not where
# distributions put it.

llvm_versions='19 22 20 21'

# The llvm-config of version $1, with its headers.
llvm_config_of()
{
	for c in "/usr/lib/llvm-$1/bin/llvm-config" "llvm-config-$1" "llvm-config-$1-64" \
	    "/usr/lib/llvm/$1/bin/llvm-config" "/usr/lib64/llvm$1/bin/llvm-config" llvm-config; do
		c=$(command -v "$c" 2>/dev/null) || continue
		[ "$(llvm_major "$c")" = "$1" ] || continue
		[ -f "$("$c" --includedir)/llvm-c/Core.h" ] && echo "$c" && return
	done
	return 1
}

llvm_major()
{
	"$1" --version 2>/dev/null | sed 's/\..*//'
}

# The clang of the llvm-config $1.
clang_of()
{
	command -v "$("$1" --bindir)/clang" || command -v "clang-$(llvm_major "$1")"
}

# The llvm-config to use: what was asked for, or the first version that has a clang, too, or
# the first.
llvm_config()
{
	if [ -n "${LLVM_CONFIG-}" ]; then
		command -v "$LLVM_CONFIG"
		return
	fi
	for v in ${LLVM:-$llvm_versions}; do
		c=$(llvm_config_of "$v") && clang_of "$c" >/dev/null && echo "$c" && return
	done
	for v in ${LLVM:-$llvm_versions}; do
		llvm_config_of "$v" && return
	done
	return 1
}
