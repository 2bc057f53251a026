#!/bin/sh
#
# picture.sh - docs/report.png: the report that the tour ends with, in a browser.
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
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$home/chromium" \
	--window-size=1280,1440 --screenshot="$home/report.png" "file://$home/tour/report.html" >"$home/log" 2>&1 ||
	{ cat "$home/log" >&2; exit 1; }
if command -v pngquant >/dev/null; then
	pngquant --force --strip --output "$home/report.png" 64 "$home/report.png"
fi
cp "$home/report.png" docs/report.png
ls -l docs/report.png
