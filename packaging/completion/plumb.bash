# bash completion for plumb
#
# Commands and options are asked of plumb itself, so that they are those of the plumb at
# hand; what the arguments of options may be is told here.

_plumb_commands()
{
	"$1" --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p'
}

_plumb_options()	# PLUMB COMMAND
{
	"$1" "$2" --help 2>/dev/null | sed -n 's/^  *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'
}

_plumb_stages()
{
	"$1" dump --help 2>/dev/null | sed -n 's/^Prints a stage of the analysis: \(.*\)\./\1/p' | tr -d ,
}

# Which words an option takes: a list, "file", "dir", or nothing.
_plumb_values()	# COMMAND OPTION
{
	case $1:$2 in
	check:--engine) echo vfg path all ;;
	check:--format) echo text json sarif html ;;
	fix:--format) echo diff text json sarif html ;;
	watch:--format) echo json html pprof json,html ;;
	bounds:--format) echo text json ;;
	run:--only) echo all leaking ;;
	*:--color) echo auto always never ;;
	*:-p | *:--compdb | *:--cache-dir | *:--debug-dir | *:--root) echo dir ;;
	*:-o | *:--output | *:--baseline | *:--model | *:--findings | *:--from | *:--validate | *:-b | *:--bounds) echo file ;;
	*:-j | *:--jobs | *:--cache-limit | *:--memory-limit | *:--slice-limit | *:--loop | *:--interval | *:--depth | \
	*:--snapshot | *:--scale | *:--strict-rounds | *:--faults | *:--soname | *:--clang | *:--finding) echo none ;;
	esac
}

_plumb_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_plumb()
{
	local plumb=${COMP_WORDS[0]} command=${COMP_WORDS[1]-} cur=${COMP_WORDS[COMP_CWORD]} prev i values

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_plumb_commands "$plumb") help version --help --version" -- "$cur")
		return
	fi
	[ "$command" = cc ] && { _plumb_files "$cur"; return; }
	for ((i = 2; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] || continue
		case $command in
		watch | train | run)	# the program, then its arguments
			if [ "$i" -eq $((COMP_CWORD - 1)) ]; then
				mapfile -t COMPREPLY < <(compgen -c -- "$cur"; compgen -f -- "$cur")
			else
				_plumb_files "$cur"
			fi ;;
		esac
		return
	done
	prev=${COMP_WORDS[COMP_CWORD - 1]}
	# --format=json comes as three words
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ] && [ "$COMP_CWORD" -ge 3 ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	values=$(_plumb_values "$command" "$prev")
	case $values in
	none) return ;;
	file) _plumb_files "$cur"; return ;;
	dir)	compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return ;;
	?*)	mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur")
		return ;;
	esac
	if [ "$command" = dump ] && [ "$COMP_CWORD" -eq 2 ] && [ "${cur#-}" = "$cur" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_plumb_stages "$plumb")" -- "$cur")
		return
	fi
	case $cur in
	-*) mapfile -t COMPREPLY < <(compgen -W "$(_plumb_options "$plumb" "$command")" -- "$cur") ;;
	*) _plumb_files "$cur" ;;
	esac
}

complete -F _plumb plumb
