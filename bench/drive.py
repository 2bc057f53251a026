"""
drive.py - calls the functions of a program that has no main().

compare() builds two versions of a program with AddressSanitizer, each together with a
driver that calls every external function many times, with arguments and results of
unknown functions drawn from a generator that is the same for both.  It tells what the
second version does in a call that the first one did not do in the same call: a
sanitizer's report, a crash, another output or result.

The driver includes the source, so that it has its types.  An integer argument is one of a
few small numbers, a pointer a fresh block of the heap: a string, zeros, or pointers to
blocks.  What is declared and not defined anywhere is unknown: it returns a number or a
block, and keeps every pointer it gets.  When the call is over, what was returned, what
unknown functions have kept, and what was stored in the blocks of the arguments is read:
it must not have been freed.

A call that already fails in the first version (null, wild or freed pointers are used,
because nobody keeps to the contract of the function) says nothing, and is left out.
"""

import json
import os
import re
import subprocess

CALLS = 48
TIMEOUT = 'ENDED 14'    # SIGALRM: says nothing, the machine may be slow
CFLAGS = ['-std=gnu17', '-g1', '-O0', '-w', '-fsanitize=address', '-fsanitize-recover=address']

HEAD = r'''
#include <stddef.h>
long drive_number(void);
void *drive_block(int text);
void drive_result(long r);
void drive_pointer(void *p);
void drive_nothing(void);
struct drive_entry { const char *name; void (*call)(void); };
'''

MAIN = r'''
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct drive_entry { const char *name; void (*call)(void); };
static unsigned long state;
static void *kept[256], *given[64];
static int n_kept, n_given;

const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);

static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)(state >> 33) % n;
}

long drive_number(void)
{
	static const long v[] = { 0, 1, 0, 1, 2, 3, -1, -2, 4, 5, 7, 8, 10, 16, 100, 'a', 'x' };

	return v[draw(sizeof v / sizeof *v)];
}

void *drive_block(int text)
{
	static const char *const s[] = { "", "a", "x", "abc", "-1", "12", "#", "a b c", "key=value" };
	void **p;

	if (draw(12) == 0)
		return NULL;
	p = calloc(1, 256);
	if (n_given < 64)
		given[n_given++] = p;
	if (text)
		strcpy((char *)p, s[draw(sizeof s / sizeof *s)]);
	else if (draw(4) == 0)
		for (int i = 0; i < 8; i++)
			p[i] = draw(2) ? calloc(1, 128) : NULL;
	return p;
}

void drive_keep(void *p)
{
	if (p && n_kept < 256)
		kept[n_kept++] = p;
}

void drive_result(long r)
{
	printf("result %ld\n", r);
}

/* Reads what p points to, if that is, or was, an object of the heap. */
static void touch(void *p)
{
	void *at;
	size_t n;

	if (p && strcmp(__asan_locate_address(p, NULL, 0, &at, &n), "heap") == 0)
		(void)*(volatile char *)p;
}

void drive_pointer(void *p)
{
	printf("result %d\n", p != NULL);
	touch(p);
}

void drive_nothing(void)
{
}

static void one_call(const struct drive_entry *e, int e_index, int k)
{
	printf("CALL %s %d\n", e->name, k);
	fprintf(stderr, "CALL %s %d\n", e->name, k);
	state = (unsigned long)(e_index * 1000 + k) * 0x9e3779b97f4a7c15ul + 1;
	draw(2);
	n_kept = n_given = 0;
	e->call();
	for (int i = 0; i < n_kept; i++)
		touch(kept[i]);
	for (int i = 0; i < n_given; i++)
		for (int w = 0; w < 8; w++)
			touch(((void **)given[i])[w]);
}

static int run_from(const struct drive_entry *e, int e_index, int from, int *done)
{
	int fds[2], status, k = from;
	pid_t pid;

	if (pipe(fds) < 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		close(fds[0]);
		for (; k < CALLS; k++) {
			alarm(1);
			if (write(fds[1], &k, sizeof k) != sizeof k)
				_exit(1);
			one_call(e, e_index, k);
		}
		_exit(0);
	}
	close(fds[1]);
	while (read(fds[0], &k, sizeof k) == sizeof k)
		;
	close(fds[0]);
	waitpid(pid, &status, 0);
	*done = k;
	if (status == 0)
		return 0;
	fprintf(stderr, "ENDED %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return 1;
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; entries[i].name; i++)
		for (int from = 0, tries = 0; from < CALLS && tries < 12; tries++) {
			int done = from;

			if (run_from(&entries[i], i, from, &done) <= 0)
				break;
			from = done + 1;
		}
	return 0;
}
'''


def call(argv, cwd, limit=60, env=None):
    return subprocess.run(argv, cwd=cwd, env=env, capture_output=True, timeout=limit,
                          stdin=subprocess.DEVNULL, errors='replace')


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


class Function:
    """A function that a unit declares; defined is whether it has a body here."""

    def __init__(self, node):
        self.name, self.type = node['name'], node['type']['qualType']
        inner = node.get('inner', [])
        self.params = [p['type']['qualType'] for p in inner if p['kind'] == 'ParmVarDecl']
        self.defined = any(p['kind'] == 'CompoundStmt' for p in inner)
        self.external = node.get('storageClass') != 'static' and not node.get('inline')
        self.result = self.type.split('(')[0].strip()
        self.pointer = '*' in self.result


def functions(clang, source, flags, cwd):
    """What clang sees in a unit, in the order of the text."""
    d = call([clang, '-fsyntax-only', '-w', '-Xclang', '-ast-dump=json', *flags, source], cwd)
    return [Function(n) for n in json.loads(d.stdout).get('inner', [])
            if n['kind'] == 'FunctionDecl' and not n.get('isImplicit') and 'name' in n]


def argument(t):
    if '(*)' in t or '(' in t:
        return f'(__typeof__({t}))drive_nothing' if '(*)' in t and '[' not in t else 'NULL'
    if '*' in t or '[' in t:
        text = re.fullmatch(r'(const )?(unsigned |signed )?(char|void) ?\*.*', t) is not None
        return f'drive_block({int(text)})'
    if re.match(r'(struct|union) ', t):
        return f'({t}){{ 0 }}'
    return f'({t})drive_number()'


def driver_text(source, funcs):
    out = [f'#include "{source}"', HEAD]
    rows = []
    for f in funcs:
        args = ', '.join(argument(t) for t in f.params)
        if f.pointer:
            body = f'drive_pointer((void *){f.name}({args}));'
        elif f.result == 'void' or re.match(r'(struct|union|va_list)\b', f.result):
            body = f'{f.name}({args});'
        else:
            body = f'drive_result((long){f.name}({args}));'
        out.append(f'static void drive_call_{f.name}(void) {{ {body} }}')
        rows.append(f'\t{{ "{f.name}", drive_call_{f.name} }},')
    return '\n'.join(out) + '\n', rows


def stub_text(name, f):
    """An unknown function.  It keeps the pointers among its arguments."""
    if not f:
        return f'long {name}() {{ return drive_number(); }}\n'
    params = ', '.join(f'void *p{i}' if '*' in t or '[' in t else f'long p{i}'
                       for i, t in enumerate(f.params))
    keeps = ' '.join(f'drive_keep(p{i});' for i, t in enumerate(f.params) if '*' in t or '[' in t)
    if f.pointer:
        return f'void *{name}({params}) {{ {keeps} return drive_block({int("char" in f.result)}); }}\n'
    return f'long {name}({params}) {{ {keeps} return drive_number(); }}\n'


def build(clang, files, flags, cwd):
    """Builds cwd/drive.  None: nothing to call.  A text: it cannot be built."""
    flags = [f for f in flags if not f.startswith('-std=')]     # the driver is not so old
    if any(re.search(r'\bv?fork\(', read(os.path.join(cwd, s))) for s in files):
        return None             # two of them would run on
    units = [functions(clang, s, flags, cwd) for s in files]
    if any(f.name == 'main' and f.defined for u in units for f in u):
        with open(os.path.join(cwd, 'drive_main.c'), 'w', encoding='utf-8') as f:
            f.write('struct drive_entry;\n' + MAIN[:MAIN.index('static void one_call')])
        return link(files, units, flags, cwd)
    sources, tables = [], []
    for i, (source, funcs) in enumerate(zip(files, units)):
        text, rows = driver_text(os.path.join(cwd, source),
                                 [f for f in funcs if f.defined and f.external])
        text += f'struct drive_entry drive_entries_{i}[] = {{\n' + '\n'.join(rows) + '\n\t{ 0 }\n};\n'
        tables.append((i, len(rows)))
        with open(os.path.join(cwd, f'drive_{i}.c'), 'w', encoding='utf-8') as f:
            f.write(text)
        sources.append(f'drive_{i}.c')
    if not any(n for _, n in tables):
        return None
    with open(os.path.join(cwd, 'drive_main.c'), 'w', encoding='utf-8') as f:
        f.write(main_text(tables))
    return link(sources, units, flags, cwd)


def link(sources, units, flags, cwd):
    """Compiles and links; what nobody defines gets a stub.  '' or the compiler's words."""
    known = {f.name: f for u in units for f in u}
    cc = ['gcc', *CFLAGS, *flags, f'-DCALLS={CALLS}', '-o', 'drive', *sources, 'drive_main.c', '-lm']
    d = call(cc, cwd)
    unknown = sorted(set(re.findall(r"undefined reference to `(\w+)'", d.stderr)))
    if d.returncode == 0 or not unknown:
        return '' if d.returncode == 0 else d.stderr
    with open(os.path.join(cwd, 'drive_stubs.c'), 'w', encoding='utf-8') as f:
        f.write('long drive_number(void);\nvoid *drive_block(int);\nvoid drive_keep(void *);\n')
        f.writelines(stub_text(n, known.get(n)) for n in unknown)
    d = call(cc + ['-fno-builtin', 'drive_stubs.c'], cwd)
    return '' if d.returncode == 0 else d.stderr


def main_text(tables):
    """MAIN with one table `entries` made of those of the units."""
    copy = ''.join(f'extern struct drive_entry drive_entries_{i}[];\n' for i, _ in tables)
    copy += 'static struct drive_entry entries[%d];\n' % (sum(n for _, n in tables) + 1)
    copy += '__attribute__((constructor)) static void collect(void)\n{\n\tint n = 0;\n\n'
    copy += ''.join(f'\tfor (int i = 0; i < {n}; i++)\n\t\tentries[n++] = drive_entries_{i}[i];\n'
                    for i, n in tables)
    copy += '}\n'
    declared = MAIN.index('static unsigned long state;')
    return MAIN[:declared] + copy + MAIN[declared:]


def sections(text):
    """{(function, call): text}; what comes before the first call, under ('', 0)."""
    found, at = {}, ('', 0)
    for line in text.split('\n'):
        m = re.fullmatch(r'CALL (\w+) (\d+)', line)
        if m:
            at = m[1], int(m[2])
        found.setdefault(at, []).append(line)
    return found


def events(lines):
    """What went wrong, without addresses."""
    kinds = [m[1] for line in lines
             for m in [re.search(r'ERROR: AddressSanitizer: (attempting [\w ()-]*?|[\w-]+) (on|in|for)?\b',
                                 line)] if m]
    return kinds + [line for line in lines if line.startswith('ENDED')]


def observe(cwd):
    env = dict(os.environ, ASAN_OPTIONS='detect_leaks=0:halt_on_error=0:suppress_equal_pcs=0:'
               'allocator_may_return_null=1:symbolize=0:detect_stack_use_after_return=0:'
               'handle_abort=0:max_allocation_size_mb=512')
    d = call(['./drive'], cwd, limit=120, env=env)
    return sections(d.stdout), sections(d.stderr)


def differences(out0, err0, out1, err1):
    """(number of calls that were compared, [what is wrong]): those that went well before."""
    wrong, calls = [], 0
    for at in sorted(err0):
        new = events(err1.get(at, []))
        if events(err0[at]) or TIMEOUT in new:
            continue
        calls += 1
        where = f'{at[0]}(), call {at[1]}' if at[0] else 'main()'
        if new:
            wrong.append(f'{where}: {new[0]}')
        elif out0.get(at) != out1.get(at):
            wrong.append(f'{where}: another output')
    return calls, wrong[:3]


def compare(clang, files, flags, before, after):
    """(number of calls that were compared, [what is wrong])"""
    for cwd in (before, after):
        text = build(clang, files, flags, cwd)
        if text is None:
            return 0, []
        if text:
            return 0, [f'the driver does not build: {text.strip().splitlines()[0]}']
    try:
        (out0, err0), (out1, err1) = observe(before), observe(after)
        calls, wrong = differences(out0, err0, out1, err1)
        for _ in range(3 if wrong else 0):      # what depends on where memory lies comes and goes
            for at, lines in observe(before)[1].items():
                err0.setdefault(at, []).extend(lines)
    except subprocess.TimeoutExpired:
        return 0, []            # a program that waits for something
    return differences(out0, err0, out1, err1) if wrong else (calls, wrong)
