#!/bin/bash
#
# fresh.sh - what a newcomer does, on a Debian that has nothing yet.
#
#	tests/fresh.sh package		make deb in a clean clone, lintian; the package is installed in a fresh
#					system, and a user takes the tour with it
#	tests/fresh.sh clone [SUITE...]	a clean clone in fresh systems: what README.md shows in its console blocks,
#					literally (make demo and make test are the first of it), then the tour.
#					The suites: bookworm trixie testing
#
# Not part of `make test`: it wants root, the network, debootstrap and some time, most of it for `make test`:
# FRESH_TEST=no leaves that out.  The fresh system is a chroot below $TMPDIR, removed at the end;
# FRESH_BASE=FOLDER takes copies of what debootstrap has made there before (FOLDER/SUITE), and makes them where
# they are missing; FRESH_DEB=FILE that package.  Packages come from where apt has them from on this machine.
# The last line is `ok` if all went well.

set -eu
what=${1:-}
case $what in package | clone) shift ;; *) sed -n 's/^# \{0,1\}//; 3,17p' "$0" >&2; exit 2 ;; esac

# In a mount namespace of its own: whatever happens, nothing stays mounted.
[ -n "${FRESH_INSIDE:-}" ] || FRESH_INSIDE=1 exec unshare --mount --propagation private -- "$0" "$what" "$@"

cd "$(dirname "$0")/.."
tree=$PWD
dir=$(mktemp -d "${TMPDIR:-/tmp}/plumb-fresh.XXXXXX")
root=$dir/root

clean()
{
	for m in proc dev/pts dev/shm; do
		! mountpoint -q "$root/$m" || umount -l "$root/$m"
	done
	rm -rf --one-file-system "$dir"
}
trap clean EXIT

step()
{
	echo "== $*"
}

inside()	# COMMAND...: as root, in the fresh system
{
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

quietly()	# COMMAND...: what it says is shown if it fails
{
	"$@" >"$dir/log" 2>&1 || { tail -n 60 "$dir/log"; exit 1; }
}

mirror()
{
	apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' | sed -n 's/^Debian Debian //p' | head -n 1
}

fresh_system()	# SUITE
{
	step "a fresh Debian: $1"
	local from=$root
	if [ -n "${FRESH_BASE:-}" ]; then
		from=$FRESH_BASE/$1
		mkdir -p "$FRESH_BASE"
	fi
	if [ ! -e "$from/etc/debian_version" ]; then
		quietly debootstrap --variant=minbase "$1" "$from" "$(mirror)"
	fi
	if [ "$from" != "$root" ]; then
		mkdir "$root"
		(cd "$from" && tar -c --one-file-system .) | tar -x -C "$root"
	fi
	mkdir -p "$root/proc" "$root/dev/pts" "$root/dev/shm"
	mount -t proc proc "$root/proc"
	mount -t devpts devpts "$root/dev/pts"
	mount -t tmpfs tmpfs "$root/dev/shm"
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	# as apt has it here; a mirror that is kept as it was on some day will do
	apt-config dump Acquire | grep -i proxy >"$root/etc/apt/apt.conf.d/90fresh" || true
	echo 'Acquire::Check-Valid-Until "false";' >>"$root/etc/apt/apt.conf.d/90fresh"
	quietly inside apt-get -q update
}

# The tour as it is printed, from a folder of the fresh system, by a user; python is for tour.py only.
tour()	# USER FOLDER
{
	step "the tour, as $1"
	quietly inside apt-get -q install -y --no-install-recommends python3-minimal
	mkdir -p "$root/tour"
	cp "$tree/tests/cli/tour.py" "$tree/docs/tour.md" "$root/tour"
	inside su "$1" -s /bin/bash -c "cd '$2' && TMPDIR=/tmp HOME=~$1 python3 /tour/tour.py /tour/tour.md ''" | tee "$dir/tour"
	if grep -q '^not ok' "$dir/tour" || ! grep -q '^ok' "$dir/tour"; then
		exit 1
	fi
}

package()
{
	local suite deb=${FRESH_DEB:-}
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	if [ -z "$deb" ]; then
		step "make deb"
		(cd "$dir/clone" && make -s deb)
		deb=$(ls "$dir"/clone/build/deb/*.deb)
	fi
	step "lintian"
	lintian --allow-root -X binaries/spelling --fail-on error "$deb"
	fresh_system "$suite"
	step "apt-get install"
	cp "$deb" "$root/plumb.deb"
	quietly inside apt-get -q install -y ./plumb.deb
	inside plumb --version
	inside useradd -m guest
	tour guest /usr/share/doc/plumb
	step "apt-get remove"
	quietly inside apt-get -q remove -y plumb
	[ ! -e "$root/usr/lib/plumb" ] && [ ! -e "$root/usr/libexec/plumb" ]
}

# What README.md shows, without the remarks.  plumb itself may say that there are leaks.
readme()
{
	local command status most
	sed -n '/^```console/,/^```$/s/^\$ //p' "$root/plumb/README.md" | sed 's/  *#.*//' >"$dir/commands"
	grep -q . "$dir/commands"
	while IFS= read -r command; do
		[ "$command" != "make test" ] || [ "${FRESH_TEST:-}" != no ] || continue
		step "$command"
		status=0 most=0
		case $command in build/plumb*) most=1 ;; esac
		inside sh -c "cd /plumb && $command" >"$dir/out" 2>&1 </dev/null || status=$?
		if [ "$status" -gt "$most" ]; then
			tail -n 200 "$dir/out"
			echo "exit code $status: $command"
			exit 1
		fi
		tail -n 8 "$dir/out"
	done <"$dir/commands"
}

clone()	# SUITE
{
	fresh_system "$1"
	step "git and make are all it has"
	quietly inside apt-get -q install -y --no-install-recommends git make ca-certificates
	cp -r "$dir/clone" "$root/plumb"
	readme
	tour root /plumb
	for m in proc dev/pts dev/shm; do
		umount -l "$root/$m"
	done
	rm -rf --one-file-system "$root"
}

step "a clean clone"
git clone -q "$tree" "$dir/clone"
if [ "$what" = package ]; then
	package
else
	[ $# -gt 0 ] || set -- bookworm trixie testing
	for suite in "$@"; do
		clone "$suite"
	done
fi
echo ok
