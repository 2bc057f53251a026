#!/usr/bin/env python3
"""
fix-suite.py - plumb fix over the annotated programs of tests/check.

    bench/fix-suite.py [-j N] [--keep DIR] [--list] [PATTERN...]

For each program: the leaks that plumb fix finds, which of them it fixes, and why not.
A finding is true if a tag LEAK of the source says so, else it is a false alarm, and a
patch for it is a patch of a safe program.  Each patch is applied with patch -p1; then

    compile   the patched program must compile, without a warning more than before
    check     both engines must find nothing that was not there before, and nothing
              of what was fixed
    again     plumb fix must leave it alone
    run       the program is called, before and after, and must print the same; no
              use after free, no double free, no free of what is no object may come up
              that was not there before.  A program with main() is run; of a library
              each external function is called by a driver that is made here (drive.py)

Prints one line for each thing that is wrong, a table of reasons, and the totals.
--keep leaves patches and drivers in DIR; --list names the fate of every leak.  Exit
code 1 if a patch is wrong, or a safe program is patched.

Needs build/plumb and clang-19; a run takes some minutes.
"""

import collections
import concurrent.futures
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import drive                                            # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLUMB = os.path.abspath(os.environ.get('PLUMB') or os.path.join(ROOT, 'build/plumb'))
CLANG = os.environ.get('PLUMB_CLANG') or 'clang-19'


def runner():
    """tests/run as a module: it knows the programs and their tags."""
    loader = importlib.machinery.SourceFileLoader('tests_run', os.path.join(ROOT, 'tests/run'))
    spec = importlib.util.spec_from_loader('tests_run', loader)
    m = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(m)
    return m


T = runner()


class Program:
    """One annotated program and what became of it."""

    def __init__(self, name, files):
        self.name, self.files = name, files
        self.rows = []          # (true or false, status, reason, place) of each leak found
        self.bad = []           # what is wrong with the patch
        self.patched = self.ran = False

    def arguments(self):
        """Options for plumb and flags for the compiler, from the RUN line."""
        line = (T.header(T.read(self.files[0]), 'RUN') or ['plumb check %s'])[0]
        words, _, flags = line.partition(' -- ')
        words = [w for w in words.split()[2:] if w != '%s']
        if '--engine' in words:
            del words[words.index('--engine'):][:2]
            words = [w for w in words if w not in ('--engine', 'vfg', 'path')]
        return words, flags.split()


def call(argv, cwd, env=None, limit=120):
    try:
        return subprocess.run(argv, cwd=cwd, env=env, capture_output=True, timeout=limit,
                              stdin=subprocess.DEVNULL, errors='replace')
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(argv, -1, '', f'no end within {limit} s')


def copy_tree(p, to):
    """The program's files at the same relative place below `to`."""
    for f in p.files:
        folder = os.path.join(to, os.path.dirname(f))
        os.makedirs(folder, exist_ok=True)
        shutil.copy(os.path.join(ROOT, f), folder)
        for h in os.listdir(os.path.join(ROOT, os.path.dirname(f))):
            if h.endswith(('.h', '.model')):
                shutil.copy(os.path.join(ROOT, os.path.dirname(f), h), folder)


def plumb(p, command, cwd, *options):
    words, flags = p.arguments()
    return call([PLUMB, command, *options, *words, *p.files, *(['--'] + flags if flags else [])],
                cwd, dict(os.environ, XDG_CACHE_HOME=os.path.join(cwd, '.cache')))


def findings(d):
    return [f for f in json.loads(d.stdout)['findings'] if not f.get('suppressed')]


def is_true(p, tags, f):
    return any(t.what == 'LEAK' and t.fits(f['kind'])
               for t in tags.get((f['file'], f['line']), []))


def compile_messages(p, cwd):
    """(compiles, number of warnings, what clang says)"""
    _, flags = p.arguments()
    d = call([CLANG, '-std=gnu17', '-fsyntax-only', '-Wall', '-Wextra', *flags, *p.files], cwd)
    return d.returncode == 0, d.stderr.count('warning:'), d.stderr


def key(f):
    """A finding without its lines, which move."""
    return f['kind'], f['file'], f.get('function'), f.get('variable'), f.get('allocator')


def check_patched(p, orig, patched):
    """The patched program against the original one, without running it."""
    before, after = compile_messages(p, orig), compile_messages(p, patched)
    if before[0] and not after[0]:      # some programs are for gcc alone
        p.bad.append(('compile', after[2].strip().split('\n')[0]))
        return
    if after[1] > before[1]:
        p.bad.append(('compile', 'a warning more'))
    before = collections.Counter(map(key, findings(plumb(p, 'check', orig, '--format', 'json', '--engine', 'all'))))
    after = collections.Counter(map(key, findings(plumb(p, 'check', patched, '--format', 'json', '--engine', 'all'))))
    for k in after - before:
        p.bad.append(('check', f'new: {k[0]} in {k[2]}()'))
    fixed = sum(status == 'available' for _, status, _, _ in p.rows)
    if sum(before.values()) - sum(after.values()) < fixed and not after - before:
        p.bad.append(('check', f'{fixed} fixed, but {sum(after.values())} of '
                      f'{sum(before.values())} findings are still there'))
    d = plumb(p, 'fix', patched)
    if d.stdout:
        p.bad.append(('again', 'plumb fix has more to do'))


def judge(p, tmp):
    orig, patched = os.path.join(tmp, 'orig'), os.path.join(tmp, 'patched')
    copy_tree(p, orig)
    d = plumb(p, 'fix', orig, '--format', 'json')
    if d.returncode not in (0, 1):
        p.bad.append(('fix', f'exit code {d.returncode}: {d.stderr.strip()[:100]}'))
        return
    tags = T.tags(p.files)
    for f in findings(d):
        if f['kind'] in T.LEAK_KINDS:
            fix = f.get('fix') or {'status': 'refused', 'reason': '(none given)'}
            p.rows.append((is_true(p, tags, f), fix['status'], fix['reason'],
                           f"{f['file']}:{f['line']}"))
    diff = plumb(p, 'fix', orig).stdout
    p.patched = bool(diff)
    for true, status, _, place in p.rows:
        if status == 'available' and not true:
            p.bad.append(('safe', f'{place}: a patch, and no tag LEAK'))
    if any(r[1] == 'available' for r in p.rows) != bool(diff):
        p.bad.append(('fix', 'the JSON and the diff disagree'))
    if not diff:
        return
    copy_tree(p, patched)
    with open(os.path.join(tmp, 'diff'), 'w', encoding='utf-8', errors='replace') as f:
        f.write(diff)
    d = call(['patch', '-s', '-p1', '-i', os.path.join(tmp, 'diff')], patched)
    if d.returncode != 0 or d.stdout:
        p.bad.append(('apply', (d.stdout + d.stderr).strip().split('\n')[0]))
        return
    check_patched(p, orig, patched)
    if not any(k == 'compile' for k, _ in p.bad):
        p.ran, wrong = drive.compare(CLANG, p.files, p.arguments()[1], orig, patched)
        p.bad += [('run', w) for w in wrong]


def reason_class(text):
    """Reasons without the names in them."""
    return re.sub(r'`[^`]*`|\b\d+\b', '_', text)


def table(programs):
    rows = [r for p in programs for r in p.rows]
    true = [r for r in rows if r[0]]
    fixed = [r for r in true if r[1] == 'available']
    reasons = collections.Counter(reason_class(r[2]) for r in true if r[1] != 'available')
    print(f'\n{"true leaks, by fate":<70} {"leaks":>6}')
    print(f'{"fixed":<70} {len(fixed):>6}')
    for reason, n in reasons.most_common():
        print(f'{"refused: " + reason[:60]:<70} {n:>6}')
    print(f'{"true leaks found":<70} {len(true):>6}')
    print(f'{"false alarms found":<70} {len(rows) - len(true):>6}')
    kinds = collections.Counter(k for p in programs for k, _ in p.bad)
    print()
    print(f'programs {len(programs)}, with a patch {sum(p.patched for p in programs)}, '
          f'of these run {sum(bool(p.ran) for p in programs)} '
          f'({sum(p.ran for p in programs if p.ran)} calls)')
    print('wrong: ' + (', '.join(f'{k} {n}' for k, n in sorted(kinds.items())) or 'nothing'))
    if true:
        print(f'fixed: {len(fixed)} of {len(true)} true leaks found, {100 * len(fixed) / len(true):.1f} %')
    return 1 if kinds else 0


def main():
    args = sys.argv[1:]
    jobs, keep, listing = os.cpu_count() or 2, None, False
    while args and args[0].startswith('-'):
        a = args.pop(0)
        if a == '-j':
            jobs = int(args.pop(0))
        elif a == '--keep':
            keep = args.pop(0)
        elif a == '--list':
            listing = True
        else:
            sys.exit(__doc__)
    os.chdir(ROOT)
    programs = [Program(n, f) for n, f in T.programs('tests/check')
                if not args or any(a in n for a in args)]

    def one(p):
        tmp = tempfile.mkdtemp(prefix='fix-suite.') if not keep else os.path.join(keep, p.name)
        if keep:
            shutil.rmtree(tmp, ignore_errors=True)
            os.makedirs(tmp)
        try:
            judge(p, tmp)
        except Exception as e:          # one program must not hide the others
            p.bad.append(('script', f'{type(e).__name__}: {e}'))
        finally:
            if not keep:
                shutil.rmtree(tmp, ignore_errors=True)
        return p

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for p in pool.map(one, programs):
            if listing:
                for true, status, reason, place in p.rows:
                    print(f"{place}: {'true' if true else 'false'} {status} {reason}")
            for kind, what in p.bad:
                print(f'{p.name}: {kind}: {what}', flush=True)
    return table(programs)


if __name__ == '__main__':
    sys.exit(main())
