#!/bin/bash
#
# fresh.sh - what a newcomer does, on a Debian 12 that has nothing yet.
#
#	tests/fresh.sh package	make deb in a clean clone, lintian; the package is installed in a fresh
#				system, and a user takes the tour with it
#	tests/fresh.sh clone	a clean clone in a fresh system: README's two commands, and the tour
#
# Not part of `make test`: it wants root, the network, debootstrap and some minutes.  The fresh system is
# a chroot below $TMPDIR, removed at the end; FRESH_BASE=FOLDER takes a copy of one that
# debootstrap has made before; FRESH_DEB=FILE that package.  The last line is `ok` if all went well.

set -eu
what=${1:-}
case $what in package | clone) ;; *) sed -n 's/^# \{0,1\}//; 3,13p' "$0" >&2; exit 2 ;; esac
cd "$(dirname "$0")/.."
tree=$PWD
dir=$(mktemp -d "${TMPDIR:-/tmp}/plumb-fresh.XXXXXX")
root=$dir/root

clean()
{
	mountpoint -q "$root/proc" && umount "$root/proc"
	mountpoint -q "$root/proc" || rm -rf "$dir"
}
trap clean EXIT

step()
{
	echo "== $*"
}

inside()	# COMMAND...: as root, in the fresh system
{
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

fresh_system()
{
	step "a fresh Debian 12"
	if [ -n "${FRESH_BASE:-}" ]; then
		mkdir "$root"
		(cd "$FRESH_BASE" && tar -c --one-file-system .) | tar -x -C "$root"
	else
		debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
	fi
	mkdir -p "$root/proc"
	mount -t proc proc "$root/proc"
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	inside apt-get -q update >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
}

# The tour as it is printed, from a folder of the fresh system, by a user; python is for tour.py only.
tour()	# USER FOLDER
{
	step "the tour, as $1"
	inside apt-get -q install -y --no-install-recommends python3-minimal >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
	mkdir -p "$root/tour"
	cp "$tree/tests/cli/tour.py" "$tree/docs/tour.md" "$root/tour"
	inside su "$1" -s /bin/bash -c "cd '$2' && TMPDIR=/tmp HOME=~$1 python3 /tour/tour.py /tour/tour.md ''" | tee "$dir/tour"
	if grep -q '^not ok' "$dir/tour" || ! grep -q '^ok' "$dir/tour"; then
		exit 1
	fi
}

step "a clean clone"
git clone -q "$tree" "$dir/clone"

if [ "$what" = package ]; then
	deb=${FRESH_DEB:-}
	if [ -z "$deb" ]; then
		step "make deb"
		(cd "$dir/clone" && make -s deb)
		deb=$(ls "$dir"/clone/build/deb/*.deb)
	fi
	step "lintian"
	lintian --allow-root -X binaries/spelling --fail-on error "$deb"
	fresh_system
	step "apt-get install"
	cp "$deb" "$root/plumb.deb"
	inside apt-get -q install -y ./plumb.deb >"$dir/log" 2>&1 || { tail -n 40 "$dir/log"; exit 1; }
	inside plumb --version
	inside useradd -m guest
	tour guest /usr/share/doc/plumb
	step "apt-get remove"
	inside apt-get -q remove -y plumb >"$dir/log" 2>&1 || { tail -n 40 "$dir/log"; exit 1; }
	[ ! -e "$root/usr/lib/plumb" ] && [ ! -e "$root/usr/libexec/plumb" ]
else
	fresh_system
	step "git and make are all it has"
	inside apt-get -q install -y --no-install-recommends git make ca-certificates >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
	cp -r "$dir/clone" "$root/plumb"
	step "make"
	inside sh -c 'cd /plumb && make' 2>&1 | tail -n 3
	step "plumb check"
	status=0
	inside sh -c 'cd /plumb/examples/stock && ../../build/plumb check *.c' || status=$?
	[ "$status" -eq 1 ]
	tour root /plumb
fi
echo ok
