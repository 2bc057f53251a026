# shellcheck shell=bash
#
# lib.sh - what the scripts of bench/ share: places, messages, packages.
#
# Sourced, never run.  All that the scripts make lies under build/bench/:
#
#	apt/		a private view of apt that knows source packages
#	dl/PKG/		source packages as downloaded
#	src/PKG/	the unpacked source, Debian's patches applied; never built in
#	cc/PKG/		a copy, built by CC="plumb cc"
#	db/PKG/		a copy, built by cc under bear; has compile_commands.json
#	log/		what the builds printed
#	results/	tables and JSON
#
# Nothing here names a host: source packages come from wherever the machine's
# own apt configuration takes its binary packages.
#
# Environment: PLUMB (default build/plumb), JOBS (default: all processors),
# BENCH_NICE (default 10).

set -euo pipefail
export LC_ALL=C

# make's own flags (this runs under "make bench-check") must not reach the programs
# that we build, nor must a user's preferences.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CC CXX CPP LD AR \
	CFLAGS CPPFLAGS CXXFLAGS LDFLAGS LIBS CONFIG_SITE \
	PLUMB_REAL_CC CCACHE_PREFIX

BENCH_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(dirname "$BENCH_DIR")
OUT=$TOP/build/bench
PLUMB=$(realpath -m "${PLUMB:-$TOP/build/plumb}")
JOBS=${JOBS:-$(nproc)}
NICE=(nice -n "${BENCH_NICE:-10}")
CLANG=${PLUMB_CLANG:-clang-19}

mkdir -p "$OUT/log" "$OUT/results"

say()
{
	echo "bench: $*" >&2
}

die()
{
	say "$*"
	exit 1
}

# The last lines of a log, to show why something failed.
show_tail()
{
	sed 's/^/    /' <(tail -n "${2:-15}" "$1") >&2
}

#
# Packages
#

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "as root run: $*"
	fi
}

# Installs what is missing of the packages named; costs one dpkg-query if none is.
need_packages()
{
	local have lack=() p log=$OUT/log/apt-install
	have=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null |
		sed -n 's/^.i. *//p' || true)
	for p in "$@"; do
		grep -qxF -- "$p" <<<"$have" || lack+=("$p")
	done
	[ ${#lack[@]} -eq 0 ] && return 0
	say "installing ${lack[*]}"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update >"$log" 2>&1 ||
		say "apt-get update failed; trying with the lists there are"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
	    -o DPkg::Lock::Timeout=600 install --no-install-recommends \
	    "${lack[@]}" >>"$log" 2>&1 </dev/null ||
		{ show_tail "$log"; die "could not install: ${lack[*]}"; }
}

# apt-get or apt-cache with our own lists, so that the machine's are left alone
# and no privilege is needed.
src_apt()
{
	local tool=$1
	shift
	"$tool" -q -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$OUT/apt/parts" \
		-o Dir::State::lists="$OUT/apt/lists" \
		-o Dir::Cache="$OUT/apt/cache" \
		-o APT::Sandbox::User=root "$@"
}

# Writes a deb-src entry for each deb entry that the machine has, in both of
# apt's notations, and reads the indexes; at most once a day.
src_apt_init()
{
	local d=$OUT/apt f parts main
	if [ -n "$(find "$d/stamp" -mtime -1 2>/dev/null)" ]; then
		return 0
	fi
	rm -rf "$d"
	mkdir -p "$d/parts" "$d/lists/partial" "$d/cache/archives/partial"
	eval "$(apt-config shell main Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
	for f in "$main" "$parts"/*.list; do
		[ -f "$f" ] || continue
		sed -En 's/^[[:space:]]*deb(-src)?([[:space:]])/deb-src\2/p' "$f"
	done | sort -u >"$d/parts/plumb-src.list"
	for f in "$parts"/*.sources; do
		[ -f "$f" ] || continue
		awk 'BEGIN { RS = ""; ORS = "\n\n" }
			/(^|\n)[Ee]nabled:[ \t]*(no|false)/ { next }
			/(^|\n)[Tt]ypes:/ {
				sub(/[Tt]ypes:[^\n]*/, "Types: deb-src")
				print
			}' "$f" >"$d/parts/plumb-src-$(basename "$f")"
	done
	find "$d/parts" -type f -empty -delete
	[ -n "$(ls "$d/parts")" ] || die "apt has no package sources configured"
	src_apt apt-get update >"$OUT/log/apt-update" 2>&1 ||
		say "apt-get update had errors (build/bench/log/apt-update)"
	touch "$d/stamp"
}

need_plumb()
{
	[ -x "$PLUMB" ] || die "$PLUMB is not there: run make first"
}
