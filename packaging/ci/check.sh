#!/bin/bash
#
# check.sh - the step of action.yml that runs plumb check.
#
# From the environment: INPUT_ARGS (words as a shell would split them, quotes included), INPUT_FILES (names, one
# on each line), INPUT_BASELINE, INPUT_SARIF.  Writes status and sarif to $GITHUB_OUTPUT, leaks as text to the
# log and, in short, to $GITHUB_STEP_SUMMARY.  Its own exit code is 0: what a leak means
# to the job, verdict.sh decides, after the report is uploaded.
#
# The sources may come from anybody, with names and texts of their choice.  A name in INPUT_FILES is a name, whatever
# it looks like; what is printed while a report is shown is no command to the runner (::set-output and its like).

set -u
out=${GITHUB_OUTPUT:-/dev/stdout}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
sarif=${INPUT_SARIF:-plumb.sarif}
options=()
[ -n "${INPUT_BASELINE-}" ] && options+=(--baseline "$INPUT_BASELINE")

# Words with quotes, but without expansions: this is data, not a script.
words=()
while IFS= read -r -d '' w; do
	words+=("$w")
done < <(printf '%s' "$INPUT_ARGS" | xargs printf '%s\0')

files=()
while IFS= read -r name; do
	case $name in
	'') ;;
	/*) files+=("$name") ;;
	*) files+=("./$name") ;;
	esac
done <<<"${INPUT_FILES-}"

# The runner has checked out as another user in many containers; who made this workflow knows the checkout.
export PLUMB_SAFE_DIRECTORY=${PLUMB_SAFE_DIRECTORY-$PWD:${PLUMB_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/plumb}}

if [ -n "${GITHUB_ACTIONS-}" ]; then
	token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	echo "::stop-commands::$token"
fi

# Options go first: what follows `--` is the compiler's.
plumb check "${options[@]}" --format sarif -o "$sarif" "${files[@]}" "${words[@]}"
status=$?
report=$(mktemp)
trap 'rm -f "$report"' EXIT
if [ "$status" -ne 2 ]; then	# leaks, and what was judged: both in the last line
	plumb check "${options[@]}" "${files[@]}" "${words[@]}" >"$report" 2>/dev/null
	cat "$report"
else
	echo "plumb check: exit code $status" >"$report"
fi
[ -n "${GITHUB_ACTIONS-}" ] && echo "::$token::"
{
	echo "status=$status"
	[ "$status" -ne 2 ] && [ -s "$sarif" ] && echo "sarif=$(realpath "$sarif")"
} >>"$out"
{
	echo '### plumb check'
	echo
	echo '```'
	grep -E '^[^ ].*: (leak|double free|use after free): ' "$report" | head -n 50
	tail -n 1 "$report"
	echo '```'
} >>"$summary"
exit 0
