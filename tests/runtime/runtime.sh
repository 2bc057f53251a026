# libplumb.so: does it count, keep what it counted, and stay out of the way?
# TIMEOUT: 600
. "$ROOT/tests/lib.sh"

lib=$ROOT/build/libplumb.so
progs=$ROOT/build/tests/runtime

way=memfd
watched()	# FILE COMMAND...
{
	file=$1
	shift
	run_any env LD_PRELOAD="$lib" PLUMB_PRIMITIVE=$way PLUMB_RUN_FILE="$file" "$@"
}

# The value of a name in a run file.
value()
{
	"$progs/readrun" "$1" | sed -n "s/^$2 //p"
}

between()	# NUMBER LOW HIGH
{
	[ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

watched family.run "$progs/family"
expect_status "each function of malloc's family does its job and is counted" 0

watched threads.run "$progs/threads"
expect_status "40 threads: every allocation is counted, none is damaged" 0

for how in return exit _exit kill segv abort; do
	watched "$how.run" "$progs/ending" "$how"
	case $how in
	return|exit|_exit) want=7 ;;
	kill) want=137 ;;
	segv) want=139 ;;
	abort) want=134 ;;
	esac
	check "$how: the program's own exit status" [ "$status" -eq "$want" ]
	check "$how: nothing is lost" \
		between "$(value "$how.run" live_blocks)" 600 640
	check "$how: bytes" \
		between "$(value "$how.run" live_bytes)" 60000 90000
	case $how in
	return|exit) want=exited ;;
	*) want=live ;;
	esac
	check "$how: the file tells $want" [ "$(value "$how.run" state)" = "$want" ]
done

watched forking.run "$progs/forking"
expect_status "fork in a threaded program" 0
set -- $out
check "the parent's file" [ "$(value forking.run pid)" = "${1-}" ]
check "the child's file, beside it after chdir" \
	[ "$(value "forking.run.${2-}" pid)" = "${2-}" ]
check "the parent counts its own blocks" \
	between "$(value forking.run live_blocks)" 1000 1050
check "the child counts what it has inherited and its own blocks" \
	between "$(value "forking.run.${2-}" live_blocks)" 1499 1550

watched frozen.run "$progs/frozen"
expect_status "fork while pages are watched" 0
watched frozent.run "$progs/frozen" threads
expect_status "fork while pages are watched, in a threaded program" 0

watched staying.run "$progs/staying"
rm -f staying.run*
if [ "$status" -eq 77 ]; then
	skip "what is stale stays so after a fork" "no userfaultfd"
else
	expect_status "what is stale stays so after a fork, on both sides" 0
fi

watched forks.run "$progs/forks"
expect_status "fork while another thread looks at the heap" 0
rm -f forks.run*

watched sh.run sh -c "exec '$progs/ending' return"
check "a program executed by a shell has its own file" \
	[ "$(ls sh.run.* 2>/dev/null | wc -l)" -ge 1 ]

# A daemon that gives up all that a file could be opened by.
for how in closefrom loop raw; do
	rm -rf runs empty
	mkdir runs empty
	chmod 1733 runs
	watched "$PWD/runs/run" "$progs/leaving" $how "$PWD/empty"
	expect_status "$how: a daemon closes all descriptors, changes its root and its user" 9
	file=runs/run.$out
	check "$how: its later sites are all known ($(value "$file" sites))" \
		between "$(value "$file" sites)" 1001 1200
	check "$how: nothing is cut" [ "$(value "$file" cut)" = 0 ]
	child=$(ls runs | grep -v -e '^run$' -e "^run.$out\$")
	if [ -n "$child" ]; then
		check "$how: its child's, too ($(value "runs/$child" sites))" \
			between "$(value "runs/$child" sites)" 2001 2200
	fi
	if [ $how != raw ] || [ "$(id -u)" != 0 ]; then
		check "$how: the child has a file" [ -n "$child" ]
	else
		check "$how: a child without a file is counted" \
			[ -z "$child" -a "$(value "$file" missing_children)" = 1 ]
	fi
done

# A disk that gets full.
if unshare -m sh -c 'mkdir disk && mount -t tmpfs -o size=300k none disk' 2>/dev/null; then
	# shellcheck disable=SC2016
	run_any unshare -m sh -c 'mount -t tmpfs -o size=300k none disk &&
		LD_PRELOAD=$1 PLUMB_RUN_FILE=$PWD/disk/run "$2/leaving" closefrom /; s=$?; cp disk/run.* full.run; exit $s' \
		- "$lib" "$progs"
	expect_status "a full disk: the program does not notice" 9
	check "a full disk: what is missing is known" [ "$(value full.run cut)" = 1 ]
else
	skip "a full disk" "cannot mount one"
fi

# Virtual compaction.
watched compact.run "$progs/compact"
expect_status "sparse pages are merged, contents are kept, on both sides of fork" 0
set -- $out
check "at least half of their pages are given back (${2-} of ${1-})" \
	[ "${2-0}" -ge $((${1-0} / 2)) ]
check "and are no more in the memfd (${3-} are)" [ "${3-0}" -le $((${1-0} / 2)) ]

watched merging.run "$progs/merging" 3
expect_status "sparse pages are merged while other threads write to them" 0
set -- $out
check "in a threaded program (${1-} pages given back, ${2-} writes; allowed here: ${3-})" \
	[ "${1-0}" -gt 0 -o "${3-1}" = 0 ]

# System calls on pages whose touches are watched.
watched sys.run "$progs/syscalls"
expect_status "system calls on watched pages" 0
watched syst.run "$progs/syscalls" threads
expect_status "system calls on watched pages, in a threaded program" 0

# What the program wants of its pages, and of its system calls.
for way in memfd anonymous; do
	for what in protect drop filter "filter syscall" strict; do
		# shellcheck disable=SC2086
		watched pages.run "$progs/pages" $what
		rm -f pages.run*
		expect_status "$way: pages, $what" 0
	done
done
way=memfd

# The same where there is no memfd.
way=anonymous
watched frozena.run "$progs/frozen"
expect_status "without a memfd: fork while pages are watched" 0
watched frozenat.run "$progs/frozen" threads
expect_status "without a memfd: in a threaded program" 0
watched compacta.run "$progs/compact"
expect_status "without a memfd: sparse pages, and fork" 0
watched sysa.run "$progs/syscalls"
expect_status "without a memfd: system calls on watched pages" 0
watched familya.run "$progs/family"
expect_status "without a memfd: each function of malloc's family" 0
way=memfd

# Nobody may notice us.
seq 1 20000 | sort -R >numbers
sort -n numbers >plain
watched sort.run sort -n numbers
check "sort: the same output" cmp -s plain .out
watched sub.run bash -c 'for i in 1 2 3; do echo $(($(echo $i | cat) * 2)); done'
expect_out "a shell with pipes: the same output" "2
4
6"
watched /nonexistent/folder/x "$progs/ending" return
check "no run file possible: the program does not notice" [ "$status" -eq 7 ]
check "and nothing is said" [ -z "$out$err" ]
run env LD_PRELOAD="$lib" "$progs/ending" return
check "no run file wanted" [ "$status" -eq 7 ]
if [ -w /dev/full ]; then
	mkdir full
	watched full "$progs/ending" return
	check "the name is a folder" [ "$status" -eq 7 ]
fi
: >taken
watched taken "$progs/ending" return
check "an existing file is not overwritten" [ ! -s taken ]

# What the library shows and needs.
exports=$(nm -D --defined-only "$lib" | awk '{ print $3 }' | LC_ALL=C sort | tr '\n' ' ')
check "exports" [ "$exports" = "_Fork __libc_calloc __libc_free __libc_malloc __libc_memalign __libc_pvalloc __libc_realloc __libc_valloc \
aligned_alloc calloc chroot clock_nanosleep close close_range closefrom dlclose dlmopen dlopen dlsym dup2 dup3 \
epoll_pwait epoll_wait execl execle execlp execv execve execveat execvp execvpe fexecve free madvise malloc \
malloc_usable_size memalign mlock mlock2 mprotect nanosleep pause pkey_mprotect plumb_objects \
plumb_runtime_version plumb_scan plumb_step poll posix_memalign posix_spawn posix_spawnp ppoll prctl pselect \
pthread_create pvalloc realloc reallocarray select seteuid setresuid setreuid setuid sleep syscall usleep valloc " ]
needs=$(nm -D --undefined-only "$lib" | awk '{ print $2 }' | sed 's/@.*//' |
	grep -E 'printf|puts|fopen|fwrite|^malloc|^calloc|strdup')
check "no stdio, no allocation of its own" [ -z "$needs" ]
