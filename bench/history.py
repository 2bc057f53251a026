#!/usr/bin/env python3
"""
history.py - of the leaks that projects have fixed, how many does plumb find, and how many does it still report when they are fixed?

    bench/history.py                    the seen half: builds what is missing, analyses, prints sums
    bench/history.py --half unseen      the other half: sums alone are printed and kept
    bench/history.py --save FILE.json   also puts the sums into FILE.json beside the records
    bench/history.py check              are the records what they shall be?
    bench/history.py install            the packages that the builds want (apt, as root)
    bench/history.py show FILE.json     the sums of a committed file

    --plumb FILE        default: build/plumb
    --mirror DIR        bare repositories, OWNER+NAME/repo or OWNER+NAME (default: ../.mirror); what is missing is named and left out
    --work DIR          sources, builds and results (default: build/history)
    --records DIR       the records (default: bench/history)
    --repo PART         only projects with PART in their name
    --jobs N            analyses at a time (2)
    --again             builds anew what could not be built
    --built             builds nothing: what is not built yet is counted as that
    --units             compiles units anew, as is needed after a change of the front end or the IR
    --seconds N         for one analysis (600)

A record is a leak of one object in one function that a commit of a project has fixed: project, fix, parent, file, function and line of
the allocation, file and function where it is lost, variable, allocator, class, and whether it takes more than the function
itself to see it; no code.  plumb analyses the parent and the fix, each as one unit and as the whole program or library.
On the parent the leak must be reported, on the fix not.

A *hit* is a finding that is shown (confidence high or medium, not suppressed) of the same allocation, or of the same lost variable
in the same function: what same_leak() says.

The records are in two halves, by project.  seen.jsonl is there to work with; results by record are in WORK/seen.jsonl.  unseen.jsonl.xz is only
counted: who works on the analyses does not read it, and what it gives record by record is not kept.

Intervals are 90 %.  Those of sums over all records are by drawing whole projects again, since records of a project are alike; those of
parts, where projects are few, are Wilson's.

The first run builds some hundred trees, which takes hours; it may be ended and started again.  See history_build.py.
"""

import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import lzma
import math
import os
import platform
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import history_build
import strangers
from common import BENCH, TOP, digest_files, run

HALVES = ('seen', 'unseen')
MODES = ('unit', 'whole')
SIDES = history_build.SIDES
Z = 1.645               # 90 %
MEMORY = 8 << 30


def say(text):
    print(f'history: {text}', flush=True)


def opened(args, name):
    path = os.path.join(args.records, name)
    return lzma.open(path + '.xz', 'rt') if os.path.exists(path + '.xz') else open(path)


def records(args, half):
    with opened(args, half + '.jsonl') as f:
        return [json.loads(line) for line in f]


def recipes(args):
    """{repo: how it is built}"""
    with opened(args, args.half + '.builds.json') as f:
        return json.load(f)


#
# The records themselves
#

def check(args):
    shut = {strangers.plain(n) for n in strangers.reserved()}
    all_ = {h: records(args, h) for h in HALVES}
    repos = {h: {r['repo'] for r in rs} for h, rs in all_.items()}
    wrong = []
    if sum(map(len, all_.values())) < 100:
        wrong.append('fewer than 100 records')
    if repos['seen'] & repos['unseen'] or len(repos['seen'] | repos['unseen']) < 20:
        wrong.append('a project in both halves, or fewer than 20 projects')
    if any(strangers.plain(r.split('/')[1]) in shut for rs in repos.values() for r in rs):
        wrong.append('a project is reserved')
    for h, rs in all_.items():
        n = collections.Counter(r['class'] for r in rs)
        crossing = sum(r['crosses'] for r in rs)
        print(f'{h}: {len(rs)} records of {len(repos[h])} projects, {crossing} cross functions; ' + ', '.join(f'{k} {v}' for k, v in n.most_common()))
        if n['overwritten'] < 8 or n['destructor-forgets'] < 8:
            wrong.append(f'{h}: fewer than 8 of a class that is wanted')
        if 4 * crossing < 3 * len(rs):
            wrong.append(f'{h}: fewer than three quarters cross functions')
        if any('code' in r or set(r) & {'diff', 'patch'} for r in rs):
            wrong.append(f'{h}: code in a record')
    for w in wrong:
        print(f'wrong: {w}')
    return 1 if wrong else 0


#
# Cases
#

def cases(args):
    """(case, records) for the half, and what has no repository here."""
    by, missing, recipe = collections.OrderedDict(), set(), recipes(args)
    for r in records(args, args.half):
        if args.repo in r['repo']:
            by.setdefault((r['repo'], r['fix']), []).append(r)
    out, count = [], collections.Counter()
    for (repo, fix), rs in by.items():
        count[repo] += 1
        name = f'{repo.split("/")[1]}.' + hashlib.sha256(fix.encode()).hexdigest()[:8]
        c = history_build.Case(os.path.join(args.work, args.half, name), args.mirror, rs, recipe.get(repo, {}))
        if not c.mirror and c.known is None:
            missing.add(repo)
        out.append(c)
    for repo in sorted(missing):
        say(f'{repo}: no repository in {args.mirror}')
    return out


def build(args, todo):
    for i, c in enumerate(todo, 1):
        if c.mirror and (c.known is None or (args.again and c.known['why'])):
            say(f'build {i} of {len(todo)}: {os.path.basename(c.folder)}')
            start = time.monotonic()
            c.make(args.plumb, args.jobs)
            say(f'  {c.known["why"] or "built"}, {time.monotonic() - start:.0f} s')
        elif args.units and c.known and not c.known['why']:
            say(f'units {i} of {len(todo)}')
            c.remake(args.plumb, args.jobs)


def install(args):
    env = {**strangers.apt_view(args.work), 'DEB_BUILD_PROFILES': 'nodoc nocheck', 'DEBIAN_FRONTEND': 'noninteractive'}
    options = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=1200']
    release = platform.freedesktop_os_release().get('VERSION_CODENAME', '')

    def get(*argv):
        return subprocess.run(['apt-get', *options, *argv], env=env, stdout=subprocess.DEVNULL).returncode == 0

    for repo, r in recipes(args).items():
        # what packages of a later release want is often not to be had here
        if r.get('debian') and not (get('-P', 'nodoc,nocheck', 'build-dep', *(f'{n}/{release}' for n in r['debian']))
                                    or get('-P', 'nodoc,nocheck', 'build-dep', *r['debian'])):
            say(f'{repo}: build-dep {" ".join(r["debian"])} failed')
        if r.get('packages') and not get('install', *r['packages']):
            say(f'{repo}: install {" ".join(r["packages"])} failed')


#
# Is it the same leak?
#

def bare(variable):
    """*this->x, (this)->x and this->x[i] are one."""
    return re.sub(r'\[[^]]*\]|[\s*&()]', '', variable or '').replace('.', '->')


def same_variable(a, b):
    a, b = bare(a), bare(b)
    return bool(a) and (a == b or ('->' in a and '->' in b and a.split('->')[-1] == b.split('->')[-1]))


def same_leak(r, f, line, relative):
    """Is finding f the leak of record r?  line: that of the allocation, None if the fix has changed it."""
    leak = f.get('leak') or {}
    here = relative(f['file']) == r['file'] and f['function'] == r['function']
    there = relative(leak.get('file', '')) == r['lost_file'] and leak.get('function') == r['lost_function']
    if (here or there) and same_variable(f.get('variable'), r['variable']):
        return True
    if line is None:
        return False
    if here and abs(f['line'] - line) <= (2 if f.get('allocator') == r['allocator'] else 0):
        return True
    return there and any(relative(s['file']) == r['file'] and s['line'] == line and s['message'].endswith(f' to {r["function"]}()')
                         for s in f['path'])       # made in a callee, and handed over here


def is_shown(f):
    return f['confidence'] in ('high', 'medium') and not f.get('suppressed')


#
# Analysis
#

def analyse(args, case, paths, side, cache):
    """(report or None, how it ended, CPU seconds)"""
    env = {**os.environ, 'LD_LIBRARY_PATH': os.path.join(case.folder, side, 'lib'), 'XDG_CONFIG_HOME': '/nonexistent'}
    c = run([args.plumb, 'check', '--format', 'json', '-j', '1', '--cache-dir', cache, *(os.path.join(case.folder, p) for p in paths)],
            cwd=case.folder, env=env, wall=args.seconds, memory=MEMORY)
    try:
        return json.loads(c.out), '', c.cpu
    except ValueError:
        return None, 'time' if c.late else 'memory or crash' if c.status not in (2, 3) else 'not read', c.cpu


def obstacle(r, report, ended, line, relative):
    """Why the leak is not shown, as far as the report tells."""
    if report is None:
        return ended
    same = [f for f in report['findings'] if same_leak(r, f, line, relative)]
    if any(f.get('suppressed') for f in same):
        return 'suppressed'
    if same:
        return 'low confidence'
    names = {r['function'], r['lost_function']}
    if any(x.split(' ')[0] in names for x in report['coverage']['functions_incomplete']):
        return 'function not judged whole'
    if any(is_shown(f) and {f['function'], (f.get('leak') or {}).get('function')} & names for f in report['findings']):
        return 'only others in the function'
    return 'silent'


def judge(args, case, cache):
    """A row for each record of the case."""
    rows = [{'repo': r['repo'], 'class': r['class'], 'crosses': r['crosses'], 'allocator': r['allocator_kind'], 'fix': r['fix'],
             'function': r['function'], 'why': (case.known or {'why': 'not built yet' if case.mirror else 'no repository'})['why']} for r in case.records]
    if rows[0]['why']:
        return rows
    relative = case.relative
    done = {}
    for side in SIDES:
        case.put(side)
        for r, row, what, at in zip(case.records, rows, case.known['sides'][side], case.known['lines']):
            line = r['line'] if side == 'parent' else at
            row['name'] = what['name']
            for mode in MODES:
                paths = tuple([what['unit']] if mode == 'unit' else what['whole'])
                if (side, paths) not in done:
                    done[side, paths] = analyse(args, case, paths, side, cache)
                report, ended, cpu = done[side, paths]
                hits = [f['id'] for f in (report or {'findings': []})['findings'] if is_shown(f) and same_leak(r, f, line, relative)]
                row[f'{mode}.{side}'] = bool(hits)
                row[f'{mode}.{side}.cpu'] = round(cpu, 1)
                row[f'{mode}.{side}.ids'] = hits
                if report is None:
                    row[f'{mode}.failed'] = ended
                if side == 'parent' and not hits:
                    row[f'{mode}.obstacle'] = obstacle(r, report, ended, line, relative)
    return rows


def measure(args, todo):
    """Rows of all records.  Those of a run that was ended are taken up, if it was of the same plumb."""
    path = os.path.join(args.work, f'{args.half}.part.{digest_files(args.plumb)}.jsonl')
    rows = {}
    if os.path.exists(path):
        rows = {k: v for k, v in map(json.loads, open(path))}
    left = [(i, c) for i, c in enumerate(todo) if str(i) not in rows and not args.repo]
    left += [(i, c) for i, c in enumerate(todo) if args.repo]

    def one(item):
        i, case = item
        cache = os.path.join(args.work, 'cache', str(i))
        try:
            return i, judge(args, case, cache)
        finally:
            shutil.rmtree(cache, ignore_errors=True)

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for n, (i, found) in enumerate(pool.map(one, left), 1):
            rows[str(i)] = found
            if not args.repo:
                with open(path, 'a') as f:
                    f.write(json.dumps([str(i), found]) + '\n')
            if n % 10 == 0 or n == len(left):
                say(f'{n} of {len(left)} analysed')
    return [r for k in sorted(rows, key=int) for r in rows[k]]


#
# Sums
#

def wilson(k, n):
    if not n:
        return None
    p, z = k / n, Z * Z / n
    half = Z * math.sqrt(p * (1 - p) / n + z / n / 4)
    return [round((p + z / 2 - half) / (1 + z), 3), round((p + z / 2 + half) / (1 + z), 3)]


def by_projects(rows, hit, n=4000):
    """90 % of the values that chance gives when whole projects are drawn again."""
    by = collections.defaultdict(list)
    for r in rows:
        by[r['repo']].append(bool(hit(r)))
    rng, names, values = random.Random(1), sorted(by), []
    for _ in range(n):
        drawn = [x for p in rng.choices(names, k=len(names)) for x in by[p]]
        values.append(sum(drawn) / len(drawn))
    values.sort()
    return [round(values[n // 20], 3), round(values[-1 - n // 20], 3)]


def counts(rows, interval):
    """Of each mode: found on the parent, still reported on the fix, and both right."""
    out = {'records': len(rows)}
    for mode in MODES:
        part = {}
        for name, hit in (('found', lambda r: r[f'{mode}.parent']), ('still', lambda r: r[f'{mode}.fix']),
                          ('told_apart', lambda r: r[f'{mode}.parent'] and not r[f'{mode}.fix'])):
            k = sum(bool(hit(r)) for r in rows)
            part[name] = {'n': k, 'interval': interval(rows, hit) if interval is by_projects else interval(k, len(rows))}
        out[mode] = part
    return out


def sums(rows):
    good = [r for r in rows if not r['why']]
    parts = {}
    for name, key in (('class', 'class'), ('crossing functions', 'crosses'), ('allocator', 'allocator')):
        values = collections.Counter(str(r[key]) for r in good)
        parts[name] = {v: counts([r for r in good if str(r[key]) == v], wilson) for v, _ in values.most_common()}
    tally = lambda key, of: dict(collections.Counter(r[key] for r in of if r.get(key)).most_common())
    return {'records': len(rows), 'projects': len({r['repo'] for r in rows}), 'not_built': tally('why', rows),
            'all': counts(good, by_projects) if good else None, 'parts': parts,
            'obstacles': {m: tally(f'{m}.obstacle', good) for m in MODES}, 'failed': {m: tally(f'{m}.failed', good) for m in MODES},
            'cpu': {m: round(sum(r[f'{m}.{s}.cpu'] for r in good for s in SIDES)) for m in MODES}}


def cell(part, n):
    return f'{part["n"]:3} ({100 * part["n"] / n:3.0f} %, {100 * part["interval"][0]:.0f} to {100 * part["interval"][1]:.0f})'


def print_sums(half, s):
    print(f'{half}: {s["records"]} records of {s["projects"]} projects; not built: '
          + (', '.join(f'{n} {w}' for w, n in s['not_built'].items()) or 'none'))
    if not s['all']:
        return
    print(f'{"":22}{"n":>4}  {"unit: found":22}{"still reported":22}{"whole: found":22}{"still reported":22}')
    lines = [('all', s['all'])] + [(f'{name}: {v}', c) for name, part in s['parts'].items() for v, c in part.items()]
    for name, c in lines:
        n = c['records']
        print(f'{name[-22:]:22}{n:4}  ' + ''.join(f'{cell(c[m][k], n):22}' for m in MODES for k in ('found', 'still')))
    for m in MODES:
        print(f'{m}: not found on the parent: ' + ', '.join(f'{n} {w}' for w, n in s['obstacles'][m].items())
              + (f'; without an answer: {s["failed"][m]}' if s['failed'][m] else '') + f'; {s["cpu"][m]} s of CPU')


def show(args):
    for name in args.files:
        saved = json.load(open(os.path.join(args.records, name)))
        for half in HALVES:
            if half in saved:
                print(f'plumb {saved[half]["plumb"]}, {saved[half]["date"]}')
                print_sums(half, saved[half])
    return 0


def save(args, s):
    path = os.path.join(args.records, args.save)
    saved = json.load(open(path)) if os.path.exists(path) else {}
    saved[args.half] = {'plumb': strangers.version(args.plumb), 'date': time.strftime('%Y-%m-%d', time.gmtime()), **s}
    with open(path, 'w') as f:
        json.dump(saved, f, indent=1, sort_keys=True)
        f.write('\n')


def all_of_it(args):
    start = time.monotonic()
    todo = cases(args)
    if not args.built:
        build(args, todo)
    built = time.monotonic()
    rows = measure(args, todo)
    s = sums(rows)
    if args.half == 'seen' and not args.repo:
        with open(os.path.join(args.work, 'seen.jsonl'), 'w') as f:
            f.writelines(json.dumps(r) + '\n' for r in rows)
    if args.repo and args.half == 'seen':
        for r in rows:
            print(json.dumps(r))
    print_sums(args.half, s)
    say(f'built in {built - start:.0f} s, analysed in {time.monotonic() - built:.0f} s')
    if args.save and not args.repo:
        save(args, s)
    for path in glob.glob(os.path.join(args.work, f'{args.half}.part.*.jsonl')):
        if not args.repo:
            os.remove(path)
    return 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('command', nargs='?', default='run', choices=('run', 'build', 'check', 'install', 'show'))
    ap.add_argument('files', nargs='*')
    ap.add_argument('--half', choices=HALVES, default='seen')
    ap.add_argument('--plumb', default=os.path.join(TOP, 'build/plumb'))
    ap.add_argument('--mirror', default=os.path.join(TOP, '../.mirror'))
    ap.add_argument('--work', default=os.path.join(TOP, 'build/history'))
    ap.add_argument('--records', default=os.path.join(BENCH, 'history'))
    ap.add_argument('--repo', default='')
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--seconds', type=int, default=600)
    ap.add_argument('--save')
    ap.add_argument('--again', action='store_true')
    ap.add_argument('--built', action='store_true')
    ap.add_argument('--units', action='store_true')
    args = ap.parse_args()
    args.plumb, args.mirror, args.work = map(os.path.abspath, (args.plumb, args.mirror, args.work))
    if args.half == 'unseen' and args.repo and args.command == 'run':
        ap.error('the unseen half is only counted as a whole')
    os.makedirs(args.work, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))     # what was started is ended, too
    if args.command == 'build':
        build(args, cases(args))
        return 0
    return {'run': all_of_it, 'check': check, 'install': install, 'show': show}[args.command](args)


if __name__ == '__main__':
    sys.exit(main())
