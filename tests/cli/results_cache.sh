# results_cache.sh - results of the engines, kept from run to run: an unchanged program,
# an edited function, an edited callee, damage, several at a time.
#
# Whatever is taken from an earlier run must be what would have been found without it,
# to the byte.
. "$ROOT/tests/lib.sh"

export PLUMB_CACHE_DIR="$PWD/cache"

write_lib()	# BODY of release()
{
	cat >lib.c <<EOF
#include <stdlib.h>
#include <string.h>
#include "lib.h"
static int releases;
void release(char *p)
{
	$1
}
char *make(const char *s)
{
	return strdup(s);
}
int count(void) { return releases; }
EOF
}
cat >lib.h <<'EOF'
void release(char *p);
char *make(const char *s);
int count(void);
EOF
cat >main.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include "lib.h"
static int show(const char *s) { return printf("%s\n", s); }
static int one(int n)
{
	char *p = make("one");
	if (!p)
		return -1;
	if (n > 3)
		return 1;
	show(p);
	release(p);
	return 0;
}
static int two(int n)
{
	char *p = malloc(10);
	char *q = make("two");
	int r = n ? show(q) : 0;
	release(q);
	release(p);
	return r;
}
static char *held;
static void three(int n)
{
	held = make("three");
	if (n)
		held = NULL;
}
int main(int argc, char **argv)
{
	three(argc);
	return one(argc) + two(argc) + count() + (argv[0] == NULL);
}
EOF
write_lib 'releases++; free(p);'

# runs with and without the cache; how much of the last is new?
both()	# WHAT [options]
{
	what=$1
	shift
	run "$PLUMB" check --verbose "$@" --format json -o kept.json main.c lib.c
	cp .err kept.err
	run "$PLUMB" check --no-cache "$@" --format json -o fresh.json main.c lib.c
	check "$what: as if there were no cache" cmp -s kept.json fresh.json
}

kept()	# how many functions and allocations were not looked at
{
	sed -nE 's/.* ([0-9]+) (functions|allocations) as in an earlier run$/\1/p' kept.err | tr '\n' ' '
}

both "the first time"
check "nothing is known then" [ "$(kept)" = "0 0 " ]
all=$(sed -nE 's/.* for ([0-9]+) functions, .*/\1/p' kept.err)
both "the second time"
check "all functions are known" [ "$(kept | cut -d' ' -f1)" -ge "$all" ]
check "all allocations are known, but for those kept in globals" [ "$(kept | cut -d' ' -f2)" -ge 3 ]
check "there are findings" grep -q '"kind":' kept.json

sed -i '1i\
' main.c
both "lines have moved"
check "that changes no result" [ "$(kept | cut -d' ' -f1)" -ge "$all" ]

sed -i 's/n > 3/n > 4/' main.c
both "an edited function"
check "some are known" [ "$(kept | cut -d' ' -f1)" -gt 0 ]
check "some are not" [ "$(kept | cut -d' ' -f1)" -lt "$all" ]

sed -i 's/return printf("%s\\n", s)/return printf("%s, %s\\n", "a new literal", s)/' main.c
both "a new literal"

# the callers are not edited, but what they call is
cp fresh.json before.json
write_lib 'releases++;'
both "a callee that frees no more"
check "its callers leak now" [ "$(grep -c '"id"' kept.json)" -gt "$(grep -c '"id"' before.json)" ]
write_lib 'if (releases++) free(p);'
both "a callee that frees sometimes"
write_lib 'releases++; free(p);'
both "as it was"
check "as it was" cmp -s before.json kept.json

sed -i 's/return strdup(s)/return (char *)s/' lib.c
both "a callee that allocates no more"
sed -i 's/return (char \*)s/return strdup(s)/' lib.c
both "and again"

sed -i 's/static int releases;/static int releases = 1;/' lib.c
both "another value of a global"
for o in '--at-exit' '--engine path' '--engine vfg' '--loop 2' '--slice-limit 5'; do
	both "with $o" $o
	both "again with $o" $o
done
echo 'strdup { return new memory; free arg1; }' >own.model
both "another model" --model own.model
both "without it"

# ---- damage ----

spoil()	# WHAT COMMAND on $f
{
	both "before"
	for f in cache/*/*.res; do
		eval "$2"
	done
	both "$1"
	both "$1, once more"
	check "$1: it is whole again" [ "$(kept | cut -d' ' -f1)" -ge "$all" ]
}

spoil "a changed byte" 'printf x | dd of="$f" bs=1 seek=100 conv=notrunc 2>/dev/null'
spoil "an empty file" ': >"$f"'
spoil "a file cut short" 'head -c 200 "$f" >cut && mv cut "$f"'
spoil "another file" 'cp main.c "$f"'

# ---- several at a time, and no cache ----

rm -rf cache
pids=
for i in 1 2 3 4; do
	"$PLUMB" check --format json -o all$i.json main.c lib.c 2>/dev/null &
	pids="$pids $!"
done
for p in $pids; do
	wait "$p"
done
both "after four at a time"
check "the four agree" eval 'cmp -s all1.json all2.json && cmp -s all1.json all3.json && cmp -s all1.json all4.json'
for f in cache/*/*.tmp* cache/*/.*.tmp*; do
	[ -e "$f" ] && not_ok "nothing half written is left: $f"
done
rm -rf cache
run "$PLUMB" check --no-cache main.c lib.c
check "--no-cache writes nothing" [ ! -e cache ]
PLUMB_CACHE_DIR= run "$PLUMB" check main.c lib.c
check "nor does an empty PLUMB_CACHE_DIR" [ ! -e cache ]
mkdir cache
chmod 555 cache
run "$PLUMB" check main.c lib.c
expect_status "a cache that cannot be written is no failure" 1
