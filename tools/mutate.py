#!/usr/bin/env python3
"""
mutate.py - would the tests notice if the code were wrong?

    tools/mutate.py SEED [COUNT]        draws COUNT mutants (default 20) of src/ and runtime/, builds each, runs the tests
    tools/mutate.py SEED COUNT --list   only says which they are
    tools/mutate.py --sum SEED...       what became of them

    --under F     only mutants of files below F (src/vfg, src/base/map.h)
    --tree DIR    the copy of the tree that is changed (default: build/mutate/tree)
    -j N          so many tests at a time (default: 2)
    --again K     tries mutant K of the seed once more, whatever is known of it

A mutant is one small mistake, put into one place that chance chose:

    negate      if (C)            ->  if (!(C)), while likewise
    drop        if (C)            ->  if (1), if (0)
    operand     A && B, A || B    ->  A, or B
    bound       <                 ->  <=, and so on; ==  ->  !=
    one         x + 1, x - 1      ->  x
    call        f(x);             ->  ;
    constant    7                 ->  8
    arm         else S            ->  nothing;  case X: that others do not fall into  ->  nothing

Files count as much as they have places.  A mutant whose object code is the same as before changes nothing; one that does not
compile is drawn again.  The groups of tests run one after another, the quickest and nearest to the file first, and the first
failure ends it.  What lived is either a hole in the tests, or changes nothing that anybody can see: that is said by reading, in a
column of build/mutate/SEED.tsv (`verdict`: hole, same).  What has a row there is not tried again.
"""

import argparse
import bisect
import collections
import csv
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS = ('k', 'place', 'kind', 'before', 'after', 'fate', 'by', 'verdict')
TOKEN = re.compile(r'''(?P<space>[ \t\n\f]+|\\\n)|(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)|(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
                       |(?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:[uUL])?'(?:\\.|[^'\\\n])+')
                       |(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
                       |(?P<op>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)''', re.S | re.M | re.X)
Token = collections.namedtuple('Token', 'kind text at end')
PAIRS = {'(': ')', '[': ']', '{': '}'}
BOUNDS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}
LEFT_BEHIND = ('mutate', 'fuzz', 'compdb', 'bench')       # of build/: what is not needed there, or large
# Which groups see most of a folder, the quickest first; then all others.
NEAR = {'src/report': 'report', 'src/check': 'dump check', 'src/plan': 'dump fix', 'src/edit': 'fix', 'src/prove': 'fix', 'src/run': 'report runtime',
        'runtime': 'runtime', 'src/base': 'dump unit', 'src/front': 'dump cli', 'src/cli': 'dump report cli', 'src/scan': 'cli'}
ORDER = 'dump check report runtime fix unit valgrind cli check-path check-san dump-san report-san fix-san cli-san tree'


def lex(text):
    out = []
    for m in TOKEN.finditer(text):
        if m.lastgroup not in ('space', 'comment', 'directive'):
            out.append(Token(m.lastgroup, m.group(), m.start(), m.end()))
    return out


def partners(tokens):
    """{index: index} of brackets that belong together."""
    pair, stack = {}, []
    for i, t in enumerate(tokens):
        if t.text in PAIRS and t.kind == 'op':
            stack.append(i)
        elif t.kind == 'op' and t.text in PAIRS.values() and stack:
            j = stack.pop()
            pair[i], pair[j] = j, i
    return pair


def bodies(tokens, pair):
    """(first, last) of the tokens of each function's body."""
    i = 0
    while i < len(tokens):
        if tokens[i].text == '{' and i in pair:
            if i and tokens[i - 1].text == ')':
                yield i + 1, pair[i]
            i = pair[i]
        i += 1


def operand(tokens, pair, i, step):
    """The other end of the operand that begins beside the && or || at i."""
    j = i + step
    while True:
        t = tokens[j].text
        if (t in PAIRS if step > 0 else t in PAIRS.values()) and j in pair:
            j = pair[j]
        elif t in ('&&', '||', ',', ';', '?', ':', '=', 'return', '{', '}', ')', '(', ']', '[') or t.endswith('=') and t not in BOUNDS:
            return j - step
        j += step


def statement_end(tokens, pair, i):
    """The last token of the statement that begins at i."""
    if tokens[i].text == '{':
        return pair[i]
    if tokens[i].text in ('if', 'while', 'for', 'switch'):
        end = statement_end(tokens, pair, pair[i + 1] + 1)
        if tokens[i].text == 'if' and tokens[end + 1].text == 'else':
            return statement_end(tokens, pair, end + 2)
        return end
    while tokens[i].text != ';':
        i = pair.get(i, i) if tokens[i].text in PAIRS else i
        i += 1
    return i


def places(text):
    """All mutants of a file: (kind, from, to, what stands there then)."""
    tokens = lex(text)
    pair = partners(tokens)
    for first, last in bodies(tokens, pair):
        until = 0
        for i in range(first, last):
            if tokens[i].text == 'assert' and i + 1 in pair:
                until = pair[i + 1]
            if i < until:
                continue        # an assertion is a test itself
            try:
                yield from at(text, tokens, pair, i)
            except (IndexError, KeyError):
                pass            # a macro that is no statement


def at(text, tokens, pair, i):
    t, before, after = tokens[i], tokens[i - 1], tokens[i + 1]
    if t.text in ('if', 'while') and after.text == '(':
        a, b = after.end, tokens[pair[i + 1]].at
        yield 'negate', a, b, f'!({text[a:b]})'
        if t.text == 'if':
            yield 'drop', a, b, '1'
            yield 'drop', a, b, '0'
    elif t.text in ('&&', '||'):
        left, right = operand(tokens, pair, i, -1), operand(tokens, pair, i, 1)
        yield 'operand', tokens[left].at, after.at, ''
        yield 'operand', before.end, tokens[right].end, ''
    elif t.text in BOUNDS and t.kind == 'op':
        yield 'bound', t.at, t.end, BOUNDS[t.text]
    elif t.text in '+-' and after.text in ('1', '1u') and before.kind in ('name', 'number') or t.text in '+-' and after.text == '1' and before.text in ')]':
        yield 'one', before.end, after.end, ''
    elif t.kind == 'number' and re.fullmatch(r'\d+[uUlL]*', t.text):
        digits = re.match(r'\d+', t.text).group()
        yield 'constant', t.at, t.end, str(int(digits) + 1) + t.text[len(digits):]
    elif t.kind == 'name' and after.text == '(' and before.text in (';', '{', '}', ')', 'else', ':') and \
            tokens[pair[i + 1] + 1].text == ';' and t.text not in ('assert', 'if', 'while', 'for', 'switch', 'return', 'sizeof'):
        yield 'call', t.at, tokens[pair[i + 1]].end, ''
    elif t.text == 'else':
        yield 'arm', t.at, tokens[statement_end(tokens, pair, i + 1)].end, ''
    elif t.text == 'case' and before.text in (';', '}'):
        j = i + 1
        while tokens[j].text != ':':
            j += 1
        yield 'arm', t.at, tokens[j].end, ''


def sources(under):
    paths = sorted(glob.glob(os.path.join(TOP, 'src/*/*.[ch]')) + glob.glob(os.path.join(TOP, 'runtime/*.[ch]')))
    return [os.path.relpath(p, TOP) for p in paths if os.path.relpath(p, TOP).startswith(under)]


def draw(seed, under):
    """Mutants without end: (path, kind, from, to, new text)."""
    every, starts, n = [], [], 0
    for path in sources(under):
        found = list(places(open(os.path.join(TOP, path)).read()))
        every.append((path, found))
        starts.append(n)
        n += len(found)
    rng = random.Random(f'plumb {seed}')
    while n:
        x = rng.randrange(n)
        i = bisect.bisect(starts, x) - 1
        yield (every[i][0],) + every[i][1][x - starts[i]]


#
# Trying
#

def run(argv, cwd, timeout=3600):
    """Exit code and output; a process group of its own, so that nothing stays behind."""
    p = subprocess.Popen(argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        out = p.communicate(timeout=timeout)[0].decode('utf-8', 'replace')
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGTERM)
        out = p.communicate()[0].decode('utf-8', 'replace')
    return p.returncode, out


def object_code(tree, path):
    """The code of a file's object; of a header's users all."""
    stem = os.path.splitext(path)[0]
    files = [os.path.join(tree, 'build', 'obj', stem + '.o')] if path.startswith('src/') else [os.path.join(tree, 'build', stem + '.o')]
    if path.endswith('.h') or not os.path.exists(files[0]):
        files = sorted(glob.glob(os.path.join(tree, 'build/obj/src/*/*.o')) + glob.glob(os.path.join(tree, 'build/runtime/*.o')))
    code = []
    for f in files:
        out = subprocess.run(['objdump', '-d', '-r', '-s', '-j', '.text', '-j', '.rodata', '-j', '.data', '--no-show-raw-insn', f],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        code.append(out)
    return code


def fresh_tree(tree):
    """A copy of what git has, with a build of its own that is brought up to date."""
    if not os.path.isdir(tree):
        os.makedirs(os.path.join(tree, 'build'))
        for name in os.listdir(os.path.join(TOP, 'build')):     # with the times, so that make has nothing to do
            if name not in LEFT_BEHIND:
                run(['cp', '-a', os.path.join(TOP, 'build', name), os.path.join(tree, 'build')], tree)
    names = subprocess.run(['git', '-C', TOP, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                           stdout=subprocess.PIPE, check=True).stdout.decode().split('\0')
    for name in filter(None, names):
        src, dst = os.path.join(TOP, name), os.path.join(tree, name)
        os.makedirs(os.path.dirname(dst), exist_ok=True)
        if os.path.exists(src) and not same_file(src, dst):
            shutil.copy2(src, dst, follow_symlinks=False)
    if not os.path.isdir(os.path.join(tree, '.git')):
        run(['git', 'init', '-q'], tree)
        run(['git', 'add', '-A'], tree)
    code, out = run(['make', '-s', 'all'], tree)
    if code:
        sys.exit(f'mutate: the copy in {tree} does not build:\n{out[-2000:]}')


def same_file(a, b):
    return os.path.lexists(b) and (os.path.islink(a) or open(a, 'rb').read() == open(b, 'rb').read())


def groups_for(path):
    near = next((g for d, g in NEAR.items() if path.startswith(d + '/')), '').split()
    return near + [g for g in ORDER.split() if g not in near]


def attempt(tree, path, mutant, jobs):
    """(fate, by): noticed, lived, same, or broken where it does not compile."""
    kind, a, b, new = mutant
    full = os.path.join(tree, path)
    text = open(full).read()
    before = object_code(tree, path)
    try:
        with open(full, 'w') as f:
            f.write(text[:a] + new + text[b:])
        code, out = run(['make', '-s', 'all'], tree)
        if code:
            return 'broken', out.strip().split('\n')[0]
        if object_code(tree, path) == before:
            return 'same', 'object code'
        for group in groups_for(path):
            code, out = run(['tests/run', '-j', jobs, '--stop', group], tree)
            if code:
                m = re.search(r'^FAILED (.*)$', out, re.M)
                return 'noticed', m.group(1) if m else f'{group}: {out.strip().split(chr(10))[-1]}'
        return 'lived', ''
    finally:
        with open(full, 'w') as f:
            f.write(text)
        run(['make', '-s', 'all'], tree)


#
# Rows
#

def rows_path(seed):
    return os.path.join(TOP, 'build/mutate', f'{seed}.tsv')


def read_rows(seed):
    if not os.path.exists(rows_path(seed)):
        return []
    with open(rows_path(seed), newline='') as f:
        return list(csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE))


def write_rows(seed, table):
    os.makedirs(os.path.dirname(rows_path(seed)), exist_ok=True)
    with open(rows_path(seed), 'w') as f:
        f.write('\t'.join(COLUMNS) + '\n')
        for r in table:
            f.write('\t'.join(re.sub(r'\s+', ' ', str(r.get(c) or '')) for c in COLUMNS) + '\n')


def describe(k, path, mutant):
    kind, a, b, new = mutant
    text = open(os.path.join(TOP, path)).read()
    line = text.count('\n', 0, a) + 1
    start, end = text.rfind('\n', 0, a) + 1, text.find('\n', b)
    return {'k': k, 'place': f'{path}:{line}', 'kind': kind, 'before': text[start:end].strip(),
            'after': (text[start:a] + new + text[b:end]).strip()}


def summary(seed):
    fates = collections.Counter('same' if r['fate'] == 'lived' and r['verdict'] == 'same' else r['fate'] for r in read_rows(seed))
    changed = fates['noticed'] + fates['lived']
    print(f'seed {seed}: {sum(fates.values()) - fates["broken"]} mutants, {fates["same"]} change nothing, {fates["noticed"]} of {changed} noticed'
          + (f' ({100 * fates["noticed"] / changed:.0f} %)' if changed else ''))
    for r in read_rows(seed):
        if r['fate'] == 'lived' and r['verdict'] != 'same':
            print(f'  {r["k"]:>3} {r["place"]} {r["kind"]}: {r["before"]}  ->  {r["after"]}')


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('seed', nargs='?')
    ap.add_argument('count', nargs='?', type=int, default=20)
    ap.add_argument('--list', action='store_true')
    ap.add_argument('--sum', nargs='+', metavar='SEED')
    ap.add_argument('--under', default='')
    ap.add_argument('--tree', default=os.path.join(TOP, 'build/mutate/tree'))
    ap.add_argument('--again')
    ap.add_argument('-j', dest='jobs', default='2')
    args = ap.parse_args()
    if args.sum:
        for seed in args.sum:
            summary(seed)
        return
    if not args.seed:
        ap.error('a seed is wanted')
    table = [r for r in read_rows(args.seed) if r['k'] != args.again]
    done = {r['k']: r['fate'] for r in table}
    if not args.list:
        fresh_tree(args.tree)
    good = 0
    for k, (path, *mutant) in enumerate(draw(args.seed, args.under)):
        if good >= args.count:
            break
        row = describe(k, path, mutant)
        if args.list:
            print(f'{k:>3} {row["place"]} {row["kind"]}: {row["before"]}  ->  {row["after"]}')
        elif str(k) not in done:
            row['fate'], row['by'] = attempt(args.tree, path, mutant, args.jobs)
            table.append(row)
            table.sort(key=lambda r: int(r['k']))
            write_rows(args.seed, table)
            print(f'{k:>3} {row["place"]} {row["kind"]}: {row["fate"]} {row["by"]}', flush=True)
        good += args.list or (done.get(str(k)) or row['fate']) != 'broken'
    if not args.list:
        summary(args.seed)


if __name__ == '__main__':
    main()
