#!/usr/bin/env python3
"""
robust.py - does plumb scan get through programs that nobody has prepared it for?

    bench/robust.py [--count N] [--seed S] [--work DIR]     draws, scans and kills; writes contact/robust.tsv
    bench/robust.py table                                   the table alone, from the results that are there

Of the pool of strangers.py, packages of up to --size kB are drawn by a seed, and of these the first N are
tried whose files can be had.  They are built with what they want to be there (plumb scan --build-deps: run
this in a container).  On the way the driver is killed twice by SIGKILL, and a job once, each time as soon as
a quarter more is done, whatever runs then.  In the end it has to hold that

    - each entry has one result and one row, with the steps and findings of that result, each once
    - no result that was there before a kill has been made again

What is found is counted and not looked at: these packages stay strangers, and are not entered in
contact/used.tsv.  Started again, this continues where it was ended.  The column `why` of the table is
written by hand, and stays.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time

import strangers

TABLE = os.path.join(strangers.CONTACT, 'robust.tsv')
STEPS = ('dependencies', 'build', 'check', 'fix')
COLUMNS = ('package', 'version', 'system', 'units', 'kLOC', 'programs', *STEPS, 'ended', 'why')


def say(text):
    print(f'robust: {text}', flush=True)


#
# Which packages
#

def sources(work, env, names):
    """{package: {version: paths of its files}}, as the archive's indices have them."""
    found = collections.defaultdict(dict)
    for path in sorted(glob.glob(os.path.join(work, 'apt/lists/*_Sources*'))):
        helper = ['/usr/lib/apt/apt-helper', 'cat-file', path]
        out = subprocess.run(helper, stdout=subprocess.PIPE, env=env).stdout
        for block in out.decode('utf-8', 'replace').split('\n\n'):
            m = re.match(r'Package: (\S+)', block)
            if m and m[1] in names:
                s = next(iter(strangers.stanzas(block)))
                files = [line.split()[2] for line in s.get('Checksums-Sha256', '').split('\n') if line]
                found[m[1]].setdefault(s['Version'], [f'{s["Directory"]}/{f}' for f in files])
    return found


def draw(args, env):
    """Lines for the scan's list: packages in the order of the seed, those whose files are all there."""
    path = os.path.join(args.work, 'list')
    if os.path.exists(path):
        return
    shut = {strangers.plain(n) for n in strangers.reserved() | strangers.known()}
    used = {r['package'] for r in strangers.rows(strangers.USED)}
    names = sorted(r['package'] for r in strangers.rows(strangers.POOL)
                   if int(r['kB']) <= args.size and r['package'] not in used
                   and strangers.plain(r['package']) not in shut)
    random.Random(args.seed).shuffle(names)
    found = sources(args.work, env, set(names))
    views = ''.join(open(p).read() for p in glob.glob(os.path.join(args.work, 'apt/parts/*')))
    archives = sorted(set(re.findall(r'^(?:URIs:|deb(?:-src)?(?: \[.*?\])?)\s+(\S+)', views, re.M)))

    def version(name):
        for v, files in found[name].items():
            if files and any(all(strangers.there(f'{a}/{f}') for f in files) for a in archives):
                return v
        return None

    lines = []
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        for at in range(0, len(names), 24):
            some = names[at:at + 24]
            lines += [f'debian {n} {v}\n' for n, v in zip(some, pool.map(version, some)) if v]
            if len(lines) >= args.count:
                break
    with open(path + '.part', 'w') as f:
        f.writelines(lines[:args.count])
    os.rename(path + '.part', path)


#
# The scan, and the kills
#

def results(args):
    """{name: what identifies the file}, for the results that are there."""
    found = {}
    for path in glob.glob(os.path.join(args.work, 'out/results/*.json')):
        s = os.stat(path)
        found[os.path.basename(path)[:-5]] = (s.st_ino, s.st_mtime_ns, s.st_size)
    return found


def job_of(driver):
    out = subprocess.run(['pgrep', '-P', str(driver), '-f', '--', '--job'], stdout=subprocess.PIPE).stdout
    return int(out.split()[0]) if out.split() else None


def scan(args, env):
    """Runs the scan to its end.  Its record of kills and results is kept beside it, for the next sitting."""
    book = os.path.join(args.work, 'book.json')
    kept = json.load(open(book)) if os.path.exists(book) else {'kills': [], 'results': {}}
    command = [args.plumb, 'scan', '-o', os.path.join(args.work, 'out'), '-j', str(args.jobs),
               '--build-deps', '--time-limit', str(args.time_limit), '--memory-limit', '4G',
               os.path.join(args.work, 'list')]
    plan = ['driver', 'job', 'driver']
    driver, code = None, None
    while code is None:
        if driver is None:
            with open(os.path.join(args.work, 'driver.log'), 'a') as log:
                driver = subprocess.Popen(command, env=env, stderr=log)
        time.sleep(1)
        now, k = results(args), len(kept['kills'])
        for name, mark in now.items():
            if kept['results'].setdefault(name, list(mark)) != list(mark):
                sys.exit(f'robust: {name} was done twice')
        code = driver.poll()
        if code is None and k < len(plan) and len(now) >= args.count * (k + 1) // 4:
            victim = driver.pid if plan[k] == 'driver' else job_of(driver.pid)
            if victim:
                os.kill(victim, signal.SIGKILL)
                kept['kills'].append([plan[k], len(now)])
                say(f'{plan[k]} killed after {len(now)} results')
            if victim == driver.pid:
                driver.wait()
                driver = None
        with open(book + '.part', 'w') as f:
            json.dump(kept, f)
        os.rename(book + '.part', book)
    if code not in (0, 1):
        sys.exit(f'robust: plumb scan ended with {code}')


def verify(args):
    """What is lost, or there twice; the results by name."""
    wanted = [line.split()[1] for line in open(os.path.join(args.work, 'list'))]
    db = sqlite3.connect(os.path.join(args.work, 'out/scan.db'))
    wrong, found = [], {}
    if sorted(wanted) != sorted(n for n, in db.execute('SELECT name FROM entry')):
        wrong.append('the rows are not those of the list')
    if sorted(wanted) != sorted(results(args)):
        wrong.append('the results are not those of the list')
    for name in wanted:
        path = os.path.join(args.work, 'out/results', name + '.json')
        if not os.path.exists(path):
            continue
        r = found[name] = json.load(open(path))
        ids = [f['id'] for f in r['findings']]
        rows = [i for i, in db.execute('SELECT id FROM finding WHERE name = ?', (name,))]
        steps = [s for s, in db.execute('SELECT step FROM step WHERE name = ? ORDER BY number', (name,))]
        once = len(set(ids)) == len(ids) and sorted(ids) == sorted(rows)
        if not once or steps != [s['name'] for s in r['steps']]:
            wrong.append(f'{name}: result and rows differ')
    if os.listdir(os.path.join(args.work, 'out/work')):
        wrong.append('something is left in the work folder')
    return wrong, found


#
# The table
#

def outcome(r, step):
    """How the runs of a step ended, in one word or two."""
    ends = collections.Counter(f'signal {s["code"]}' if s['end'] == 'crashed' else s['end']
                               for s in r['steps'] if s['name'] == step)
    if set(ends) <= {'ok'}:
        return ''.join(ends)
    return ', '.join(f'{n} {e}' if sum(ends.values()) > 1 else e for e, n in sorted(ends.items()))


def table(args):
    kept = {(r['package'], r['ended']): r['why'] for r in strangers.rows(TABLE)}
    wrong, found = verify(args)
    out, through = [], 0
    for name, r in found.items():
        ends = {s['end'] for s in r['steps'] if s['name'] in ('check', 'fix')}
        analysed = not r['why'] and ends == {'ok'}
        through += analysed
        ended = 'through' if analysed else r['why'] or 'check or fix did not end'
        out.append({'package': name, 'version': r['version'], 'system': r.get('build_system'),
                    'ended': ended, 'units': r.get('units', 0), 'kLOC': f'{r.get("lines", 0) / 1000:.1f}',
                    'programs': len(r.get('programs', [])), 'why': kept.get((name, ended), ''),
                    **{s: outcome(r, s) for s in STEPS}})
    head = [f'{len(out)} packages drawn by seed {args.seed}, {through} of them through plumb scan: all '
            'programs checked, and fixes made (robust.py).',
            'A step that was done more than once has all its ends; `why` is of those that did not end well.']
    strangers.write_rows(TABLE, head, COLUMNS, out)
    for text in wrong:
        say(text)
    say(f'{through} of {len(out)} through; ' + (f'{len(wrong)} things are wrong' if wrong else
                                                'nothing is lost, and nothing is there twice'))
    return 1 if wrong else 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('what', nargs='?', choices=('run', 'table'), default='run')
    ap.add_argument('--count', type=int, default=60)
    ap.add_argument('--seed', type=int, default=60)
    ap.add_argument('--size', type=int, default=700, help='kB of the source archive')
    ap.add_argument('--jobs', type=int, default=1)
    ap.add_argument('--time-limit', type=int, default=300)
    ap.add_argument('--plumb', default=os.path.join(strangers.TOP, 'build/plumb'))
    ap.add_argument('--work', default=os.path.join(strangers.TOP, 'build/robust'))
    args = ap.parse_args()
    if args.what == 'run':
        os.makedirs(args.work, exist_ok=True)
        env = strangers.apt_view(args.work)
        draw(args, env)
        scan(args, env)
    sys.exit(table(args))


if __name__ == '__main__':
    main()
