#!/bin/bash
#
# front.sh - does the front end take real programs, and both ways alike?
#
#	bench/front.sh [PROGRAM...]	default: the six of programs.sh
#
# Builds each program by CC="plumb cc" and again by cc under bear, then asks:
#
#	failed	units of the build database without IR
#	no IR	objects of the other build without IR, and warnings of plumb cc
#	config	did configure find the same with plumb cc as with cc?
#	code	are the objects, but for .plumb and debugging information, the same?
#	only cc, only db
#		functions, as (file, name), that one way has and the other has not
#	linked	functions in the programs and libraries that were linked
#	lost	functions of objects that were linked, missing in the linked file
#
# The first way's functions are those of all objects and linked files, each read
# alone.  Functions of objects that no linked file contains (a member of an
# archive that nobody needed) are in "functions", not in "linked".  Whether an
# object was linked the linker's map tells.
#
# The details are in build/bench/front/PROGRAM, the table also in
# build/bench/results/front.txt and .json.  Exit status 1 if anything failed,
# differs or was lost.

. "$(dirname "$0")/lib.sh"
. "$BENCH_DIR/programs.sh"

TEXT=$OUT/results/front.txt
JSON=$OUT/results/front.json

# Prints the ELF files under the current folder as "TYPE NAME": o for an object,
# x for a program or a shared library.
elf_files()
{
	local f
	find . -type f \( -name '*.o' -o -name '*.so*' -o -perm -u+x \) -printf '%P\n' | sort |
	while read -r f; do
		case $(od -An -tx1 -N18 "$f" | tr -d ' \n') in
		7f454c46????????????????????????0100)		echo "o $f" ;;
		7f454c46????????????????????????0[23]00)	echo "x $f" ;;
		esac
	done
}

has_ir()
{
	readelf -SW "$1" | grep -q ' \.plumb '
}

# The functions in the inputs given, as "FILE: NAME", sorted; messages, a line for
# each unit that failed, are added to file $1.
functions()
{
	local messages=$1 status=0
	shift
	"${NICE[@]}" "$PLUMB" dump functions "$@" 2>>"$messages" >"$messages.out" || status=$?
	[ $status -eq 0 ] || echo "plumb dump functions $*: exit status $status" >>"$messages"
	sed -E 's/:[0-9]+: /: /' "$messages.out" | sort -u
	rm -f "$messages.out"
}

# The functions of the cc build of program $1, in work folder $2: "objects" and
# "linked", all of each kind; fn/N, those of the ELF file in line N of "elf"; "cc",
# all together.  "no-ir" names the ELF files without any, and "reported" what the
# build said.
list_cc()
{
	local w=$2 n=0 type f
	mkdir "$w/fn"
	touch "$w/o" "$w/x" "$w/no-ir"
	elf_files >"$w/elf"
	while read -r type f; do
		n=$((n + 1))
		if has_ir "$f"; then
			functions "$w/messages" "$f" >"$w/fn/$n"
			cat "$w/fn/$n" >>"$w/$type"
		else
			: >"$w/fn/$n"
			echo "$f" >>"$w/no-ir"
		fi
	done <"$w/elf"
	sort -u "$w/o" >"$w/objects"
	sort -u "$w/x" >"$w/linked"
	sort -u "$w/o" "$w/x" >"$w/cc"
	grep -h 'no IR' "$OUT/log/$1-cc-make" >"$w/reported" || true
}

# The functions of the build database of program $1: "db"; what plumb said of units
# that failed: "failed".
list_db()
{
	local w=$2
	functions "$w/failed" -p . >"$w/db"
	touch "$w/failed"
}

# The objects that the linker took in the cc build of program $1, as named in file
# $2/elf.  Of a member of an archive a map gives only the last part of the name;
# it is looked for beside the archive, then everywhere.
linked_objects()
{
	local map dir path member
	for map in "$OUT/cc/$1.maps"/*.map; do
		dir=$(cat "${map%.map}.dir")
		sed -En -e 's/^LOAD (.*\.o)$/\1/p' \
			-e 's/^([^ ]+\.l?a)\(([^ ]*\.o)\)( .*)?$/\1 \2/p' "$map" |
		while read -r path member; do
			[ "${path#/}" != "$path" ] || path=$dir/$path
			[ -z "$member" ] || path=$(dirname "$path")/$member
			path=$(realpath -m --relative-to="$OUT/cc/$1" "$path")
			if [ -e "$path" ] || [ -z "$member" ]; then
				echo "$path"
			else
				sed -n "s/^o //p" "$2/elf" | grep -E "(^|/)$member$" || true
			fi
		done
	done | sort -u
}

# In the cc tree: functions of objects that were linked which the linked files
# lack go to "lost"; objects that were not linked, to "unlinked".
find_lost()
{
	local pkg=$1 w=$2 n=0 type f
	linked_objects "$pkg" "$w" >"$w/taken"
	touch "$w/unlinked" "$w/lost"
	while read -r type f; do
		n=$((n + 1))
		if [ "$type" = o ] && ! grep -qxF -- "$f" "$w/taken"; then
			echo "$f" >>"$w/unlinked"
			continue
		fi
		comm -23 "$w/fn/$n" "$w/linked" | sed "s|^|$f: |" >>"$w/lost"
	done <"$w/elf"
}

# Headers that the two builds of program $1 made differently.
compare_config()
{
	local f
	(cd "$OUT/cc/$1" && find . -name '*.h' -printf '%P\n' | sort) |
	while read -r f; do
		[ -e "$OUT/src/$1/$f" ] || cmp -s "$OUT/cc/$1/$f" "$OUT/db/$1/$f" || echo "$f"
	done
}

# Objects of program $1 whose code or data differ; $2 is a work folder.  Sources
# that the build makes may tell how it was made: wget's version.c has the compiler's
# name in it.  Where they differ, so may the objects.
compare_code()
{
	local type f src
	while read -r type f; do
		[ "$type" = o ] || continue
		src=${f%.o}.c
		if [ -e "$OUT/cc/$1/$src" ] && [ ! -e "$OUT/src/$1/$src" ] &&
		    ! cmp -s "$OUT/cc/$1/$src" "$OUT/db/$1/$src"; then
			continue
		fi
		if [ ! -e "$OUT/db/$1/$f" ]; then
			echo "$f (only by plumb cc)"
			continue
		fi
		objcopy -g -R .plumb "$OUT/cc/$1/$f" "$2/a.o"
		objcopy -g -R .plumb "$OUT/db/$1/$f" "$2/b.o"
		cmp -s "$2/a.o" "$2/b.o" || echo "$f"
	done <"$2/elf"
	rm -f "$2/a.o" "$2/b.o"
}

compare()
{
	local pkg=$1 w=$2
	(cd "$OUT/cc/$pkg" && list_cc "$pkg" "$w" && find_lost "$pkg" "$w")
	(cd "$OUT/db/$pkg" && list_db "$pkg" "$w")
	comm -23 "$w/cc" "$w/db" >"$w/only-cc"
	comm -13 "$w/cc" "$w/db" >"$w/only-db"
	compare_config "$pkg" >"$w/config"
	compare_code "$pkg" "$w" >"$w/code"
}

count()
{
	wc -l <"$1"
}

result_json()
{
	local w=$2
	touch "$w/messages"
	jq -n --arg program "$1" --arg version "$(cat "$OUT/src/$1.version")" \
		--argjson units "$(jq length "$OUT/db/$1/compile_commands.json")" \
		--argjson failed "$(count "$w/failed")" --argjson no_ir "$(count "$w/no-ir")" \
		--argjson reported "$(count "$w/reported")" --argjson messages "$(count "$w/messages")" \
		--argjson config "$(count "$w/config")" --argjson code "$(count "$w/code")" \
		--argjson cc "$(count "$w/cc")" --argjson db "$(count "$w/db")" \
		--argjson only_cc "$(count "$w/only-cc")" --argjson only_db "$(count "$w/only-db")" \
		--argjson linked "$(count "$w/linked")" --argjson lost "$(count "$w/lost")" \
		--argjson unlinked "$(count "$w/unlinked")" '
		{ program: $program, version: $version, units: $units, failed: $failed,
		  no_ir: ($no_ir + $reported), messages: $messages, config: $config, code: $code,
		  functions_cc: $cc, functions_db: $db, only_cc: $only_cc, only_db: $only_db,
		  linked: $linked, lost: $lost, unlinked_objects: $unlinked,
		  holds: ($db > 0 and $failed + $no_ir + $reported + $messages + $config + $code
			+ $only_cc + $only_db + $lost == 0) }'
}

# Everything that is wrong, to read.
show_wrong()
{
	local w=$1 kind
	for kind in failed no-ir reported messages config code only-cc only-db lost; do
		[ -s "$w/$kind" ] || continue
		say "$(basename "$w"): $kind:"
		sed 's/^/    /' <(head -n 20 "$w/$kind") >&2
		[ "$(count "$w/$kind")" -le 20 ] || echo "    ... (${w#"$TOP/"}/$kind)" >&2
	done
}

table()
{
	jq -r '(["program", "version", "units", "failed", "no IR", "messages", "config", "code",
		  "functions cc", "db", "only cc", "only db", "linked", "lost", "unlinked .o", "holds"] | @tsv),
		(.[] | [.program, .version, .units, .failed, .no_ir, .messages, .config, .code,
			.functions_cc, .functions_db, .only_cc, .only_db, .linked, .lost,
			.unlinked_objects, (if .holds then "yes" else "NO" end)]
			| map(. // "-") | @tsv)' "$JSON" |
		column -t -s $'\t'
}

need_plumb
need_packages jq binutils bsdextrautils
export PLUMB_CACHE_DIR=$OUT/cache
[ $# -gt 0 ] || set -- "${FRONT_PROGRAMS[@]}"
results=()
for pkg; do
	work=$OUT/front/$pkg
	rm -rf "$work"
	mkdir -p "$work"
	if "$BENCH_DIR/build.sh" "$pkg" cc && "$BENCH_DIR/build.sh" "$pkg" db; then
		say "$pkg: comparing"
		compare "$pkg" "$work"
		result_json "$pkg" "$work" >"$work/result.json"
		show_wrong "$work"
	else
		say "$pkg: not compared"
		jq -n --arg program "$pkg" '{ program: $program, version: "not built", holds: false }' \
			>"$work/result.json"
	fi
	results+=("$work/result.json")
done
jq -s . "${results[@]}" >"$JSON"
table | tee "$TEXT"
jq -e 'all(.holds)' "$JSON" >/dev/null
