# The page of bench/: the generator on a small sample, the store of rows, and that docs/benchmarks.md
# is what the committed rows give.  Nothing is measured here.
. "$ROOT/tests/lib.sh"

export PYTHONDONTWRITEBYTECODE=1
bench=$ROOT/bench

run python3 "$bench/page.py" "$ROOT/tests/tree/benchmarks" sample
expect_status "a page from the sample" 0
page=sample/benchmarks.md
says() { check "the page says: $1" grep -qF -- "$1" "$page"; }
says '| small | 10 | 0.50 | 20 | – | 0.25 |'
says '| large | 200 | 1.50 | 20 (5/10) | ≥ 15 | – |'
says '3: 2 true, 1 false'
says 'saber (svf-lib 1) is not measured: its binary needs what is not here.'
says '| small | 3 | 2 | 1 | 1, 1 | 5.0 s | 2.50 |'
says '| hot table | no leak | right | false alarm | – |'
says '- `plumb check` takes more CPU time than cppcheck on 1 of the 1 program that both finished'
says '- Of the 3 reports of `plumb check` with a verdict, 1 are false alarms (33 %): small 1.'
says '- Leaks with the verdict *true* that this `plumb check` does not report: small 1.'
says '- `plumb watch` gives a wrong answer for *small* (missed); right is memcheck.'
says '- `plumb watch` costs more CPU time than jemalloc on 1 of 1 program, most on cfrac (1.2 times).'
says '| nginx | 1.10 | 30 | 1.01 |'
says '- Against glibc alone, `plumb watch` costs more than a fifth of memory on'
says '- Sqlite3: training / lackey: 1.40 times the cost.'
check "no claim against who did not finish" bash -c "! grep -q 'more memory than Clang analyzer on .*large' $page"
for f in speed watch run; do
	check "$f.svg is well-formed, scales, and has a dark side" python3 - "sample/benchmarks/$f.svg" <<'END'
import sys, xml.etree.ElementTree
root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
assert root.get('viewBox') and float(root.get('width')) <= 480
assert 'prefers-color-scheme: dark' in open(sys.argv[1]).read()
END
done

mkdir empty
run python3 "$bench/page.py" empty none
expect_status "a page from nothing" 0
check "which says so" grep -q '^Not measured' none/benchmarks.md

# Rows are kept while their key is right, and replaced, not doubled.
check "the store of rows" python3 - "$bench" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from common import Store
s = Store('part', '.')
s.put({'kind': 'k', 'program': 'p', 'tool': 'plumb', 'key': '1'})
s.put({'kind': 'k', 'program': 'p', 'tool': 'other', 'key': '1'})
s = Store('part', '.')
assert s.fresh('1', kind='k', program='p', tool='plumb') and not s.fresh('2', kind='k', program='p', tool='plumb')
s.put({'kind': 'k', 'program': 'p', 'tool': 'plumb', 'key': '2'})
assert len(s.rows) == 2 and s.fresh('1', kind='k', program='p', tool='other')
END

run python3 "$bench/page.py" "$bench/results" now
expect_status "the page from the committed rows" 0
run diff -u "$ROOT/docs/benchmarks.md" now/benchmarks.md
expect_status "docs/benchmarks.md is what the rows give (bench/bench.py --page)" 0
run diff -r "$ROOT/docs/benchmarks" now/benchmarks
expect_status "its plots are, too" 0

# The leak programs say what is right, of functions that they have.
for f in "$bench"/leaks/*.c; do
	check "$(basename "$f") tells the truth about functions that exist" bash -c '
		grep -qE "^ \* (LEAK|BLOAT|FINE) [a-z_]+$" "$1" || exit 1
		for n in $(sed -nE "s/^ \* (LEAK|BLOAT|FINE) ([a-z_]+)$/\2/p" "$1"); do
			grep -qE "^(NOINLINE )?(static |HELPER )?[a-z_ ]+\*?$n\(" "$1" "$(dirname "$1")/leaks.h" || exit 1
		done' - "$f"
done
