#!/bin/sh
#
# install.sh - copy a built plumb to where it will live.
#
#	tools/install.sh BUILD DESTDIR PREFIX
#
# plumb finds its parts relative to its executable (build/gen/config.h), so the
# tree below PREFIX can be moved as a whole.  The Valgrind tool stands in a
# folder of links to Valgrind's own parts, which are absolute.

set -eu
build=$1
root=$2$3

put()	# MODE FILE FOLDER [NAME]
{
	mkdir -p "$root/$3"
	install -m "$1" "$2" "$root/$3/${4:-${2##*/}}"
}

put 755 "$build/plumb" bin
ln -sfn plumb "$root/bin/plumb-cc"	# for build systems that want one word
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
	to=$root/libexec/plumb/valgrind
	mkdir -p "$to"
	for f in "$vg"/*; do
		if [ -L "$f" ]; then
			ln -sfn "$(readlink "$f")" "$to/${f##*/}"
		else
			put 755 "$f" libexec/plumb/valgrind
		fi
	done
fi
