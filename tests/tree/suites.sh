# NOSAN: reads texts
#
# bench/suites: what is committed of the suites of others is whole, and has a cause for each case that is not right.
. "$ROOT/tests/lib.sh"

export PYTHONDONTWRITEBYTECODE=1
check "rows, results and causes agree" python3 - "$ROOT/bench" <<'END'
import fnmatch, json, os, sys
sys.path.insert(0, sys.argv[1])
import suites
causes = suites.rows('causes.tsv')
for r in causes + suites.rows('truth.tsv'):
    assert r['suite'] in suites.SUITES and all(v for v in r.values()), r
for name in suites.SUITES:
    with open(os.path.join(suites.HERE, name + '.json')) as f:
        row = json.load(f)
    results = []
    for what, cases in row['not_right'].items():
        status, _, cause = what.partition(': ')
        for c in cases:
            assert suites.cause_of(causes, name, c, status) == cause, (name, status, c)
        results += [(c, status, cause) for c in cases]
    results += [('', 'found', None)] * row['found']
    assert {k: row[k] for k in suites.count(results)} == suites.count(results), name
    unused = [r['case'] for r in causes if r['suite'] == name and not r.get('used')]
    assert not unused, (name, unused)
END

# What is said in the notations of the suites.
cat >g.c <<'END'
void *malloc (unsigned long);
void free (void *);
void a (void) { void *p = malloc (1); } /* { dg-warning "leak of 'p'" } */
void b (void *p) { free (p); free (p); } /* { dg-warning "double-'free' of 'p'" } */
/* { dg-warning "use after 'free' of 'p'" "" { target *-*-* } .-1 } */
void c (int *p) { *p = 1; } /* { dg-warning "dereference of NULL 'p'" } */
END
mkdir -p gcc/analyzer clang/Analysis svf/src/mem_leak svf/src/double_free
mv g.c gcc/analyzer/
cat >clang/Analysis/c.c <<'END'
// RUN: %clang_analyze_cc1 -analyzer-checker=core,unix.Malloc -verify %s
void *malloc(unsigned long);
void a(void) { malloc(1); } // expected-warning{{Potential memory leak}}
// expected-warning@-1{{leak}} expected-warning@+1 {{Use of memory after it is freed}}
void b(void) {}
END
cat >svf/src/mem_leak/s.c <<'END'
/* NFRMALLOC(1) */
int *p = NFRMALLOC(1), *q = SAFEMALLOC(1); // PLKMALLOC(1)
END
check "expectations are read" python3 - "$ROOT/bench" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import suites
def said(name):
    return [(c.line, c.kind) for p in suites.SUITES[name][0](name) for c in p.cases]
assert said('gcc') == [(3, 'leak'), (4, 'freed'), (4, 'freed')], said('gcc')
assert said('clang') == [(3, 'leak'), (3, 'leak'), (5, 'freed')], said('clang')
assert said('svf') == [(2, 'leak')], said('svf')
good = suites.juliet_belongs({'file': 'testcases/CWE1_X/CWE1_X__y_51b.c', 'function': 'CWE1_X__y_51b_goodB2GSink'})
assert good == ('CWE1_X__y_51', False), good
END
