"""
watch.py - plumb watch against other tools that look at the heap of a running program.

Two parts.  *finds*: which leaks does each tool find?  The programs of bench/leaks/ tell the
truth about themselves: functions whose memory leaks, is bloat, or is fine (leaks.h).  A tool finds a
leak if its report names that function, and raises a false alarm if it names one that is fine.  Each is
asked for what its manual calls leaks, with its usual options:

    plumb        sites that plumb watch calls leak or bloat
    heaptrack    heaptrack_print's leaks: all that is live when the program ends
    memcheck     valgrind --leak-check=full: what is definitely or possibly lost
    lsan         built with -fsanitize=leak: what cannot be reached at exit
    jemalloc     prof_leak: all that is live at exit, each allocation sampled; by jeprof
    gperftools   HEAPCHECK=normal: what cannot be reached at exit

*watch*: what do they cost?  CPU time and the largest process, against the same program with
glibc's malloc, in interleaved runs, medians.  That is the cost of the run: what plumb, heaptrack and jemalloc
need to make a report of their data afterwards is left out.  Servers are loaded by a client, plain and
watched ones at the same time (servers.py): CPU time for a request.  Here jemalloc samples as it does by default, since
nobody would sample each allocation of a program at work.
"""

import glob
import json
import os
import re
import subprocess

import servers
from common import (BENCH, BUILD, PLUMB, Store, digest, digest_files, fresh_folder, median, need_packages,
                    package_version, plumb_key, run, say, text_of)

SECONDS = os.environ.get('SECONDS_EACH') or '4'
RUNS = int(os.environ.get('RUNS') or 3)
LONG = 8                # CPU seconds: what takes longer runs once
MOST = 60               # and is stopped, so that its ratio is a lower bound
LEAKS = os.path.join(BENCH, 'leaks')
ALL = 'jemalloc', 'gperftools'


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith(('LD_', 'MALLOC', 'HEAP', 'PLUMB_'))}
    env.update(more)
    return env


#
# Tools: a command around a program's, its environment, what is left for the report
#

class Tool:
    """command(argv, folder) and env(folder, True) run a program for its leaks, load(argv, folder) and
    env(folder, False) for its cost; report(folder, argv, cost) is the text in which names are looked for."""
    flags = []                                  # for building the program
    packages = []

    def __init__(self, name, shown):
        self.name, self.shown = name, shown

    def version(self):
        return package_version(self.packages[0]) if self.packages else None

    def stamp(self):
        return self.version()

    def command(self, argv, folder):
        return argv

    def load(self, argv, folder):
        return self.command(argv, folder)

    def env(self, folder, exact):
        return environment()

    def report(self, folder, argv, cost):
        return ''


class Glibc(Tool):
    packages = ['libc6']


class Plumb(Tool):
    def version(self):
        return plumb_key()[0]

    def stamp(self):
        return plumb_key('plumb', 'libplumb.so')[1]

    def command(self, argv, folder):
        return [PLUMB, 'watch', '-q', '--format', 'json', '-o', os.path.join(folder, 'plumb'), '--'] + argv

    def load(self, argv, folder):
        return argv

    def env(self, folder, exact):
        if exact:
            return environment()
        return environment(LD_PRELOAD=os.path.join(BUILD, 'libplumb.so'), PLUMB_RUN_FILE=os.path.join(folder, 'plumb.run'))

    def report(self, folder, argv, cost):
        names = []
        for path in glob.glob(os.path.join(folder, 'plumb*.json')):
            with open(path) as f:
                for site in json.load(f)['sites']:
                    if site['kind'] in ('leak', 'bloat'):
                        names += [frame.get('function') or '' for frame in site['frames']]
        return '\n'.join(names)


class Heaptrack(Tool):
    packages = ['heaptrack']

    def command(self, argv, folder):
        return ['heaptrack', '-o', os.path.join(folder, 'ht')] + argv

    def report(self, folder, argv, cost):
        out = ''
        for path in glob.glob(os.path.join(folder, 'ht*')):
            out += run(['heaptrack_print', '-f', path, '--print-leaks', '1', '--print-peaks', '0', '--print-allocators', '0',
                        '--print-temporary', '0']).out.decode(errors='replace')
        return out


class Memcheck(Tool):
    packages = ['valgrind']

    def command(self, argv, folder):
        return ['valgrind', '--leak-check=full', f'--log-file={folder}/memcheck.%p'] + argv

    def report(self, folder, argv, cost):
        return ''.join(open(p, errors='replace').read() for p in glob.glob(os.path.join(folder, 'memcheck.*')))


class Lsan(Tool):
    packages = ['libgcc-12-dev']
    flags = ['-fsanitize=leak']

    def report(self, folder, argv, cost):
        return cost.err.decode(errors='replace')


class Jemalloc(Tool):
    packages = ['libjemalloc2', 'libjemalloc-dev', 'perl']

    def env(self, folder, exact):
        conf = f'prof:true,prof_leak:true,prof_final:true,prof_prefix:{folder}/je'
        return environment(LD_PRELOAD='libjemalloc.so.2', MALLOC_CONF=conf + (',lg_prof_sample:0' if exact else ''))

    def report(self, folder, argv, cost):
        return ''.join(run(['jeprof', '--text', argv[0], p]).out.decode(errors='replace')
                       for p in glob.glob(os.path.join(folder, 'je*.heap')))


class Gperftools(Tool):
    packages = ['libgoogle-perftools4', 'google-perftools']

    def env(self, folder, exact):
        return environment(LD_PRELOAD='libtcmalloc.so.4', HEAPCHECK='normal', PPROF_PATH='/usr/bin/google-pprof',
                           HEAP_CHECK_DUMP_DIRECTORY=folder)

    def report(self, folder, argv, cost):
        return cost.err.decode(errors='replace')


GLIBC = Glibc('glibc', 'PROGRAM')
TOOLS = [Plumb('plumb', 'plumb watch -- PROGRAM'), Heaptrack('heaptrack', 'heaptrack PROGRAM'),
         Memcheck('memcheck', 'valgrind --leak-check=full PROGRAM'), Lsan('lsan', 'gcc -fsanitize=leak'),
         Jemalloc('jemalloc', 'LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF=prof:true,prof_leak:true,prof_final:true PROGRAM'),
         Gperftools('gperftools', 'LD_PRELOAD=libtcmalloc.so.4 HEAPCHECK=normal PROGRAM')]


def tools_wanted(args):
    wanted = [t for t in TOOLS if not args.tool or t.name in args.tool]
    need_packages('gcc', *(p for t in wanted for p in t.packages))
    return wanted


def build(source, folder, flags=(), optimise='-O2'):
    """A program, and its library where it has one; the path of the program."""
    out = os.path.join(folder, os.path.basename(source)[:-2])
    basic = ['gcc', optimise, '-g', '-fno-builtin', *flags]
    subprocess.run([*basic, '-o', out, source, '-lpthread', '-ldl'], check=True)
    with open(source) as f:
        if '#ifdef PLUGIN' in f.read():
            subprocess.run([*basic, '-DPLUGIN', '-shared', '-fPIC', '-o', out + '.so', source], check=True)
    return out


#
# Which leaks are found
#

def truth(source):
    with open(source) as f:
        text = f.read()
    return {kind: re.findall(r'^ \* ' + kind + r' (\w+)$', text, re.M) for kind in ('LEAK', 'BLOAT', 'FINE')}


def find_row(tool, source, key):
    folder = fresh_folder('finds', tool.name)
    program = build(source, folder, tool.flags, '-O1')
    argv = [program, SECONDS]
    cost = run(tool.command(argv, folder), cwd=folder, env=tool.env(folder, True), wall=600)
    text = tool.report(folder, argv, cost)
    name, said = os.path.basename(source)[:-2], truth(source)

    def named(kind):
        return [f for f in said[kind] if re.search(r'\b' + f + r'\b', text)]

    return {'kind': 'finds', 'program': name, 'tool': tool.name, 'key': key, 'version': tool.version(),
            'command': tool.shown, 'truth': said, 'found': named('LEAK') + named('BLOAT'), 'false': named('FINE'),
            'status': cost.status}


def measure_finds(args, budget):
    store = Store('finds')
    for tool in tools_wanted(args):
        for source in sorted(glob.glob(os.path.join(LEAKS, '*.c'))):
            name = os.path.basename(source)[:-2]
            if args.program and name not in args.program or args.quick and name not in ('stale_list', 'lost_object', 'hot_table'):
                continue
            key = digest('finds', tool.stamp(), tool.shown, tool.flags, SECONDS,
                         digest_files(source, os.path.join(LEAKS, 'leaks.h')))
            if not args.again and store.fresh(key, kind='finds', program=name, tool=tool.name):
                continue
            if budget.over(f'{tool.name} on {name}'):
                return
            say(f'{name}: {tool.name}')
            store.put(find_row(tool, source, key))


#
# What they cost
#

# About half a second each, so that memcheck ends, too.
ALLOC = {'cfrac': ['40'], 'espresso': ['250'], 'larson': ['1', '32'], 'xmalloc': ['1', '30000'], 'words': ['300000']}
SQL = ("create table t(a,b); with recursive c(x) as (select 1 union all select x+1 from c where x<{n}) insert into t "
       "select x, hex(x*x) from c; create index i on t(b); select count(*) from t where b like '%7%';")
PERL = 'my %h; $h{{$_}} = [$_, "x$_"] for 1 .. {n}; my $s = 0; $s += length $h{{$_}}[1] for sort keys %h; print $s'
REAL = {'sqlite3': ['sqlite3', ':memory:', SQL.format(n=500000)], 'perl': ['perl', '-e', PERL.format(n=150000)]}


def subjects():
    """Programs whose cost is measured: (name, source or None, arguments)."""
    for name, arguments in ALLOC.items():
        yield name, os.path.join(BENCH, 'alloc', name + '.c'), arguments
    for name, argv in REAL.items():
        yield name, None, argv


def prepared(tool, name, source, arguments):
    """A function that runs the program under the tool once."""
    folder = fresh_folder('watch', name, tool.name)
    if source:
        argv = [build(source, folder, tool.flags)] + arguments
    else:
        argv = arguments

    def once():
        for path in glob.glob(os.path.join(folder, 'plumb*')) + glob.glob(os.path.join(folder, 'ht*')):
            os.remove(path)
        return run(tool.load(argv, folder), cwd=folder, env=tool.env(folder, False), cpu=MOST)
    return once


def measure_cost(name, source, arguments, tools, runs, put):
    """One interleaved session: the program plainly, then under each tool, and again."""
    ways = [(t, prepared(t, name, source, arguments)) for t in [GLIBC] + tools]
    costs = {t.name: [] for t, _ in ways}
    for _ in range(runs):
        for t, once in ways:
            if not costs[t.name] or costs[t.name][0].cpu < LONG:
                costs[t.name].append(once())
    base = costs['glibc']
    for t in tools:
        mine = costs[t.name]
        stopped = any(c.cpu > 0.9 * MOST for c in mine)
        if not stopped and any(base[0].out.strip() not in c.out for c in mine):
            say(f'{name}: {t.name}: the program does not print what it prints plainly: not counted')
            continue
        put({'kind': 'cost', 'program': name, 'tool': t.name, 'version': t.version(), 'command': t.shown, 'runs': len(mine),
             'stopped': stopped,
             'base_cpu': round(median([c.cpu for c in base]), 3), 'cpu': round(median([c.cpu for c in mine]), 3),
             'ratio': round(median([c.cpu for c in mine]) / median([c.cpu for c in base]), 3),
             'base_kb': round(median([c.peak for c in base])), 'peak_kb': round(median([c.peak for c in mine])),
             'memory_ratio': round(median([c.peak for c in mine]) / median([c.peak for c in base]), 3)})


# "redis glibc" with malloc of glibc, as the others have it, not with the jemalloc that it brings.
SERVERS = {'redis': 'redis glibc', 'nginx': 'nginx', 'nginx gzip': 'nginx gzip', 'memcached': 'memcached'}
SLOW = 'heaptrack', 'memcheck', 'gperftools'
SERVER_PACKAGES = {'redis': 'redis-server', 'nginx': 'nginx-light', 'memcached': 'memcached'}


def measure_server(name, number, tools, runs, put):
    """A server under load: plain, and under each tool, at the same time."""
    ways = [servers.Way(t.name, t.load, lambda folder, t=t: t.env(folder, False), t.name in SLOW) for t in tools]
    plain, *watched, again = servers.measure(SERVERS[name], ways, runs, servers.first_port() + 10 * number)
    noise = median([b / a for a, b in zip(plain.costs, again.costs)])
    for tool in tools:
        row = {'kind': 'server', 'program': name, 'tool': tool.name, 'version': tool.version(), 'command': tool.shown, 'runs': runs,
               'noise': round(noise, 3)}
        w = next((w for w in watched if w.way.name == tool.name), None)
        if w is None:
            put({**row, 'ratio': None, 'memory_ratio': None, 'failed': True})
            continue
        put({**row, 'plain_ns': round(median(plain.costs)), 'ns': round(median(w.costs)),
             'ratio': round(servers.against(plain.costs, w.costs, again.costs), 3),
             'memory_ratio': None if w.way.slow else round(2 * w.most / (plain.most + again.most), 3)})       # it served fewer


def measure_servers(store, wanted, args, budget):
    wanted = [t for t in wanted if not t.flags]         # what must be built in
    need_packages('wrk', *SERVER_PACKAGES.values())
    runs = 1 if args.quick else 2 * RUNS + 1
    for number, name in enumerate(SERVERS):
        if args.program and name not in args.program or args.quick and name != 'memcached':
            continue
        keys = {t.name: digest('server', t.stamp(), t.shown, runs, package_version(SERVER_PACKAGES[name.split()[0]]),
                               digest_files(servers.__file__)) for t in wanted}
        stale = [t for t in wanted if args.again or not store.fresh(keys[t.name], kind='server', program=name, tool=t.name)]
        if not stale or budget.over(f'the cost of watching {name}'):
            continue
        say(f'{name}: {", ".join(t.name for t in stale)}')
        measure_server(name, number, stale, runs, lambda row: store.put(dict(row, key=keys[row['tool']])))


def measure_costs(args, budget):
    store = Store('watch')
    wanted = tools_wanted(args)
    need_packages('sqlite3', 'perl')
    runs = 1 if args.quick else RUNS
    for name, source, arguments in subjects():
        if args.program and name not in args.program or args.quick and name not in ('cfrac', 'sqlite3'):
            continue
        keys = {t.name: digest('cost', t.stamp(), t.shown, t.flags, arguments, runs, text_of(arguments[0], '--version')
                               if not source else digest_files(source)) for t in wanted}
        stale = [t for t in wanted if (source or not t.flags) and       # what must be built in
                 (args.again or not store.fresh(keys[t.name], kind='cost', program=name, tool=t.name))]
        if not stale or budget.over(f'the cost of watching {name}'):
            continue
        say(f'{name}: {", ".join(t.name for t in stale)}')
        measure_cost(name, source, arguments, stale, runs, lambda row: store.put(dict(row, key=keys[row['tool']])))
    measure_servers(store, wanted, args, budget)
