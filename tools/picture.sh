#!/bin/sh
#
# picture.sh - docs/report.png and report-narrow.png: the report that the tour ends with, in a browser
# of the width of a desk and of a telephone.
#
#	tools/picture.sh
#
# Needs chromium, and a built plumb; pngquant makes it small.

set -eu
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
cc -std=gnu17 -D_GNU_SOURCE -shared -fPIC -Itests/runtime -o "$home/clock.so" tests/cli/tour_clock.c -ldl
HOME=$home TMPDIR=$home python3 tests/cli/tour.py docs/tour.md "$home/clock.so" | grep '^not ok' && exit 1
sed -i "s|$home/|~/|g" "$home/tour/report.html"	# whose folder it was is no matter

picture()	# NAME WIDTH,HEIGHT SCALE
{
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$home/chromium" --force-device-scale-factor="$3" \
		--window-size="$2" --screenshot="$home/$1" "file://$home/tour/report.html" >"$home/log" 2>&1 ||
		{ cat "$home/log" >&2; exit 1; }
	if command -v pngquant >/dev/null; then
		pngquant --force --strip --output "$home/$1" 64 "$home/$1"
	fi
	cp "$home/$1" "docs/$1"
	ls -l "docs/$1"
}

picture report.png 1280,1440 1
picture report-narrow.png 400,1000 2
