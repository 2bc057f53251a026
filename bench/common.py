"""
common.py - what the parts of bench.py share: places, running a command and counting
what it costs, and the store of rows.

A *row* is one measurement: a dictionary that names its subject (program, tool, ...) and
has a `key`.  The key is a digest of all that the row hangs on: the tool's version (for
plumb the files themselves), the subject's version, the command and the settings.  A row
whose key is still right is kept, which makes a broken run go on where it stopped; another
plumb makes its rows, and only those, stale.  Rows lie in bench/results/PART.json and are
committed: the page is made from them alone.

Costs are CPU seconds, user + system, of a command and all its children, and the resident
size of the largest process among them.  Wall time says nothing where others use the machine.
"""

import concurrent.futures
import hashlib
import json
import os
import platform
import resource
import shutil
import signal
import statistics
import subprocess
import tempfile
import time

BENCH = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(BENCH)
OUT = os.path.join(TOP, 'build/bench')
WORK = os.path.join(OUT, 'side')                # work folders of the parts
RESULTS = os.path.join(BENCH, 'results')
PLUMB = os.path.abspath(os.environ.get('PLUMB') or os.path.join(TOP, 'build/plumb'))
BUILD = os.path.dirname(PLUMB)                  # its libraries are beside it
JOBS = int(os.environ.get('JOBS') or os.cpu_count() or 2)


def say(text):
    print(f'bench: {text}', flush=True)


#
# Running
#

class Cost:
    """What a command cost, and how it ended (a negative status: by that signal)."""

    def __init__(self, cpu=0.0, peak=0, status=0, out=b'', err=b'', late=False):
        self.cpu, self.peak, self.status, self.out, self.err, self.late = cpu, peak, status, out, err, late


def limits(cpu, memory):
    def apply():
        os.nice(5)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return apply


def run(argv, cwd=None, env=None, wall=3600, cpu=None, memory=None):
    """Runs a command to its end.  After `wall` seconds its whole process group is killed;
    `cpu` seconds and `memory` bytes are limits of each of its processes.  The peak is asked of
    time(1): the kernel counts what a process was before exec, and before exec it is a copy of us."""
    if env:                                     # for the command, not for time(1)
        argv = ['env', '-i'] + [f'{k}={v}' for k, v in env.items()] + argv
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.NamedTemporaryFile() as peak:
        p = subprocess.Popen(['/usr/bin/time', '-q', '-o', peak.name, '-f', '%M'] + argv, cwd=cwd,
                             stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                             preexec_fn=limits(cpu, memory))
        end, late = time.monotonic() + wall, False
        try:
            while True:
                pid, status, usage = os.wait4(p.pid, os.WNOHANG)
                if pid:
                    break
                if not late and time.monotonic() > end:
                    late = True
                    os.killpg(p.pid, signal.SIGKILL)
                time.sleep(0.005)
        except KeyboardInterrupt:               # it has a session of its own, and does not hear of it
            os.killpg(p.pid, signal.SIGKILL)
            raise
        p.returncode = os.waitstatus_to_exitcode(status)
        ended = 128 - p.returncode if p.returncode > 128 else p.returncode      # as time(1) tells of signals
        out.seek(0)
        err.seek(0)
        kb = int((peak.read().split() or [0])[-1])
        return Cost(usage.ru_utime + usage.ru_stime, kb, ended, out.read(), err.read(), late)


def run_all(commands, total, **kw):
    """Runs shell commands, JOBS at a time, until they have cost `total` CPU seconds: the
    rest are not begun.  A Cost for each, None for those."""
    spent = 0.0

    def one(command):
        nonlocal spent
        if spent > total:
            return None
        c = run(['sh', '-c', command], **kw)
        spent += c.cpu
        return c

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(one, commands))


def median(values):
    return statistics.median(values) if values else None


def need_packages(*names):
    """Installs Debian packages, as the scripts do."""
    subprocess.run(['bash', '-c', '. "$0/lib.sh"; need_packages "$@"', BENCH, 'time', *names], check=True)


def text_of(*argv):
    """The first line that a command prints."""
    try:
        p = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
    except OSError:
        return None
    return p.stdout.strip().split('\n')[0]


def package_version(name):
    p = subprocess.run(['dpkg-query', '-W', '-f=${Version}', name], capture_output=True, text=True)
    return p.stdout.strip() or None


#
# Rows
#

def digest(*things):
    return hashlib.sha256(json.dumps(things, sort_keys=True).encode()).hexdigest()[:16]


def digest_files(*paths):
    h = hashlib.sha256()
    for path in sorted(paths):
        with open(path, 'rb') as f:
            h.update(f.read())
    return h.hexdigest()[:16]


def machine():
    model = memory = None
    with open('/proc/cpuinfo') as f:
        for line in f:
            if line.startswith('model name'):
                model = line.split(':', 1)[1].strip()
                break
    with open('/proc/meminfo') as f:
        memory = round(int(f.readline().split()[1]) / 1048576)
    system = platform.freedesktop_os_release().get('PRETTY_NAME', 'Linux')
    return {'cpu': model or platform.machine(), 'cores': os.cpu_count(), 'memory_gib': memory, 'system': system,
            'kernel': platform.release().split('-')[0], 'python': platform.python_version()}


class Store:
    """The rows of one part.  `put` writes them out at once: nothing measured is lost."""
    folder = RESULTS

    def __init__(self, part, folder=None):
        self.path = os.path.join(folder or self.folder, part + '.json')
        self.read()

    def read(self):
        self.rows = []
        if os.path.exists(self.path):
            with open(self.path) as f:
                self.rows = json.load(f)['rows']

    @staticmethod
    def name(row):
        return tuple(str(row.get(k, '')) for k in ('kind', 'program', 'tool'))

    def get(self, **name):
        return next((r for r in self.rows if self.name(r) == self.name(name)), None)

    def fresh(self, key, **name):
        row = self.get(**name)
        return row is not None and row.get('key') == key

    def put(self, row):
        self.read()                             # another run may have added to it
        row['load'] = round(os.getloadavg()[0], 1)
        row['measured'] = time.strftime('%Y-%m-%d', time.gmtime())
        self.rows = sorted([r for r in self.rows if self.name(r) != self.name(row)] + [row], key=self.name)
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path + '.new', 'w') as f:
            json.dump({'schema': 'plumb-bench/1', 'machine': machine(), 'rows': self.rows}, f, indent=1)
            f.write('\n')
        os.rename(self.path + '.new', self.path)


def plumb_key(*names):
    """plumb as a tool: its version, and a digest of the files that a row hangs on (names
    beside the executable; default: the executable and its models)."""
    files = [os.path.join(BUILD, n) for n in names] or [PLUMB] + [
        os.path.join(BUILD, 'models', m) for m in os.listdir(os.path.join(BUILD, 'models'))]
    files = [f for f in files if os.path.isfile(f)]
    return text_of(PLUMB, '--version') or 'plumb', digest_files(*files)


def fresh_folder(*parts):
    path = os.path.join(WORK, *parts)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


class Budget:
    """Minutes that a run may take.  A part asks before it begins something long."""

    def __init__(self, minutes):
        self.end = time.monotonic() + 60 * minutes if minutes else None

    def left(self):
        return float('inf') if self.end is None else self.end - time.monotonic()

    def over(self, what):
        if self.left() > 0:
            return False
        say(f'the time is over: {what} is not measured; run again to go on')
        return True
