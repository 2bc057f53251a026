# libplumb.so: does it name the site that leaks?
# TIMEOUT: 600
. "$ROOT/tests/lib.sh"

lib=$ROOT/build/libplumb.so
progs=$ROOT/build/tests/runtime

cat >inlib.c <<'END'
#include <stdlib.h>
#include <string.h>
void leak_in_library(void);
static void *volatile kept;
void leak_in_library(void)
{
	for (int i = 0; i < 20; i++) {
		kept = malloc(64);
		memset(kept, 1, 64);
	}
}
END
cc -shared -fPIC -O1 -g -o inlib.so inlib.c

# The functions of the site with the largest drag, innermost first; its stale bytes.
top_site()	# RUN FILE
{
	set -- $("$progs/readsites" "$1" | sed -n 3p)
	[ $# -ge 4 ] || return 0
	printf '%s' "$1"
	shift 4
	for frame; do
		case $frame in
		*inlib.so+*|*/stale+*) printf ' %s' "$(addr2line -f -e "${frame%+*}" "$((${frame##*+} - 1))" | head -1)" ;;
		esac
	done
}

way=memfd
# SCENARIO FUNCTION HOW BYTES: at least so many stale bytes, at that function.
leaks()
{
	rm -f run run.*
	STALE_LIBRARY=$PWD/inlib.so PLUMB_PRIMITIVE=$way LD_PRELOAD=$lib PLUMB_RUN_FILE=run \
		"$progs/stale" "$1" "$3" >/dev/null 2>&1
	file=run
	[ "$1" != child ] || file=$(ls run.*)
	set -- "$@" $(top_site "$file")
	check "$way: $1, $3: $2 leads (${5-0} stale bytes of it)" \
		sh -c 'case " $1 " in *" $2 "*) [ "$3" -ge "$4" ] ;; *) exit 1 ;; esac' \
		- "$*" "$2" "${5-0}" "$4"
}

for way in memfd anonymous; do
leaks list leak_list return 400000
leaks list leak_list SIGTERM 400000
leaks list leak_list SIGKILL 400000
leaks cache leak_cache return 200000
leaks wrapper leak_wrapper SIGKILL 200000
leaks realloc leak_realloc SIGTERM 500000
[ $way = anonymous ] || leaks thread leak_list SIGKILL 400000	# there it is for one thread only
leaks library leak_in_library return 400000
leaks library-closed leak_in_library SIGKILL 100000
leaks child leak_list SIGKILL 400000
leaks few leak_few return 30000
leaks bloat bloat_startup SIGKILL 2000000

rm -f run run.*
PLUMB_PRIMITIVE=$way LD_PRELOAD=$lib PLUMB_RUN_FILE=run "$progs/stale" table return >/dev/null 2>&1
set -- $(top_site run)
check "$way: a table that is read all the time is not stale (${1-0} bytes are)" [ "${1-0}" -lt 100000 ]
done
