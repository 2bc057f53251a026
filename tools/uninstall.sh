#!/bin/sh
#
# uninstall.sh - remove what install.sh has put there, and nothing else.
#
#	tools/uninstall.sh DESTDIR PREFIX
#
# The list that install.sh leaves tells what that is.  Folders that it has made are
# removed if they are empty then: what somebody else has put into them stays.

set -eu
destdir=${1%/}
prefix=${2%/}
list=$destdir$prefix/share/plumb/installed

if [ ! -f "$list" ]; then
	echo "uninstall.sh: $list is not there: plumb was not installed with this DESTDIR and PREFIX, or it is a package" >&2
	exit 1
fi
names=$(cat "$list")
printf '%s\n' "$names" | while IFS= read -r f; do
	case $f in
	*/../* | */ | "") ;;
	"$prefix"/*) rm -f "$destdir$f" ;;
	esac
done
# those below before those above
printf '%s\n' "$names" | LC_ALL=C sort -r | while IFS= read -r f; do
	case $f in
	*/../*) ;;
	/*/) rmdir "$destdir$f" 2>/dev/null || echo "uninstall.sh: $destdir$f has other files, and stays" ;;
	esac
done
