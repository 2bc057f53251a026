#!/bin/sh
#
# deps.sh - install what is missing of the Debian packages that plumb needs.
#
#	tools/deps.sh [-n] SET...	SET: build, test, deb, bench
#
# make runs this before anything else, so it must cost nothing when all is
# there: one dpkg-query.  With -n it only names what is missing (exit code 1).
# It installs as root or through sudo; a user who can do neither gets one line
# with the command to run.  On a system without dpkg it looks for the programs
# and headers themselves, says what it could not find and lets the build try.

set -u

build_pkgs="gcc make binutils libc6-dev pkg-config
	clang-19 llvm-19-dev libclang-19-dev libstdc++-12-dev
	zlib1g-dev libzstd-dev
	libelf-dev libdw-dev libjansson-dev libz3-dev libzydis-dev valgrind"
test_pkgs="python3 libclang-rt-19-dev cmake nodejs npm chromium mandoc zsh
	dpkg-dev lintian python3-yaml"

deb_pkgs="dpkg-dev"
bench_pkgs="python3 jq dpkg-dev"	# the rest is installed when it is needed

# The same on a system without packages of these names: programs and headers.
build_cmds="cc ar clang-19 valgrind"
build_headers="libelf.h elfutils/libdwfl.h jansson.h z3.h Zydis/Zydis.h zlib.h zstd.h
	llvm-c/Core.h clang-c/Index.h valgrind/libvex_basictypes.h"
# make Z3=no: without the SMT solver
if [ "${Z3-}" = no ]; then
	build_pkgs=$(echo "$build_pkgs" | sed 's/libz3-dev//')
	build_headers=$(echo "$build_headers" | sed 's/z3\.h//')
fi
test_cmds="python3 cmake node npm chromium mandoc zsh"
test_headers=""

say()
{
	echo "plumb: $*" >&2
}

# Packages out of $@ that are not installed.
missing_pkgs()
{
	have=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null |
		sed -n 's/^.i. *//p')
	for p in "$@"; do
		case "
$have
" in
		*"
$p
"*)	;;
		*)	# nodejs and npm often come from elsewhere
			case $p in
			nodejs) command -v node ;;
			npm) command -v npm ;;
			*) false ;;
			esac >/dev/null 2>&1 || echo "$p" ;;
		esac
	done
}

# Programs $1 and headers $2 that cannot be found.
missing_parts()
{
	for c in $1; do
		command -v "$c" >/dev/null 2>&1 ||
			[ -x "/usr/lib/llvm-19/bin/${c%-19}" ] || echo "$c"
	done
	for h in $2; do
		echo "#include <$h>" | cc -E -I/usr/lib/llvm-19/include \
			-xc - >/dev/null 2>&1 || echo "$h"
	done
}

# Runs apt-get as whoever may; the log is shown only if it fails.
apt()
{
	log=$(mktemp)
	if $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
	    -o DPkg::Lock::Timeout=600 "$@" >"$log" 2>&1 </dev/null; then
		rm -f "$log"
		return 0
	fi
	cat "$log" >&2
	rm -f "$log"
	return 1
}

only_list=
if [ "${1-}" = -n ]; then
	only_list=1
	shift
fi

pkgs= cmds= headers=
for set in "$@"; do
	case $set in
	build)	pkgs="$pkgs $build_pkgs"
		cmds="$cmds $build_cmds" headers="$headers $build_headers" ;;
	test)	pkgs="$pkgs $test_pkgs"
		cmds="$cmds $test_cmds" headers="$headers $test_headers" ;;
	bench)	pkgs="$pkgs $bench_pkgs" cmds="$cmds python3 jq" ;;
	deb)	pkgs="$pkgs $deb_pkgs" cmds="$cmds dpkg-shlibdeps" ;;
	*)	say "deps.sh: no such set: $set"; exit 2 ;;
	esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
	lack=$(missing_parts "$cmds" "$headers" | tr '\n' ' ')
	[ -z "$lack" ] && exit 0
	say "no Debian system; the build may fail without: $lack"
	[ -n "$only_list" ] && exit 1
	exit 0
fi

# shellcheck disable=SC2086
lack=$(missing_pkgs $pkgs | tr '\n' ' ')
[ -z "$lack" ] && exit 0
if [ -n "$only_list" ]; then
	echo "$lack"
	exit 1
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1 || ! sudo -n true 2>/dev/null; then
		if [ -t 0 ] && command -v sudo >/dev/null 2>&1; then
			as_root=sudo	# it may ask for the password
		else
			say "missing packages; as root run: apt-get install $lack"
			exit 1
		fi
	fi
	as_root=sudo
fi

say "installing $lack"
# shellcheck disable=SC2086
for try in 1 2; do
	apt update && apt install --no-install-recommends $lack && exit 0
	[ "$try" = 1 ] && sleep 5
done
say "could not install: $lack"
exit 1
