#!/usr/bin/env python3
"""
suites.py - plumb check on the test suites of other analysers.

    bench/suites.py get NAME [CLONE]     brings the sources of a suite to where they are looked for: from a Debian
                                         source package, or out of CLONE, a git repository that is here already
    bench/suites.py run [NAME...]        analyses and judges; writes suites/NAME.json (default: all that are there)
    bench/suites.py sum [NAME...]        the table, from the committed files alone
    bench/suites.py list NAME            what is missed and false there, with what was reported

    --dir DIR      where the suites are (default: build/suites): DIR/juliet, DIR/svf, DIR/itc, DIR/infer, DIR/gcc, DIR/clang
    --plumb FILE   default: build/plumb
    --only TEXT    programs with TEXT in their name (run: nothing is written then)

Sources of others are never committed, and nothing of them is built: plumb reads them, one source at a time or several as one program.

A case is what a suite says of a function or line, of one kind: leak (of anything), or freed (what was freed is freed again, or used).
It is *found* if a finding of that kind which plumb shows (high or medium) names the line or the function, or a call that leads to the
function: a suite names the line of a callee that allocates or frees, where plumb names that of the call.  A finding that fits no case
is *false*.

Every miss and every false one has a cause in suites/causes.tsv, which a person gave who has read the case: a short word for the fact
that plumb lacks, or `out of scope: ...`.  A false one whose cause begins with `true` is none: the suite does not see it, or the same
object is lost where the suite looks for something else.  Misses that are out of scope count in `missed` and not in `recall in scope`.
Rows of suites/truth.tsv correct or add what a suite expects, where its own notation does not say it.

Exit code 1 if there is a miss or a false one without a cause.
"""

import argparse
import collections
import csv
import fnmatch
import glob
import json
import os
import re
import resource
import shutil
import subprocess
import sys

BENCH = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(BENCH)
HERE = os.path.join(BENCH, 'suites')
KINDS = {'never-freed': 'leak', 'conditional': 'leak', 'overwritten': 'leak', 'double-free': 'freed', 'use-after-free': 'freed'}
LEAK, FREED = 'leak', 'freed'


class Case:
    """What a suite expects: of a line, from which the function follows, or of a function.  exact: of this line only;
    either: it need not be reported."""

    def __init__(self, path, kind, line=None, function=None, name=None, exact=False, either=False):
        self.path, self.kind, self.line, self.function, self.name = path, kind, line, function, name
        self.exact, self.either = exact, either


class Program:
    """Sources that are analysed as one.  kind: what the suite is about here (None: both); what else is found is not judged."""

    def __init__(self, name, files, flags=(), kind=None, options=()):
        self.name, self.files, self.flags, self.kind, self.options = name, files, list(flags), kind, list(options)
        self.cases = []
        self.belongs = None     # finding -> (case name, is it expected), where a suite says it by names


def say(text):
    print(f'suites: {text}', file=sys.stderr, flush=True)


def read(path):
    with open(path, encoding='latin-1') as f:
        return f.read()


def rows(name):
    path = os.path.join(HERE, name)
    if not os.path.exists(path):
        return []
    with open(path, newline='') as f:
        return list(csv.DictReader((line for line in f if not line.startswith('#')), delimiter='\t', quoting=csv.QUOTE_NONE))


def sources(top, pattern):
    return sorted(os.path.relpath(p, top) for p in glob.glob(os.path.join(top, pattern), recursive=True))


#
# Juliet: each test case has a bad function and good ones, over one to five sources.  Cases that differ in control
# and data flow only are one program, with a main() of ours that calls each of them.
#

CWES = {'401': LEAK, '415': FREED, '416': FREED, '773': LEAK, '775': LEAK}


def juliet_programs(top):
    groups = collections.defaultdict(list)
    for path in sources(top, 'testcases/CWE*/**/*.c'):
        m = re.match(r'(CWE(\d+)_.*)_\d\d[a-z]?\.c$', os.path.basename(path))
        if m and m[2] in CWES:
            groups[m[1], m[2]].append(path)
    for (name, cwe), files in sorted(groups.items()):
        yield juliet_program(top, name, CWES[cwe], files)


def juliet_program(top, name, kind, files):
    bases = sorted({juliet_base(f) for f in files})
    main = os.path.join('plumb-main', name + '.c')
    os.makedirs(os.path.join(top, 'plumb-main'), exist_ok=True)
    with open(os.path.join(top, main), 'w') as f:
        f.writelines(f'void {b}_{which}(void);\n' for b in bases for which in ('bad', 'good'))
        f.write('int main(int argc, char **argv)\n{\n\t(void)argv;\n\tswitch (argc) {\n')
        f.writelines(f'\tcase {i}: {b}_{which}(); break;\n'
                     for i, (b, which) in enumerate((b, w) for b in bases for w in ('bad', 'good')))
        f.write('\t}\n\treturn 0;\n}\n')
    p = Program(name, files + ['testcasesupport/io.c', main], ['-Itestcasesupport'], kind)
    p.cases = [Case(None, kind, name=b) for b in bases]
    p.belongs = juliet_belongs
    return p


def juliet_base(path):
    return re.sub(r'[a-z]?\.c$', '', os.path.basename(path))


def juliet_belongs(finding):
    """(test case, is it the bad half)"""
    places = [finding] + ([finding['leak']] if finding.get('leak') else [])
    base = next((juliet_base(p['file']) for p in places if 'testcases/' in p['file']), None)
    return base, not any(re.search('good', p.get('function') or '', re.I) for p in places)


#
# SVF: macros name what is to be said of an allocation, or of a free.
#

def svf_programs(top):
    for path in sources(top, 'src/mem_leak/*.c'):
        p = Program(path, [path], ['-I.', '-Dmain=main_of_test'], LEAK)
        p.cases = [Case(path, LEAK, line=n, exact=True) for n, text in code_lines(os.path.join(top, path))
                   if re.search(r'\b(NFRMALLOC|PLKMALLOC|CLKMALLOC|LEAKFN)\s*\(', text)]
        yield p
    for path in sources(top, 'src/double_free/*.c'):
        p = Program(path, [path], ['-I.'], FREED)
        p.cases = [Case(path, FREED, line=n, exact=True) for n, text in code_lines(os.path.join(top, path))
                   if re.search(r'\bDOUBLEFREE\s*\(', text)]
        yield p


def code_lines(path):
    """(number, text without comments) of each line"""
    text = re.sub(r'/\*.*?\*/', lambda m: re.sub('[^\n]', ' ', m[0]), read(path), flags=re.S)
    return [(n, re.sub('//.*', '', line)) for n, line in enumerate(text.split('\n'), 1)]


#
# ITC: the same functions with and without the defect; a comment on the line.
#

ITC = {'memory_leak.c': LEAK, 'double_free.c': FREED, 'invalid_memory_access.c': FREED}


def itc_programs(top):
    for folder in ('01.w_Defects', '02.wo_Defects'):
        for name, kind in ITC.items():
            path = f'{folder}/{name}'
            p = Program(path, [path], ['-Iinclude'], kind)
            p.cases = [Case(path, kind, line=n) for n, text in enumerate(read(os.path.join(top, path)).split('\n'), 1)
                       if re.search(r'/\*\s*ERROR', text)]
            yield p


#
# Infer: a list of what is reported, by function.  Latent issues depend on a caller: either answer will do.
#

PULSE = {'MEMORY_LEAK_C': LEAK, 'PULSE_RESOURCE_LEAK': LEAK, 'USE_AFTER_FREE': FREED}
PULSE_TOP = 'infer/tests/codetoanalyze/c/pulse'


def model(name):
    """What the suite's own functions do, which its tool knows from its settings or by name."""
    return ['--model', os.path.join(HERE, name + '.model')]


def infer_programs(top):
    issues = collections.defaultdict(list)
    for line in read(os.path.join(top, PULSE_TOP, 'issues.exp')).split('\n'):
        cells = line.split(', ')
        if len(cells) > 3 and cells[3].replace('_LATENT', '') in PULSE:
            issues[os.path.basename(cells[0])].append((cells[1], cells[3]))
    for path in sources(top, PULSE_TOP + '/*.c'):
        p = Program(path, [path], options=model('infer'))
        for function, issue in issues[os.path.basename(path)]:
            if not function.startswith('FP'):
                p.cases.append(Case(path, PULSE[issue.replace('_LATENT', '')], function=function, either=issue.endswith('_LATENT')))
        yield p


#
# gcc: dg-warning comments on the line.  Clang: expected-warning{{}}, perhaps with an offset.
#

SAYS = (
    (r"leak|never closed|is not closed", LEAK),
    (r"double[- ]|free released|already closed|previously closed|use after|after it is freed|after '?fclose", FREED),
)
NOT_OURS = r"va_list|object stored into|va_end|NULL|capacity|Reference-counted|mismatch"


def kind_said(message):
    if re.search(NOT_OURS, message):
        return None
    return next((kind for pattern, kind in SAYS if re.search(pattern, message)), None)


def allocates(text):
    return re.search(r'\b(malloc|calloc|realloc|strdup|fopen|kmalloc|g_malloc)\w*\s*\(', text)


def gcc_programs(top):
    for path in sources(top, 'analyzer/**/*.c'):
        text = read(os.path.join(top, path))
        if not allocates(text) or re.search(r'dg-(?:additional-)?options "[^"]*(-fno-analyzer|-fanalyzer-checker)', text):
            continue
        p = Program(path, [path], ['-Ianalyzer'])
        for n, line in enumerate(text.split('\n'), 1):
            for what, message, rest in re.findall(DG, line):
                if kind_said(message) and (what == 'warning' or message.startswith('leak of')):
                    p.cases.append(Case(path, kind_said(message), line=dg_line(n, rest)))
        yield p


DG = r'dg-(warning|message)\s+"((?:[^"\\]|\\.)*)"((?:[^{}]|\{[^{}]*\})*)\}'    # kind, message, what follows


def dg_line(here, rest):
    """`{ dg-warning "message" "comment" { target *-*-* } line }`: a number, `.-1`, or a word set by dg-line."""
    m = re.search(r'\.([-+]\d+)\s*$', rest)
    return here + int(m[1]) if m else here


LEAK_CHECKERS = r'unix\.(Malloc|Stream|SimpleStream)\b|checker[= ](\w+,)*unix(,|\s|$)'


def clang_programs(top):
    for path in sources(top, 'Analysis/**/*.c'):
        text = read(os.path.join(top, path))
        if not re.search(LEAK_CHECKERS, ' '.join(re.findall('//.*', text))) or not allocates(text):
            continue
        p = Program(path, [path], ['-I' + os.path.dirname(path), '-fblocks'])
        for n, line in enumerate(text.split('\n'), 1):
            for at, message in re.findall(r'[\w-]+-warning(@[-+]?\d+)?\s*\d*\+?\s*\{\{(.*?)\}\}', line):
                if kind_said(message):
                    off = int(at[1:]) if at else 0
                    p.cases.append(Case(path, kind_said(message), line=off if at and at[1] not in '+-' else n + off))
        yield p


#
# Where the sources come from
#

SUITES = {      # name: (programs, what must be there, how it is got: Debian package or repository, what is taken of it)
    'juliet': (juliet_programs, 'testcases', 'arichardson/juliet-test-suite-c',
               ['testcasesupport', 'testcases/CWE401_Memory_Leak', 'testcases/CWE415_Double_Free', 'testcases/CWE416_Use_After_Free',
                'testcases/CWE773_Missing_Reference_to_Active_File_Descriptor_or_Handle',
                'testcases/CWE775_Missing_Release_of_File_Descriptor_or_Handle']),
    'svf': (svf_programs, 'src/mem_leak', 'SVF-tools/Test-Suite',
            ['src/mem_leak', 'src/double_free', 'memleak_check.h', 'doublefree_check.h', 'aliascheck.h', 'std_testcase.h']),
    'itc': (itc_programs, '01.w_Defects', 'regehr/itc-benchmarks', ['01.w_Defects', '02.wo_Defects', 'include']),
    'infer': (infer_programs, PULSE_TOP, 'facebook/infer', [PULSE_TOP]),
    'gcc': (gcc_programs, 'analyzer', 'debian:gcc-12', 'gcc/testsuite/gcc.dg/analyzer'),
    'clang': (clang_programs, 'Analysis', 'debian:llvm-toolchain-19', 'clang/test/Analysis'),
}


def place(args, name):
    return os.path.join(args.dir, name)


def is_there(args, name):
    return os.path.exists(os.path.join(place(args, name), SUITES[name][1]))


def how_to_get(name):
    origin = SUITES[name][2]
    if origin.startswith('debian:'):
        return f'{sys.argv[0]} get {name}'
    return f'clone {origin} of GitHub, then {sys.argv[0]} get {name} CLONE'


def get(args):
    _, _, origin, parts = SUITES[args.name]
    to = place(args, args.name)
    os.makedirs(to, exist_ok=True)
    if origin.startswith('debian:'):
        version = get_debian(args, origin[7:], parts, to)
    elif args.clone:
        version = origin + ' ' + subprocess.check_output(['git', '-C', args.clone, 'rev-parse', 'HEAD'], text=True).strip()
        tree = subprocess.Popen(['git', '-C', args.clone, 'archive', 'HEAD', *parts], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        subprocess.run(['tar', '-xC', to], stdin=tree.stdout, check=True)
    else:
        sys.exit(f'suites: {how_to_get(args.name)}')
    with open(os.path.join(to, 'VERSION'), 'w') as f:
        f.write(version + '\n')
    say(f'{args.name} is in {to}')


def get_debian(args, package, part, to):
    """Downloads a source package and takes one folder out of it: of the archive, or of an archive in it."""
    import strangers
    env = strangers.apt_view(os.path.join(args.dir, 'apt'))
    subprocess.run(['apt-get', 'source', '-q', '--download-only', package], cwd=to, env=env, check=True)
    archive = max(glob.glob(os.path.join(to, package + '_*.orig.tar.*')))
    depth = part.count('/') + 1
    take = ['--strip-components', str(depth), '--wildcards', f'*/{part}/*']
    inner = [] if package.startswith('llvm') else [
        n for n in subprocess.check_output(['tar', '-tf', archive], text=True).split('\n') if re.search(r'gcc-[\d.]+-dfsg\.tar', n)]
    if inner:
        stream = subprocess.Popen(['tar', '-xOf', archive, inner[0]], stdout=subprocess.PIPE)
        subprocess.run(['tar', '-xJC', to, *take], stdin=stream.stdout, check=True)
    else:
        subprocess.run(['tar', '-xf', archive, '-C', to, *take], check=True)
    version = re.search(r'_(.*)\.dsc$', glob.glob(os.path.join(to, package + '_*.dsc'))[0])[1]
    for path in glob.glob(os.path.join(to, package + '_*')):
        os.remove(path)
    return f'Debian {package} {version}'


#
# Running and judging
#

def cache(args):
    """Kept from one command to the next one of a program, which all need its IR; not from run to run."""
    return os.path.abspath(os.path.join(args.dir, 'cache'))


def plumb(args, top, words, program):
    argv = [args.plumb, *words, '--cache-dir', cache(args), *program.files, '--', '-w', *program.flags]
    return subprocess.run(argv, cwd=top, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800)


def local(top, path):
    """A path as plumb prints it, from the suite's folder: in a git repository it is one from that repository's."""
    at = next((p for p in (os.path.join(top, path), os.path.join(TOP, path)) if os.path.exists(p)), path)
    return os.path.relpath(at, top)


def check(args, top, program):
    """(findings, units that failed)"""
    r = plumb(args, top, ['check', '--format', 'json', '-j1', *program.options], program)
    try:
        report = json.loads(r.stdout)
    except ValueError:
        say(f'{program.name}: exit code {r.returncode}: {r.stderr.decode("utf-8", "replace").strip()[-300:]}')
        return [], program.files
    findings = [f for f in report['findings'] if not f.get('suppressed') and f['kind'] in KINDS]
    for f in findings:
        for p in [f, *f.get('path', []), *([f['leak']] if f.get('leak') else [])]:
            p['file'] = local(top, p['file'])
    return findings, [local(top, u['file']) for u in report['units']['failed']]


class Map:
    """Which function a line is in, and which functions a call on it can lead to."""

    def __init__(self, args, top, program):
        self.starts, self.calls = collections.defaultdict(list), collections.defaultdict(list)
        for line in plumb(args, top, ['dump', 'functions'], program).stdout.decode('utf-8', 'replace').split('\n'):
            m = re.match(r'(.*):(\d+): (?!.*_block_invoke)(\S+)$', line)
            if m:
                self.starts[local(top, m[1])].append((int(m[2]), m[3]))
        caller = None
        for line in plumb(args, top, ['dump', 'callgraph'], program).stdout.decode('utf-8', 'replace').split('\n'):
            m = re.match(r'  (\d+): (\S+)', line)
            if m:
                self.calls[caller].append((int(m[1]), m[2]))
            elif line:
                caller = line.split()[0]

    def function(self, path, line):
        before = [f for first, f in sorted(self.starts.get(path, [])) if first <= line]
        return before[-1] if before else None

    def leads_to(self, path, line):
        todo = [callee for n, callee in self.calls.get(self.function(path, line), []) if n == line]
        seen = set(todo)
        while todo:
            more = {callee for _, callee in self.calls.get(todo.pop(), [])} - seen
            seen |= more
            todo += more
        return seen


def fits(case, finding, where):
    if KINDS[finding['kind']] != case.kind:
        return False
    ends = [finding] + ([finding['leak']] if finding.get('leak') else [])
    if not case.exact and any(p.get('function') == case.function for p in ends):
        return True
    return any(case.line and p['line'] == case.line and p['file'] == case.path
               or case.function in where.leads_to(p['file'], p['line']) for p in ends + finding.get('path', []))


def shown(finding):
    return finding['confidence'] in ('high', 'medium')


def told(finding):
    leak = finding.get('leak') or finding
    return f"{finding['kind']} {finding['file']}:{finding['line']} {finding['function']}(), at {leak['line']} {leak.get('function')}()"


def judge_by_name(program, findings):
    """Results where a suite says by names what is bad.  {case: (status, what was reported)}"""
    out = {c.name: ('missed', '') for c in program.cases}
    for f in findings:
        base, bad = program.belongs(f)
        if not bad:
            if shown(f):
                out[f"{base}:{f['function']}:{KINDS[f['kind']]}"] = ('false', told(f))
        elif shown(f):
            out[base] = ('found', told(f))
        elif out.get(base, ('',))[0] == 'missed':
            out[base] = ('missed', 'low: ' + told(f))
    return out


def case_name(case):
    return f'{case.path}:{case.line if case.exact else case.function}:{case.kind}'


def judge(program, findings, where):
    out, used = {}, set()
    for c in program.cases:
        hits = [f for f in findings if fits(c, f, where)]
        used |= {id(f) for f in hits}
        good = [f for f in hits if shown(f)]
        if c.either and not good:
            continue
        name = case_name(c)
        if out.get(name, ('',))[0] != 'found':
            out[name] = ('found', told(good[0])) if good else ('missed', 'low: ' + told(hits[0]) if hits else '')
    for f in findings:
        if shown(f) and id(f) not in used:
            out[f"{f['file']}:{f['function']}:{KINDS[f['kind']]}"] = ('false', told(f))
    return out


def correct(name, program):
    """What suites/truth.tsv says of the program."""
    for r in rows('truth.tsv'):
        if r['suite'] != name or r['file'] not in [os.path.basename(f) for f in program.files]:
            continue
        path = next(f for f in program.files if os.path.basename(f) == r['file'])
        if r['expect'] == 'no':
            program.cases = [c for c in program.cases if (c.kind, c.function) != (r['kind'], r['function'])]
        else:
            program.cases.append(Case(path, r['kind'], function=r['function']))


def run_program(args, name, top, program):
    """[(case, status, what was reported)], and how many units failed"""
    findings, failed = check(args, top, program)
    findings = [f for f in findings if program.kind in (None, KINDS[f['kind']])]
    if set(failed) >= set(program.files):
        return [], len(failed)
    if program.belongs:
        return [(c, *s) for c, s in sorted(judge_by_name(program, findings).items())], len(failed)
    where = Map(args, top, program) if program.cases else None
    for c in program.cases:
        c.function = c.function or where.function(c.path, c.line)
    correct(name, program)
    return [(c, *s) for c, s in sorted(judge(program, findings, where).items())], len(failed)


def cause_of(table, name, case, status):
    for r in table:
        if r['suite'] == name and r['status'] == status and fnmatch.fnmatchcase(case, r['case']):
            r['used'] = True
            return r['cause']
    return None


def count(results):
    """The figures of a suite, of rows (case, status, cause)."""
    n = collections.Counter(s for _, s, _ in results)
    outside = sum(s == 'missed' and (c or '').startswith('out of scope') for _, s, c in results)
    none = sum(s == 'false' and (c or '').startswith('true') for _, s, c in results)
    return {'cases': n['found'] + n['missed'], 'found': n['found'], 'missed': n['missed'], 'missed_out_of_scope': outside,
            'false': n['false'] - none, 'true_unasked': none,
            'no_cause': sum(s in ('missed', 'false') and not c for _, s, c in results)}


def run_suite(args, name):
    top, table = os.path.abspath(place(args, name)), rows('causes.tsv')
    programs, units_failed, results, words = list(SUITES[name][0](top)), 0, [], {}
    programs = [p for p in programs if args.only in p.name]
    shutil.rmtree(cache(args), ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for p in programs:
        some, failed = run_program(args, name, top, p)
        units_failed += failed
        results += [(c, s, cause_of(table, name, c, s) if s != 'found' else None) for c, s, _ in some]
        words.update({(c, s): w for c, s, w in some})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    version = read(os.path.join(top, 'VERSION')).strip() if os.path.exists(os.path.join(top, 'VERSION')) else 'unknown'
    wrong = collections.defaultdict(list)
    for c, s, w in results:
        if s != 'found':
            wrong[f'{s}: {w or "?"}'].append(c)
    row = {'schema': 'plumb-suite/1', 'suite': name, 'version': version, 'plumb': commit(args.plumb), 'programs': len(programs),
           'sources_not_read': units_failed, 'cpu_seconds': round(cpu, 1), **count(results), 'not_right': wrong}
    for r in table:
        if r['suite'] == name and not r.get('used') and not args.only:
            say(f'{name}: no longer so: {r["status"]} {r["case"]}')
    return row, words


def commit(path):
    """The last commit that plumb hangs on, if it stands in a work tree of this repository."""
    r = subprocess.run(['git', '-C', os.path.dirname(os.path.realpath(path)), 'log', '-1', '--abbrev=12', '--format=%h', '--',
                        ':/src', ':/models'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return r.stdout.decode().strip() or None


def there(args, names):
    for name in names or SUITES:
        if is_there(args, name):
            yield name
        else:
            say(f'{name} is not in {place(args, name)}: {how_to_get(name)}')


def run(args):
    worst = 0
    for name in there(args, args.names):
        row, words = run_suite(args, name)
        if not args.only:
            with open(os.path.join(HERE, name + '.json'), 'w') as f:
                json.dump(row, f, indent=1)
                f.write('\n')
        print_sums([row])
        worst |= row['no_cause'] > 0
        print_wrong({k: cases for k, cases in row['not_right'].items() if k.endswith('?')}, words)
    return worst


def print_wrong(wrong, words):
    for what, cases in wrong.items():
        for c in cases:
            print(f"{what}\t{c}\t{words.get((c, what.split(':')[0]), '')}")


def listing(args):
    for name in there(args, [args.name]):
        row, words = run_suite(args, name)
        print_wrong(row['not_right'], words)


def percent(n, of):
    return f'{100 * n / of:.0f} %' if of else '–'


def print_sums(table):
    for r in table:
        inside = r['cases'] - r['missed_out_of_scope']
        print(f"{r['suite']:7} {r['cases']:5} cases: {r['found']} found, {r['missed']} missed ({r['missed_out_of_scope']} out of scope), "
              f"{r['false']} false, {r['true_unasked']} true ones not asked for; recall {percent(r['found'], r['cases'])}, "
              f"in scope {percent(r['found'], inside)}, precision {percent(r['found'], r['found'] + r['false'])}; "
              f"{r['sources_not_read']} sources not read, {r['cpu_seconds']} s of CPU, plumb {r['plumb']}, {r['version']}")


def sums(args):
    for name in args.names or SUITES:
        path = os.path.join(HERE, name + '.json')
        if os.path.exists(path):
            with open(path) as f:
                row = json.load(f)
            print_sums([row])
            for what, cases in sorted(row['not_right'].items(), key=lambda w: -len(w[1])):
                print(f'  {len(cases):5} {what}')


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = ap.add_subparsers(dest='command', required=True)
    for name, function in (('get', get), ('run', run), ('sum', sums), ('list', listing)):
        p = sub.add_parser(name)
        p.set_defaults(run=function)
        if name in ('get', 'list'):
            p.add_argument('name', choices=SUITES)
        else:
            p.add_argument('names', nargs='*', choices=[*SUITES, []])
        if name == 'get':
            p.add_argument('clone', nargs='?')
        p.add_argument('--dir', default=os.path.join(TOP, 'build/suites'))
        p.add_argument('--plumb', default=os.path.join(TOP, 'build/plumb'))
        p.add_argument('--only', default='')
    args = ap.parse_args()
    return args.run(args)


if __name__ == '__main__':
    sys.exit(main())
