#!/usr/bin/env python3
"""
programs.py - does plumb fix ever hurt?  Random programs, run before and after.

    fuzz/programs.py                    60 programs: the seeds from 0 on
    fuzz/programs.py --count 2000 --from 1000
    fuzz/programs.py SEED...            these
    fuzz/programs.py --show SEED        only prints the program
    fuzz/programs.py --reduce SEED      the smallest program that fails in the same way, by leaving out lines; or of a FILE

    -j N          so many at a time (default: processors)
    --keep DIR    programs that fail, with patch and messages, are copied there (default: build/fuzz/programs)
    --plumb FILE  this plumb instead of build/plumb

Each program (fuzz/generate.py) is compiled with AddressSanitizer and UBSan and run with all its inputs.  plumb fix is run,
its patch applied, and the program compiled and run again.  A failure is

    invalid   the program does something wrong besides to lose memory: a bug of the generator
    crash     plumb fix does not end as it should
    patch     the patch cannot be applied, or the program does not compile then, or with a new warning
    output    it prints something else, or has another exit status
    memory    AddressSanitizer, or UBSan, finds something
    worse     more is lost than before
    left      plumb fix has exit code 0, and something is lost: a miss of the analysis.  fuzz/seeds may call that known
    mended    it is known, and does not happen any more

Then there are counts of what is lost and not reported.  Exit code 0 if there is no failure.
"""

import collections
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate         # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CC = shlex.split(os.environ.get('CC') or 'gcc')
CFLAGS = ['-std=gnu17', '-O0', '-Wall', '-Wextra', '-fsanitize=address,undefined', '-fno-sanitize-recover=undefined']
BATCH = 10
INPUTS = [[str(a), str(b)] for a in range(4) for b in range(3)]
PLUMB = os.path.join(ROOT, 'build/plumb')
SEEDS = os.path.join(ROOT, 'fuzz/seeds')        # SEED FAILURE [known] WHY


def call(argv, cwd, **kw):
    env = dict(os.environ, ASAN_OPTIONS='detect_leaks=0:exitcode=99:symbolize=0', UBSAN_OPTIONS='exitcode=99', LC_ALL='C.UTF-8')
    return subprocess.run(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, **kw)


class Tried:
    """A program on its way: folder has its files, or those that are patched."""

    def __init__(self, name, files, inputs, folder):
        self.name, self.files, self.inputs, self.folder = name, files, inputs, folder
        self.failure, self.detail = None, ''
        self.code, self.diff, self.said = None, '', ''
        self.before = self.after = None         # by input: (output, status, objects left)
        os.makedirs(folder)
        for n, text in files.items():
            with open(os.path.join(folder, n), 'w') as f:
                f.write(text)

    def fail(self, failure, detail):
        if not self.failure:
            self.failure, self.detail = failure, detail

    @property
    def units(self):
        return sorted(n for n in self.files if n.endswith('.c'))

    def lost(self, runs):
        return max((left for _, _, left in runs.values()), default=0)


def compile_program(t, folder):
    """Its object, with main() renamed and nothing else to be seen; warnings, without where they are."""
    objs, said = [], ''
    for n in t.units:
        d = call(CC + CFLAGS + [f'-Dmain=main_{t.name}', '-c', '-o', n[:-2] + '.o', n], folder)
        said += d.stderr.decode('utf-8', 'replace')
        if d.returncode:
            return None, said
        objs.append(n[:-2] + '.o')
    if len(objs) > 1:
        call(CC + ['-r', '-nostdlib', '-o', 'all.o'] + objs, folder)
        call(['objcopy', '-G', f'main_{t.name}', 'all.o'], folder)
        objs = ['all.o']
    return os.path.join(folder, objs[0]), said


def warnings(said):
    return collections.Counter(re.findall(r'warning: (.*)', said))


def run_all(batch, objects, folder):
    """{name: {input: (output, status, left)}}"""
    with open(os.path.join(folder, 'table.h'), 'w') as f:
        for t in batch:
            for a, b in t.inputs:
                f.write(f'PROGRAM({t.name}, "{a}", "{b}")\n')
    d = call(CC + ['-O1', '-fsanitize=address,undefined', f'-DTABLE="{folder}/table.h"', '-o', 'all', os.path.join(ROOT, 'fuzz/run_programs.c')] +
             objects, folder)
    if d.returncode:
        raise RuntimeError(d.stderr.decode())
    d = call(['./all'], folder)
    found = {t.name: {} for t in batch}
    for m in re.finditer(rb'\001(\w+) (.*)\n([^\001]*?)(?:\002(-?\d+)\n)?\003(\d+)\n', d.stdout):
        found[m[1].decode()][m[2].decode()] = (m[3].decode('utf-8', 'replace'), int(m[5]), int(m[4] or -1))
    return found, d.stderr.decode('utf-8', 'replace')


def build_and_run(batch, which, folder):
    """Compiles and runs those that have not failed."""
    os.makedirs(folder, exist_ok=True)
    objects, ready, said = [], [], {}
    for t in batch:
        obj, said[t] = compile_program(t, os.path.join(t.folder, which))
        if obj:
            objects.append(obj)
            ready.append(t)
        else:
            t.fail('invalid' if which == 'orig' else 'patch', said[t])
    runs, err = run_all(ready, objects, folder) if ready else ({}, '')
    return runs, said, err


def is_bad(run):
    return run[1] == 99 << 8 or run[1] & 127 or run[2] < 0


def fix(t):
    d = call([PLUMB, 'fix', '--no-cache', '-j', '1'] + t.units, os.path.join(t.folder, 'orig'))
    t.code, t.diff, t.said = d.returncode, d.stdout.decode('utf-8', 'replace'), d.stderr.decode('utf-8', 'replace')
    if t.code not in (0, 1, 3):
        return t.fail('crash', f'exit code {t.code}\n{t.said}')
    shutil.copytree(os.path.join(t.folder, 'orig'), os.path.join(t.folder, 'fixed'))
    if t.diff:
        d = subprocess.run(['patch', '-p1', '-s', '--no-backup-if-mismatch'], cwd=os.path.join(t.folder, 'fixed'), input=t.diff.encode(),
                           capture_output=True)
        if d.returncode:
            t.fail('patch', d.stdout.decode() + d.stderr.decode())


def judge(t, said):
    for i, old in t.before.items():
        new = t.after.get(i)
        if new is None:
            t.fail('patch', f'input {i}: it did not run')
        elif is_bad(new):
            t.fail('memory', f'input {i}: status {new[1]}')
        elif new[:2] != old[:2]:
            t.fail('output', f'input {i}')
        elif new[2] > old[2]:
            t.fail('worse', f'input {i}: {old[2]} objects lost before, {new[2]} now')
    if t.code == 0 and t.lost(t.after):
        t.fail('left', f'{t.lost(t.after)} objects, {t.lost(t.before)} before')
    more = warnings(said['fixed']) - warnings(said['orig'])
    if more:
        t.fail('patch', 'new warnings: ' + ', '.join(more))


def try_batch(programs, folder):
    """[Tried] of [(name, files, inputs)]."""
    batch = [Tried(name, files, inputs, os.path.join(folder, name)) for name, files, inputs in programs]
    for t in batch:
        for n in os.listdir(t.folder):
            os.makedirs(os.path.join(t.folder, 'orig'), exist_ok=True)
            os.rename(os.path.join(t.folder, n), os.path.join(t.folder, 'orig', n))
    runs, said, err = build_and_run(batch, 'orig', os.path.join(folder, 'before'))
    for t in batch:
        t.before = runs.get(t.name, {})
        bad = [i for i, r in t.before.items() if is_bad(r)]
        if bad or len(t.before) != len(t.inputs):
            t.fail('invalid', f'input {bad[:1]}: {t.before[bad[0]] if bad else ""}\n{err[:2000]}')
    for t in batch:
        if not t.failure:
            fix(t)
    patched = [t for t in batch if not t.failure and t.diff]
    for t in batch:
        t.after = t.before
    runs, said2, _ = build_and_run(patched, 'fixed', os.path.join(folder, 'after'))
    for t in patched:
        t.after = runs.get(t.name, {})
    for t in batch:
        if not t.failure:
            judge(t, {'orig': said[t], 'fixed': said2.get(t, said[t])})
    return batch


def programs_of(seeds):
    for s in seeds:
        p = generate.generate(s)
        yield f's{s}', p.files, p.inputs


def known_misses():
    """The names of programs that are known to fail as `left`."""
    with open(SEEDS) as f:
        rows = [line.split() for line in f]
    return {'s' + r[0] for r in rows if r[1:3] == ['left', 'known']}


def excuse(t, known):
    """What is known is no failure; if it does not happen, that is one."""
    if t.name in known and t.failure == 'left':
        t.failure = None
        return True
    if t.name in known:
        t.fail('mended', 'it does not fail: it is no longer `known` in fuzz/seeds')
    return False


def keep(t, folder):
    to = os.path.join(folder, f'{t.failure}-{t.name}')
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(os.path.join(t.folder, 'orig'), to, ignore=shutil.ignore_patterns('*.o'))
    with open(os.path.join(to, 'why'), 'w') as f:
        f.write(f'{t.failure}: {t.detail}\nexit code {t.code}\n{t.said}\n{t.diff}')


def one_batch(seeds, kept):
    folder = tempfile.mkdtemp(prefix='plumb-programs.')
    try:
        done, known = try_batch(list(programs_of(seeds)), folder), known_misses()
        excused = {t for t in done if excuse(t, known)}
        for t in done:
            if t.failure:
                keep(t, kept)
        return [(t.name, t.failure, t.detail, t.code, t.lost(t.before), t.lost(t.after), bool(t.diff), t.said, t in excused) for t in done]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


#
# Reduction: what can be left out, the larger first, as long as it fails in the same way.
#

def pieces(lines):
    """[(from, to)] of what may be left out at once: what is between braces, with its head; statements."""
    stack, found = [], []
    for i, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith('}') and stack:
            first = stack.pop()
            while first and bare.startswith('}') and lines[first].strip().startswith('{') and lines[first - 1].strip():
                first -= 1
            found.append((first, i + 1))
            if bare.endswith('{'):
                stack.append(i)
            if lines[first].startswith('\t'):
                found.append((first, None, i))          # only the braces and the head
        elif bare.endswith('{'):
            stack.append(i)
        elif bare:
            found.append((i, i + 1))
            if not bare.endswith(';') and i + 1 < len(lines):
                found.append((i, i + 2))
    return sorted(found, key=lambda p: p[0] - (p[1] or p[0] + 1))


def without(lines, p):
    if p[1] is None:
        return lines[:p[0]] + lines[p[0] + 1:p[2]] + lines[p[2] + 1:]
    return lines[:p[0]] + lines[p[1]:]


def fails_so(text, name, inputs, failure):
    if '-Werror=return-type' not in CFLAGS:
        CFLAGS.extend(['-Werror=return-type', '-Werror=implicit', '-Werror=uninitialized', '-Werror=maybe-uninitialized'])
    folder = tempfile.mkdtemp(prefix='plumb-programs.')
    try:
        return try_batch([('r', {name: text}, inputs)], folder)[0].failure == failure
    except RuntimeError:
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def reduce(name, text, inputs, jobs):
    folder = tempfile.mkdtemp(prefix='plumb-programs.')
    try:
        failure = try_batch([('r', {name: text}, inputs)], folder)[0].failure
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not failure:
        return None, text
    lines, tried = text.split('\n'), set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        again = True
        while again:
            again = False
            todo = [without(lines, p) for p in pieces(lines)]
            todo = [t for t in todo if '\n'.join(t) not in tried]
            for i in range(0, len(todo), jobs):
                some = todo[i:i + jobs]
                tried |= {'\n'.join(t) for t in some}
                good = [t for t, ok in zip(some, pool.map(lambda t: fails_so('\n'.join(t), name, inputs, failure), some)) if ok]
                if good:
                    lines, again = min(good, key=len), True
                    break
    return failure, re.sub(r'\n\n\n+', '\n\n', '\n'.join(lines))


def main():
    global PLUMB
    args = sys.argv[1:]

    def option(name, default):
        if name not in args:
            return default
        i = args.index(name)
        value = args[i + 1]
        del args[i:i + 2]
        return value
    count, first = int(option('--count', 60)), int(option('--from', 0))
    jobs = int(option('-j', os.cpu_count() or 2))
    kept = os.path.abspath(option('--keep', os.path.join(ROOT, 'build/fuzz/programs')))
    PLUMB = os.path.abspath(option('--plumb', PLUMB))
    show = option('--show', None)
    if show:
        for n, text in generate.generate(int(show)).files.items():
            print(f'/* {n} */\n{text}')
        return 0
    what = option('--reduce', None)
    if what:
        text = open(what).read() if os.path.exists(what) else generate.generate(int(what)).files['prog.c']
        failure, text = reduce('prog.c', text, INPUTS, jobs)
        print(text if failure else 'it does not fail')
        return not failure
    os.makedirs(kept, exist_ok=True)
    seeds = [int(a) for a in args] or list(range(first, first + count))
    n, failures, rows = collections.Counter(), [], []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for rows in pool.map(lambda s: one_batch(s, kept), [seeds[i:i + BATCH] for i in range(0, len(seeds), BATCH)]):
            for name, failure, detail, code, before, after, patched, said, known in rows:
                n['programs'] += 1
                n['losing'] += before > 0
                n['patched'] += patched
                n['mended'] += before > 0 and after == 0
                n['exit 0'] += code == 0
                n['known misses'] += known
                if failure:
                    failures.append((failure, name))
                    print(f'FAILED {name}: {failure}: {detail.splitlines()[0] if detail else ""}', flush=True)
                if before and 'no leak found' in said:
                    n['missed, all judged' if 'all ' in said or ', judged' in said else 'missed, not all judged'] += 1
    print(', '.join(f'{v} {k}' for k, v in n.items()))
    if failures:
        print(', '.join(f'{v} {k}' for k, v in collections.Counter(f for f, _ in failures).items()) + f': see {kept}')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
