#!/bin/sh
#
# install.sh - copy a built plumb to where it will live.
#
#	tools/install.sh BUILD DESTDIR PREFIX
#
# plumb finds its parts relative to its executable (build/gen/config.h), so the
# tree below PREFIX can be moved as a whole.  The Valgrind tool stands in a
# folder of links to Valgrind's own parts, which are absolute.
#
# What is put there is listed, with the folders that were not there before, in
# PREFIX/share/plumb/installed, below DESTDIR, for uninstall.sh.  What an earlier
# install has put there stays in the list.

set -eu
build=$1
destdir=${2%/}
prefix=${3%/}
root=$destdir$prefix
list=$prefix/share/plumb/installed
new=$(mktemp)
trap 'rm -f "$new"' EXIT

folder()	# /PATH: made and listed with those above that are not there
{
	[ -n "$1" ] && [ ! -d "$destdir$1" ] || return 0
	folder "${1%/*}"
	mkdir "$destdir$1"
	echo "$1/" >>"$new"
}

put()	# MODE FILE FOLDER [NAME]
{
	folder "$prefix/$3"
	install -m "$1" "$2" "$root/$3/${4:-${2##*/}}"
	echo "$prefix/$3/${4:-${2##*/}}" >>"$new"
}

put_link()	# TARGET FOLDER NAME
{
	folder "$prefix/$2"
	ln -sfn "$1" "$root/$2/$3"
	echo "$prefix/$2/$3" >>"$new"
}

mkdir -p "$destdir/"
put 755 "$build/plumb" bin
put_link plumb bin plumb-cc	# for build systems that want one word
put 755 "$build/libplumb.so" lib/plumb
put 755 "$build/libplumb-run.so" lib/plumb
[ ! -e "$build/libplumb-oblivious.so" ] || put 755 "$build/libplumb-oblivious.so" lib/plumb
put 755 "$build/libplumb-guard.so" lib/plumb
for f in models/*.model; do
	put 644 "$f" share/plumb/models
done
for f in docs/*.md docs/*.png README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md; do
	put 644 "$f" share/doc/plumb
done
put 644 valgrind/COPYING share/doc/plumb/valgrind
put 644 runtime/LICENSE-EXCEPTION share/doc/plumb/runtime
# pages, README and the rest are in one folder there
sed -i 's|(docs/|(|g; s|"docs/|"|g; s|(\.\./README\.md|(README.md|g' "$root"/share/doc/plumb/*.md
for f in examples/stock/* examples/tally/*; do
	put "$(stat -c %a "$f" | sed 's/^7.*/755/; s/^6.*/644/')" "$f" "share/doc/plumb/${f%/*}"
done
for f in docs/man/*.[1-9]; do
	put 644 "$f" "share/man/man${f##*.}"
done
put 644 packaging/completion/plumb.bash share/bash-completion/completions plumb
put 644 packaging/completion/_plumb share/zsh/vendor-completions

vg=build/valgrind
if [ -e "$vg/plumb-amd64-linux" ]; then
	for f in "$vg"/*; do
		if [ -L "$f" ]; then
			put_link "$(readlink "$f")" libexec/plumb/valgrind "${f##*/}"
		else
			put 755 "$f" libexec/plumb/valgrind
		fi
	done
fi

echo "$list" >>"$new"
[ ! -f "$destdir$list" ] || cat "$destdir$list" >>"$new"
LC_ALL=C sort -u "$new" -o "$new"
install -m 644 "$new" "$destdir$list"
