"""
static.py - plumb check and plumb fix against other analysers of C, on real programs.

All of them see the same: the units that are linked into the program (its debugging
information names them), with the flags of its build, from the source; plumb gets them as one
program and starts without its cache.  The yardstick is `clang -O2 -c` of these units: a
session runs it and the tools in turns, and a ratio is between the medians of one session.

Analysers that work by unit have limits.  A unit that takes more than UNIT_CPU or UNIT_MEMORY
is stopped, and counted: the ratio is then a lower bound.  After TOTAL_CPU seconds for a program
no further unit is begun: the ratio is then of the units that were reached.  plumb cannot stop
halfway, and has PLUMB_CPU.  TOTAL_CPU and RUNS are what an hour on two cores allows: the page says how long
the others would take for all units.

Findings are compared with bench/verdicts/NAME.tsv: those of plumb by id, those of others by
file and line of the allocation.  A line with a true and a false verdict counts as true.
Verdicts were made of what plumb found, at one time or another: what only others find has none,
and is counted as not judged.  cppcheck names the line where memory is lost, not where it was
allocated; it can match only where the two are one, so that its findings are mostly not judged.
"""

import collections
import json
import os
import re
import shutil
import subprocess

from common import (BENCH, JOBS, OUT, PLUMB, Store, digest, fresh_folder, median, need_packages,
                    plumb_key, run, run_all, say, text_of)

CLANG = os.environ.get('PLUMB_CLANG') or 'clang-19'
RUNS = int(os.environ.get('RUNS') or 1)
LONG = 15               # CPU seconds: what takes longer runs once
UNIT_CPU = 60
UNIT_MEMORY = 4 << 30
TOTAL_CPU = int(os.environ.get('TOTAL_CPU') or 25)
PLUMB_CPU = 600
QUICK = ('make', 'nano')
NAMED = ('libsqlite3', 'vim')               # measured only if they are named: an hour is too short for all
FIX_NAMED = ('vim', 'git')              # the same of their fixes

CLANG_FLAGS = ('--analyze --analyzer-no-default-checks -Xclang -analyzer-checker=core,unix.Malloc '
               '-Xclang -analyzer-output=text -w')
GCC_FLAGS = '-O0 -fanalyzer -fanalyzer-checker=malloc -fdiagnostics-format=json'
CPPCHECK_IDS = ('memleak', 'memleakOnRealloc', 'leakReturnValNotUsed', 'leakNoVarFunctionCall')


#
# Programs
#

class Program:
    def __init__(self, name, package, binary):
        self.name, self.package, self.binary = name, package, binary
        self.tree = os.path.realpath(os.path.join(OUT, 'db', package))
        self.units = []

    def version(self):
        try:
            with open(os.path.join(OUT, 'src', self.package + '.version')) as f:
                return f.read().strip()
        except OSError:
            return None

    def prepare(self):
        """Builds it, unless it is there, and finds its units.  False if that fails."""
        db = os.path.join(self.tree, 'compile_commands.json')
        if not os.path.exists(db):
            subprocess.run([os.path.join(BENCH, 'build.sh'), self.package, 'db'])
            self.tree = os.path.realpath(os.path.join(OUT, 'db', self.package))
            db = os.path.join(self.tree, 'compile_commands.json')
        try:
            with open(db) as f:
                entries = json.load(f)
        except OSError:
            return False
        linked = linked_units(os.path.join(self.tree, self.binary))
        sources = [os.path.realpath(os.path.join(e['directory'], e['file'])) for e in entries]
        if not linked:                          # built without -g: all that its build compiled
            linked = set(sources)
        for e, path in zip(entries, sources):   # one compilation of each: libtool has two
            if path in linked:
                linked.remove(path)
                self.units.append(e)
        return bool(self.units)

    def lines(self, wanted=None):
        """Lines of its sources, or of those whose numbers are wanted."""
        n = 0
        for i, e in enumerate(self.units):
            if wanted is not None and i not in wanted:
                continue
            with open(os.path.join(e['directory'], e['file']), 'rb') as f:
                n += f.read().count(b'\n')
        return n

    def place(self, file, line):
        """As the verdicts name it: below the tree, or the name alone where a #line of
        somebody else named it."""
        file = os.path.realpath(file)
        if file.startswith(self.tree + '/'):
            file = file[len(self.tree) + 1:]
        elif file.startswith('/'):
            file = os.path.basename(file)
        return f'{file}:{line}'


def linked_units(path):
    """The sources of a program, as its debugging information names them."""
    text = subprocess.run(['readelf', '-W', '--debug-dump=info', '--dwarf-depth=1', path],
                          capture_output=True, text=True, errors='replace').stdout
    units, name = set(), None
    for key, value in re.findall(r'DW_AT_(name|comp_dir) +: (?:\([^)]*\) )*(?:\(indirect[^)]*\): )?(.*)', text):
        value = re.sub(r'^\((?:alt )?(?:indirect )?[^)]*\):? ?', '', value).strip()
        if key == 'name':
            name = value
        elif name:
            units.add(os.path.realpath(os.path.join(value, name)))
            name = None
    return units


def programs(names, quick):
    table = subprocess.run(['bash', '-c', '. "$0/programs.sh"; printf "%s\\n" "${MEASURED[@]}"', BENCH],
                           capture_output=True, text=True, check=True).stdout
    rows = [Program(*line.split()) for line in table.splitlines()]
    return [p for p in rows if (p.name in names if names else p.name in QUICK if quick else p.name not in NAMED)]


#
# Verdicts
#

class Verdicts:
    def __init__(self, name):
        self.ids, self.places = {}, {}
        path = os.path.join(BENCH, 'verdicts', name + '.tsv')
        self.there = os.path.exists(path)
        if not self.there:
            return
        with open(path) as f:
            for line in f:
                if line.startswith('#') or not line.strip():
                    continue
                ident, verdict, place = line.split('\t')[:3]
                self.ids[ident] = verdict
                if self.places.get(place) != 'true':
                    self.places[place] = verdict

    def judge(self, findings):
        """Counts of findings, (id or None, place) each, by verdict."""
        if not self.there:
            return None
        n = collections.Counter()
        for ident, place in findings:
            n[self.ids.get(ident, 'none') if ident else self.places.get(place, 'none')] += 1
        return {'true': n['true'], 'false': n['false'] , 'outside': n['outside'], 'not_judged': n['none'],
                'known_true': sum(v == 'true' for v in self.ids.values())}


#
# Tools.  Each has a version, a command to be shown, and run(program, folder), which gives a
# dictionary: cpu, peak_kb, findings as (id or None, place), stopped units, failed ones.
#

def unit_commands(program, compiler, flags, folder):
    """Shell commands for the units, by units.jq."""
    os.makedirs(folder, exist_ok=True)
    text = subprocess.run(['jq', '-r', '--arg', 'clang', compiler, '--arg', 'flags', flags, '--arg', 'out', folder,
                           '--arg', 'ext', 'o', '-f', os.path.join(BENCH, 'units.jq')],
                          input=json.dumps(program.units), capture_output=True, text=True, check=True).stdout
    return text.splitlines()


def by_unit(program, commands, parse, total):
    costs = run_all(commands, total, cpu=UNIT_CPU, memory=UNIT_MEMORY)
    found = set()
    for unit, c in zip(program.units, costs):
        for file, line in parse(c) if c else []:
            found.add((None, program.place(os.path.join(unit['directory'], file), line)))
    done = [c for c in costs if c]
    stopped = sum(c.status < 0 or b'out of memory' in c.err or b'bad_alloc' in c.err for c in done)
    return {'cpu': sum(c.cpu for c in done), 'peak_kb': max(c.peak for c in done), 'findings': sorted(found),
            'stopped': stopped, 'failed': sum(c.status != 0 for c in done) - stopped,
            'unit_cpu': [c and c.cpu for c in costs]}


def nothing(_):
    return []


def parse_clang(c):
    """The line of the allocation: the first note `Memory is allocated` below a leak."""
    place = None
    for line in c.err.decode(errors='replace').splitlines():
        m = re.match(r'(.*?):(\d+):\d+: (warning|note): (.*)', line)
        if not m:
            continue
        if m[3] == 'warning':
            if place:
                yield place
            place = (m[1], m[2]) if 'leak' in m[4] and '[unix.Malloc]' in m[4] else None
        elif place and m[4].startswith('Memory is allocated'):
            yield m[1], m[2]
            place = None
    if place:
        yield place


def parse_gcc(c):
    for text in c.err.decode(errors='replace').splitlines():
        if not text.startswith('['):
            continue
        try:
            records = json.loads(text)
        except ValueError:
            continue
        for r in records:
            if r.get('option') != '-Wanalyzer-malloc-leak':
                continue
            event = next((e for e in r.get('path', []) if e['description'].startswith('allocated here')), None)
            where = event['location'] if event else r['locations'][0]['caret']
            yield where['file'], where['line']


class Base:
    name, command = 'clang -O2', f'{CLANG} -O2 -c UNIT'

    def version(self):
        return text_of(CLANG, '--version')

    def run(self, program, folder):
        return by_unit(program, unit_commands(program, CLANG, '-O2 -w', folder), nothing, float('inf'))


class Analyzer(Base):
    name, command = 'clang', f'{CLANG} {CLANG_FLAGS} UNIT'

    def run(self, program, folder):
        return by_unit(program, unit_commands(program, CLANG, CLANG_FLAGS, folder), parse_clang, TOTAL_CPU)


class Gcc:
    name, command = 'gcc', f'gcc {GCC_FLAGS} -c UNIT'

    def version(self):
        return text_of('gcc', '--version')

    def run(self, program, folder):
        commands = [c.replace(' -Wno-error=incompatible-function-pointer-types', '')    # which gcc does not know
                    for c in unit_commands(program, 'gcc', GCC_FLAGS, folder)]
        return by_unit(program, commands, parse_gcc, TOTAL_CPU)


class Cppcheck:
    name, command = 'cppcheck', 'cppcheck --project=compile_commands.json -j N'

    def version(self):
        return text_of('cppcheck', '--version')

    def run(self, program, folder):
        write_db(program, folder)
        c = run(['cppcheck', '-q', '--project=compile_commands.json', '-j', str(JOBS),
                 '--template={file}\t{line}\t{id}'], cwd=folder, cpu=UNIT_CPU, memory=UNIT_MEMORY)   # a process for each unit
        found = set()
        for line in c.err.decode(errors='replace').splitlines():
            fields = line.split('\t')
            if len(fields) == 3 and fields[2] in CPPCHECK_IDS:
                found.add((None, program.place(os.path.join(folder, fields[0]), fields[1])))
        return {'cpu': c.cpu, 'peak_kb': c.peak, 'findings': sorted(found),
                'stopped': c.err.count(b'Child process crashed'), 'failed': 0}


class Check:
    name, command = 'plumb', 'plumb check --engine all --no-cache -p . -j N'

    def version(self):
        return plumb_key()[0]

    def run(self, program, folder):
        write_db(program, folder)
        c = run([PLUMB, 'check', '--engine', 'all', '--no-cache', '-p', '.', '-j', str(JOBS), '--format', 'json',
                 '-o', 'findings.json'], cwd=folder, cpu=PLUMB_CPU)
        return plumb_result(program, folder, c)


def plumb_result(program, folder, c):
    """What plumb check or fix left in findings.json."""
    messages = c.err.decode(errors='replace')
    result = {'cpu': c.cpu, 'peak_kb': c.peak, 'findings': [], 'report': [], 'failed': 0,
              'stopped': 0}
    if c.status not in (0, 1, 3):
        result['stopped' if c.status < 0 else 'failed'] = len(program.units)
        return result
    with open(os.path.join(folder, 'findings.json')) as f:
        report = json.load(f)
    result['failed'] = len(report['units']['failed'])
    result['report'] = [f for f in report['findings'] if not f.get('suppressed')]
    result['findings'] = sorted((f['id'], program.place(f['file'], f['line'])) for f in result['report'])
    covered = report['coverage']
    result['skipped'] = [covered['cut'], covered['allocations']] if covered['cut'] else None
    result['partial'] = 'beyond the budget' in messages
    return result


def write_db(program, folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'compile_commands.json'), 'w') as f:
        json.dump(program.units, f)


TOOLS = [Check(), Analyzer(), Gcc(), Cppcheck()]


def tool_key(tool, program):
    """What a row hangs on.  JOBS is left out: it changes how long one waits, and hardly the CPU time."""
    stamp = plumb_key()[1] if tool.name == 'plumb' else tool.version()
    return digest(tool.command, stamp, program.version(), RUNS, UNIT_CPU, UNIT_MEMORY, TOTAL_CPU)


#
# Saber
#

def saber_row(store):
    """SVF's saber, from npm: can it run here at all?  Its package has no LLVM of its own,
    and its install script gets one from elsewhere; here is the reason if the loader cannot."""
    folder = os.path.join(OUT, 'svf')
    binary = os.path.join(folder, 'node_modules/svf-lib/SVF-linux-x86_64/bin/saber')
    if not os.path.exists(binary):
        os.makedirs(folder, exist_ok=True)
        if not shutil.which('npm'):             # it often comes from elsewhere than Debian
            need_packages('npm')
        c = run(['npm', 'install', '--no-fund', '--no-audit', '--ignore-scripts', 'svf-lib'], cwd=folder, wall=180)
        if c.status:
            store.put({'kind': 'saber', 'tool': 'saber', 'version': None, 'key': '', 'why': 'npm could not get svf-lib'})
            return
    with open(os.path.join(folder, 'node_modules/svf-lib/package.json')) as f:
        version = json.load(f)['version']
    ldd = subprocess.run(['ldd', binary], capture_output=True, text=True)
    missing = sorted(set(re.findall(r'(lib(?:LLVM|z3)\S*) => not found', ldd.stdout)) |
                     set(re.findall(r"version `(GLIBC\S*)' not found", ldd.stdout + ldd.stderr)))
    libraries = [os.path.join(folder, 'node_modules/svf-lib/SVF-linux-x86_64/lib', n) for n in
                 os.listdir(os.path.join(folder, 'node_modules/svf-lib/SVF-linux-x86_64/lib')) if '.so' in n]
    for lib in libraries:
        out = subprocess.run(['ldd', lib], capture_output=True, text=True)
        missing += re.findall(r"version `(GLIBC\S*)' not found", out.stdout + out.stderr)
    missing = sorted(set(missing))
    why = ('its binary needs ' + ' and '.join(missing) + ', which this system does not have') if missing else \
        'no way to run it is written here'
    store.put({'kind': 'saber', 'tool': 'saber', 'version': f'svf-lib {version}', 'key': digest(version, missing), 'why': why})


#
# Sessions
#

def measure(program, tools, rounds):
    """One interleaved session.  The last result of each tool, with the medians in it."""
    last, costs = {}, collections.defaultdict(list)
    active = [Base()] + tools
    for r in range(rounds):
        for t in active:
            last[t.name] = t.run(program, fresh_folder('static', program.name, t.name.split()[0]))
            costs[t.name].append((last[t.name]['cpu'], last[t.name]['peak_kb']))
        active = active[:1] + [t for t in active[1:] if costs[t.name][-1][0] <= LONG]
        if len(active) == 1:
            break
    for name, result in last.items():
        result['cpu'] = median([c for c, _ in costs[name]])
        result['peak_kb'] = median([p for _, p in costs[name]])
        result['runs'] = len(costs[name])
    return last


def reached(result, base):
    """Which units a tool got to, and their share in the yardstick."""
    all_ = base['unit_cpu']
    got = {i for i, c in enumerate(result.get('unit_cpu') or all_) if c is not None}
    return got, sum(all_[i] for i in got) / sum(all_)


def row_of(program, tool, result, base):
    got, share = reached(result, base)
    base_cpu = base['cpu'] * share
    row = {'kind': 'check', 'program': program.name, 'tool': tool.name, 'key': tool_key(tool, program),
           'version': tool.version(), 'command': tool.command, 'source': f'{program.package} {program.version()}',
           'units': len(program.units), 'reached': len(got), 'lines': program.lines(), 'lines_reached': program.lines(got), 'runs': result['runs'],
           'base_cpu': round(base_cpu, 3), 'cpu': round(result['cpu'], 3),
           'ratio': round(result['cpu'] / base_cpu, 3) if base_cpu else None, 'peak_kb': round(result['peak_kb']),
           'findings': len(result['findings']), 'places': sorted({place for _, place in result['findings']}),
           'stopped': result['stopped'], 'failed': result['failed'], 'verdicts': Verdicts(program.name).judge(result['findings'])}
    if result.get('unit_cpu'):
        row['limit'] = TOTAL_CPU
    for extra in ('skipped', 'partial'):
        if result.get(extra):
            row[extra] = result[extra]
    return row


def measure_checks(args, budget):
    store = Store('static')
    need_packages('jq', 'gcc', 'binutils', 'cppcheck', CLANG)
    if not args.tool or 'saber' in args.tool:
        saber_row(store)
    for program in programs(args.program, args.quick):
        tools = [t for t in TOOLS if (not args.tool or t.name in args.tool) and
                 (args.again or not store.fresh(tool_key(t, program), kind='check', program=program.name, tool=t.name))]
        if not tools or budget.over(f'{program.name} by {", ".join(t.name for t in tools)}'):
            continue
        if not program.prepare():
            say(f'{program.name}: could not be built')
            continue
        say(f'{program.name}: {", ".join(t.name for t in tools)}')
        results = measure(program, tools, 1 if args.quick else RUNS)
        for t in tools:
            store.put(row_of(program, t, results[t.name], results['clang -O2']))


#
# plumb fix
#

def run_fix(program, folder):
    write_db(program, folder)
    c = run([PLUMB, 'fix', '--no-cache', '-p', '.', '-j', str(JOBS), '--format', 'json', '-o', 'findings.json'],
            cwd=folder, cpu=2 * PLUMB_CPU)
    return plumb_result(program, folder, c)


FIX_PAIRS = 5    # the machines are noisy: one pair can be 10 % off


def fix_row(program, key):
    pairs = []
    for _ in range(FIX_PAIRS):
        check = Check().run(program, fresh_folder('fix', program.name, 'check'))
        pairs.append((check, run_fix(program, fresh_folder('fix', program.name, 'fix'))))
    pairs.sort(key=lambda p: p[1]['cpu'] / p[0]['cpu'] if p[0]['cpu'] else 0)
    check, fix = pairs[len(pairs) // 2]
    status = collections.Counter((f.get('fix') or {}).get('status', 'refused') for f in fix['report'])
    reasons = collections.Counter((f.get('fix') or {}).get('reason') or 'no reason given' for f in fix['report']
                                  if (f.get('fix') or {}).get('status') != 'available')
    verdicts = Verdicts(program.name)
    fixed = [(f['id'], '') for f in fix['report'] if (f.get('fix') or {}).get('status') == 'available']
    return {'kind': 'fix', 'program': program.name, 'tool': 'plumb', 'key': key, 'version': plumb_key()[0],
            'command': 'plumb fix --no-cache -p . -j N', 'source': f'{program.package} {program.version()}',
            'lines': program.lines(), 'found': len(fix['report']), 'fixed': status['available'],
            'refused': len(fix['report']) - status['available'], 'reasons': dict(reasons.most_common()),
            'fixed_verdicts': verdicts.judge(fixed), 'check_cpu': round(check['cpu'], 3), 'cpu': round(fix['cpu'], 3),
            'ratio': round(fix['cpu'] / check['cpu'], 3) if check['cpu'] else None, 'peak_kb': fix['peak_kb'],
            'stopped': fix['stopped'], 'failed': fix['failed']}


def measure_fixes(args, budget):
    if args.tool and 'plumb' not in args.tool:
        return
    store = Store('fix')
    need_packages('jq')
    for program in programs(args.program, args.quick):
        if program.name in FIX_NAMED and not args.program:
            continue
        key = digest('fix', plumb_key()[1], program.version())
        if not args.again and store.fresh(key, kind='fix', program=program.name, tool='plumb'):
            continue
        if budget.over(f'plumb fix of {program.name}'):
            continue
        if not program.prepare():
            say(f'{program.name}: could not be built')
            continue
        say(f'{program.name}: plumb fix')
        store.put(fix_row(program, key))
