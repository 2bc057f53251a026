#!/bin/sh
#
# deps.sh - install what is missing of the Debian packages that plumb needs.
#
#	tools/deps.sh [-n] SET...	SET: build, test, deb, bench
#
# make runs this before anything else, so it must cost nothing when all is
# there: one dpkg-query.  It says what it installs, and how, before it does, and
# shows how far it is.  With -n it only names what is missing (exit code 1).
#
# Packages are installed as root or through sudo; a user who can do neither gets one
# line with the command to run.  A package that the system's archive does not have is
# said once and done without: config.sh then leaves out the part that needs it.  On a
# system without dpkg we look for the programs and headers themselves, say what could
# not be found and let the build try.

set -u
. "$(dirname "$0")/llvm.sh"

say()
{
	echo "plumb: $*" >&2
}

have_dpkg()
{
	command -v dpkg-query >/dev/null 2>&1
}

# Is the package known to apt?
in_archive()
{
	apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: *[^ (]'
}

# The version of LLVM whose packages are wanted: the one that is used if there is one, else
# the first that can be had.
llvm_wanted()
{
	c=$(llvm_config) && llvm_major "$c" && return
	for v in ${LLVM:-$llvm_versions}; do
		in_archive "llvm-$v-dev" && echo "$v" && return
	done
	echo "${LLVM:-$llvm_versions}" | sed 's/ .*//'
}

# ---- what is needed ------------------------------------------------------

# g++ brings the C++ library that LLVM is linked with.
build_pkgs="gcc g++ make binutils libc6-dev zlib1g-dev libzstd-dev libelf-dev libdw-dev libjansson-dev
	valgrind libzydis-dev libsqlite3-dev libz3-dev"
llvm_pkgs="clang-@ llvm-@-dev libclang-@-dev"
test_pkgs="python3 time git patch jq cmake nodejs npm chromium mandoc zsh
	dpkg-dev lintian python3-yaml"
llvm_test_pkgs="libclang-rt-@-dev"
deb_pkgs="dpkg-dev"
bench_pkgs="python3 time jq dpkg-dev"	# the rest is installed when it is needed

# The same on a system without packages of these names: programs and headers.
build_cmds="cc ar"
build_headers="libelf.h elfutils/libdwfl.h jansson.h zlib.h zstd.h"
test_cmds="python3 git patch jq cmake node npm chromium mandoc zsh g++"

# make Z3=no: without the SMT solver
[ "${Z3-}" != no ] || build_pkgs=${build_pkgs%libz3-dev}

# ---- what is missing -----------------------------------------------------

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
		command -v "$c" >/dev/null 2>&1 || echo "$c"
	done
	for h in $2; do
		echo "#include <$h>" | ${CC:-cc} -E -xc - >/dev/null 2>&1 || echo "$h"
	done
	llvm_config >/dev/null || echo "llvm-config"
}

# ---- installing ----------------------------------------------------------

# How packages can be installed here, or nothing.
as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		echo env
	elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
		echo sudo	# it may ask for the password
	fi
}

# Reads what apt-get says: its progress is shown, the rest goes to the log.
progress()
{
	last=-10
	while IFS=: read -r kind what percent text; do
		case $kind in
		dlstatus | pmstatus) ;;
		*)	case $kind in
			"Need to get"* | "After this operation"*) say "$kind${what:+:$what}" ;;
			esac
			printf '%s\n' "$kind${what:+:$what}${percent:+:$percent}${text:+:$text}" >>"$1"
			continue ;;
		esac
		[ "$kind" = dlstatus ] && text="downloading"
		percent=${percent%.*}
		if [ -t 2 ]; then
			printf '\r\033[K%3s %%  %.60s' "$percent" "$text" >&2
		elif [ "$percent" -ge $((last + 10)) ] || [ "$percent" -lt "$last" ]; then
			printf 'plumb: %3s %%  %s\n' "$percent" "$text" >&2
			last=$percent
		fi
	done
	[ ! -t 2 ] || printf '\r\033[K' >&2
}

# Runs apt-get as whoever may; the log is shown only if it fails.  Progress comes by a descriptor of its own:
# dpkg closes that one for the packages' scripts, and a script without standard output may fail.  It is
# opened behind sudo, which closes all but three.
apt()
{
	log=$(mktemp)
	{
		$root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -c 'exec apt-get "$@" 9>&1' sh -q -y \
			-o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 -o APT::Status-Fd=9 "$@" 2>&1 </dev/null || echo "failed: $?"
	} | progress "$log"
	if ! grep -q '^failed: ' "$log"; then
		rm -f "$log"
		return 0
	fi
	grep -v '^failed: ' "$log" | tail -n 20 >&2
	rm -f "$log"
	return 1
}

update()
{
	[ -z "$updated" ] || return 0
	say "reading the list of packages (apt-get update$how)"
	apt update && updated=1
}

# ---- all of it -----------------------------------------------------------

only_list=
if [ "${1-}" = -n ]; then
	only_list=1
	shift
fi

pkgs= cmds= headers=
for set in "$@"; do
	case $set in
	build)	pkgs="$pkgs $build_pkgs $llvm_pkgs"
		cmds="$cmds $build_cmds" headers="$headers $build_headers" ;;
	test)	pkgs="$pkgs $test_pkgs $llvm_test_pkgs"
		cmds="$cmds $test_cmds" ;;
	bench)	pkgs="$pkgs $bench_pkgs" cmds="$cmds python3 jq" ;;
	deb)	pkgs="$pkgs $deb_pkgs" cmds="$cmds dpkg-shlibdeps" ;;
	*)	say "deps.sh: no such set: $set"; exit 2 ;;
	esac
done

if ! have_dpkg; then
	lack=$(missing_parts "$cmds" "$headers" | tr '\n' ' ')
	[ -z "$lack" ] && exit 0
	say "no Debian system; the build may fail without: $lack"
	[ -n "$only_list" ] && exit 1
	exit 0
fi

# Packages that are not there, of the LLVM that is or can be; in $lack.
look()
{
	# shellcheck disable=SC2046,SC2086
	lack=$(missing_pkgs $(echo $pkgs | sed "s/@/$(llvm_wanted)/g") | tr '\n' ' ')
	lack=${lack% }
}

look
[ -z "$lack" ] && exit 0
if [ -n "$only_list" ]; then
	echo "$lack"
	exit 1
fi
# What could not be had the last time is not asked for at each make.
given_up=build/not-in-archive
if [ -f "$given_up" ]; then
	# shellcheck disable=SC2086
	lack=$(printf '%s\n' $lack | grep -Fxv -f "$given_up" | tr '\n' ' ')
	lack=${lack% }
	[ -z "$lack" ] && exit 0
fi

root=$(as_root) updated=
if [ -z "$root" ]; then
	lack_parts=$(missing_parts "$cmds" "$headers")
	say "missing packages; as root run: apt-get install --no-install-recommends $lack"
	[ -z "$lack_parts" ]	# the build goes without them, or has them from elsewhere
	exit
fi
how=", as root"
[ "$root" = env ] || how=", through sudo"

# The archive decides which LLVM: its list may have never been read here.
if ! in_archive llvm-"$(llvm_wanted)"-dev; then
	update || exit 1
	look
fi
absent=
for p in $lack; do
	in_archive "$p" || absent="$absent $p"
done
if [ -n "$absent" ]; then
	update || exit 1
	here= absent=
	for p in $lack; do
		if in_archive "$p"; then
			here="$here $p"
		else
			absent="$absent $p"
		fi
	done
	lack=${here# }
fi
[ -z "$absent" ] || say "not in the archive of this system:$absent"
if [ -n "$lack" ]; then
	update
	say "installing$how, with apt-get: $lack"
	# shellcheck disable=SC2086
	apt install --no-install-recommends $lack ||
		{ sleep 5; apt update && apt install --no-install-recommends $lack; } ||
		{ say "could not install; try: apt-get install --no-install-recommends $lack"; exit 1; }
fi
if [ -n "$absent" ]; then
	mkdir -p build
	# shellcheck disable=SC2086
	printf '%s\n' $absent >>"$given_up"
fi
exit 0
