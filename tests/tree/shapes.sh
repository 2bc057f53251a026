# NOSAN: reads texts
#
# Shapes of code that are right with one compiler and wrong with another.
. "$ROOT/tests/lib.sh"

cd "$ROOT" || exit 1

# Whether the right side is computed before the slot is made is up to the compiler: x_set() says it.
hits=$(grep -nE '\*[a-z0-9_]+_put\(.*NULL\) = ' src/*/*.[ch] | grep -v '^src/base/map.h:')
[ -z "$hits" ] || echo "$hits"
check "a map's values are set by x_set()" [ -z "$hits" ]
