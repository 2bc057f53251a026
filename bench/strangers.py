#!/usr/bin/env python3
"""
strangers.py - how good is plumb on programs that it has never met?

    bench/strangers.py pool                 makes contact/pool.tsv anew (seldom: what is in it keeps its order)
    bench/strangers.py draw ROUND           fetches, builds and analyses fresh programs, by both plumbs
    bench/strangers.py sample ROUND         draws findings and writes what judges read
    bench/strangers.py collect ROUND        verdicts -> contact/ROUND.tsv, contact/ROUND.patches.tsv, contact/ROUND.json
    bench/strangers.py sum [ROUND...]       what the rounds say, from the committed files alone

    --old FILE, --new FILE   the two plumbs (draw): that of the round before, and the present one (default: build/plumb)
    --work DIR               sources, builds and judges' papers (default: build/strangers); never in the repository
    --programs N             fresh programs for a round (12)
    --jobs N                 entries that are scanned at a time (1)

A round.  Programs come from pool.tsv, Debian's source packages that are tagged as written in C, in the order in which chance put them
when the list was made, without those in ../shared/RESERVED.md and those that plumb has ever been measured on, tuned with, or learned
from.  The next fresh ones are taken until so many were analysed by both plumbs; each is written to contact/used.tsv and never drawn
again, whatever came of it.  Findings that one of the two shows and the other does not are all drawn (up to 150), of those that
both show up to ten of each program.  A finding is *shown* if its confidence is high or medium and it is not suppressed.

Judging.  Judges get one paper for each program: the findings as reported, in an order that chance decides, without a
word on which plumb reported them, and the place of the source; and they have not seen the code of plumb.  Findings of older programs
whose verdict is known are planted among them, and a fifth is judged by a second judge.  Verdicts:

    true            an execution can lose the object while the program goes on
    true-minor      the same, but only once, or only when memory is short
    true-wrong-path it leaks, but not on the path that is told
    false           no execution can

and of a patch: right, half (nothing breaks, but something stays lost), unneeded (of a false finding, and nothing breaks), wrong.

Everything is judged before anything in plumb is changed because of it, and a round is never judged again with a later plumb.

What comes out.  Precision is that of all findings shown, not of those drawn: each drawn one counts for as many as it was drawn from
(by program and by who shows it).  The interval is by resampling whole programs, since findings of one program err together.
"""

import argparse
import collections
import csv
import difflib
import glob
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import urllib.request

BENCH = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(BENCH)
CONTACT = os.path.join(BENCH, 'contact')
POOL = os.path.join(CONTACT, 'pool.tsv')
USED = os.path.join(CONTACT, 'used.tsv')
SEED = 2026             # of the order of the pool
USED_HEAD = ['Packages that were drawn, by round, and what came of it: never drawn again.']
EACH = 10               # findings that both show, of each program
ALONE = 150             # findings that one alone shows
TWICE = 0.2             # share that is judged twice
VERDICTS = ('true', 'true-minor', 'true-wrong-path', 'false')
PATCHES = ('right', 'half', 'unneeded', 'wrong')
NO_PROGRAM = r'linux|gcc|glibc|.*-(perl|el|python|ruby|php|java|ocaml)$|(python|ruby|r|php|lua|haskell|ocaml|node|golang)[\d.]*-'  # modules of other languages
SMALL, LARGE = 40 << 10, 20 << 20       # bytes of a source archive


def say(text):
    print(f'strangers: {text}', flush=True)


def rows(path):
    if not os.path.exists(path):
        return []
    with open(path, newline='') as f:
        return [r for r in csv.DictReader((line for line in f if not line.startswith('#')), delimiter='\t',
                                          quoting=csv.QUOTE_NONE)]


def clean(text):
    return re.sub(r'[\t\r\n]+', ' ', str(text or '')).strip()


def write_rows(path, head, columns, table):
    with open(path, 'w') as f:
        for line in head:
            f.write(f'# {line}\n')
        f.write('\t'.join(columns) + '\n')
        for r in table:
            f.write('\t'.join(clean(r.get(c, '')) for c in columns) + '\n')


#
# The pool
#

def reserved():
    """Names that are for measuring from outside."""
    path = os.path.join(TOP, '../shared/RESERVED.md')
    if not os.path.exists(path):
        sys.exit(f'strangers: {path} is not there: which programs are reserved is not known')
    text = open(path).read()
    names = set(re.findall(r'[\w.+-]+/([\w.+-]+)', text))
    for block in re.findall(r'^Programs: (.*?)(?:\n\n|\Z)', text, re.S | re.M):
        names |= set(re.findall(r'[\w.+-]+', block))
    return names


def known():
    """Programs that plumb has been measured on, or learned from."""
    names = set(re.findall(r'[\w.+-]+', re.search(r'^PROGRAMS=\((.*?)\)', open(os.path.join(BENCH, 'programs.sh')).read(),
                                                   re.S | re.M).group(1)))
    for path in glob.glob(os.path.join(BENCH, 'verdicts/*.tsv')):
        names.add(os.path.basename(path).split('.')[0])
    for line in open(os.path.join(BENCH, 'verdicts/others.patches.tsv')):
        if not line.startswith('#'):
            names |= {part.split(' ')[0] for part in line.split('\t')[0].split(', ')}
    for path in glob.glob(os.path.join(TOP, '../shared/verdicts/*.tsv')):
        names |= {r['program'] for r in rows(path)}
    for path in glob.glob(os.path.join(BENCH, 'history/*.jsonl*')):
        opener = __import__('lzma').open if path.endswith('.xz') else open
        with opener(path, 'rt') as f:
            names |= {json.loads(line)['repo'].split('/')[1] for line in f}
    for line in open(os.path.join(CONTACT, 'known.txt')):
        names |= set(line.split('#')[0].split())
    return names


def plain(name):
    """openssh-server, OpenSSH and openssh are one program."""
    return re.sub(r'[-_.\d+]+|src$|gtk$|dfsg$|ng$|tools?$|utils?$', '', name.lower()) or name.lower()


def stanzas(text):
    """Records of Debian's control format."""
    for block in text.split('\n\n'):
        fields, key = {}, None
        for line in block.split('\n'):
            if line[:1] in ' \t':
                if key:
                    fields[key] += '\n' + line.strip()
            elif ':' in line:
                key, _, value = line.partition(':')
                fields[key] = value.strip()
        if fields:
            yield fields


def pool(_):
    out = subprocess.run(['apt-cache', 'dumpavail'], stdout=subprocess.PIPE, check=True).stdout.decode('utf-8', 'replace')
    section = {}
    for p in stanzas(out):
        if re.search(r'implemented-in::c(?![\w+])', p.get('Tag', '')) and not re.search(r'implemented-in::c\+\+', p.get('Tag', '')):
            section.setdefault(p.get('Source', p.get('Package', '')).split(' ')[0], p.get('Section', ''))
    shut = {plain(n) for n in reserved() | known()}
    names = sorted(n for n in section if plain(n) not in shut and not re.match(NO_PROGRAM, n) and section[n] != 'doc')
    table = []
    showsrc = subprocess.run(['apt-cache', 'showsrc', '--only-source', *names], stdout=subprocess.PIPE).stdout.decode('utf-8', 'replace')
    sizes = {}
    for s in stanzas(showsrc):
        size = sum(int(line.split()[1]) for line in s.get('Files', '').split('\n')
                   if re.search(r'\.tar\.\w+$', line) and '.debian.' not in line)
        if s.get('Package') and size:
            sizes[s['Package']] = size
    for n in names:
        if SMALL <= sizes.get(n, 0) <= LARGE:
            table.append({'package': n, 'section': section[n], 'kB': sizes[n] >> 10})
    random.Random(SEED).shuffle(table)
    have = rows(POOL)
    kept = {r['package'] for r in have}
    table = have + [r for r in table if r['package'] not in kept]
    write_rows(POOL, ['Source packages of Debian that are tagged as written in C, in the order in which they are drawn (strangers.py pool).'],
               ('package', 'section', 'kB'), table)
    say(f'{len(table)} packages, of {len(section)} that are tagged so')


#
# Scanning
#

def apt_view(work):
    """A view of apt that knows source packages, made of what the machine's own knows."""
    top = os.path.join(work, 'apt')
    conf = os.path.join(top, 'apt.conf')
    if not os.path.exists(conf):
        for d in ('parts', 'lists/partial', 'cache/archives/partial'):
            os.makedirs(os.path.join(top, d), exist_ok=True)
        for path in ['/etc/apt/sources.list', *glob.glob('/etc/apt/sources.list.d/*.list'), *glob.glob('/etc/apt/sources.list.d/*.sources')]:
            if not os.path.exists(path):
                continue
            text = open(path).read()
            if path.endswith('.sources'):
                text = re.sub(r'^Types:.*$', 'Types: deb deb-src', text, flags=re.M)
                # what the archive no longer has for this release it may have for a later one
                for block in text.split('\n\n'):
                    if re.search(r'^Suites:\s*bookworm( |$)', block, re.M):
                        text += '\n\n' + re.sub(r'^Suites:.*$', 'Suites: trixie sid', block.replace('deb deb-src', 'deb-src'), flags=re.M)
            else:
                text += re.sub(r'^deb ', 'deb-src ', '\n'.join(l for l in text.split('\n') if l.startswith('deb ')), flags=re.M) + '\n'
            with open(os.path.join(top, 'parts', os.path.basename(path)), 'w') as f:
                f.write(text)
        with open(conf + '.part', 'w') as f:
            f.write(f'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "{top}/parts";\nDir::State::lists "{top}/lists";\n'
                    f'Dir::Cache "{top}/cache";\nAPT::Sandbox::User "root";\n')
        subprocess.run(['apt-get', '-q', 'update'], env={**os.environ, 'APT_CONFIG': conf + '.part'}, stdout=subprocess.DEVNULL, check=True)
        os.rename(conf + '.part', conf)
    return {**os.environ, 'APT_CONFIG': conf}


def there(uri):
    try:
        return urllib.request.urlopen(urllib.request.Request(uri, method='HEAD'), timeout=30).status == 200
    except OSError:
        return False


def version_to_be_had(package, env):
    """The version whose files the archive really has; None if there is none."""
    out = subprocess.run(['apt-cache', 'showsrc', '--only-source', package], stdout=subprocess.PIPE, env=env).stdout.decode('utf-8', 'replace')
    for version in sorted({s['Version'] for s in stanzas(out) if s.get('Version')}):
        uris = subprocess.run(['apt-get', 'source', '-qq', '--print-uris', '--only-source', f'{package}={version}'], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=env).stdout.decode()
        if uris and all(there(u) for u in re.findall(r"^'(\S+)'", uris, re.M)):
            return version
    return None


def scan(plumb, folder, packages, env, jobs, deps):
    """Results by package, for those that have one.  packages: {name: version}."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'list'), 'w') as f:
        f.writelines(f'debian {p} {v}\n' for p, v in packages.items())
    subprocess.run([plumb, 'scan', '-o', folder, '-j', str(jobs), '--keep', '--cost-units', '40', '--time-limit', '900',
                    '--memory-limit', '6G', *(['--build-deps'] if deps else []), os.path.join(folder, 'list')], env=env)
    found = {}
    for p in packages:
        path = os.path.join(folder, 'results', p + '.json')
        if os.path.exists(path):
            found[p] = json.load(open(path))
    return found


def shown(result):
    return {f['id']: f for f in result['findings'] if f['confidence'] in ('high', 'medium') and not f.get('suppressed')}


def analysed(result):
    return bool(result) and not result['why'] and result.get('lines', 0) > 1000


def draw(args):
    work = os.path.join(args.work, args.round)
    env = apt_view(args.work)
    used = rows(USED)
    gone = {r['package'] for r in used if r['round'] != args.round}
    mine = [r['package'] for r in used if r['round'] == args.round]
    shut = {plain(n) for n in reserved() | known()}         # what was learned from since the pool was made
    fresh = [r['package'] for r in rows(POOL) if r['package'] not in gone and r['package'] not in mine and plain(r['package']) not in shut]
    good, results, kept = [], {}, os.path.join(work, 'versions.json')
    versions = json.load(open(kept)) if os.path.exists(kept) else {}
    while len(good) < args.programs:
        batch = [p for p in mine if p not in results]
        while len(batch) < args.programs - len(good):
            if not fresh:
                sys.exit('strangers: the pool is empty')
            p = fresh.pop(0)
            versions[p] = version_to_be_had(p, env)
            if versions[p]:     # what cannot be had is passed over, and not used up
                batch.append(p)
                used.append({'package': p, 'round': args.round, 'fate': ''})
                mine.append(p)
        write_rows(USED, USED_HEAD, ('package', 'round', 'fate'), used)
        os.makedirs(work, exist_ok=True)
        with open(kept, 'w') as f:
            json.dump(versions, f)
        had = {p: versions[p] for p in mine}
        new = scan(args.new, os.path.join(work, 'new'), had, env, args.jobs, True)
        old = scan(args.old, os.path.join(work, 'old'), had, env, args.jobs, False) if args.old else new
        for p in batch:
            ok = results[p] = analysed(new.get(p)) and analysed(old.get(p))
            why = (new.get(p) or {}).get('why') or (old.get(p) or {}).get('why') or 'too small'
            for r in used:
                if r['package'] == p:
                    r['fate'] = 'drawn' if ok else clean(why)
        good = [p for p in mine if results.get(p)]
        write_rows(USED, USED_HEAD, ('package', 'round', 'fate'), used)
        say(f'{len(good)} of {len(mine)} programs analysed')
    with open(os.path.join(work, 'programs.json'), 'w') as f:
        json.dump({'programs': good, 'old': version(args.old), 'new': version(args.new)}, f)


def version(plumb):
    """The commit of a plumb that stands in a work tree of this repository."""
    if not plumb:
        return None
    r = subprocess.run(['git', '-C', os.path.dirname(os.path.realpath(plumb)), 'rev-parse', '--short=12', 'HEAD'],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return r.stdout.decode().strip() or None


#
# What judges read
#

def find_source(folder, program):
    return os.path.join(folder, 'work', program, 'source')


def report_text(f, source):
    out = [f'{short(f["file"], source)}:{f["line"]} in {f["function"]}(): what `{f["allocator"]}` makes ({f["resource"]}'
           + (f', held by `{f["variable"]}`' if f.get('variable') else '') + f') — reported as {f["kind"]}'
           + (f', when {f["condition"]}' if f.get('condition') else '')]
    if f.get('leak'):
        out.append(f'lost at {short(f["leak"]["file"], source)}:{f["leak"]["line"]} in {f["leak"]["function"]}()')
    out += [f'  {i}. {short(s["file"], source)}:{s["line"]}: {s["message"]}' for i, s in enumerate(f.get('path', []), 1)]
    return '\n'.join(out)


def short(path, source):
    for top in (source + '/', os.path.realpath(source) + '/'):
        if path.startswith(top):
            return path[len(top):]
    return path


def patch_text(f, source):
    """The edits of one finding as a diff."""
    out = []
    edits = collections.defaultdict(list)
    for e in f.get('fix', {}).get('edits', []):
        edits[e['file']].append(e)
    for path, es in sorted(edits.items()):
        full = path if os.path.isabs(path) else os.path.join(source, path)
        if not os.path.exists(full):
            continue
        old = open(full, encoding='latin-1').read()
        starts = [0] + [m.end() for m in re.finditer('\n', old)]
        new = old
        for e in sorted(es, key=lambda e: (e['line'], e['column']), reverse=True):
            a, b = starts[e['line'] - 1] + e['column'] - 1, starts[e['end_line'] - 1] + e['end_column'] - 1
            new = new[:a] + e['text'] + new[b:]
        name = short(full, source)
        out += difflib.unified_diff(old.split('\n'), new.split('\n'), 'a/' + name, 'b/' + name, lineterm='')
    return '\n'.join(out)


def planted(args):
    """Findings of programs that are used up, with their verdicts: (program, finding, source, verdict)."""
    folder = os.path.join(args.work, 'planted')
    table = [r for path in sorted(glob.glob(os.path.join(TOP, '../shared/verdicts/*.tsv'))) for r in rows(path)]
    programs = ['ngircd', 'dash', 'chrony'] if table else []
    env = apt_view(args.work)
    had = {p: v for p, v in ((p, version_to_be_had(p, env)) for p in programs) if v}
    results = scan(args.new, folder, had, env, args.jobs, True) if had else {}
    out = []
    for r in table:
        f = shown(results[r['program']]).get(r['id']) if r['program'] in results else None
        if f and r['verdict'].split('(')[0] in ('true', 'true-minor', 'false'):
            out.append((r['program'], f, find_source(folder, r['program']), 'false' if r['verdict'].startswith('false') else 'true'))
    return out


def sample(args):
    work = os.path.join(args.work, args.round)
    meta = json.load(open(os.path.join(work, 'programs.json')))
    rng = random.Random(f'{SEED} {args.round}')
    drawn = []
    for p in meta['programs']:
        both = {}
        for who in ('old', 'new'):
            path = os.path.join(work, who, 'results', p + '.json')
            if not os.path.exists(path):
                path = os.path.join(work, 'new', 'results', p + '.json')        # the first round has one plumb
            both[who] = shown(json.load(open(path)))
        groups = {'both': both['old'].keys() & both['new'].keys(), 'old': both['old'].keys() - both['new'].keys(),
                  'new': both['new'].keys() - both['old'].keys()}
        for group, ids in groups.items():
            ids = sorted(ids)
            picked = rng.sample(ids, min(len(ids), EACH)) if group == 'both' else ids
            for i in picked:
                drawn.append({'program': p, 'id': i, 'group': group, 'of': len(ids), 'drawn': len(picked),
                              'finding': (both['new'] if i in both['new'] else both['old'])[i],
                              'who': 'new' if i in both['new'] else 'old'})
    alone = [d for d in drawn if d['group'] != 'both']
    if len(alone) > ALONE:
        keep = {id(d) for d in rng.sample(alone, ALONE)}
        drawn = [d for d in drawn if d['group'] == 'both' or id(d) in keep]
        for d in drawn:
            if d['group'] != 'both':
                d['drawn'] = sum(x['program'] == d['program'] and x['group'] == d['group'] for x in drawn)
    for d in drawn:
        d['source'] = find_source(os.path.join(work, d['who']), d['program'])
        if not os.path.isdir(d['source']):
            d['source'] = find_source(os.path.join(work, 'new'), d['program'])
        d['patch'] = patch_text(d['finding'], d['source']) if d['finding'].get('fix', {}).get('status') == 'available' else ''
    known_ones = planted(args)
    plants = [{'program': p, 'id': f['id'], 'group': 'planted', 'of': 1, 'drawn': 1, 'finding': f, 'source': s, 'patch': '', 'known': v}
              for p, f, s, v in rng.sample(known_ones, min(len(known_ones), max(4, len(drawn) // 12)))]
    everything = drawn + plants
    for d in everything:
        d['second'] = d['group'] != 'planted' and rng.random() < TWICE
    paper = os.path.join(work, 'judge')
    shutil.rmtree(paper, ignore_errors=True)
    os.makedirs(paper)
    write_papers(paper, 'first', everything, rng)
    write_papers(paper, 'second', [d for d in everything if d['second']], rng)
    with open(os.path.join(work, 'drawn.json'), 'w') as f:
        json.dump(everything, f, indent=1)
    say(f'{len(drawn)} findings drawn ({sum(d["group"] != "both" for d in drawn)} of one plumb alone), {len(plants)} planted, '
        f'{sum(d["second"] for d in everything)} to be judged twice; papers in {paper}')


def write_papers(folder, judge, items, rng):
    """Papers of about eight findings, those of one program together, so that its source is read once."""
    by = collections.defaultdict(list)
    for d in items:
        by[d['program']].append(d)
    for p, ds in sorted(by.items()):
        rng.shuffle(ds)
        with open(os.path.join(folder, f'{judge}.{p}.md'), 'w') as f:
            f.write(f'# {p}\n\nSource: {ds[0]["source"]}\n\n')
            for d in ds:
                f.write(f'## {d["id"]}\n\n{report_text(d["finding"], d["source"])}\n')
                if d['patch']:
                    f.write(f'\nPatch:\n\n```diff\n{d["patch"]}\n```\n')
                f.write('\n')


#
# Verdicts
#

def read_verdicts(folder, judge):
    """{(program, id): row} from the judges' answers: judge.PROGRAM.tsv with id, verdict, patch, why, shape."""
    out = {}
    for path in glob.glob(os.path.join(folder, f'{judge}.*.tsv')):
        program = os.path.basename(path)[len(judge) + 1:-4]
        for r in rows(path):
            if r['verdict'] not in VERDICTS or (r.get('patch') or '') not in ('', *PATCHES):
                sys.exit(f'strangers: {path}: {r["id"]}: no such verdict: {r["verdict"]} {r.get("patch")}')
            out[program, r['id']] = r
    return out


def collect(args):
    work = os.path.join(args.work, args.round)
    meta = json.load(open(os.path.join(work, 'programs.json')))
    drawn = json.load(open(os.path.join(work, 'drawn.json')))
    first, second = (read_verdicts(os.path.join(work, 'judge'), j) for j in ('first', 'second'))
    missing = [(d['program'], d['id']) for d in drawn if (d['program'], d['id']) not in first]
    if missing:
        sys.exit(f'strangers: not judged: {missing[:5]} ({len(missing)} in all)')
    table, patches, agree, twice, plants, caught = [], [], 0, 0, 0, 0
    for d in drawn:
        v, w = first[d['program'], d['id']], second.get((d['program'], d['id']))
        if d['group'] == 'planted':
            plants += 1
            caught += (v['verdict'] == 'false') == (d['known'] == 'false')
            continue
        if w:
            twice += 1
            agree += (v['verdict'] == 'false') == (w['verdict'] == 'false')
        f = d['finding']
        table.append({'program': d['program'], 'id': d['id'], 'place': f'{short(f["file"], d["source"])}:{f["line"]}', 'kind': f['kind'],
                      'confidence': f['confidence'], 'group': d['group'], 'of': d['of'], 'drawn': d['drawn'], 'verdict': v['verdict'],
                      'second': w['verdict'] if w else '', 'why': v.get('why'), 'shape': v.get('shape')})
        if d['patch']:
            patches.append({'program': d['program'], 'id': d['id'], 'place': table[-1]['place'], 'group': d['group'],
                            'verdict': v.get('patch'), 'why': v.get('why')})
    table.sort(key=lambda r: (r['program'], r['id']))
    patches.sort(key=lambda r: (r['program'], r['id']))
    head = [f'Round {args.round}: plumb {meta["new"]}' + (f' beside {meta["old"]}' if meta['old'] else '') + ' (strangers.py tells the columns).']
    write_rows(os.path.join(CONTACT, args.round + '.tsv'), head, ('program', 'id', 'place', 'kind', 'confidence', 'group', 'of', 'drawn',
                                                                  'verdict', 'second', 'why', 'shape'), table)
    write_rows(os.path.join(CONTACT, args.round + '.patches.tsv'), head, ('program', 'id', 'place', 'group', 'verdict', 'why'), patches)
    programs = {}
    for p in meta['programs']:
        r = json.load(open(os.path.join(work, 'new', 'results', p + '.json')))
        c = r['coverage']
        counts = collections.Counter(f['confidence'] for f in shown(r).values())
        cpu = collections.Counter()
        for s in r['steps']:
            cpu[s['name']] += s['cpu']
        programs[p] = {'version': r['version'], 'lines': r['lines'], 'units': r['units'], 'high': counts['high'], 'medium': counts['medium'],
                       'low': sum(f['confidence'] == 'low' for f in r['findings']),
                       'fixed': sum(f.get('fix', {}).get('status') == 'available' for f in shown(r).values()),
                       'allocations': c.get('allocations'), 'judged': c.get('judged'), 'stored': c.get('stored'), 'cut': c.get('cut'),
                       'functions_incomplete': len(c.get('functions_incomplete', [])),
                       'cpu_check': round(cpu['check'], 1), 'cpu_fix': round(cpu['fix'], 1),
                       'cpu_compile': round(cpu['compile'] / (r.get('compiled_share') or 1), 1)}
    with open(os.path.join(CONTACT, args.round + '.json'), 'w') as f:
        json.dump({'round': args.round, 'new': meta['new'], 'old': meta['old'], 'judged_twice': twice, 'agreed': agree,
                   'planted': plants, 'planted_right': caught, 'programs': programs}, f, indent=1, sort_keys=True)
        f.write('\n')
    say(f'{len(table)} findings, {len(patches)} patches; judged twice: {agree} of {twice} agree; planted: {caught} of {plants} right')


#
# Sums
#

def precision(table, who, minor, confidence=None):
    """Weighted share of true ones among what `who` shows; None if there is nothing."""
    true = total = 0.0
    for r in table:
        if r['group'] not in ('both', who) or (confidence and r['confidence'] != confidence):
            continue
        if r['verdict'] == 'true-minor' and not minor:
            continue
        weight = int(r['of']) / int(r['drawn'])
        total += weight
        true += weight * (r['verdict'] != 'false')
    return true / total if total else None


def interval(table, who, minor, confidence=None, n=2000):
    """90 % of the values that chance gives when whole programs are drawn again."""
    by = collections.defaultdict(list)
    for r in table:
        by[r['program']].append(r)
    rng, values, names = random.Random(1), [], sorted(by)
    for _ in range(n):
        x = precision([r for p in rng.choices(names, k=len(names)) for r in by[p]], who, minor, confidence)
        if x is not None:
            values.append(x)
    values.sort()
    return (values[len(values) // 20], values[-1 - len(values) // 20]) if values else (math.nan, math.nan)


def percent(x):
    return '–' if x is None or math.isnan(x) else f'{100 * x:.0f} %'


def figures(name, contact=CONTACT):
    """What a round says, from its committed files."""
    table = rows(os.path.join(contact, name + '.tsv'))
    patches = rows(os.path.join(contact, name + '.patches.tsv'))
    meta = json.load(open(os.path.join(contact, name + '.json')))
    lines = sum(p['lines'] for p in meta['programs'].values())
    out = {'round': name, 'meta': meta, 'lines': lines, 'precision': {}, 'true': {}, 'shown': {}}
    for who in ('new', 'old') if meta['old'] else ('new',):
        for conf in (None, 'high', 'medium'):
            for minor in (False, True):
                value = precision(table, who, minor, conf)
                out['precision'][who, conf, minor] = (value, *interval(table, who, minor, conf)) if value is not None else None
        mine = [r for r in table if r['group'] in ('both', who)]
        weight = {id(r): int(r['of']) / int(r['drawn']) for r in mine}
        out['true'][who] = sum(weight[id(r)] for r in mine if r['verdict'].startswith('true'))
        out['shown'][who] = sum(weight.values())
    mine = [r for r in table if r['group'] in ('both', 'new')]
    true_ids = {(r['program'], r['id']) for r in mine if r['verdict'] in ('true', 'true-wrong-path')}
    verdict = {(r['program'], r['id']): r['verdict'] for r in patches}
    out['patches'] = collections.Counter(r['verdict'] for r in patches)
    out['fixed'] = sum(verdict.get(i) == 'right' for i in true_ids), len(true_ids)
    out['shapes'] = collections.Counter(r['shape'] for r in mine if r['verdict'] == 'false')
    return out


def round_names(contact=CONTACT):
    return sorted(os.path.basename(p)[:-5] for p in glob.glob(os.path.join(contact, '*.json')))


def interval_text(p):
    return '–' if p is None else f'{percent(p[0])} ({percent(p[1])} to {percent(p[2])})'


def sum_round(name):
    f = figures(name)
    meta = f['meta']
    print(f'round {name}: {len(meta["programs"])} programs, {f["lines"] / 1000:.0f} kLOC, plumb {meta["new"]} (new), {meta["old"]} (old)')
    for who in f['true']:
        for conf in (None, 'high', 'medium'):
            print(f'  precision of {who}, {conf or "all shown"}: {interval_text(f["precision"][who, conf, False])} without true-minor, '
                  f'{interval_text(f["precision"][who, conf, True])} with')
        print(f'  true findings shown by {who}: {f["true"][who]:.0f} of {f["shown"][who]:.0f}, '
              f'{1e5 * f["true"][who] / max(f["lines"], 1):.1f} per 100 kLOC')
    right, true = f['fixed']
    print(f'  fixed: {right} of {true} true ones drawn ({percent(right / true if true else None)});',
          'patches: ' + ', '.join(f'{n} {v}' for v, n in f['patches'].most_common()))
    for shape, n in f['shapes'].most_common(15):
        print(f'  {n:4} false: {shape}')
    print(f'  judged twice: {meta["agreed"]} of {meta["judged_twice"]} agree; planted: {meta["planted_right"]} of {meta["planted"]} right')


def sums(args):
    for name in args.rounds or round_names():
        sum_round(name)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = ap.add_subparsers(dest='command', required=True)
    sub.add_parser('pool').set_defaults(run=pool)
    for name, run in (('draw', draw), ('sample', sample), ('collect', collect)):
        p = sub.add_parser(name)
        p.set_defaults(run=run)
        p.add_argument('round')
        p.add_argument('--old')
        p.add_argument('--new', default=os.path.join(TOP, 'build/plumb'))
        p.add_argument('--work', default=os.path.join(TOP, 'build/strangers'))
        p.add_argument('--programs', type=int, default=12)
        p.add_argument('--jobs', type=int, default=1)
    p = sub.add_parser('sum')
    p.set_defaults(run=sums)
    p.add_argument('rounds', nargs='*')
    args = ap.parse_args()
    args.run(args)


if __name__ == '__main__':
    main()
