# page.sh - excerpts of very long lines: what is shown of them has the marks in it.
. "$ROOT/tests/lib.sh"

sum()	# N: a text of 4 N bytes
{
	printf ' + 1%.0s' $(seq "$1")
}

# page NAME TEXT: the page of a program whose one long line is TEXT; that line of it, without the marks, into `shown`
page()
{
	printf '#include <stdlib.h>\n%s\n' "$2" >"$1.c"
	run "$PLUMB" check --no-cache --format html -o "$1.html" "$1.c"
	expect_status "$1: a leak" 1
	shown=$(grep -o '<div class="line hit"><span class="no">2</span><code>.*</code>' "$1.html" | head -n 1 |
		sed 's/.*<code>//; s,</code>.*,,; s,</*mark[^>]*>,,g')
	length=${#shown}
}

page far "int far(void) { int a = 0$(sum 100); char *p = malloc(8); a += p ? 1 : 0$(sum 100); return a; }"
check "far: it begins and ends somewhere" bash -c 'case $0 in "<i>...</i>"*"<i>...</i>") ;; *) false ;; esac' "$shown"
check "far: with the call in it" grep -q '<mark class="alloc">malloc(8)</mark>' far.html
check "far: 400 bytes ($length)" [ "$length" -eq $((400 + 2 * 10)) ]
check "far: some of them before the call" grep -q '1 + 1; char \*p = <mark' far.html

page near "int near(void) { char *p = malloc(8); return p ? 1 : 0$(sum 200); }"
check "near: it begins as the line" bash -c 'case $0 in "int near(void) {"*"<i>...</i>") ;; *) false ;; esac' "$shown"
check "near: 400 bytes ($length)" [ "$length" -eq $((400 + 10)) ]

text="int fits(void) { int a = 0$(sum 70); char *p = malloc(8); return p ? a : 0;"
text="$text$(printf '%*s' $((400 - ${#text} - 1)) '')}"
page fits "$text"
check "as long as can be shown (${#text}): all of it" [ "$shown" = "$text" ]
page more "${text%\}} }"
check "one byte more: cut" bash -c 'case $0 in "<i>...</i>"*) ;; *) false ;; esac' "$shown"
