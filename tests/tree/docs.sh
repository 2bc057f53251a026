# NOSAN: reads texts
#
# Pages name files that are there, and link to pages and headings that are there.
. "$ROOT/tests/lib.sh"

cd "$ROOT" || exit 1
for f in $(grep -hoE '`(src|runtime|tests|bench|docs|valgrind|tools|examples|packaging)/[A-Za-z0-9_/.-]+`' *.md docs/*.md |
    tr -d '`' | sort -u); do
	[ -e "$f" ] || { grep -nF "\`$f\`" *.md docs/*.md; not_ok "$f is there"; }
done
ok "files that pages name were looked for"

# A heading as a link names it: small letters, blanks as hyphens, nothing else.
anchors()
{
	sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

for page in *.md docs/*.md examples/*/README.md tests/README.md bench/README.md; do
	for to in $(grep -oE '\]\([^)# ]*(#[^) ]*)?\)' "$page" | sed 's/^](//; s/)$//' | grep -v '^https*:' | sort -u); do
		file=${to%%#*}
		target=$(dirname "$page")/$file
		[ -n "$file" ] || target=$page
		[ -e "$target" ] || { not_ok "$page: the link to $to leads somewhere"; continue; }
		case $to in
		*#*) check "$page: $to is a heading" grep -qxF -- "${to#*#}" <(anchors "$target") ;;
		esac
	done
	ok "$page: links were followed"
done
