# libplumb.so: when things go wrong, the program lives as it would without us.
# TIMEOUT: 600
. "$ROOT/tests/lib.sh"

lib=$ROOT/build/libplumb.so
progs=$ROOT/build/tests/runtime

watched()	# FILE COMMAND...
{
	file=$1
	shift
	run_any env LD_PRELOAD="$lib" PLUMB_RUN_FILE="$file" "$@"
}

readable()
{
	"$progs/readrun" "$1" >/dev/null
}

# A limit on addresses: malloc fails where it would fail, the program goes on.
for kb in 60000 200000 1000000; do
	plain=$(bash -c "ulimit -v $kb; exec '$progs/faults' fill" 2>&1)
	watched limit$kb.run bash -c "ulimit -v $kb; exec '$progs/faults' fill"
	check "RLIMIT_AS $kb kB: NULL, then freed and used again" [ "$status" -eq 0 ]
	check "RLIMIT_AS $kb kB: about as much memory as plainly ($out of $plain MB)" \
		[ "$out" -ge $((plain * 7 / 10 - 12)) ]
done
watched rlimit.run "$progs/faults" limit
expect_status "a limit that the program sets itself" 0

for how in stack abort; do
	plain=0
	"$progs/faults" $how >/dev/null 2>&1 || plain=$?
	watched $how.run "$progs/faults" $how
	check "$how: the same end" [ "$status" -eq "$plain" ]
	check "$how: the run file is readable" readable $how.run
done
watched handler.run "$progs/faults" handler
expect_status "the program's own SIGSEGV handler, on its own stack" 0
watched maps.run "$progs/faults" maps
expect_status "as many mappings as the kernel allows" 0
watched fds.run "$progs/faults" fds
expect_status "descriptors: closed all, none left, none of ours in the way" 0
watched listed.run "$progs/faults" listed
expect_status "a program that lists its descriptors ($out)" 0
watched fsize.run bash -c "ulimit -f 8; exec '$progs/stale' list"
check "a file size limit: no signal" [ "$status" -eq 0 ]
watched nofile.run bash -c "ulimit -n 8; exec '$progs/stale' list"
check "few descriptors" [ "$status" -eq 0 ]
watched chroot.run "$progs/faults" chroot
expect_status "no /proc any more" 0
watched locked.run "$progs/faults" locked
expect_status "locked memory" 0

# A full disk: a file system of our own, if we may mount one.
mkdir -p disk
if mount -t tmpfs -o size=300k tmpfs disk 2>/dev/null; then
	watched disk/full.run "$progs/stale" list
	expect_status "a disk that gets full: the program does not notice" 0
	check "a disk that gets full: what is there is readable" \
		sh -c '[ ! -e disk/full.run ] || "$1" disk/full.run >/dev/null' - "$progs/readrun"
	head -c 400k /dev/zero >disk/zeros 2>/dev/null
	watched disk/none.run "$progs/ending" return
	check "a full disk" [ "$status" -eq 7 ]
	umount disk
fi
