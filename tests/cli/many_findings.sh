# NOSAN: counts instructions
# TIMEOUT: 400
#
# Twice as many findings take twice the work, not four times: instructions are counted, so that
# the test says the same on a busy machine.
. "$ROOT/tests/lib.sh"

command -v valgrind >/dev/null || { skip "work grows with the findings" "valgrind is not installed"; exit 0; }

program()	# N: that many leaks, each in a function of its own, every second of them on one path only
{
	awk -v n="$1" 'BEGIN {
		print "#include <stdlib.h>"
		for (i = 0; i < n; i++) {
			printf "\nint f%d(int n)\n{\n\tchar *p = malloc(n + 1);\n\n\tif (!p)\n\t\treturn 1;\n", i
			printf i % 2 ? "\tp[0] = 0;\n\treturn p[n];\n}\n" : "\tif (n < 3)\n\t\treturn 2;\n\tfree(p);\n\treturn 0;\n}\n"
		}
	}' >"p$1.c"
	"$PLUMB" cc -c -o "p$1.o" "p$1.c"
}

# Instructions of plumb with the arguments; leaks are found, so that it ends with 1.  What the engines
# find out is in the cache: the rest is what this is about, and would drown in their work.
work()
{
	"$PLUMB" "$@" >out.work 2>/dev/null
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$PLUMB" "$@" 2>&1 >out.again |
		sed -n 's/^==[0-9]*== Collected : *//p'
}

grows()		# WHAT, work for n and for 2 n: what is done once for all of them makes the ratio smaller
{
	echo "$1: $2 instructions, $3 for twice as many findings"
	check "$1: linear" [ "$3" -lt $(($2 * 22 / 10)) ]
}

n=700
program $n
program $((2 * n))
for f in text json sarif html; do
	a=$(work check -j 1 --format $f p$n.o)
	mv out.again small.$f
	b=$(work check -j 1 --format $f p$((2 * n)).o)
	mv out.again large.$f
	grows "plumb check --format $f" "$a" "$b"
done
check "all leaks are found" [ "$(grep -c '"kind"' large.json)" -eq $((2 * n)) ]
grows "plumb check --baseline" "$(work check -j 1 --baseline small.json p$n.o)" \
	"$(work check -j 1 --baseline large.json p$((2 * n)).o)"
grows "plumb report" "$(work report small.json -o small.html)" "$(work report large.json -o large.html)"
