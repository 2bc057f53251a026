# plumb watch names the right site first, in every kind of program that leaks, and
# however the program ends; bloat is called bloat; what is used is not called a leak.
# TIMEOUT: 400
. "$ROOT/tests/lib.sh"

here=$ROOT/tests/cli/watch
rounds=40
# without builtins: a malloc whose result is lost would be optimised away
${CC:-gcc} -g -O1 -fno-builtin -I"$ROOT/runtime" -I"$ROOT/tests/runtime" \
	-o leaks "$here/leaks.c" -ldl -lpthread || not_ok "leaks can be built"
${CC:-gcc} -g -O1 -fno-builtin -shared -fPIC -o plugin.so "$here/plugin.c" || not_ok "the plugin can be built"

start()		# WHAT HOW [OPTION...]
{
	what=$1 how=$2
	shift 2
	"$PLUMB" watch -q "$@" -o "$what-$how" -- ./leaks "$what" $rounds "$how" "$PWD/plugin.so" >/dev/null 2>"$what-$how.err" </dev/null &
}

first()		# WHAT HOW FUNCTION KIND (or "any")
{
	report=$1-$2.json
	[ "$1" = fork ] && report=$(ls fork-"$2".[0-9]*.json 2>/dev/null | head -n 1)
	said=$(python3 "$here/site.py" "$report" 2>&1)
	[ "$4" = any ] && said=$(echo "$said" | sed 's/^1 [a-z]* /1 any /')
	[ "${said% *}" = "1 $4 $3" ] || {
		echo "$report: $said"
		cat "$1-$2.err"
		python3 "$here/site.py" "$report" "$3"
	}
	check "$1, ended by $2: $3 is the first, as $4" [ "${said% *}" = "1 $4 $3" ]
}

for how in exit term kill; do
	for what in list cache wrapper thread realloc few; do
		start $what $how
	done
	wait
	for what in dlopen dlclose fork bloat table; do
		start $what $how
	done
	wait
	for what in list cache wrapper thread; do
		first $what $how guilty_$what leak
	done
	# how much of it is seen to be stale depends on which pages its neighbours share
	first few $how guilty_few any
	first realloc $how guilty_resize leak
	first bloat $how guilty_bloat bloat
	first dlopen $how guilty_plugin leak
	first dlclose $how guilty_plugin leak
	first fork $how guilty_list leak
	said=$(python3 "$here/site.py" table-$how.json innocent_table)
	check "table, ended by $how: in use ($said)" [ "$(echo "$said" | cut -d' ' -f2)" = live ]
	check "table, ended by $how: no leak at all" bash -c '! grep -q "\"kind\": \"leak\"" table-'$how'.json'
done

# who touched it last, where the kernel lets us know
cat >perf.c <<'END'
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(a),
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN, .exclude_kernel = 1, .exclude_hv = 1 };

	return syscall(SYS_perf_event_open, &a, 0, -1, -1, 0) < 0;
}
END
${CC:-gcc} -o perf perf.c
if ./perf; then
	touch=$(jq -r '[.sites[] | select(.frames[0].function == "start_work" or .frames[1].function == "start_work") |
		.last_touch[0].function] | first' list-exit.json)
	check "memory in use: work() touched it last ($touch)" [ "$touch" = work ]
else
	skip "who touched it last" "perf events are not allowed here"
fi

# with the clock as it is, at which nothing can be said of kinds and ranks
run "$PLUMB" watch -q -o real -- ./leaks real
stale=$(jq '[.sites[] | select([.frames[].function] | index("guilty_list")) | .stale_bytes] | add' real.json)
check "the kernel's clock: the list is stale ($stale bytes)" [ "${stale:-0}" -gt 100000 ]

start list clear --interval 0.2
wait
first list clear guilty_list leak
check "a program that frees all at its end: which is said" grep -q 'freed most of its memory at its end' list-clear.json
