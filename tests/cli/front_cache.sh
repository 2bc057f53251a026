# front_cache.sh - the cache: when it is used, when it must not be, damage, limit.
. "$ROOT/tests/lib.sh"

export PLUMB_CACHE_DIR="$PWD/cache"
echo 'int x(void) { return X; }' >x.c
printf '#include "h.h"\nint y(void) { return Y; }\n' >y.c
echo '#define Y 1' >h.h
cat >clang.sh <<'END'
#!/bin/sh
echo run >>clang.log
exec "$CLANG" "$@"
END
chmod +x clang.sh
export PLUMB_CLANG="$PWD/clang.sh"

# loads x.c and y.c; how often did clang run?
load()	# WHAT RUNS [flags]
{
	what=$1 want=$2
	shift 2
	rm -f clang.log
	run "$PLUMB" dump ir x.c y.c -- -DX=3 "$@"
	n=0
	[ -e clang.log ] && n=$(wc -l <clang.log)
	[ "$status" -eq 0 ] && [ "$n" -eq "$want" ]
	verdict "$what: clang runs $want times"
}

load "the first time" 2
cp .out first
load "the second time" 0
check "with the same result" cmp -s first .out
run "$PLUMB" check -v x.c y.c -- -DX=3
expect_err_has "and says so" '2 of them from the cache'
load "other flags" 2 -DZ
touch h.h
load "a touched header" 0
echo '#define Y 2' >h.h
load "a changed header of the same size" 1
expect_out_has "the new one is seen" 'ret 2'
echo '#define Y 1' >h.h
load "changed back" 0
expect_out_has "the old one is seen" 'ret 1'
touch -d '2001-01-01' h.h
load "a header with an old date" 0
echo '#define Y 7' >h.h
touch -d '2001-01-01' h.h
load "a changed header with the same size and date" 1
expect_out_has "the new one is seen" 'ret 7'
echo 'int x(void) { return X + 1; }' >x.c
load "a changed source" 1
rm h.h
rm -f clang.log
run "$PLUMB" check y.c -- -DX=3
expect_status "a header that is gone is not found in the cache" 2
echo '#define Y 1' >h.h
CPATH="$PWD/inc" load "another CPATH" 2
load "the same as before" 0
rm -f clang.log
run "$PLUMB" check --no-cache x.c y.c -- -DX=3
check "--no-cache runs clang" test "$(wc -l <clang.log)" -eq 2
echo '# changed' >>clang.sh
load "another clang" 2

# ---- damage ----

load "before the damage" 0
for f in cache/*/*.ir; do
	printf 'rubbish' | dd of="$f" bs=1 seek=40 conv=notrunc 2>/dev/null
done
load "damaged records are made again" 2
load "and are whole then" 0
for f in cache/*/*.ir; do
	: >"$f"
done
load "empty records" 2
for f in cache/*/*.man; do
	head -c 50 "$f" >cut && mv cut "$f"
done
load "manifests cut short" 2
for f in cache/*/*.man; do
	printf 'rubbish' | dd of="$f" bs=1 seek=60 conv=notrunc 2>/dev/null
done
load "damaged manifests" 2
rm cache/*/*.ir
load "records that are gone" 2
load "all is well again" 0
run "$PLUMB" check x.c y.c -- -DX=3
expect_status "damage is no error" 0
check "and nothing is said of it" test -z "$err"

# ---- no cache to be had ----

echo file >occupied
PLUMB_CACHE_DIR="$PWD/occupied/cache" load "a cache that cannot be written" 2
PLUMB_CACHE_DIR= load "no cache" 2
check "it works without a word" test -z "$err"
rm -f clang.log
run env -u HOME -u XDG_CACHE_HOME -u PLUMB_CACHE_DIR "$PLUMB" check x.c -- -DX=3
expect_status "no home" 0

# ---- two at once ----

rm -rf cache
for i in 1 2 3 4; do
	"$PLUMB" dump ir x.c y.c -- -DX=3 >"out$i" 2>&1 &
done
wait
check "four at once, all the same" sh -c 'cmp -s out1 out2 && cmp -s out1 out3 && cmp -s out1 out4 && test -s out1'
load "and the cache is whole" 0
run find cache -name '*.tmp'
check "no temporary files in it" test -z "$out"

# ---- the limit ----

i=0
while [ $i -lt 12 ]; do
	echo "int f$i(void) { return $i; }" >"f$i.c"
	i=$((i + 1))
done
run "$PLUMB" check --cache-dir small --cache-limit 40000 f*.c
expect_status "a small cache" 0
used=$(find small -name '*.ir' -o -name '*.man' | xargs -r du -cB1 | tail -1 | cut -f1)
check "stays below its limit ($used)" test "$used" -le 40000
check "and is not empty" test "$used" -gt 0
