# NOSAN: an interposer kills plumb
# TIMEOUT: 600
#
# plumb fix --in-place that is killed, or cannot write, at each of its steps: all of the files are
# changed or none, at the latest by the next start, and nothing is left behind.
. "$ROOT/tests/lib.sh"

unset XDG_STATE_HOME
export HOME=$PWD/home
journal=$HOME/.local/state/plumb/fix-journal
mkdir home src keep

# Counts the system calls on files from the opening of the journal to its closing.  KILL_AT: the
# process ends by SIGKILL before that one (a write is half done); FAIL_AT: it fails with FAIL_WITH.
cat >steps.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int journal = -1, count;

static int number(const char *name)
{
	const char *s = getenv(name);

	return s ? atoi(s) : 0;
}

/* Not 0: the call fails. */
static int step(int last)
{
	if (journal < 0)
		return 0;
	count++;
	if (count == number("KILL_AT")) {
		if (last >= 0 && ftruncate(last, lseek(last, 0, SEEK_CUR)) == 0)
			syncfs(last);
		raise(SIGKILL);
	}
	if (count != number("FAIL_AT"))
		return 0;
	errno = number("FAIL_WITH");
	return 1;
}

#define REAL(f) __typeof__(f) *real = (__typeof__(f) *)dlsym(RTLD_NEXT, #f)

int openat(int at, const char *path, int flags, ...)
{
	REAL(openat);
	va_list ap;
	int mode, fd;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	if (flags & O_CREAT && step(-1))
		return -1;
	fd = real(at, path, flags, mode);
	if (flags & O_CREAT && strcmp(path, "fix-journal") == 0)
		journal = fd;
	return fd;
}

int open(const char *path, int flags, ...)
{
	REAL(open);
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return flags & O_CREAT && step(-1) ? -1 : real(path, flags, mode);
}

ssize_t write(int fd, const void *p, size_t n)
{
	REAL(write);

	if (journal >= 0 && count + 1 == number("KILL_AT"))
		real(fd, p, n / 2);
	return step(-1) ? -1 : real(fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	REAL(pwrite);

	return step(-1) ? -1 : real(fd, p, n, at);
}

int fsync(int fd)
{
	REAL(fsync);

	return step(-1) ? -1 : real(fd);
}

int fchmod(int fd, mode_t mode)
{
	REAL(fchmod);

	return step(-1) ? -1 : real(fd, mode);
}

int ftruncate(int fd, off_t n)
{
	REAL(ftruncate);

	return step(-1) ? -1 : real(fd, n);
}

int unlink(const char *path)
{
	REAL(unlink);

	return step(-1) ? -1 : real(path);
}

int rename(const char *a, const char *b)
{
	REAL(rename);

	return step(-1) ? -1 : real(a, b);
}

int renameat2(int d, const char *a, int e, const char *b, unsigned flags)
{
	REAL(renameat2);

	if (step(-1))
		return -1;
	if (getenv("NO_EXCHANGE") && flags) {
		errno = EINVAL;
		return -1;
	}
	return real(d, a, e, b, flags);
}

int close(int fd)
{
	REAL(close);
	const char *to = getenv("COUNT_TO");

	if (fd >= 0 && fd == journal) {
		FILE *f = to ? fopen(to, "w") : NULL;

		journal = -1;
		if (f) {
			fprintf(f, "%d\n", count);
			fclose(f);
		}
	}
	return real(fd);
}
END
"${CC:-gcc}" -shared -fPIC -O1 -w -o steps.so steps.c -ldl || { not_ok "the interposer is built"; exit 0; }

for f in a b c; do
	cat >src/$f.c <<END
#include <stdlib.h>

int $f(int n)
{
	char *p = malloc(n + 1);

	if (!p)
		return 1;
	if (n < 3)
		return 2;
	free(p);
	return 0;
}
END
	cp src/$f.c keep/$f.old
done
fix() { env LD_PRELOAD="$PWD/steps.so" "$@" "$PLUMB" fix --in-place src/a.c src/b.c src/c.c; }
old() { for f in a b c; do cp keep/$f.old src/$f.c; done; }
state()		# old, new or mixed; and what else is there
{
	local f s=
	for f in a b c; do
		if cmp -s src/$f.c keep/$f.old; then s="$s o"; elif cmp -s src/$f.c keep/$f.new; then s="$s n"; else s="$s ?"; fi
	done
	case $s in
	" o o o") s=old ;;
	" n n n") s=new ;;
	esac
	echo "$s$(ls -A src | grep -v '^[abc]\.c$' | sed 's/^/ +/')"
}

run fix COUNT_TO="$PWD/count"
expect_status "all is fixed" 0
for f in a b c; do cp src/$f.c keep/$f.new; done
check "three files were changed, and nothing else is there" [ "$(state)" = new ]
check "the journal is empty" [ -e "$journal" -a ! -s "$journal" ]
check "only the user can write to it" [ "$(stat -c %a "$journal")$(stat -c %a "${journal%/*}")" = 600700 ]
steps=$(cat count)
check "its steps are counted ($steps)" [ "$steps" -gt 20 ]

# ---- killed ----

at_each()	# WHAT VARIABLE=VALUE...
{
	local what=$1 n mixed=0 bad=0 undone=0 finished=0 said=0
	shift
	for ((n = 1; n <= steps; n++)); do
		old
		fix KILL_AT=$n "$@" >/dev/null 2>&1
		case $(state) in old|new) ;; *) mixed=$((mixed + 1)) ;; esac
		"$PLUMB" fix not-there.c 2>err >/dev/null
		grep -q 'an earlier plumb fix --in-place was killed' err && said=$((said + 1))
		case $(state) in
		old)	undone=$((undone + 1)) ;;
		new)	finished=$((finished + 1)) ;;
		*)	echo "killed before step $n: $(state)"; cat err; bad=1; rm -f src/*.plumb-* ;;
		esac
		[ ! -s "$journal" ] || { echo "killed before step $n: the journal is not empty"; bad=1; : >"$journal"; }
	done
	echo "$what: $undone undone, $finished finished, $mixed in between, $said said"
	check "$what: all or nothing after the next start" [ $bad -eq 0 ]
	check "$what: some are undone, some finished, and it is said" [ $undone -gt 3 -a $finished -gt 3 -a $mixed -gt 6 -a $said -ge $mixed ]
}
at_each "killed at each step"
at_each "killed at each step, on a file system that cannot exchange" NO_EXCHANGE=1

# ---- a step fails ----

bad=0 failed=0
for ((n = 1; n <= steps; n++)); do
	old
	fix FAIL_AT=$n FAIL_WITH=28 >/dev/null 2>err	# ENOSPC
	[ $? -eq 2 ] && failed=$((failed + 1))
	case $(state) in
	old|new) ;;
	"new +"*) grep -q . err; rm -f src/*.plumb-* ;;	# to remove the old text is what failed
	*) echo "step $n fails: $(state)"; cat err; bad=1; rm -f src/*.plumb-* ;;
	esac
	"$PLUMB" fix not-there.c >/dev/null 2>&1
	[ ! -s "$journal" ] || { echo "step $n fails: the journal is not empty"; bad=1; : >"$journal"; }
done
check "no room at each step: all or nothing at once" [ $bad -eq 0 ]
check "which is an error ($failed times)" [ $failed -gt 8 ]

# ---- edited in between, gone, moved away ----

marked()	# killed when the first file is changed: KILL_AT of that step
{
	local n
	for ((n = 1; n <= steps; n++)); do
		old
		fix KILL_AT=$n >/dev/null 2>&1
		cmp -s src/a.c keep/a.new && return 0
		"$PLUMB" fix not-there.c >/dev/null 2>&1
	done
	return 1
}
check "killed behind the first file" marked
cp -r src src.half && cp "$journal" half
echo '/* mine */' >>src/b.c
cp src/b.c edited
run "$PLUMB" fix not-there.c
check "a file that was edited in between is left alone" cmp -s src/b.c edited
expect_err_has "which is said" 'src/b\.c: .*was edited since: it is left as it is'
check "the others are finished" cmp -s src/c.c keep/c.new
check "nothing is left behind" [ -z "$(ls src | grep plumb-)" ]
run "$PLUMB" fix not-there.c
expect_err_lacks "it is said once" 'killed'

again() { rm -rf src; cp -r src.half src; cp half "$journal"; }
again
rm src/b.c
run "$PLUMB" fix not-there.c
expect_err_has "a file that is gone: it is said" 'src/b\.c: .*no longer there'
check "it stays so" [ ! -e src/b.c ]

again
mv src elsewhere && ln -s elsewhere src
run "$PLUMB" fix not-there.c
check "a folder that became a link is not followed" cmp -s elsewhere/b.c keep/b.old
rm src && mv elsewhere src

again
run sh -c 'flock -n 9 || exit 1; "$PLUMB" fix not-there.c' 9<"$journal"
expect_err_lacks "somebody is writing: that is waited for by none who reads" 'killed'
check "nothing is done then" cmp -s src/b.c keep/b.old

# ---- journals of others ----

again
chmod 666 "$journal"
run "$PLUMB" fix not-there.c
expect_err_has "a journal that others can write to is not looked at" 'others can write to it'
check "nothing is done" cmp -s src/b.c keep/b.old
chmod 600 "$journal"
if [ "$(id -u)" -eq 0 ]; then
	chown 12345 "$journal"
	run "$PLUMB" fix not-there.c
	expect_err_has "nor one of another user" 'belongs to another user'
	check "nothing is done, again" cmp -s src/b.c keep/b.old
	chown 0 "$journal"
else
	skip "nor one of another user" "only root can give files away"
fi
mkdir -p src/.local/state/plumb && mv "$journal" src/.local/state/plumb/
cp src/.local/state/plumb/fix-journal src/.plumb-fix-journal
run sh -c 'cd src && "$PLUMB" fix not-there.c'
expect_err_lacks "nor one that the sources bring along" 'killed'
check "nothing is done at all" cmp -s src/b.c keep/b.old

# Damaged: nothing is touched, and it ends as always.
bad=0
size=$(stat -c %s half)
for ((n = 0; n < size; n += 7)); do
	again
	head -c "$n" half >"$journal"
	run "$PLUMB" fix not-there.c
	[ "$status" -eq 2 ] && cmp -s src/b.c keep/b.old || { tell_last; bad=1; }
	again
	printf '\377' | dd of="$journal" bs=1 seek="$n" conv=notrunc 2>/dev/null
	run "$PLUMB" fix not-there.c
	[ "$status" -eq 2 ] && cmp -s src/b.c keep/b.old || { tell_last; bad=1; }
done
check "a damaged journal does nothing" [ $bad -eq 0 ]

# ---- no place for a journal ----

again && : >"$journal" && rm -f src/*.plumb-* && old
run env HOME=/proc/none "$PLUMB" fix --no-cache --in-place src/a.c src/b.c src/c.c
expect_status "without a journal files are changed, too" 0
expect_err_has "... and it is said what that means" 'warning: .*killed half-way'
check "all of them" [ "$(state)" = new ]

# ---- hard links, names ----

old
ln src/a.c other
mkdir 'src/x y' && cp src/a.c 'src/x y/a
b.c'
run "$PLUMB" fix --in-place src/a.c 'src/x y/a
b.c'
check "a hard link is cut from its other name" cmp -s other keep/a.old
check "a name with a line end is as good as any" grep -q 'free' 'src/x y/a
b.c'
