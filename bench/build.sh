#!/bin/bash
#
# build.sh - build a program for measuring.
#
#	bench/build.sh PROGRAM cc	by CC="plumb cc", in build/bench/cc/PROGRAM
#	bench/build.sh PROGRAM db	by cc under bear, in build/bench/db/PROGRAM,
#					giving compile_commands.json there
#
# Always from a fresh copy of the source, since bear sees only what is compiled
# while it looks on.  A finished build is kept until the source, its recipe in
# programs.sh or, for cc, plumb itself changes.  What the tools printed is in
# build/bench/log/PROGRAM-MODE-configure and -make.  For cc the linker's own maps are
# kept, in build/bench/cc/PROGRAM.maps: they tell which objects were linked.

. "$(dirname "$0")/lib.sh"
. "$BENCH_DIR/programs.sh"

usage()
{
	die "usage: bench/build.sh PROGRAM cc|db (PROGRAM: ${PROGRAMS[*]})"
}

[ $# -eq 2 ] || usage
pkg=$1
mode=$2
is_program "$pkg" || usage
tree=$OUT/$mode/$pkg
log=$OUT/log/$pkg-$mode
case $mode in
cc)	need_plumb
	CC="$PLUMB cc"
	# Nothing from a cache: the build shall show that IR can be made.
	PLUMB_CACHE_DIR=$tree.cache
	export PLUMB_CACHE_DIR ;;
db)	CC="cc -g1" ;;	# debugging information tells which units a program has
*)	usage ;;
esac
export CC

# What the finished build depends on.
key()
{
	cat "$OUT/src/$pkg.version"
	needs_of "$pkg"
	declare -f run_configure "configure_$pkg" "make_$pkg"
	echo "${no_autotools[@]}"
	[ "$mode" = db ] || sha256sum <"$PLUMB"
}

configure_tree()
{
	(cd "$tree" && "configure_$pkg") >"$log-configure" 2>&1 </dev/null
}

# Makes the compiler use a linker that leaves a map of each link, and the folder
# it ran in, in $tree.maps.
map_links()
{
	local ld
	ld=$(command -v "$(cc -print-prog-name=ld)")
	mkdir -p "$tree.maps" "$tree.ld"
	cat >"$tree.ld/ld" <<-END
		#!/bin/sh
		pwd >"$tree.maps/\$\$.dir"
		exec "$ld" -Map="$tree.maps/\$\$.map" "\$@"
	END
	chmod +x "$tree.ld/ld"
	export COMPILER_PATH=$tree.ld
}

make_tree()
{
	local run=("${NICE[@]}" make -j "$JOBS")
	if [ "$mode" = db ]; then
		# A recipe may call make twice, hence --append.
		run=("${NICE[@]}" bear --append --output "$tree/compile_commands.json" -- \
			make -j "$JOBS")
	fi
	(cd "$tree" && "make_$pkg" "${run[@]}") >"$log-make" 2>&1 </dev/null
}

# A database that names files which are gone would fail for a reason of its own.
check_db()
{
	local db=$tree/compile_commands.json f dir gone=0
	jq -e 'length > 0' "$db" >/dev/null 2>&1 || die "$pkg: bear saw no compilation"
	while IFS=$'\t' read -r dir f; do
		[ -f "$f" ] || [ -f "$dir/$f" ] ||
			{ say "$pkg: the build removed $f after compiling it"; gone=1; }
	done < <(jq -r '.[] | [.directory, .file] | @tsv' "$db")
	return $gone
}

"$BENCH_DIR/fetch.sh" "$pkg" 2>"$log-fetch-messages" ||
	{ cat "$log-fetch-messages" >&2; exit 1; }
need_packages make gcc bear jq
# shellcheck disable=SC2046
need_packages $(needs_of "$pkg")

stamp=$tree.stamp
if [ -d "$tree" ] && key | cmp -s - "$stamp"; then
	say "$pkg: $mode build is there"
	exit 0
fi
rm -rf "$tree" "$stamp" "$tree.cache" "$tree.maps" "$tree.ld"
mkdir -p "$tree"
cp -a --reflink=auto "$OUT/src/$pkg/." "$tree"	# a copy even if the source is a link
say "$pkg: configuring ($mode)"
start=$SECONDS
configure_tree || { show_tail "$log-configure"; die "$pkg: configure failed ($mode)"; }
say "$pkg: building ($mode)"
[ "$mode" = db ] || map_links
make_tree || { show_tail "$log-make"; die "$pkg: make failed ($mode)"; }
[ "$mode" = cc ] || check_db || die "$pkg: the build database is of no use"
key >"$stamp"
say "$pkg: $mode build took $((SECONDS - start)) s"
