# plumb watch and more than one process: children, programs that execute others,
# daemons, processes that run; run files that are kept; names from debug files
# elsewhere; what plumb check knows.
# TIMEOUT: 300
. "$ROOT/tests/lib.sh"

here=$ROOT/tests/cli/watch
TMPDIR=$PWD/tmp
export TMPDIR
mkdir tmp
${CC:-gcc} -g -O1 -fno-builtin -I"$ROOT/runtime" -I"$ROOT/tests/runtime" \
	-o leaks "$here/leaks.c" -ldl -lpthread || not_ok "leaks can be built"

site()		# REPORT: "KIND FUNCTION" of its first site
{
	python3 "$here/site.py" "$@" | cut -d' ' -f2,3
}

# ---- children ----

run "$PLUMB" watch -o sh -- sh -c './leaks list 40 exit; ./leaks bloat 40 exit; exit 5'
expect_status "a shell's status" 5
check "the shell has its report" [ -s sh.json ]
set -- sh.[0-9]*.json
check "so have the two programs that it ran, and nobody else" [ $# -eq 2 -a -s "$1" -a -s "$2" ]
check "each about its own" [ "$(for f; do site "$f"; done | sort)" = "bloat guilty_bloat
leak guilty_list" ]
check "and the shell's names them" [ "$(grep -c 'Child process [0-9]* (`leaks`): 1 ' sh.json)" -eq 2 ]
expect_err_has "the summary names them" 'leaks \(process [0-9]+\) exited with code 0: 1 leak'
check "nothing is left behind" [ -z "$(ls tmp)" ]

run "$PLUMB" watch -q -o exec -- sh -c 'exec ./leaks list 40 exit'
check "what a program has become is the program" [ "$(site exec.json)" = "leak guilty_list" ]
check "and what it was has no report" [ -z "$(ls exec.[0-9]* 2>/dev/null)" ]
check "its command" grep -q '"./leaks"' exec.json

run "$PLUMB" watch -q -o env -- env -i ./leaks list 10 exit
expect_status "a cleared environment" 0

# ---- processes that run ----

until_has()	# PATTERN FILE: waits until it is there
{
	for _ in $(seq 1200); do
		grep -q "$1" "$2" 2>/dev/null && return
		sleep 0.1
	done
	return 1
}

"$PLUMB" watch -q --interval 0.5 -o live -- ./leaks list 40 hold </dev/null >/dev/null 2>&1 &
watcher=$!
check "reports at intervals" until_has '"kind": "leak"' live.json
check "say that it is running" grep -q '"ended": "still running"' live.json
pid=$(sed -n 's/^ *"pid": \([0-9]*\),*$/\1/p' live.json)
run "$PLUMB" watch --snapshot "$pid" -o snap
expect_status "a snapshot" 0
expect_err_has "is of a running process" 'still running'
check "and shows the leak" [ "$(site snap.json)" = "leak guilty_list" ]
touch go
wait $watcher
rm go
check "the last report is of its end" grep -q '"ended": "exited with code 0"' live.json

run "$PLUMB" watch -o daemon -- sh -c './leaks list 40 hold >/dev/null 2>&1 & echo $! >daemon.pid'
expect_status "a program that leaves a daemon" 0
expect_err_has "tells how to go on" 'plumb watch --snapshot [0-9]+ reports on it later'
for _ in $(seq 600); do		# it may still be in its first rounds
	run "$PLUMB" watch -q --snapshot "$(cat daemon.pid)" -o later
	[ "$(site later.json)" = "leak guilty_list" ] && break
	sleep 0.1
done
check "and that works" [ "$(site later.json)" = "leak guilty_list" ]
kill "$(cat daemon.pid)"
rm -rf tmp/*

run "$PLUMB" watch -q --wait -o waited -- sh -c './leaks list 40 exit >/dev/null 2>&1 &'
expect_status "--wait" 0
check "waits for the daemon" [ "$(site "$(ls waited.[0-9]*.json)")" = "leak guilty_list" ]
check "nothing is left behind" [ -z "$(ls tmp)" ]

# ---- run files ----

run "$PLUMB" watch --keep -q -o kept -- ./leaks list 40 exit
expect_err_has "kept run files" 'run files are kept in'
run "$PLUMB" watch -q -o again --from tmp/*/run
check "make the same report" [ "$(site again.json)" = "leak guilty_list" ]
# only what the waiting process knows may differ
check "exactly" cmp -s kept.json again.json
rm -rf tmp/*

# ---- names ----

cp leaks full
objcopy --only-keep-debug leaks leaks.info
strip leaks
run "$PLUMB" watch -q -o stripped -- ./leaks list 40 exit
check "a stripped program: the function has no name" bash -c '! grep -q guilty_list stripped.json'
check "which is said" grep -q 'neither debug information nor symbols' stripped.json
check "but the leak is seen" [ "$(site stripped.json | cut -d' ' -f1)" = leak ]
id=$(readelf -n full | sed -n 's/.*Build ID: //p')
mkdir -p "debug/.build-id/${id%"${id#??}"}"
cp leaks.info "debug/.build-id/${id%"${id#??}"}/${id#??}.debug"
run "$PLUMB" watch -q --debug-dir "$PWD/debug" -o byid -- ./leaks list 40 exit
check "with its debug file, by build-id" [ "$(site byid.json)" = "leak guilty_list" ]
check "with source" grep -q 'struct node \*n = malloc' byid.html
objcopy --add-gnu-debuglink=leaks.info leaks
run "$PLUMB" watch -q -o bylink -- ./leaks list 40 exit
check "with its debug file, by link" [ "$(site bylink.json)" = "leak guilty_list" ]

# ---- depth ----

cp full leaks
offsets()	# of the frames of the first site
{
	python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))["sites"][0]
print(len({(f["module"], f["offset"]) for f in s["frames"]}))' "$1"
}
run "$PLUMB" watch -q --depth 1 -o one -- ./leaks wrapper 20 exit
check "--depth 1" [ "$(offsets one.json)" = 1 ]
run "$PLUMB" watch -q --depth 3 -o three -- ./leaks wrapper 20 exit
check "--depth 3" [ "$(offsets three.json)" = 3 ]

# ---- what plumb check knows ----

mkdir proj
cat >proj/prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "step.inc"

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		exit(1);
	return p;
}

static int parse(int i)
{
	char *text = xmalloc(100);

	snprintf(text, 100, "%d", i);
	return text[0];
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 12000; i++) {
		sum += parse(i);
		if (i % 300 == 299)
			step(500);
	}
	return sum == 1;
}
END
(cd proj && ${CC:-gcc} -g -O1 -fno-inline -I"$ROOT/tests/runtime" -o prog prog.c &&
	"$PLUMB" check --format json -o found.json prog.c -- -I"$ROOT/tests/runtime" 2>/dev/null)
run bash -c 'cd proj && "$PLUMB" watch --findings found.json -o out -- ./prog'
expect_err_has "the static finding is named" 'from parse\(\) .*; plumb check knows it as [0-9a-f]{16}'
check "in JSON by its id" bash -c 'grep -A1 "\"findings\":" proj/out.json | grep -q "$(sed -n "s/^ *\"id\": \(\"[0-9a-f]*\"\).*/\1/p" proj/found.json | head -n 1)"'
check "on the page in words" grep -q 'What plumb check says of it' proj/out.html
