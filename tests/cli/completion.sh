# NOSAN: asks the plumb that users get
#
# Completion in bash and zsh.
. "$ROOT/tests/lib.sh"

dir=$ROOT/packaging/completion
mkdir folder && touch some.c

# What bash offers for the words; the last one is being typed.
offers()
{
	bash --norc -c '
		. "$1/plumb.bash"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_plumb 2>&1
		printf "%s\n" "${COMPREPLY[@]}"' - "$dir" "$@" | sort -u | tr '\n' ' '
}

expect()	# WHAT WORDS...
{
	want=$1
	shift
	got=$(offers "$@")
	[ "$got" = "$want " ] || echo "offered: $got"
	check "bash: $*" [ "$got" = "$want " ]
}

expect 'check' "$PLUMB" ch
expect 'run' "$PLUMB" ru
expect '--engine' "$PLUMB" check --en
expect '--cache-dir --cache-limit' "$PLUMB" check --cache
expect 'all path vfg' "$PLUMB" check --engine ''
expect 'sarif' "$PLUMB" check --format sa
expect 'sarif' "$PLUMB" check --format = sa
expect 'never' "$PLUMB" watch --color n
expect 'version' "$PLUMB" ver
expect 'folder' "$PLUMB" check -p ''
expect 'some.c' "$PLUMB" check so
expect 'callgraph' "$PLUMB" dump ca
expect '--in-place' "$PLUMB" fix --in
expect 'diff html json sarif text' "$PLUMB" fix --format ''
expect '--bounds' "$PLUMB" run --b
expect 'all leaking' "$PLUMB" run --only ''
expect 'some.c' "$PLUMB" watch -- ./prog so
expect 'true' "$PLUMB" watch -- true
expect '--output' "$PLUMB" report --o
check "bash: all options of check" [ "$(offers "$PLUMB" check -- | wc -w)" -eq "$("$PLUMB" check --help | grep -c '^  .*--[a-z]')" ]
run bash -n "$dir/plumb.bash"
expect_status "bash reads it" 0

if command -v zsh >/dev/null; then
	run zsh -n "$dir/_plumb"
	expect_status "zsh reads it" 0
	# what _arguments and _describe are given, in place of the screen
	zsh -f -c '
		service=$1
		_call_program() { shift; "$@" }
		_describe() { print -l ${(P)4} }
		_arguments() { print -l -- "$@" }
		_files() { print files }
		_normal() { print normal $words $CURRENT }
		words=(plumb "") CURRENT=2
		. "$2/_plumb"
		words=(plumb check "") CURRENT=3
		_plumb
		words=(plumb dump "") CURRENT=3
		_plumb
		words=(plumb watch -- prog "") CURRENT=5
		_plumb' - "$PLUMB" "$dir" >zsh.out 2>&1
	check "zsh: commands" grep -q '^check:find leaks' zsh.out
	check "zsh: options" grep -qF -- '*--engine[vfg, path or all (default)]:E:(vfg path all)' zsh.out
	check "zsh: stages" grep -q '^1:stage:(ir .*models)$' zsh.out
	check "zsh: letters" grep -qF -- '*-p[the units of DIR/compile_commands.json]:DIR:_directories' zsh.out
	check "zsh: the program's own completion" grep -qx 'normal prog 2' zsh.out
	grep -q '^normal prog' zsh.out || cat zsh.out
else
	not_ok "zsh is there"
fi
