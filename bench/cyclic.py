"""
cyclic.py - plumb train and plumb run: what do they give, what do they cost?

*memory*: bench/long.sh serves the leaky servers of examples/leaky/, plainly and with cyclic
buffers, and writes their memory after every thousand requests; the curves are kept here, thinned out.
*cost*: bench/train_cost.sh compares training with Valgrind's own tools, and serving requests with and
without cyclic buffers, in interleaved runs; its lines `what: ratio (at most limit)` are kept.
"""

import glob
import os
import re
import subprocess

from common import (BENCH, PLUMB, Store, digest, digest_files, fresh_folder, need_packages, package_version,
                    plumb_key, say)

REQUESTS = int(os.environ.get('REQUESTS') or 200000)
POINTS = 60


def stamp():
    tool = os.path.join(os.path.dirname(PLUMB), 'valgrind/plumb-amd64-linux')
    return [plumb_key('plumb', 'libplumb-run.so')[1], digest_files(tool) if os.path.exists(tool) else None]


def curve(path):
    with open(path) as f:
        rows = [[int(float(x)) for x in line.split('\t')] for line in f if line.strip()]
    step = max(1, len(rows) // POINTS)
    return rows[::step] + ([rows[-1]] if rows and (len(rows) - 1) % step else [])


def memory_rows(store, key, requests):
    folder = fresh_folder('run')
    out = subprocess.run(['bash', os.path.join(BENCH, 'long.sh'), str(requests)], env=dict(os.environ, PLUMB=PLUMB, WORK=folder),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace').stdout
    same = set(re.findall(r'^(\w+) +cyclic .*answers the same: yes', out, re.M))
    for path in sorted(glob.glob(os.path.join(folder, '*.plain.tsv'))):
        name = os.path.basename(path).split('.')[0]
        cyclic = path.replace('.plain.', '.cyclic.')
        if not os.path.exists(cyclic):
            continue
        plain, held = curve(path), curve(cyclic)
        store.put({'kind': 'memory', 'program': name, 'tool': 'plumb', 'key': key, 'version': plumb_key()[0],
                   'command': 'bench/long.sh N', 'requests': requests, 'plain': plain, 'cyclic': held, 'same_answers': name in same})


def cost_row(store, key, rounds):
    folder = fresh_folder('cost')
    out = subprocess.run(['bash', os.path.join(BENCH, 'train_cost.sh'), str(rounds)], env=dict(os.environ, PLUMB=PLUMB, WORK=folder),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace').stdout
    lines = [{'what': m[0], 'ratio': float(m[1]), 'limit': float(m[2])}
             for m in re.findall(r'^(.*): ([0-9.]+) \(at most ([0-9.]+)\)$', out, re.M)]
    if lines:
        store.put({'kind': 'cost', 'tool': 'plumb', 'key': key, 'version': f'{plumb_key()[0]}, valgrind {package_version("valgrind")}',
                   'command': 'bench/train_cost.sh N', 'lines': lines})


def measure_runs(args, budget):
    if args.tool and 'plumb' not in args.tool:
        return
    store = Store('run')
    need_packages('gcc', 'valgrind', 'bc', 'jq', 'sqlite3', 'perl')
    requests = 20000 if args.quick else REQUESTS
    key = digest('memory', stamp(), requests)
    kept = [r for r in store.rows if r['kind'] == 'memory' and r['key'] == key]
    if (args.again or not kept) and not budget.over('memory of servers'):
        say('servers that leak: memory')
        memory_rows(store, key, requests)
    rounds = 2 if args.quick else 5
    key = digest('cost', stamp(), rounds)
    if (args.again or not store.fresh(key, kind='cost', tool='plumb')) and not args.quick and not budget.over('cost of training'):
        say('training and running: cost')
        cost_row(store, key, rounds)
