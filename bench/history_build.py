"""
history_build.py - for history.py: the two commits of a record, built, and of each what plumb looks at.

A *case* is a pair of commits, the fix and its parent, with all records of it.  It has a folder:

    tree/               the source at the parent, built there; afterwards without what was compiled
    parent/, fix/       of each commit: the program or library that has the function, its own shared libraries, and
                        the object of the one unit, all with the section .plumb; in src/ the files in which the two differ
    case.json           what was made of it, or why not
    log                 what the build printed

The parent is built by the project's own build system, in the way of `plumb scan`: a folder in front of PATH has scripts with the
names of compilers, which start `plumb cc`.  They leave out what makes old sources fail with compilers of today, and what
takes time and says nothing (warnings as errors, optimisation).  Then the files that the fix changes are replaced, and
make does the rest; if that goes wrong, the fix is built from nothing.

After a change of the front end or the IR, remake() compiles again the units that are in what was kept, with the flags that
were recorded in them, and puts the new section in the place of the old.
"""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import stat
import struct
import subprocess

from common import run

SIDES = ('parent', 'fix')
COMPILERS = ('cc', 'gcc', 'clang', 'c99', 'c89', 'x86_64-linux-gnu-gcc')
TESTS = re.compile(r'(^|[/_.-])(tests?|testing|unit[a-z]*|check|checks|fuzz\w*|bench\w*|examples?|samples?|demos?)([/_.-]|$)')
SCRIPT = '''#!/bin/sh
n=$#
while [ $n -gt 0 ]; do
    a=$1; shift; n=$((n - 1))
    case $a in -Werror*|-pedantic-errors|-O[0-9sgz]|-O|-g|-g[0-9]|-ggdb*|-flto*|-Wl,-z,defs|-Wl,--no-undefined) ;; *) set -- "$@" "$a";; esac
done
PLUMB_REAL_CC='%s' exec '%s' cc "$@" -w -O0 -fcommon
'''


class Failed(Exception):
    """The reason in a few words, of which there are not many different ones: they are counted."""


def git(mirror, *args, text=True):
    return subprocess.run(['git', '--git-dir', mirror, *args], stdout=subprocess.PIPE, check=True, text=text,
                          errors='replace' if text else None).stdout


def mirror_of(mirrors, repo):
    """The repository's folder, or None."""
    base = os.path.join(mirrors, repo.replace('/', '+'))
    return next((p for p in (base + '/repo', base) if os.path.exists(p + '/HEAD')), None)


#
# ELF files
#

def section(path):
    """(type of the file, offset and bytes of .plumb); None if it has none."""
    with open(path, 'rb') as f:
        head = f.read(64)
        if len(head) < 64 or head[:5] != b'\x7fELF\x02':
            return None
        kind, = struct.unpack_from('<H', head, 16)
        at, = struct.unpack_from('<Q', head, 40)
        each, n, names = struct.unpack_from('<HHH', head, 58)
        f.seek(at)
        table = f.read(each * n)
        if len(table) < each * n or names >= n:
            return None
        field = lambda i, where: struct.unpack_from('<Q', table, i * each + where)[0]
        f.seek(field(names, 24))
        strings = f.read(field(names, 32))
        for i in range(n):
            name, = struct.unpack_from('<I', table, i * each)
            if strings[name:strings.find(b'\0', name)] == b'.plumb':
                return kind, field(i, 24), field(i, 32)
    return None


class Elf:
    def __init__(self, path, kind, at, size):
        self.path, self.linked, self.at, self.size = path, kind in (2, 3), at, size
        self.units = None

    def read(self, plumb):
        """Its units."""
        if self.units is None:
            c = run([plumb, 'dump', 'units', self.path], wall=300)
            try:
                said = json.loads(c.out)
            except ValueError:
                said = {'units': []}
            self.units = [u for u in said['units'] if u.get('unit') and u.get('dir')]
        return self.units

    def has(self, plumb, path):
        return any(same_file(u['unit'], path) for u in self.read(plumb))


def is_text(path):
    """Can it be a source?  Not what was compiled, and not what is large and named otherwise."""
    with open(path, 'rb') as f:
        made = f.read(8).startswith((b'\x7fELF', b'!<arch>'))
    return not made and (path.endswith(('.c', '.h')) or os.path.getsize(path) < 1 << 19)


def same_file(a, b):
    return os.path.basename(a) == os.path.basename(b) and os.path.realpath(a) == os.path.realpath(b)


def elves(folder):
    found = []
    for top, dirs, names in os.walk(folder):
        dirs[:] = [d for d in dirs if d != '.git']
        for n in names:
            path = os.path.join(top, n)
            if os.path.islink(path) or not os.path.isfile(path) or n.endswith('.a'):
                continue
            s = section(path)
            if s:
                found.append(Elf(path, *s))
    return found


def dynamic(path, tag):
    out = subprocess.run(['readelf', '-dW', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return re.findall(r'\(%s\).*\[(.*)\]' % tag, out)


def closure(elf, libraries):
    """The own libraries that a program needs, by the names that it needs them by."""
    need, done = dynamic(elf.path, 'NEEDED'), {}
    while need:
        name = need.pop()
        if name in libraries and name not in done and libraries[name] is not elf:
            done[name] = libraries[name]
            need += dynamic(libraries[name].path, 'NEEDED')
    return done


#
# Building
#

class Builder:
    def __init__(self, plumb, mirrors, folder, recipe, jobs, limit=3600):
        self.plumb, self.mirrors, self.recipe, self.jobs, self.limit = plumb, mirrors, recipe, jobs, limit
        self.folder, self.tree = folder, os.path.join(folder, 'tree')
        self.log = os.path.join(folder, 'log')
        self.bin = os.path.join(folder, 'bin')
        self.env = {**{k: v for k, v in os.environ.items() if k in ('LANG', 'TZ', 'USER', 'LOGNAME')},
                    'PATH': f'{self.bin}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', 'HOME': os.path.join(folder, 'home'), 'LC_ALL': 'C.UTF-8',
                    'PLUMB_CACHE_DIR': '', 'NOCONFIGURE': '1', 'GIT_CEILING_DIRECTORIES': folder, **recipe.get('env', {})}
        self.where = self.tree
        self.targets = recipe.get('make', [])   # of make; not more than is needed, where all is much

    def compilers(self):
        os.makedirs(self.bin, exist_ok=True)
        os.makedirs(self.env['HOME'], exist_ok=True)
        for name in COMPILERS:
            real = shutil.which(name)
            if real:
                path = os.path.join(self.bin, name)
                with open(path, 'w') as f:
                    f.write(SCRIPT % (real, self.plumb))
                os.chmod(path, 0o755)

    def step(self, argv, cwd=None):
        """Runs a program of the build; what it leaves behind in its process group is ended with it."""
        with open(self.log, 'ab') as log:
            log.write(f'\n== {" ".join(argv)}\n'.encode())
            log.flush()
            try:
                p = subprocess.Popen(argv, cwd=cwd or self.where, env=self.env, stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=log, start_new_session=True)
            except OSError as e:
                log.write(f'{e}\n'.encode())
                return False
            try:
                return p.wait(self.limit) == 0
            except subprocess.TimeoutExpired:
                log.write(b'== out of time\n')
                return False
            finally:
                try:
                    os.killpg(p.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                p.wait()

    def has(self, name):
        return os.path.exists(os.path.join(self.where, name))

    def export(self, mirror, commit):
        shutil.rmtree(self.tree, ignore_errors=True)
        self.unpack(mirror, commit, self.tree)
        below = os.path.join(self.tree, self.recipe.get('folder', ''))
        self.where = below if os.path.isdir(below) else self.tree
        for path, repo in self.recipe.get('submodules', {}).items():
            repo, _, at = repo.partition('@')       # with a commit: where the project names none
            link = git(mirror, 'ls-tree', commit, path).split()
            if link:
                at = link[2] if link[0] == '160000' else ''
            if at:
                self.unpack(mirror_of(self.mirrors, repo), at, os.path.join(self.tree, path))

    def unpack(self, mirror, commit, folder):
        os.makedirs(folder, exist_ok=True)
        if not mirror:
            raise Failed('a repository is missing')
        a = subprocess.Popen(['git', '--git-dir', mirror, 'archive', commit], stdout=subprocess.PIPE)
        ok = subprocess.run(['tar', '-x', '-C', folder], stdin=a.stdout).returncode == 0
        if a.wait() or not ok:
            raise Failed('the source could not be unpacked')

    def build(self):
        """By what the source has.  make -k may have left out something: what there is, is looked at."""
        for command in self.recipe.get('before', []):
            self.step(['sh', '-c', command])
        kinds = [(self.cmake, 'CMakeLists.txt'), (self.autotools, 'configure', 'configure.ac', 'configure.in'),
                 (self.meson, 'meson.build'), (self.make, 'Makefile', 'GNUmakefile', 'makefile')]
        kinds.sort(key=lambda k: k[0].__name__ != self.recipe.get('build'))
        known = False
        for way, *marks in kinds:
            if any(self.has(m) for m in marks):
                known = True
                if way():
                    return
        raise Failed('configure failed' if known else 'no build system')

    def autotools(self):
        if not self.has('configure'):
            for maker in ('autogen.sh', 'bootstrap', 'bootstrap.sh', 'buildconf'):
                if self.has(maker) and not self.has('configure'):
                    self.step(['sh' if open(os.path.join(self.where, maker), 'rb').read(9)[:9] == b'#!/bin/sh' else 'bash', maker])
            if not self.has('configure'):
                self.step(['autoreconf', '-fi'])
        if not self.has('configure'):
            return False
        return self.step(['sh', './configure', '--disable-werror', '--disable-static', 'CFLAGS=-O0', *self.recipe.get('configure', [])]) and self.make()

    def cmake(self):
        return self.step(['cmake', '-B', 'plumb-build', '-S', '.', '-DCMAKE_C_COMPILER=cc', '-DBUILD_TESTING=OFF',
                          *self.recipe.get('cmake', [])]) and self.make()

    def meson(self):
        return self.step(['meson', 'setup', 'plumb-build', *self.recipe.get('meson', [])]) and self.make()

    def make(self):
        """All that can be made.  Also for what was changed since."""
        build = os.path.join(self.where, 'plumb-build')
        if os.path.exists(os.path.join(build, 'build.ninja')):
            self.step(['ninja', '-k', '0', '-j', str(self.jobs), '-C', build])
        else:
            self.step(['make', '-k', f'-j{self.jobs}', *self.targets],
                      build if os.path.exists(os.path.join(build, 'Makefile')) else self.where)
        return True


#
# A case
#

class Case:
    """records: of one pair of commits.  mirror is None if the repository is not here."""

    def __init__(self, folder, mirrors, records, recipe):
        self.folder, self.mirrors, self.records = folder, mirrors, records
        self.mirror = mirror_of(mirrors, records[0]['repo'])
        self.recipe = {'build': records[0]['build'], **recipe}
        self.recipe['make'] = [a.replace('{top}', records[0]['file'].split('/')[0]) for a in recipe.get('make', [])]
        self.tree = os.path.join(folder, 'tree')
        self.path = os.path.join(folder, 'case.json')
        self.commit = {s: records[0][s] for s in SIDES}
        self.known = json.load(open(self.path)) if os.path.exists(self.path) else None

    def relative(self, path):
        """A path of a report, which may begin at the folder of some repository around it, as one of the project."""
        before, mark, after = os.path.normpath(os.path.join(self.folder, path)).partition(f'/{os.path.basename(self.folder)}/tree/')
        return after if mark else path

    def changed(self):
        """{path: there at the fix}"""
        out = git(self.mirror, 'diff', '--name-status', '--no-renames', '-z', self.commit['parent'], self.commit['fix']).split('\0')
        return {path: status != 'D' for status, path in zip(out[::2], out[1::2])}

    def put(self, side):
        """The files in which the commits differ, as they are on this side."""
        for path in self.known['changed']:
            at, src = os.path.join(self.tree, path), os.path.join(self.folder, side, 'src', path)
            if os.path.exists(src):
                os.makedirs(os.path.dirname(at), exist_ok=True)
                shutil.copy(src, at)            # new: make looks at times
            elif os.path.lexists(at):
                os.remove(at)

    def keep_changed(self, changed):
        for side in SIDES:
            for path in changed:
                try:
                    text = git(self.mirror, 'show', f'{self.commit[side]}:{path}', text=False)
                except subprocess.CalledProcessError:
                    continue
                src = os.path.join(self.folder, side, 'src', path)
                os.makedirs(os.path.dirname(src), exist_ok=True)
                with open(src, 'wb') as f:
                    f.write(text)
                mode = git(self.mirror, 'ls-tree', self.commit[side], path).split(' ')[0]
                os.chmod(src, 0o755 if mode == '100755' else 0o644)

    def make(self, plumb, jobs):
        """Builds both sides.  What could not be made is in self.known['why']."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.known = {'changed': sorted(self.changed()), 'lines': self.lines(), 'why': None, 'sides': {}}
        self.keep_changed(self.known['changed'])
        b = Builder(plumb, self.mirrors, self.folder, self.recipe, jobs)
        try:
            b.compilers()
            b.export(self.mirror, self.commit['parent'])
            b.build()
            try:
                self.select(plumb, 'parent')
            except Failed:
                if not b.targets:
                    raise
                b.targets = []
                b.make()
                self.select(plumb, 'parent')
            self.put('fix')
            b.make()
            try:
                self.select(plumb, 'fix')
                again = not self.differs()
            except Failed:
                again = True
            if again:
                b.export(self.mirror, self.commit['fix'])
                b.build()
                self.select(plumb, 'fix')
            self.shrink()
        except Failed as e:
            self.known['why'] = str(e)
            self.known['sides'] = {}
            shutil.rmtree(self.tree, ignore_errors=True)
        shutil.rmtree(b.bin, ignore_errors=True)
        shutil.rmtree(b.env['HOME'], ignore_errors=True)
        self.write()

    def write(self):
        with open(self.path + '.part', 'w') as f:
            json.dump(self.known, f, indent=1)
            f.write('\n')
        os.rename(self.path + '.part', self.path)

    def lines(self):
        """For each record the line of its allocation at the fix; None if that line is changed or gone."""
        out = []
        for r in self.records:
            shift = 0
            line = r['line']
            for h in re.finditer(r'^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@',
                                 git(self.mirror, 'diff', '-U0', '--no-renames', self.commit['parent'], self.commit['fix'], '--', r['file']), re.M):
                a, n, _, m = (int(x) if x else 1 for x in h.groups())
                if n and a <= r['line'] < a + n:
                    line = None
                elif (a if n else a + 1) <= r['line']:
                    shift += m - n
            out.append(line + shift if line else None)
        return out

    def select(self, plumb, side):
        """Finds what to look at, for each record, and copies it."""
        found = elves(self.tree)
        linked = sorted((e for e in found if e.linked), key=lambda e: -e.size)
        libraries = {}
        for e in linked:
            for name in dynamic(e.path, 'SONAME') or [os.path.basename(e.path)]:
                libraries.setdefault(name, e)
        rows = []
        for r in self.records:
            source = os.path.join(self.tree, r['file'])
            stem = os.path.splitext(os.path.basename(r['file']))[0]
            objects = [e for e in found if not e.linked and stem in os.path.basename(e.path) and e.has(plumb, source)]
            with_it = [e for e in linked if e.has(plumb, source)]
            if not objects and not with_it:
                raise Failed('the unit was not compiled')
            unit = min(objects, key=lambda e: (len(e.read(plumb)), '.libs' in e.path, len(e.path))) if objects else self.object(plumb, with_it[0], source)
            row = {'unit': self.keep(side, 'unit', unit), 'whole': [], 'name': None}
            if with_it:
                other = os.path.join(self.tree, r['lost_file'])
                whole = min(with_it, key=lambda e: (bool(TESTS.search(os.path.relpath(e.path, self.tree))), not e.has(plumb, other), -e.size))
                row['name'] = os.path.relpath(whole.path, self.tree)
                row['whole'] = [self.keep(side, 'whole', whole)]
                for name, e in closure(whole, libraries).items():
                    self.keep(side, 'lib', e, name)
            else:                               # nothing was linked with it: the objects beside it are one program
                near = os.path.dirname(unit.path)
                row['name'] = os.path.relpath(near, self.tree) + '/*.o'
                row['whole'] = [self.keep(side, 'whole', e) for e in found if not e.linked and os.path.dirname(e.path) == near]
            rows.append(row)
        self.known['sides'][side] = rows

    def object(self, plumb, elf, source):
        """The object of a unit that was compiled and linked by one command."""
        unit = next(u for u in elf.read(plumb) if same_file(u['unit'], source))
        path = os.path.join(self.tree, os.path.splitext(os.path.basename(source))[0])
        if not compile_unit(plumb, unit, path):
            raise Failed('the unit was not compiled')
        return Elf(path + '.o', 1, 0, 0)

    def keep(self, side, kind, elf, name=None):
        """The copy's path below the case."""
        folder = os.path.join(self.folder, side, kind)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name or os.path.relpath(elf.path, self.tree).replace('/', '%'))
        shutil.copyfile(elf.path, path)
        return os.path.relpath(path, self.folder)

    def kept(self, side):
        return elves(os.path.join(self.folder, side))

    def differs(self):
        """Has the fix changed what is looked at?  If not, make has not seen it."""
        def text(path):
            with open(os.path.join(self.folder, path), 'rb') as f:
                return f.read()
        for r, a, b in zip(self.records, *(self.known['sides'][s] for s in SIDES)):
            if r['file'] in self.known['changed'] and text(a['unit']) == text(b['unit']):
                return False
            if [text(p) for p in a['whole']] == [text(p) for p in b['whole']]:
                return False
        return True

    def shrink(self):
        """Leaves in the tree what units are compiled from."""
        for top, dirs, names in os.walk(self.tree, topdown=False):
            for n in names:
                path = os.path.join(top, n)
                if not os.path.islink(path) and not (os.path.isfile(path) and is_text(path)):
                    os.remove(path)

    def remake(self, plumb, jobs):
        """Compiles the units of what was kept again."""
        for side in SIDES:
            if side not in self.known['sides']:
                continue
            self.put(side)
            made = {}
            for e in self.kept(side):
                remake_elf(plumb, e, made, os.path.join(self.folder, 'again'), jobs)
        shutil.rmtree(os.path.join(self.folder, 'again'), ignore_errors=True)


def compile_unit(plumb, unit, at):
    """The section of a unit, whose object comes to `at`.o; None if it could not be compiled."""
    os.makedirs(unit['dir'], exist_ok=True)
    c = run([plumb, 'cc', '-c', '-w', *unit['flags'], unit['unit'], '-o', at + '.o'], cwd=unit['dir'], wall=600,
            env={**os.environ, 'PLUMB_REAL_CC': 'gcc -O0 -fcommon', 'PLUMB_CACHE_DIR': ''})
    found = None if c.status else section(at + '.o')
    if not found:
        return None
    with open(at + '.o', 'rb') as f:
        f.seek(found[1])
        return f.read(found[2])


def remake_elf(plumb, elf, made, work, jobs):
    os.makedirs(work, exist_ok=True)
    keys = [json.dumps([u['unit'], u['dir'], u['flags']]) for u in elf.read(plumb)]
    todo = {k: u for k, u in zip(keys, elf.units) if k not in made}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        sections = pool.map(lambda x: compile_unit(plumb, x[1], os.path.join(work, str(len(made) + x[0]))), enumerate(todo.values()))
        made.update(zip(todo, list(sections)))
    if not keys or any(made[k] is None for k in keys):
        return False
    with open(os.path.join(work, 'all'), 'wb') as f:
        for k in keys:
            f.write(made[k] + b'\0' * (-len(made[k]) % 8))
    return subprocess.run(['objcopy', '--update-section', '.plumb=' + os.path.join(work, 'all'), elf.path]).returncode == 0
