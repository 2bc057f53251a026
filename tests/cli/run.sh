# plumb run: cyclic buffers at the sites that training found.
# TIMEOUT: 400
. "$ROOT/tests/lib.sh"

if [ ! -e "$ROOT/build/valgrind/plumb-amd64-linux" ]; then
	skip "cyclic runs" "the Valgrind tool is not built on this machine"
	exit 0
fi
WORK=$PWD
. "$ROOT/bench/train_lib.sh"
build_servers || exit 1
ln -s "$ROOT/build/tests/runtime" progs

# The servers with a leak: memory stays flat, answers are the same.
for name in $SERVERS; do
	check "$name: trained" train_server $name 20 80
	count=6000
	# shellcheck disable=SC2046
	serve $name "-m 1000" env "$WORK/$name" $(server_args $name)
	plain=$(answers "$name.load")
	grew=$(($(memory_at "$name.load" 6000) - $(memory_at "$name.load" 1000)))
	# shellcheck disable=SC2046
	serve $name "-m 1000" "$PLUMB" run --bounds "$name.bounds" -- "$WORK/$name" $(server_args $name)
	check "$name: without it memory grows" [ $grew -gt 200 ]
	check "$name: the same answers" [ -n "$plain" -a "$plain" = "$(answers "$name.load")" ]
	check "$name: memory is flat" [ $(($(memory_at "$name.load" 6000) * 100)) -le \
		$(($(memory_at "$name.load" 1000) * 105)) ]
	# shellcheck disable=SC2046
	check "$name: survives a conflict run" serve $name "" "$PLUMB" run --bounds "$name.bounds" \
		--scale 0.5 --oblivious -- "$WORK/$name" $(server_args $name)
done
run "$PLUMB" bounds snmp.bounds
expect_out_has "snmp: the leaking site has m = 1" "^ +1 stable +leaks .* snmp_parse"
run "$PLUMB" bounds recent.bounds
expect_out_has "recent: the leaking site has m = 3" "^ +3 stable +leaks .* remember"

# Bounds that mend themselves
run bash "$ROOT/bench/mend.sh" 4000
expect_status "a bound that is too small: right answers, and it is raised" 0

# Threads, fork, exec
for _ in 1 2; do	# one thread, as bounds depend on how several get along
	run "$PLUMB" train -o threads.b -- progs/cyclic_threads 1 300
done
run "$PLUMB" run -v --bounds threads.b -- progs/cyclic_threads 4 40000
expect_status "threads: no object is damaged" 0
expect_err_has "threads: buffers were used" "[1-9][0-9]* sites used"
run "$PLUMB" run --strict --bounds threads.b -- progs/cyclic_threads 4 10000
expect_status "threads, strict: no object is damaged" 0
run "$PLUMB" train -o forks.b -- progs/cyclic_forks 3
run "$PLUMB" train -o forks.b -- progs/cyclic_forks 6
run "$PLUMB" run --bounds forks.b -- progs/cyclic_forks 200
expect_status "forks: parent and child do not share objects" 0
run "$PLUMB" run --bounds forks.b -- sh -c 'progs/cyclic_forks 20'
expect_err_has "what is run must be what was trained" "has changed since it was trained"
run "$PLUMB" run --force --bounds forks.b -- sh -c 'progs/cyclic_forks 20'
expect_status "unless --force; children have the buffers, too" 0

# Whoever frees an object of a buffer comes to us, by whatever way it was bound to free().
cat >deepmod.c <<'END'
#include <stdlib.h>
void drop(void *p);
void drop(void *p) { free(p); }
END
cat >deep.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	void *mod = dlopen(argv[2], RTLD_NOW | RTLD_DEEPBIND), *libc = dlopen("libc.so.6", RTLD_NOW);
	void (*drop)(void *) = (void (*)(void *))dlsym(mod, "drop");
	void (*release)(void *) = (void (*)(void *))dlsym(libc, "free");
	int n = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < n; i++) {
		char *p = malloc(100), *q = malloc(200);

		memset(p, i, 100);
		memset(q, i, 200);
		drop(p);
		release(q);
	}
	return 0;
}
END
${CC:-gcc} -shared -fPIC -o deepmod.so deepmod.c || not_ok "a module can be built"
${CC:-gcc} -D_GNU_SOURCE -fno-builtin -g -o deep deep.c || not_ok "its program can be built"
run "$PLUMB" train -o deep.b -- ./deep 20 "$PWD/deepmod.so"
run "$PLUMB" train -o deep.b -- ./deep 80 "$PWD/deepmod.so"
run "$PLUMB" run -v --bounds deep.b -- ./deep 2000 "$PWD/deepmod.so"
expect_status "RTLD_DEEPBIND, and free() from the handle of libc" 0
expect_err_has "... with buffers in use" "[1-9][0-9]* sites used"

# Limits
run "$PLUMB" run --force --bounds forks.b -- sh -c 'ulimit -f 100; progs/cyclic_forks 20'
expect_status "a limit of file sizes" 0
run "$PLUMB" run --force --bounds forks.b -- sh -c 'ulimit -v 100000; progs/limits 100000'
check "few addresses: the program has most of them ($out kB)" [ "$status" = 0 -a "${out:-0}" -ge 45000 ]
run "$PLUMB" run --force --bounds forks.b -- sh -c 'ulimit -d 60000; progs/limits 100000'
check "little memory: the program has most of it ($out kB)" [ "$status" = 0 -a "${out:-0}" -ge 45000 ]

# Which program
cat >which.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++) {
		char *p = malloc(300);
		sprintf(p, "%d", i);
	}
	return argc - 2;
}
END
${CC:-gcc} -O1 -g -o which which.c
run "$PLUMB" train -o w.b -- ./which 10
run "$PLUMB" train -o w.b -- ./which 30
used() { expect_err_has "$1" "; $2 sites used"; }
run "$PLUMB" run -v --bounds w.b -- ./which 5000
used "address randomisation: sites are recognised" 1
mkdir elsewhere && ${CC:-gcc} -O1 -g -o elsewhere/which which.c
run "$PLUMB" run -v --bounds w.b -- elsewhere/which 5000
used "an identical rebuild: sites are recognised" 1
cp which stripped && strip stripped
run "$PLUMB" run -v --bounds w.b -- ./stripped 5000
used "stripped: sites are recognised" 1
sed 's/300/301/' which.c >which2.c && ${CC:-gcc} -O1 -g -o which2 which2.c
run "$PLUMB" run --bounds w.b -- ./which2 5000
expect_status "a changed program is refused" 2
expect_err_has "a changed program: build-ids are told" "build-id [0-9a-f]{40}, but w.b was made for [0-9a-f]{40}"
expect_one_line "a changed program: one line"
cp which2 which
run "$PLUMB" run -v --force --bounds w.b -- ./which 5000
used "--force: by path" 1
run "$PLUMB" run --bounds w.b -- ./stripped 7 x y
expect_status "the program's own exit code" 2
${CC:-gcc} -static -O1 -o static which.c
run "$PLUMB" run --force --bounds w.b -- ./static 5
expect_err_has "a static program is refused" "statically linked"

# operator new of C++, called by its name: no compiler for C++ is needed.
cat >new.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void *_Znwm(size_t), *_Znam(size_t), *_ZnwmSt11align_val_t(size_t, size_t);
void _ZdlPv(void *), _ZdlPvSt11align_val_t(void *, size_t);
int main(int argc, char **argv)
{
	int *p = NULL, *q = NULL, sum = 0;
	for (int i = 0; i < atoi(argv[argc - 1]); i++) {
		p = _Znwm(400);			/* leaks */
		q = _Znam(300);
		int *a = _ZnwmSt11align_val_t(256, 64);
		*p = i, *q = i, *a = (size_t)a % 64 != 0;
		sum += *p + *q - 2 * i + *a;
		_ZdlPv(q);
		_ZdlPvSt11align_val_t(a, 64);
	}
	return sum != 0;
}
END
if ${CC:-gcc} -O1 -g -w -fno-builtin -o new new.c -l:libstdc++.so.6 2>/dev/null; then
	run "$PLUMB" train -o new.b -- ./new 10
	run "$PLUMB" train -o new.b -- ./new 30
	run "$PLUMB" run -v --bounds new.b -- ./new 20000
	expect_status "operator new: objects are sound" 0
	used "operator new: its sites are recognised" "[34]"
	run "$PLUMB" run -v --only leaking --bounds new.b -- ./new 20000
	expect_err_has "operator new: the leaking one goes round" "; 1 sites used .* in [1-9][0-9]+ rounds"
else
	skip "operator new" "there is no libstdc++"
fi

# Which sites
run "$PLUMB" run -v --only leaking --bounds threads.b -- progs/cyclic_threads 2 100
expect_err_has "--only leaking" "^plumb: note: [1-3] of"
run "$PLUMB" run --only some --bounds threads.b -- progs/cyclic_threads 2 100
expect_status "--only: bad usage" 2
run "$PLUMB" run --scale x --bounds threads.b -- progs/cyclic_threads 2 100
expect_status "--scale: bad usage" 2
run "$PLUMB" run --bounds none -- progs/cyclic_threads
expect_status "no bounds file" 2
expect_one_line "no bounds file: one line"
run "$PLUMB" run -- progs/cyclic_threads
expect_status "no --bounds: bad usage" 2

# Failure-oblivious execution
for o in 0 1 2 3; do
	${CC:-gcc} -std=gnu17 -O$o -g -fno-builtin -w -o wild "$ROOT/tests/runtime/wild.c"
	rm -f f.b
	run "$PLUMB" train -o f.b -- ./wild
	run "$PLUMB" run --oblivious --bounds f.b -- ./wild load store arith float list string call byte loop handler
	expect_out "faults at -O$o are survived" "load 0
store 0
arith 5
float 3
list 4
strlen 0
strcmp 1
string 1
call 0
byte 0
loop 499500
handler 1
handler and null 0
done 11"
done
run "$PLUMB" run -v --oblivious --bounds f.b -- ./wild load
expect_err_has "faults are counted" "3 faults skipped, 0 could not be"
expect_err_has "and their places named" "fault at program[+]0x[0-9a-f]+ skipped"
run_any "$PLUMB" run --bounds f.b -- ./wild load
check "without --oblivious they kill" [ "$status" -eq 139 ]
run_any "$PLUMB" run --oblivious --bounds f.b -- ./wild killed
check "a signal that was sent still kills" [ "$status" -eq 139 ]
run_any "$PLUMB" run --oblivious --faults 200 --bounds f.b -- ./wild flood
check "a flood of faults is given up" [ "$status" -eq 139 ]
