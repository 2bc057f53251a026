#!/bin/bash
#
# fetch.sh - get the sources of Debian packages.
#
#	bench/fetch.sh [PROGRAM...]	default: all that programs.sh knows
#
# Puts them, unpacked and patched, into build/bench/src/PROGRAM, with the version
# in build/bench/src/PROGRAM.version.  What is there and whole is left alone; to
# take a newer version, remove that file.  apt checks the signatures of the
# indexes and the checksums of what it loads, resuming a broken download;
# dpkg-source checks again while unpacking.  A tree appears under its name only
# when it is complete.

. "$(dirname "$0")/lib.sh"
. "$BENCH_DIR/programs.sh"

# The versions of source package $1 that apt knows, the newest first.
versions_of()
{
	src_apt apt-cache showsrc --only-source "$1" 2>/dev/null | sed -n 's/^Version: //p' | sort -rVu
}

# A tree is whole if every file that it had when unpacked is still there.
is_whole()
{
	local d=$OUT/src/$1
	[ -d "$d" ] && [ -s "$d.version" ] && [ -s "$d.files" ] &&
		(cd "$d" && find . -type f | sort) | comm -23 "$d.files" - | cmp -s - /dev/null
}

# Downloads source package $2, version $3, of program $1, and unpacks it.
fetch_version()
{
	local pkg=$1 src=$2 version=$3 d=$OUT/src/$1 dl=$OUT/dl/$1 log=$OUT/log/$1-fetch dsc
	mkdir -p "$dl" "$OUT/src"
	rm -f "$dl"/*.dsc	# of an older version
	(cd "$dl" && src_apt apt-get -o Acquire::Retries=3 source --download-only --only-source \
		"$src=$version") >"$log" 2>&1 || return 1
	dsc=$(find "$dl" -name '*.dsc')
	[ -f "$dsc" ] || { echo "apt-get left no .dsc file" >>"$log"; return 1; }
	rm -rf "$d" "$d.part" "$d.version"
	dpkg-source --no-check -x "$dsc" "$d.part" >>"$log" 2>&1 || return 1
	put_tree "$pkg" "$version"
}

# The unpacked tree of program $1 is complete, and of version $2.
put_tree()
{
	local d=$OUT/src/$1
	(cd "$d.part" && find . -type f | sort) >"$d.files"
	mv "$d.part" "$d"
	echo "$2" >"$d.version"
}

# Where Debian's patches cannot be had: program $1 as its authors published it, if there is a
# copy of their archive with the checksum that the package's description names.
fetch_upstream()
{
	local pkg=$1 version=$2 d=$OUT/src/$1 dl=$OUT/dl/$1 orig
	orig=$(find "$dl" -name '*.orig.tar.*' | head -n 1)
	[ -f "$orig" ] && grep -hqE "^ $(sha256sum <"$orig" | cut -d' ' -f1) [0-9]+ ${orig##*/}$" "$dl"/*.dsc || return 1
	rm -rf "$d" "$d.part" "$d.version"
	mkdir -p "$d.part"
	tar -xf "$orig" -C "$d.part" --strip-components=1 >>"$OUT/log/$pkg-fetch" 2>&1 || return 1
	put_tree "$pkg" "${version#*:} without Debian's patches"
	say "$pkg: took the authors' archive alone: Debian's patches could not be had"
}

fetch()
{
	local pkg=$1 src version=
	if is_whole "$pkg"; then
		say "$pkg: have $(cat "$OUT/src/$pkg.version")"
		return 0
	fi
	src_apt_init
	src=$(source_of "$pkg")
	for version in $(versions_of "$src"); do
		say "$pkg: getting $src $version"
		fetch_version "$pkg" "$src" "$version" && return 0
		say "$pkg: could not get $src $version:"
		show_tail "$OUT/log/$pkg-fetch" 6
	done
	if [ -z "${version:-}" ]; then
		say "$pkg: this Debian release has no source package $src (or apt's indexes could not be read: build/bench/log/apt-update)"
		return 1
	fi
	fetch_upstream "$pkg" "$version" && return 0
	if grep -q '404 ' "$OUT/log/$pkg-fetch"; then
		say "$pkg: apt's index names it, but the package server lacks the file."
		say "$pkg: a copy put into build/bench/dl/$pkg is taken if its checksum is right."
	fi
	return 1
}

need_packages dpkg-dev xz-utils
bad=0
[ $# -gt 0 ] || set -- "${PROGRAMS[@]}"
for pkg; do
	fetch "$pkg" || bad=1
done
exit $bad
