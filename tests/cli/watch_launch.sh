# plumb watch stays out of the program's way: streams, exit status, signals,
# environment; programs that cannot be watched run all the same.
. "$ROOT/tests/lib.sh"

TMPDIR=$PWD/tmp
export TMPDIR
mkdir tmp

left()		# run files that were not removed
{
	ls tmp
}

cat >prog.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t got;
static void on_signal(int sig) { got = sig; }
static void tell(int sig) { if (write(1, sig == SIGINT ? "got 2\n" : "got 3\n", 6) < 0) abort(); }
int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	void *p = malloc(1000);

	if (!strcmp(what, "exit"))
		return atoi(argv[2]);
	if (!strcmp(what, "abort"))
		abort();
	if (!strcmp(what, "segv"))
		*(volatile int *)8 = (int)(long)p;
	if (!strcmp(what, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(what, "signal")) {		/* says which signals come */
		signal(SIGTERM, on_signal);
		signal(SIGUSR1, on_signal);
		printf("ready\n");
		fflush(stdout);
		for (int i = 0; i < 6000; i++) {
			usleep(50000);
			if (got) {
				printf("got %d\n", got);
				return 5;
			}
		}
		return 6;
	}
	if (!strcmp(what, "env")) {
		printf("%s\n", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "");
		return 0;
	}
	if (!strcmp(what, "signals")) {		/* each of them, until "end" comes */
		char line[100];

		signal(SIGINT, tell);
		signal(SIGQUIT, tell);
		printf("ready\n");
		fflush(stdout);
		while (fgets(line, sizeof(line), stdin) && strncmp(line, "end", 3))
			;
		return 5;
	}
	if (!strcmp(what, "wait")) {
		printf("ready\n");
		fflush(stdout);
		pause();
	}
	return 0;
}
END
${CC:-gcc} -g -o prog prog.c || not_ok "prog can be built"
${CC:-gcc} -g -static -o static prog.c || not_ok "static can be built"

# ---- exit status ----

for n in 0 1 2 3 42 255; do
	run_any "$PLUMB" watch -q -o out -- ./prog exit $n
	expect_status "exit status $n" $n
done
check "reports were written" [ -s out.json -a -s out.html ]
check "nothing is left behind" [ -z "$(left)" ]

run_any "$PLUMB" watch -q -o out -- ./prog abort
expect_status "abort" 134
run_any "$PLUMB" watch -q -o out -- ./prog segv
expect_status "a crash" 139
run_any "$PLUMB" watch -o out -- ./prog kill
expect_status "kill -9" 137
expect_err_has "is told" 'killed by signal 9'
check "and the report is there" grep -q '"ended": "killed by signal 9' out.json
check "nothing is left behind by killed programs" [ -z "$(left)" ]

# ---- signals ----

until_ready()	# FILE
{
	for _ in $(seq 1200); do
		grep -q ready "$1" 2>/dev/null && break
		sleep 0.1
	done
}

signals()	# SIGNAL NUMBER
{
	rm -f said
	"$PLUMB" watch -q -o out -- ./prog signal >said 2>/dev/null </dev/null &
	pid=$!
	until_ready said
	kill "-$1" $pid
	wait $pid
	status=$?
	check "$1 is sent on" grep -qx "got $2" said
	check "... and the program's status is ours" [ $status -eq 5 ]
}

signals TERM 15
signals USR1 10

"$PLUMB" watch -q -o term -- ./prog wait </dev/null >waits &
pid=$!
until_ready waits
kill -TERM $pid
wait $pid 2>/dev/null
check "a program ended by SIGTERM: so are we" [ $? -eq 143 ]
check "and its report is there" grep -q 'killed by signal 15' term.json

said=$(python3 "$ROOT/tests/cli/watch/terminal.py" "$PLUMB" "$PWD/prog")
check "Ctrl-C and Ctrl-\\ reach the program, once each ($said)" [ "$said" = "SIGINT 1 times, SIGQUIT 1 times, status 5" ]
check "and we live to report" [ -s tty.json ]

# ---- streams and environment ----

printf 'one\ntwo\n' | "$PLUMB" watch -q -o out -- cat >copied
check "standard input and output are the program's" cmp -s copied - <<'END'
one
two
END
LD_PRELOAD=/nonexistent/other.so "$PLUMB" watch -q -o out -- ./prog env >said 2>/dev/null
check "what was preloaded stays" grep -q 'libplumb.so:/nonexistent/other.so$' said
(cd / && "$PLUMB" watch -q -o "$OLDPWD/abs" -- "$OLDPWD/prog" exit 0)
check "from another folder" [ -s abs.json ]
mkdir 'a b:c'
TMPDIR="$PWD/a b:c" run_any "$PLUMB" watch -q -o out2 -- ./prog exit 9
expect_status "a temporary folder with spaces and colons" 9
check "which is left empty" [ -z "$(ls 'a b:c')" ]
check "the report is there" [ -s out2.json ]

# ---- what cannot be watched ----

run "$PLUMB" watch -o stat -- ./static exit 3
expect_status "a static program runs" 3
expect_err_has "and it is said" 'static is statically linked: it cannot be watched'
check "no report" [ ! -e stat.json ]

printf '#!%s/static exit\n' "$PWD" >script
chmod +x script
run "$PLUMB" watch -o stat -- ./script 4
expect_err_has "a script of a static interpreter" 'script is a script for .*static, which is statically linked'

if [ "$(id -u)" = 0 ]; then
	cp prog suid && chown 65534 suid && chmod 4755 suid
	run "$PLUMB" watch -o suid -- ./suid exit 6
	expect_status "a setuid program runs" 6
	expect_err_has "and it is said" 'suid runs with more privileges'
	chmod 755 .
	run "$PLUMB" watch -o suid -- sh -c './suid exit 6; exit 7'
	expect_status "so does one that the program starts" 7
	expect_err_has "and they are counted" 'note: 1 executed program could not be watched: .*with other privileges'
	cat >half.c <<'END'
#define _GNU_SOURCE
#include <unistd.h>
int main(int argc, char **argv) { return argc > 1 && setresuid(65534, -1, 0) == 0 ? execv(argv[1], argv + 1) : 2; }
END
	${CC:-gcc} -o half half.c || not_ok "half can be built"
	run "$PLUMB" watch -o half -- ./half ./prog exit 8
	expect_status "a daemon that has changed one of its user ids executes a program" 8
	expect_err_has "and it is said that nothing can be loaded there" 'note: 1 executed program could not be watched'
else
	skip "a setuid program" "needs root"
fi

${CC:-gcc} -g -fsanitize=address -o asan prog.c || not_ok "asan can be built"
ASAN_OPTIONS=detect_leaks=0 run_any "$PLUMB" watch -o asan -- ./asan exit 8
expect_status "a program with AddressSanitizer runs" 8
expect_err_has "and it is said" 'asan is built with a sanitizer'

cat >loader.c <<'END'
__attribute__((noreturn)) void _start(void);
void _start(void) { for (;;) __asm__ volatile("syscall" : : "a"(60L), "D"(9L) : "rcx", "r11"); }
END
${CC:-gcc} -O1 -nostdlib -static -fno-pie -no-pie -o ld-musl-x86_64.so.1 loader.c || not_ok "a loader can be built"
${CC:-gcc} -Wl,--dynamic-linker="$PWD/ld-musl-x86_64.so.1" -o musl prog.c || not_ok "musl can be built"
run "$PLUMB" watch -o musl -- ./musl
expect_status "a program that is linked with musl runs" 9
expect_err_has "and it is said" 'musl is linked with musl, and libplumb.so is made for glibc: it cannot be watched, and runs without'
expect_one_line "in one line"
run "$PLUMB" watch -q -o out -- sh -c './musl'
check "as does one that the program starts: nothing is said" [ "$status$err" = 9 ]
run "$PLUMB" watch -o out -- sh -c './musl; ./musl; ./prog exit 3'
expect_err_has "unless it may be" 'note: 2 executed programs could not be watched: of another word size or C library'

cat >own.c <<'END'
#include <stddef.h>
static char pool[1 << 20];
static size_t at;
void *malloc(size_t n) { void *p = pool + at; at += (n + 15) & ~15ul; return p; }
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t k) { return malloc(n * k); }
void *realloc(void *p, size_t n) { (void)p; return malloc(n); }
int main(void) { return malloc(10) == NULL; }
END
${CC:-gcc} -g -O0 -fno-builtin -o own own.c || not_ok "own can be built"
run "$PLUMB" watch -q -o own -- ./own
expect_status "a program with a malloc of its own" 0

# ---- what gets lost ----

cat >loses.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile sink;
static __attribute__((noinline)) void keep(void) { sink = malloc(100); }
#define TEN(x) x x x x x x x x x x
int main(int argc, char **argv)
{
	struct rlimit l = { 1000, 1000 };
	int status = 0;

	if (argc > 1) {			/* no file of a child may be as large as needed */
		setrlimit(RLIMIT_FSIZE, &l);
		if (fork() == 0)
			keep(), _exit(0);
		wait(&status);
		return status;
	}
	TEN(TEN(TEN(keep();)))
	return 0;
}
END
${CC:-gcc} -g -O1 -o loses loses.c || not_ok "loses can be built"
run "$PLUMB" watch -q -o out -- ./loses child
check "a child without a run file is no failure" [ "$status" = 0 ]
expect_err_has "but is reported" 'warning: 1 child process could not be watched: no run file could be made'
check "in the report, too" grep -q '1 child process could not be watched' out.json
run "$PLUMB" watch -q -o out -- sh -c 'ulimit -v 16384; exec ./loses'
check "few addresses are no failure" [ "$status" = 0 ]
expect_err_has "sites that have no room are reported" \
	'warning: there was no room for all of the data of 1 process: some allocation sites are missing'
check "in the report, too" grep -q 'some sites are missing' out.json

# ---- mistakes ----

run "$PLUMB" watch -o out -- ./no-such-program
expect_status "no such program" 2
expect_one_line "... in one line"
expect_err_has "... which names it" 'cannot start ./no-such-program: No such file'
check "nothing is left behind" [ -z "$(left)" ]
run "$PLUMB" watch ./prog
expect_status "a program without --" 2
expect_err_has "tells where it goes" 'comes after `--`'
run "$PLUMB" watch
expect_status "nothing to watch" 2
run "$PLUMB" watch -o no/such/folder/x -- ./prog exit 0
expect_status "an output folder that is not there" 2
run "$PLUMB" watch --format xml -- ./prog exit 0
expect_status "an unknown format" 2
expect_err_has "names those there are" 'known: json, html, pprof'
run "$PLUMB" watch --interval 0 -- ./prog exit 0
expect_status "a bad interval" 2
run "$PLUMB" watch --depth 99 -- ./prog exit 0
expect_status "a bad depth" 2
run "$PLUMB" watch --from prog.c -o out
expect_status "no run file" 2
expect_one_line "... in one line"
run "$PLUMB" watch --snapshot $$ -o out
expect_status "a process that is not watched" 2
expect_err_has "is told" 'is not watched'
run "$PLUMB" watch --findings prog.c -- ./prog exit 0
expect_status "no findings" 2
run "$PLUMB" watch --help
expect_status "help" 0
expect_out_has "help names the options" '--snapshot PID'

# ---- what was too small or too young to be judged ----

printf '#include <stdlib.h>\nint main(void) { for (int i = 0; i < 5; i++) { volatile char *p = malloc(100); p[0] = 1; } return 0; }\n' >small.c
gcc -g -o small small.c
run "$PLUMB" watch -o small-report -- ./small
expect_err_lacks "leaks that are too small: not 'no leaks'" ': no leaks;'
expect_err_has "... but that nobody can tell" 'to tell whether it leaks; [0-9]'
check "... in JSON, their bytes" [ "$(jq '.unjudged_bytes >= 500' small-report.json)" = true ]
check "... and on the page" grep -q '<h1[^>]*>too [a-z ,]*to tell whether it leaks<' small-report.html
