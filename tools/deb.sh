#!/bin/sh
#
# deb.sh - a Debian package of a built plumb.
#
#	tools/deb.sh VERSION FOLDER
#
# Needs dpkg-dev; nothing is downloaded.  The version is VERSION at its tag vVERSION or
# outside git, VERSION+gitDATE.COMMIT otherwise.  The maintainer is DEBFULLNAME and
# DEBEMAIL, or whom git names.  The Valgrind tool is linked with parts of the Valgrind of
# the build machine and finds the rest at run time, so the package wants that version.

set -eu
version=$1
deb=$2
root=$deb/root
doc=$root/usr/share/doc/plumb

if git rev-parse HEAD >/dev/null 2>&1 && [ "$(git tag --points-at HEAD "v$version")" = "" ]; then
	version=$version+git$(git log -1 --format=%cd --date=format:%Y%m%d.%H%M).$(git rev-parse --short=8 HEAD)
fi
name=${DEBFULLNAME:-$(git config user.name || echo plumb)}
email=${DEBEMAIL:-$(git config user.email || echo plumb@packages.invalid)}
date=$(git log -1 --format=%cD 2>/dev/null || date -R)

[ -e build/valgrind/plumb-amd64-linux ] || { echo "deb.sh: the package has all parts, and the Valgrind tool was left out here" >&2; exit 1; }
rm -rf "$deb"
mkdir -p "$root" "$deb/debian"
tools/install.sh build "$root" /usr
rm "$root/usr/share/plumb/installed"	# the package system has a list of its own

# Links to Valgrind's parts: relative, as Debian wants them.
for f in "$root"/usr/libexec/plumb/valgrind/*; do
	[ -L "$f" ] || continue
	to=$(readlink "$f")
	case $to in
	/usr/libexec/*) ln -sfn "../../${to#/usr/libexec/}" "$f" ;;
	/usr/*) ln -sfn "../../../${to#/usr/}" "$f" ;;
	esac
done

# Only what is loaded or run is wanted here.
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root"/usr/bin/plumb "$root"/usr/lib/plumb/*.so
chmod 644 "$root"/usr/lib/plumb/*.so
vg=$root/usr/libexec/plumb/valgrind
strip --strip-unneeded --remove-section=.comment "$vg/plumb-amd64-linux"
strip -g --remove-section=.comment "$vg/vgpreload_plumb-amd64-linux.so"
chmod 644 "$vg/vgpreload_plumb-amd64-linux.so"

# Documentation in Debian's shape.
llvm=$(sed -n 's/^LLVM_VERSION := //p' build/config.mk)
sed "s|@LLVM@|$llvm|" packaging/debian/copyright >"$doc/copyright"
rm -r "$doc/LICENSE" "$doc/valgrind"	# named there
sed -i 's|(LICENSE)|(copyright)|; s|(valgrind/COPYING)|(copyright)|; s|(runtime/LICENSE-EXCEPTION)|(copyright)|' "$doc/README.md"
rm -r "$doc/runtime"
{
	printf 'plumb (%s) unstable; urgency=medium\n\n' "$version"
	printf '  * Built from the source tree; see its history.\n\n'
	printf ' -- %s <%s>  %s\n' "$name" "$email" "$date"
} | gzip -9n >"$doc/changelog.gz"
find "$root/usr/share/man" -type f -exec gzip -9n {} +
mkdir -p "$root/usr/share/lintian/overrides"
cp packaging/debian/lintian-overrides "$root/usr/share/lintian/overrides/plumb"

# What it depends on.
printf 'Source: plumb\n\nPackage: plumb\nArchitecture: amd64\n' >"$deb/debian/control"
shlibs=$(cd "$deb" && dpkg-shlibdeps -O --ignore-missing-info root/usr/bin/plumb root/usr/lib/plumb/*.so 2>shlibdeps.log |
	sed -n 's/^shlibs:Depends=//p')
[ -n "$shlibs" ] || { cat "$deb/shlibdeps.log" >&2; exit 1; }
valgrind=$(dpkg-query -W -f='${Version}' valgrind)
upstream=${valgrind%-*}		# 1:3.19.0
minor=${upstream#*.}
minor=${minor%%.*}
next=${upstream%%.*}.$((minor + 1))~

mkdir -p "$root/DEBIAN"
sed -e "s|@VERSION@|$version|" -e "s|@MAINTAINER@|$name <$email>|" -e "s|@SHLIBS@|$shlibs|" \
	-e "s|@LLVM@|$llvm|g" -e "s|@VALGRIND@|$upstream|" -e "s|@VALGRIND_NEXT@|$next|" \
	-e "s|@SIZE@|$(du -sk "$root/usr" | cut -f1)|" packaging/debian/control.in >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group -Z"${DEB_COMPRESS:-xz}" --build "$root" "$deb/plumb_${version}_amd64.deb" >/dev/null
echo "$deb/plumb_${version}_amd64.deb"
