#!/bin/sh
#
# compdb.sh - a compile_commands.json.
#
#	tools/compdb.sh FILE COMMAND SOURCE...
#
# COMMAND compiles a source if `-c SOURCE` is put behind it; a shell may read it.

set -eu
file=$1
command=$(printf '%s' "$2" | sed 's/[\\"]/\\&/g')
shift 2
mkdir -p "$(dirname "$file")"
{
	sep='['
	for f in "$@"; do
		printf '%s\n{ "directory": "%s", "file": "%s", "command": "%s -c %s" }' "$sep" "$PWD" "$f" "$command" "$f"
		sep=,
	done
	printf '\n]\n'
} >"$file.$$"
mv "$file.$$" "$file"
