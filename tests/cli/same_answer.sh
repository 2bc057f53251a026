# same_answer.sh - the same program gives the same findings and the same patches, to the byte:
# whatever -j, the order in which its units are named, linked or listed in a database, from
# sources or from a linked program, from the cache or not.
#
# The program is made to be sensitive to order: chains of callees that are deeper than the planner
# looks at once, functions that call each other in a circle, the same weak and the same strong
# symbol in two units, leaks in all units.
. "$ROOT/tests/lib.sh"

export PLUMB_CACHE_DIR="$PWD/cache"
units=14

mkdir p && cd p || exit 1
python3 - $units <<'EOF_PY'
import sys
n = int(sys.argv[1])
with open('all.h', 'w') as h:
    for k in range(n + 1):
        h.write(f'void drop_{k}(char *p);\nint round_{k}(char *p, int n);\nchar *make_{k}(int n);\nint use_{k}(int n);\n')
    h.write('int log_it(const char *s);\nint weak(int n);\nextern int flag;\n')
for k in range(n):
    with open(f'u{k:02}.c', 'w') as f:
        f.write('#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include "all.h"\n')
        last = k == n - 1
        # a chain of releasers and one of makers, through all units
        f.write(f'void drop_{k}(char *p)\n{{\n\t{"free" if last else f"drop_{k + 1}"}(p);\n}}\n')
        f.write(f'char *make_{k}(int n)\n{{\n\treturn {"malloc(n)" if last else f"make_{k + 1}(n + 1)"};\n}}\n')
        # a circle: the last calls the first
        f.write(f'int round_{k}(char *p, int n)\n{{\n\tif (n < {k}) {{\n\t\tfree(p);\n\t\treturn 0;\n\t}}\n'
                f'\treturn round_{(k * 5 + 3) % n}(p, n - 1);\n}}\n')
        if k in (2, 9):
            f.write(f'__attribute__((weak)) int weak(int n)\n{{\n\treturn n > {k};\n}}\n')
        if k == 5:
            f.write('int log_it(const char *s)\n{\n\treturn puts(s);\n}\nint flag;\n')
        f.write(f'''int use_{k}(int n)
{{
	char *p = make_{(k * 3) % n}(10 + {k});
	char *q = strdup("q{k}");
	int r;

	if (!p || !q)
		return -1;
	if (n == {k})
		return log_it(q);
	if (weak(n)) {{
		free(q);
		return 1;
	}}
	r = round_{(k * 7 + 1) % n}(q, n);
	drop_{(k * 5) % n}(p);
	return r;
}}
''')
with open('main.c', 'w') as f:
    f.write('#include "all.h"\nint main(int argc, char **argv)\n{\n\t(void)argv;\n\treturn 0'
            + ''.join(f' + use_{k}(argc)' for k in range(n)) + ';\n}\n')
EOF_PY

# The sources in an order that a number chooses.
shuffled() # SEED
{
	python3 -c 'import random, sys, glob
v = sorted(glob.glob("*.c")); random.Random(int(sys.argv[1])).shuffle(v); print(" ".join(v))' "$1"
}

database() # SEED: compile_commands.json in that order
{
	mkdir -p "db$1"
	python3 - "$PWD" $(shuffled "$1") >"db$1/compile_commands.json" <<'EOF_PY'
import json, sys
print(json.dumps([{'directory': sys.argv[1], 'file': s, 'arguments': ['cc', '-c', s]} for s in sys.argv[2:]]))
EOF_PY
}

program() # SEED: linked from objects in that order
{
	[ -f main.o ] || for s in *.c; do
		"$PLUMB" cc -c "$s" || exit 1
	done
	"$PLUMB" cc -o "prog$1" $(shuffled "$1" | sed 's/\.c/.o/g') || exit 1
}

# What is found and what is patched with these arguments, in ../NAME.
answers() # NAME ARGUMENT...
{
	name=../$1
	shift
	run plumb check --format json -o "$name.found" "$@"
	echo "exit $status" >>"$name.found"
	run plumb fix "$@"
	{ echo "$out"; echo "$err"; echo "exit $status"; } | grep -v '^plumb: warning: .* is defined' >"$name.patch"
}

same() # WHAT NAME
{
	cmp "../first.found" "../$2.found" && cmp "../first.patch" "../$2.patch"
	verdict "$1"
}

answers first --no-cache -j 1 *.c
check "there is something to be found" [ "$(grep -c '"kind"' ../first.found)" -ge $units ]
check "there is something to be patched" [ "$(grep -c '^+.*free\|^+.*drop_' ../first.patch)" -ge $units ]
for seed in 1 2 3; do
	answers order$seed --no-cache -j 2 $(shuffled $seed)
	same "sources in another order ($seed)" order$seed
done
answers cold -j 2 $(shuffled 4)
same "the first time with a cache" cold
answers warm -j 1 $(shuffled 5)
same "the second time, from the cache" warm
for seed in 6 7; do
	database $seed
	answers db$seed --no-cache -p db$seed
	same "a database in another order ($seed)" db$seed
	program $seed
	answers prog$seed --no-cache ./prog$seed
	same "a linked program, in another order ($seed)" prog$seed
done
