# NOSAN: reads texts
#
# Manual pages: one for each command, with exactly the options that the command has; no
# complaint from mandoc.
. "$ROOT/tests/lib.sh"

man=$ROOT/docs/man

# Options of a command: "-o --output", by its own help, and by its page.
by_help()
{
	"$PLUMB" "$1" --help | sed -n 's/^  *\(\(-[a-z]\), \)\{0,1\}\(--[a-z-]*\).*/\2 \3/p' | sed 's/^ //' | sort
}

by_page()
{
	sed -n 's/^\.It \(Fl \([a-z]\) , \)\{0,1\}Fl Fl \([a-z-]*\).*/-\2 --\3/p' "$man/plumb-$1.1" | sed 's/^- //' | sort
}

commands=$("$PLUMB" --help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p')
check "there are commands" [ "$(echo "$commands" | wc -w)" -ge 7 ]
for c in $commands; do
	check "plumb-$c(1)" [ -f "$man/plumb-$c.1" ]
	[ -f "$man/plumb-$c.1" ] || continue
	check "plumb(1) names $c" grep -q "^\.It Cm $c\$" "$man/plumb.1"
	[ "$c" = cc ] && continue	# its options are the compiler's
	by_help "$c" >help
	by_page "$c" >page
	diff help page
	check "plumb-$c(1) has the options of plumb $c --help, and no others" [ $? -eq 0 ]
done
for f in "$man"/plumb-*.1; do
	c=${f##*/plumb-}
	check "${f##*/} is of a command" grep -qx "${c%.1}" <(echo "$commands")
done
for s in $("$PLUMB" dump --help | sed -n 's/^Prints a stage of the analysis: \(.*\)\./\1/p' | tr -d ,); do
	check "plumb-dump(1) names $s" grep -qE "^\.Cm (.* )?$s( |\$)" "$man/plumb-dump.1"
done
sed -n '/\(known\|own\)_keys\[\]/,/^}/s/"\([a-z-]*\)",*/\n\1\n/gp' "$ROOT/src/cli/opt.c" | grep -x '[a-z][a-z-]*' | sort >keys
sed -n 's/^\.It Cm \([a-z-]*\) Ta.*/\1/p' "$man/plumb.conf.5" | sort >page
diff keys page
check "plumb.conf(5) has all keys" [ $? -eq 0 ]

if command -v mandoc >/dev/null; then
	# which pages are installed here is not the question
	mandoc -T lint "$man"/*.[15] 2>/dev/null | grep -v 'referenced manual not found' >lint
	cat lint
	check "mandoc has no complaint" [ ! -s lint ]
else
	not_ok "mandoc is there"
fi
