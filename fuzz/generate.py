"""
generate.py - random C programs that lose memory, and do nothing else that is wrong.

generate(seed) gives a Program: the same one for the same seed.  It is made of kits (text, structs with members of
their own, lists, tables, trees, files, reference counts, a global: each with makers, destructors and consumers in random
forms) and of functions whose statements are random.  While a function is written its variables are followed: whose is what each
holds, may it be null, which others point to the same.  So every statement is right where it stands, and on every way each object
is released once.  Then some of the releases are left out, and that is all that is wrong: to leave out a release frees
nothing twice, uses nothing too late, and changes nothing that the program prints.  An object that was lost may be used on
by whoever still points to it: that is what a careless patch stumbles over.

A contract stands for each function that others may call:

	Maker   makes an object: its result, or, if it has an `out`, what it stores there when the condition holds
	Taker   gets one: always, or if the condition on its result holds; it becomes part of a container, or is gone
	Looker  only looks; an int
	Inner   a pointer into what the object has, or to the object itself; the object stays whose it was
	Pop     a container gives one back, or null

Formats: {p} the object, {c} the container, {o} the address of a variable, {i} a number, {w} a text.
"""

import random
import re
from collections import namedtuple

Maker = namedtuple('Maker', 'kind call nullable out cond', defaults=(False, False, ''))
Taker = namedtuple('Taker', 'kind call holder cond', defaults=(None, ''))
Looker = namedtuple('Looker', 'kind call')
Inner = namedtuple('Inner', 'kind of call nullable', defaults=(False,))
Pop = namedtuple('Pop', 'kind of call')

WORDS = ['alpha', 'bravo', 'carol', 'delta', 'eagle', 'flint', 'grape', 'hotel']
DECLARES = re.compile(r'\s*(const |char |struct |FILE |int |void \(\*)')


class Inconsistent(Exception):
    """Ways meet on which a variable is not the same thing: another attempt is made."""


class Kind:
    """A type of objects.  releases: formats of statements; null_safe: they take null."""

    def __init__(self, ctype, names, value=False):
        self.ctype, self.names, self.value = ctype, names, value
        self.releases, self.null_safe, self.filled = [], True, None

    def declare(self, name, init=''):
        return f'{self.ctype}{"" if self.ctype.endswith("*") else " "}{name}{init};'


class Var:
    """A variable of a function.  top: declared as null at its start, and released behind the label `out`."""

    def __init__(self, name, kind, depth, top=False):
        self.name, self.kind, self.depth, self.top = name, kind, depth, top
        self.release = None             # a statement of its own: `if (own_p) free(p);`
        self.taken_if = False           # a parameter that is the function's only if it succeeds

    @property
    def ref(self):
        return '&' + self.name if self.kind.value else self.name


class State:
    """What holds at a point: by variable (what, object), by object the objects that it is a part of, and which are gone.

    what: own, maybe (own, or null), null, borrow (somebody else's, or lost), none (not to be looked at)."""

    def __init__(self):
        self.of, self.inside, self.gone = {}, {}, set()

    def copy(self):
        s = State()
        s.of, s.inside, s.gone = dict(self.of), dict(self.inside), set(self.gone)
        return s

    def alive(self, obj):
        return obj not in self.gone and all(self.alive(o) for o in self.inside.get(obj, ()))

    def around(self, obj):
        """The object and all that it is a part of."""
        found = {obj}
        for o in self.inside.get(obj, ()):
            found |= self.around(o)
        return found


class Unit:
    """A program while it is made."""

    def __init__(self, rng):
        self.rng = rng
        self.types, self.globals, self.funcs = [], [], []       # funcs: (signature, body)
        self.ops = []
        self.leaky = rng.choice([0.02, 0.05, 0.1, 0.1, 0.2, 0.35])
        self.dropped = 0
        self.prints = []                # expressions that main prints in the end
        self.ends = []                  # statements at the end of main

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, seq):
        return self.rng.choice(seq)

    def drop(self):
        """Is this release to be left out?"""
        d = self.chance(self.leaky)
        self.dropped += d
        return d

    def keep(self, text):
        """The text of a release, or nothing."""
        return '' if self.drop() else text

    def func(self, signature, body):
        lines = [line for line in body.strip('\n').split('\n') if line.strip() != '@']
        self.funcs.append((signature, '\n'.join('\t' + line if line else line for line in lines)))

    def add(self, *ops):
        self.ops += ops

    def all(self, cls, **want):
        return [o for o in self.ops if isinstance(o, cls) and all(getattr(o, k) == v for k, v in want.items())]


#
# Kits: types with their functions
#

def effect(u, text):
    """A statement that does more than to release: what a consumer does besides.  text: what it is given, as text; or a number."""
    u.shared = getattr(u, 'shared', None) or {}

    def a_global(name, declaration, shown):
        if name not in u.shared:
            u.shared[name] = True
            u.globals.append(declaration)
            if u.chance(0.85):
                u.prints.append(shown)
        return name
    k = u.rng.randrange(8)
    n = f'{text}[0]' if u.as_text else text
    if k == 0:
        return f'{a_global("total", "static int total;", "total")} += {n};'
    if k == 1:
        return f'{a_global("eaten", "static int eaten;", "eaten")}++;'
    if k == 2:
        return (f'printf("gone %s\\n", {text});' if u.as_text else f'printf("gone %d\\n", {text});')
    if k == 3:
        return f'if ({n} % 2)\n\t{a_global("odd", "static unsigned odd;", "(int)odd")}++;'
    if k == 4:
        return f'{a_global("stats", "static struct { int n, sum; } stats;", "stats.n * 3 + stats.sum")}.n++;\nstats.sum += {n};'
    if k == 5:
        return f'{a_global("last", "static int last;", "last")} = {n};'
    if k == 6:
        a_global('counter', 'static int counted, *counter = &counted;', 'counted')
        return f'*counter += {n} % 5;'
    a_global('note', 'static int noted[4];', 'noted[0] + noted[1] * 2')
    if 'note()' not in u.shared:
        u.shared['note()'] = True
        u.func('static void note(int k)', 'noted[(unsigned)k % 4]++;')
    return f'note({n});'


def text_kit(u):
    """Text on the heap."""
    t = u.text = Kind('char *', ['s', 't', 'name', 'p', 'line', 'key'])
    u.as_text = True
    u.func('static const char *word(int n)', 'static const char *const words[] = { "%s" };\n\nreturn words[(unsigned)n %% 4];'
           % '", "'.join(u.rng.sample(WORDS, 4)))
    u.func('static int look(const char *s)', 'return (int)strlen(s) + s[0] % 5;')
    u.add(Looker(t, 'look({p})'), Looker(t, '{p}[1] % 7'), Looker(t, '(int)strlen({p})'))
    u.add(Maker(t, 'strdup({w})'))
    if u.chance(0.8):
        u.func('static char *copy(const char *s)', u.pick([
            'return strdup(s);',
            'char *r = malloc(strlen(s) + 1);\n\nreturn strcpy(r, s);',
            'size_t n = strlen(s);\nchar *r = calloc(n + 2, 1);\n\nmemcpy(r, s, n);\nreturn r;']))
        u.add(*[Maker(t, 'copy({w})')] * 3)
    if u.chance(0.6):
        u.func('static char *try_copy(int n)', u.pick([
            'if (n % 3 == 2)\n\treturn NULL;\nreturn strdup(word(n));',
            'char *s = NULL;\n\nif (n < 3)\n\ts = strdup(word(n));\nreturn s;',
            f'char *s = strdup(word(n));\n\nif (n % 4 == 3) {{\n\t{u.keep("free(s);") or "@"}\n\treturn NULL;\n}}\nreturn s;']))
        u.add(*[Maker(t, 'try_copy({i})', nullable=True)] * 3)
    if u.chance(0.6):
        null = u.chance(0.5)
        u.func('static int get_text(char **out, int n)', (
            ('*out = NULL;\n' if null else '') + 'if (n % 4 == 2)\n\treturn -1;\n*out = strdup(word(n + 1));\nreturn 0;'))
        u.add(*[Maker(t, 'get_text({o}, {i})', out=True, cond='== 0')] * 3)
    if u.chance(0.4):
        u.func('static char *join(const char *a, const char *b)',
               'size_t n = strlen(a) + strlen(b) + 2;\nchar *s = malloc(n);\n\nsnprintf(s, n, "%s-%s", a, b);\nreturn s;')
        u.add(Maker(t, 'join({w}, {w})'))
    t.releases = ['free({p});'] * u.rng.randint(1, 3)
    if u.chance(0.4):
        u.func('static void drop_text(char *s)', u.pick(['free(s);', 'if (s)\n\tfree(s);']))
        t.releases.append('drop_text({p});')
        if u.chance(0.3):
            u.func('static void release_text(char *s)', 'static void (*const releaser)(char *) = drop_text;\n\nreleaser(s);')
            t.releases.append('release_text({p});')
    for name in ('eat', 'finish')[:u.pick([0, 1, 1, 2])]:
        u.func(f'static void {name}(char *s)', f'{effect(u, "s")}\nfree(s);')
        u.add(*[Taker(t, name + '({p});')] * 2)
    if u.chance(0.3):
        u.func('static char *pass(char *s, int n)', 'if (n > 1)\n\ts[0] = \'x\';\nreturn s;')
        u.add(Inner(t, t, 'pass({p}, {i})'))
    u.add(Inner(t, t, '{p} + 1'))
    if u.chance(0.3):
        t.filled = '{p} = realloc({p}, 32);\nsnprintf({p} + strlen({p}), 16, "%d", {i});'


def live_count(u, name):
    """(in the maker, in the destructor): counts live objects, or not."""
    if not u.chance(0.25):
        return '@', '@'
    u.globals.append(f'static int live_{name};')
    if u.chance(0.4):                   # never how many there are: that is less where fewer are lost
        u.prints.append(f'live_{name} < 0')
    return f'live_{name}++;', f'live_{name}--;'


def make_text(u, n):
    return u.pick([f'strdup(word({n}))', f'strdup(word({n} + 1))'] +
                  ([f'copy(word({n}))'] if any(s.endswith('*copy(const char *s)') for s, _ in u.funcs) else []))


def item_kit(u, name):
    """A struct with members of its own."""
    t, up, down = u.text, *live_count(u, name)
    k = Kind(f'struct {name} *', [name[0], name[:2], name])
    note, log, owner, outer = u.chance(0.5), u.chance(0.15), u.chance(0.3), u.chance(0.3)
    fields = ['int n;', 'char *name;'] + ['char *note;'] * note + ['FILE *log;'] * log + ['const char *from;'] * owner
    u.rng.shuffle(fields)
    u.types.append(f'struct {name} {{\n' + ''.join(f'\t{f}\n' for f in fields) + '};')
    zero = u.chance(0.4)
    b = [f'struct {name} *x = ' + (f'calloc(1, sizeof(*x));' if zero else 'malloc(sizeof(*x));'), '', up, 'x->n = n;',
         f'x->name = {make_text(u, "n")};']
    if owner:
        b.append('x->from = word(n);')
    failing = u.chance(0.5)
    if failing:
        back = [u.keep('free(x->name);'), u.keep(f'{down}\nfree(x);')]
        back = '\n'.join(x.replace('\n', '\n\t') for x in back if x).replace('\n', '\n\t').replace('\t\t', '\t')
        b.append('if (n % 5 == 3) {\n\t' + (back or '@') + '\n\treturn NULL;\n}')
    if note:
        b.append('x->note = %s;' % u.pick([f'n > 1 ? {make_text(u, "n")} : NULL', make_text(u, 'n + 2')]))
    if log:
        b.append('x->log = fopen("/dev/null", "r");')
    if outer and failing:
        u.func(f'static int {name}_open(struct {name} **out, int n)', '\n'.join(b[:]).replace('return NULL;', 'return -1;') + '\n*out = x;\nreturn 0;')
        u.add(*[Maker(k, name + '_open({o}, {i})', out=True, cond='== 0')] * 3)
    else:
        u.func(f'static struct {name} *{name}_new(int n)', '\n'.join(b) + '\nreturn x;')
        u.add(*[Maker(k, name + '_new({i})', nullable=failing)] * 3)
    free = ['free(x->name);'] + ['free(x->note);'] * note + ['fclose(x->log);'] * log
    free = [f for f in free if not (u.chance(0.3) and u.drop())]
    k.null_safe = u.chance(0.6)
    body = ['if (!x)\n\treturn;'] * k.null_safe + free + [down]
    if u.chance(0.15):
        u.as_text = False
        body.insert(len(body) - 1, effect(u, 'x->n'))
        u.as_text = True
    u.func(f'static void {name}_free(struct {name} *x)', '\n'.join(body + ['free(x);']))
    k.releases = [name + '_free({p});']
    take = u.chance(0.3)
    guard = 'x->name ? look(x->name) : x->n' if take else 'look(x->name) + x->n'
    u.func(f'static int {name}_cost(const struct {name} *x)', f'return {guard};')
    u.add(Looker(k, name + '_cost({p})'), Looker(k, '{p}->n'))
    u.add(Inner(k, t, '{p}->name', nullable=take))
    if note and u.chance(0.5):
        u.add(Inner(k, t, '{p}->note', nullable=True))
    if take:
        u.func(f'static char *{name}_take(struct {name} *x)', 'char *s = x->name;\n\nx->name = NULL;\nreturn s;')
        u.add(Pop(k, t, name + '_take({c})'))
    if u.chance(0.5):
        u.func(f'static void {name}_rename(struct {name} *x, char *s)', (u.keep('free(x->name);') or '@') + '\nx->name = s;')
        u.add(Taker(t, name + '_rename({c}, {p});', holder=k))
    if u.chance(0.3):
        u.as_text = False
        u.func(f'static void {name}_done(struct {name} *x)', f'{effect(u, "x->n")}\n{name}_free(x);')
        u.add(*[Taker(k, name + '_done({p});')] * 2)
        u.as_text = True
    if u.chance(0.2):
        u.func(f'static struct {name} *{name}_self(struct {name} *x)', 'x->n++;\nreturn x;')
        u.add(Inner(k, k, name + '_self({p})'))
    return k


def release_in(u, kind, expr):
    """The statements that release an object in the code of a kit."""
    r = u.pick(kind.releases).format(p=expr)
    return r if kind.null_safe else r


def list_kit(u, name, of):
    """A list of objects, which are its own; adding may be refused."""
    k = Kind(f'struct {name} *', [name[0] + 'l', name])
    up, down = live_count(u, name)
    limit, back = u.rng.randint(1, 4), u.chance(0.4)
    u.types.append(f'struct {name}_node {{\n\tstruct {name}_node *next;\n\t{of.declare("what")}\n}};\n\n'
                   f'struct {name} {{\n\tstruct {name}_node *head;\n\tint n;\n}};')
    u.func(f'static struct {name} *{name}_new(void)', f'struct {name} *l = calloc(1, sizeof(*l));\n\n{up}\nreturn l;')
    put = f'struct {name}_node *e;\n\n'
    refuse = u.chance(0.6)
    put += f'if (l->n >= {limit})\n\treturn -1;\n' if refuse else ''
    put += f'e = malloc(sizeof(*e));\ne->what = what;\ne->next = NULL;\n' if back else f'e = malloc(sizeof(*e));\ne->what = what;\ne->next = l->head;\nl->head = e;\n'
    if back:
        put += f'if (!l->head) {{\n\tl->head = e;\n}} else {{\n\tstruct {name}_node *i = l->head;\n\n\twhile (i->next)\n\t\ti = i->next;\n\ti->next = e;\n}}\n'
    put += 'return l->n++;' if refuse else 'l->n++;'
    u.func(f'static {"int" if refuse else "void"} {name}_add(struct {name} *l, {of.declare("what")[:-1]})', put)
    u.add(*[Taker(of, name + '_add({c}, {p})' + ('' if refuse else ';'), holder=k, cond='>= 0' if refuse else '')] * 3)
    u.func(f'static {of.declare(name + "_pop")[:-1]}(struct {name} *l)',
           f'struct {name}_node *e = l->head;\n{of.declare("what")}\n\nif (!e)\n\treturn NULL;\nl->head = e->next;\nl->n--;\nwhat = e->what;\n'
           f'{u.keep("free(e);") or "@"}\nreturn what;')
    u.add(Pop(k, of, name + '_pop({c})'), Looker(k, '{p}->n'))
    u.add(Inner(k, of, '({p}->head ? {p}->head->what : NULL)', nullable=True))
    k.null_safe = u.chance(0.5)
    inner = [] if u.chance(0.3) and u.drop() else [release_in(u, of, 'e->what')]
    body = (['if (!l)\n\treturn;'] if k.null_safe else [])
    loop = [f'struct {name}_node *e = l->head;', '', 'l->head = e->next;'] + inner + ['free(e);']
    body += ['while (l->head) {\n' + '\n'.join('\t' + x if x else '' for x in loop) + '\n}', down, 'free(l);']
    if u.chance(0.3):
        u.func(f'static void {name}_clear(struct {name} *l)', body[-3] + '\nl->n = 0;')
        body[-3] = f'{name}_clear(l);'
    u.func(f'static void {name}_free(struct {name} *l)', '\n'.join(body))
    k.releases = [name + '_free({p});']
    u.add(*[Maker(k, name + '_new()')] * 2)
    return k


def table_kit(u, name, of):
    """An array of pointers that grows."""
    value = u.chance(0.4)
    k = Kind(f'struct {name}' + ('' if value else ' *'), [name[0] + 't', name], value)
    limit = u.rng.randint(2, 5)
    star = of.ctype + '*' if of.ctype.endswith('*') else of.ctype + ' *'
    u.types.append(f'struct {name} {{\n\t{star}v;\n\tint n, size;\n}};')
    grow = 'if (t->n == t->size) {\n\tt->size = t->size ? 2 * t->size : 1;\n\tt->v = realloc(t->v, (size_t)t->size * sizeof(*t->v));\n}\n'
    refuse = u.pick(['none', 'full', 'double'])
    if refuse == 'double' and of is not u.text:
        refuse = 'full'
    arg = of.declare('what')[:-1]
    if refuse == 'double':
        u.func(f'static int {name}_put(struct {name} *t, {arg})',
               f'for (int i = 0; i < t->n; i++)\n\tif (!strcmp(t->v[i], what))\n\t\treturn 1;\n{grow}t->v[t->n++] = what;\nreturn 0;')
        u.add(*[Taker(of, name + '_put({c}, {p})', holder=k, cond='== 0')] * 3)
    elif refuse == 'full':
        u.func(f'static int {name}_put(struct {name} *t, {arg})',
               f'if (t->n == {limit})\n\treturn -1;\n{grow}t->v[t->n] = what;\nreturn t->n++;')
        u.add(*[Taker(of, name + '_put({c}, {p})', holder=k, cond='>= 0')] * 3)
    else:
        u.func(f'static void {name}_put(struct {name} *t, {arg})', f'{grow}t->v[t->n++] = what;')
        u.add(*[Taker(of, name + '_put({c}, {p});', holder=k)] * 3)
    u.func(f'static {of.declare(name + "_get")[:-1]}(const struct {name} *t, int i)', 'return i >= 0 && i < t->n ? t->v[i] : NULL;')
    u.add(Inner(k, of, name + '_get({p}, {i})', nullable=True), Looker(k, f'{{p}}{"." if value else "->"}n' if not value else '({p})->n'))
    inner = '' if u.chance(0.3) and u.drop() else 'for (int i = 0; i < t->n; i++)\n\t' + release_in(u, of, 't->v[i]') + '\n'
    if value:
        u.func(f'static void {name}_init(struct {name} *t)', u.pick(['memset(t, 0, sizeof(*t));', 't->v = NULL;\nt->n = t->size = 0;']))
        u.func(f'static void {name}_clear(struct {name} *t)', f'{inner}free(t->v);' + u.pick(['', '\nt->v = NULL;\nt->n = t->size = 0;']))
        u.add(*[Maker(k, name + '_init({o});')] * 2)
        k.releases = [name + '_clear({p});']
    else:
        u.func(f'static struct {name} *{name}_new(void)', 'return calloc(1, sizeof(struct %s));' % name)
        k.null_safe = u.chance(0.5)
        u.func(f'static void {name}_free(struct {name} *t)', ('if (!t)\n\treturn;\n' if k.null_safe else '') + f'{inner}free(t->v);\nfree(t);')
        u.add(*[Maker(k, name + '_new()')] * 2)
        k.releases = [name + '_free({p});']
    return k


def tree_kit(u, name):
    """A binary tree of texts: functions that call themselves."""
    t = u.text
    k = Kind(f'struct {name} *', [name[0] + 'r', name])
    u.types.append(f'struct {name} {{\n\tstruct {name} *left, *right;\n\tchar *key;\n}};')
    u.func(f'static struct {name} *{name}_new(char *key)', f'struct {name} *t = calloc(1, sizeof(*t));\n\nt->key = key;\nreturn t;')
    u.func(f'static int {name}_add(struct {name} *t, char *key)',
           f'int c = strcmp(key, t->key);\nstruct {name} **to = c < 0 ? &t->left : &t->right;\n\nif (!c)\n\treturn -1;\nif (*to)\n\treturn {name}_add(*to, key);\n'
           f'*to = {name}_new(key);\nreturn 0;')
    key = u.keep('free(t->key);') if u.chance(0.3) else 'free(t->key);'
    u.func(f'static void {name}_free(struct {name} *t)', f'if (!t)\n\treturn;\n{name}_free(t->left);\n{name}_free(t->right);\n{key or "@"}\nfree(t);')
    u.func(f'static int {name}_depth(const struct {name} *t)', f'int l = t->left ? {name}_depth(t->left) : 0, r = t->right ? {name}_depth(t->right) : 0;\n\n'
           'return 1 + (l > r ? l : r);')
    k.releases = [name + '_free({p});']
    u.add(*[Maker(k, name + '_new(strdup({w}))')] * 2)
    u.add(*[Taker(t, name + '_add({c}, {p})', holder=k, cond='== 0')] * 3)
    u.add(Looker(k, name + '_depth({p})'), Inner(k, t, '{p}->key'))
    return k


def file_kit(u):
    """Files: resources that are no memory."""
    k = Kind('FILE *', ['f', 'in', 'fp'])
    k.null_safe = False
    k.releases = ['fclose({p});'] * 2
    u.add(Maker(k, 'fopen("/dev/null", "r")', nullable=True))
    if u.chance(0.6):
        u.func('static FILE *open_input(int n)', 'if (n % 3 == 1)\n\treturn NULL;\nreturn fopen("/dev/null", "r");')
        u.add(*[Maker(k, 'open_input({i})', nullable=True)] * 2)
    if u.chance(0.4):
        u.func('static void close_input(FILE *f)', 'if (f)\n\tfclose(f);')
        k.releases.append('close_input({p});')
    u.add(Looker(k, 'fgetc({p})'), Looker(k, 'feof({p})'))
    return k


def counted_kit(u, name):
    """Objects with reference counts."""
    k = Kind(f'struct {name} *', [name[0] + 'c', name])
    u.types.append(f'struct {name} {{\n\tint refs, n;\n\tchar *name;\n}};')
    u.func(f'static struct {name} *{name}_new(int n)', f'struct {name} *x = malloc(sizeof(*x));\n\nx->refs = 1;\nx->n = n;\nx->name = {make_text(u, "n")};\nreturn x;')
    u.func(f'static struct {name} *{name}_get(struct {name} *x)', 'x->refs++;\nreturn x;')
    name_free = u.keep('free(x->name);') if u.chance(0.2) else 'free(x->name);'
    u.func(f'static void {name}_put(struct {name} *x)', f'if (--x->refs)\n\treturn;\n{name_free or "@"}\nfree(x);')
    k.null_safe = False
    k.releases = [name + '_put({p});']
    u.add(*[Maker(k, name + '_new({i})')] * 3)
    u.add(Looker(k, '{p}->n + look({p}->name)'), Inner(k, u.text, '{p}->name'))
    k.share = name + '_get({p})'
    if u.chance(0.3):
        u.add(Looker(k, '{p}->refs'))
    return k


def global_kit(u):
    """A global that owns a text."""
    u.globals.append('static char *current;')
    u.func('static void set_current(char *s)', (u.keep('free(current);') or '@') + '\ncurrent = s;')
    u.add(*[Taker(u.text, 'set_current({p});')] * 2)
    u.func('static int current_cost(void)', 'return current ? look(current) : 0;')
    u.numbers.append('current_cost()')
    u.ends.append('free(current);')


#
# Functions of random statements
#

class Loop:
    def __init__(self, depth):
        self.depth, self.breaks, self.continues = depth, [], []


class Body:
    """The body of one function while it is written."""

    LEN = 9

    def __init__(self, u, name, params, result):
        self.u, self.name, self.result = u, name, result
        self.st, self.out, self.ints, self.names = State(), [], [], {'out', 'r', 'rc'}
        self.depth, self.next_obj, self.loops, self.live = 0, 0, [], True
        self.outer = 0                  # variables declared at less depth must be what they were when this block ends
        self.frozen, self.gotos = set(), []
        self.goto = u.chance(0.3)
        self.ended = False
        self.budget = self.LEN
        self.nested = 0

    # -- state --

    def obj(self, *inside):
        self.next_obj += 1
        self.st.inside[self.next_obj] = frozenset(inside)
        return self.next_obj

    def kill(self, obj):
        self.st.gone.add(obj)

    def what(self, v):
        w, o = self.st.of.get(v, ('none', None))
        return ('none', None) if w == 'borrow' and not self.st.alive(o) else (w, o)

    def vars(self, *what, kind=None):
        return [v for v in self.st.of if self.what(v)[0] in what and (kind is None or v.kind is kind)]

    def free_to_kill(self, v):
        w, o = self.what(v)
        return o not in self.frozen

    def merge(self, a, b):
        """The state where two ways meet; either may be None: that way ends."""
        if a is None or b is None:
            return a or b
        s = State()
        s.gone = a.gone | b.gone
        for o in {**a.inside, **b.inside}:
            s.inside[o] = a.inside.get(o, frozenset()) | b.inside.get(o, frozenset())
        for v in a.of:
            if v not in b.of:
                continue
            (wa, oa), (wb, ob) = a.of[v], b.of[v]
            if (wa, oa) == (wb, ob):
                s.of[v] = (wa, oa)
            elif {wa, wb} <= {'own', 'maybe', 'null'}:
                o = oa if ob is None or oa == ob else ob
                if oa and ob and oa != ob:
                    s.gone |= {oa, ob}
                    self.next_obj += 1
                    o = self.next_obj
                    s.inside[o] = frozenset()
                s.of[v] = ('own' if wa == wb == 'own' else 'maybe', o)
            elif {wa, wb} & {'own', 'maybe'}:
                raise Inconsistent
            else:
                s.of[v] = ('none', None)
        return s

    # -- text --

    def emit(self, text):
        for line in text.split('\n'):
            if line.strip() != '@':
                self.out.append('\t' * self.depth + line if line else '')

    def name_for(self, kind):
        for n in self.u.rng.sample(kind.names, len(kind.names)) + [f'{kind.names[0]}{i}' for i in range(2, 40)]:
            if n not in self.names:
                self.names.add(n)
                return n
        raise Inconsistent

    def int_name(self, base):
        for n in [base] + [f'{base}{i}' for i in range(2, 30)]:
            if n not in self.names:
                self.names.add(n)
                return n

    def number(self):
        u = self.u
        n = u.pick(self.ints) if self.ints else str(u.rng.randrange(4))
        return u.pick([n, n, n, f'{n} + {u.rng.randint(1, 3)}', f'{n} % 3', str(u.rng.randrange(4)), f'{u.rng.randint(2, 5)} - {n}'])

    def condition(self):
        u, n = self.u, self.u.pick(self.ints)
        c = [f'{n} > {u.rng.randrange(4)}', f'{n} == {u.rng.randrange(4)}', f'{n} < {u.rng.randint(1, 3)}', f'{n} % 2', f'!({n} % 3)',
             f'{u.pick(self.ints)} + 1 != {u.rng.randint(1, 3)}']
        look = self.looker()
        if look and u.chance(0.3):
            c.append(f'{look} > {u.rng.randint(3, 9)}')
            c.append(f'{look} % 2 == 0')
        if u.chance(0.15):
            return f'{u.pick(c)} {u.pick(["&&", "||"])} {u.pick(c)}'
        return u.pick(c)

    def text_value(self):
        t = [v for v in self.vars('own', 'borrow', kind=self.u.text)]
        if t and self.u.chance(0.3):
            return self.u.pick(t).ref
        return f'word({self.number()})' if self.u.chance(0.7) else f'"{self.u.pick(WORDS)}"'

    def call(self, fmt, **kw):
        while '{i}' in fmt:
            fmt = fmt.replace('{i}', self.number(), 1)
        while '{w}' in fmt:
            fmt = fmt.replace('{w}', self.text_value(), 1)
        for k, v in kw.items():
            fmt = fmt.replace('{' + k + '}', v)
        return fmt

    def looker(self):
        """An int expression that looks at something, or None."""
        c = [(v, o) for v in self.vars('own', 'borrow') for o in self.u.all(Looker, kind=v.kind)]
        if not c:
            return self.u.pick(self.u.numbers) if self.u.numbers else None
        v, o = self.u.pick(c)
        return self.call(o.call, p=v.ref)

    def block(self, head, fill, tail=''):
        """head { what fill() writes }; True: control gets to its end."""
        save, depth = self.out, self.depth
        outer = self.outer
        self.out, self.depth, self.outer = [], depth + 1, depth + 1
        self.live = True
        self.nested += 1
        fill()
        if self.live:
            self.leave_scope(depth + 1)
        self.nested -= 1
        body, self.out, self.depth, self.outer = self.out, save, depth, outer
        live, self.live = self.live, True
        for v in [v for v in self.st.of if v.depth > depth]:
            del self.st.of[v]
        plain = len(body) == 1 and body[0].endswith(';') and not tail and not DECLARES.match(body[0])
        if not body:
            body, plain = ['\t' * (depth + 1) + f'printf("{self.name} {self.u.rng.randrange(100)}\\n");'], not tail
        if not head and not plain:
            self.out[-1] += ' {'
        elif head:
            self.emit(head + ('' if plain and self.u.chance(0.9) else ' {'))
        opened = self.out[-1].endswith('{')
        self.out += body
        if opened:
            self.emit('}' + tail)
        elif tail:
            self.emit(tail)
        return live

    def leave_scope(self, depth):
        for v in [v for v in self.st.of if v.depth >= depth]:
            self.release(v)

    # -- releases --

    def must_null(self, v):
        return v.top or v.depth < self.outer

    def set_null(self, v):
        if v.kind.value or v.release:
            raise Inconsistent
        self.emit(f'{v.name} = NULL;')
        self.st.of[v] = ('null', None)

    def release(self, v, leaving=False):
        """Releases what a variable owns, or forgets to."""
        w, o = self.what(v)
        if w not in ('own', 'maybe'):
            return
        if not leaving and o in self.frozen:
            raise Inconsistent
        dropped = self.u.drop()
        if not dropped:
            text = v.release or self.u.pick(v.kind.releases).format(p=v.ref)
            takers = [t for t in self.u.all(Taker, kind=v.kind, holder=None, cond='')]
            if takers and w == 'own' and not v.release and self.u.chance(0.3):
                text = self.call(self.u.pick(takers).call, p=v.ref)
            if w == 'maybe' and (not v.kind.null_safe or text.startswith(('eat', 'finish')) or 'release_text' in text or self.u.chance(0.2)):
                self.emit(f'if ({v.ref})')
                text = '\t' + text
            self.emit(text)
            self.kill(o)
            self.st.of[v] = ('none', None)
        else:
            self.st.of[v] = ('borrow', o) if w == 'own' else ('none', None)
        if leaving:
            return
        if self.must_null(v):
            if v.kind.value:
                raise Inconsistent
            self.set_null(v)
        elif not dropped and not v.kind.value and not v.release and self.u.chance(0.15):
            self.set_null(v)

    def give(self, v, holder):
        """The object of a variable has become somebody else's."""
        w, o = self.what(v)
        if holder is None:
            self.kill(o)
        else:
            self.st.inside[o] = self.st.inside[o] | {holder}
        if self.must_null(v) or (not v.kind.value and self.u.chance(0.2)):
            self.set_null(v)
        else:
            self.st.of[v] = ('borrow', o) if holder is not None else ('none', None)

    def parts_gone(self, holder):
        """Something of what a container has may have gone."""
        for o in list(self.st.inside):
            if holder in self.st.inside[o]:
                self.kill(o)

    # -- ends --

    def value_to_return(self):
        """What is returned here, and the variable that goes with it: ('fail'|'ok', text, variable)."""
        u, kind = self.u, self.result[0]
        if kind == 'void':
            return 'return;', None
        if kind == 'int':
            return f'return {self.number()};', None
        if kind == 'own':
            k, nullable = self.result[1:]
            mine = [v for v in self.vars('own', 'maybe', kind=k) if not v.release and (nullable or self.what(v)[0] == 'own') and not self.is_lent(v)]
            if mine and u.chance(0.8):
                v = u.pick(mine)
                return f'return {v.name};', v
            if nullable:
                return 'return NULL;', None
            return f'return {self.call(self.made(k).replace("{w}", f"word({self.number()})"))};', None
        if kind == 'out':
            k = self.result[1]
            mine = [v for v in self.vars('own', kind=k) if not v.release and not self.is_lent(v)]
            if mine and u.chance(0.7):
                v = u.pick(mine)
                return f'*out = {v.name};\nreturn 0;', v
            return 'return -1;', None
        if kind == 'take':              # the parameter is the function's if it succeeds
            v = next(v for v in self.st.of if v.taken_if)
            w = self.what(v)[0]
            return ('return -1;', v) if w == 'own' else (f'return {u.rng.randrange(3)};', None)
        raise AssertionError

    def is_lent(self, v):
        return v.taken_if

    def made(self, kind):
        return self.u.pick([m.call for m in self.u.all(Maker, kind=kind, nullable=False, out=False)])

    def leave(self):
        """Ends the function here."""
        u = self.u
        if self.goto and self.result[0] in ('void', 'int') and u.chance(0.8):
            for v in [v for v in self.st.of if not v.top]:
                self.release(v, leaving=True)
            if self.result[0] == 'int':
                self.emit(f'rc = {self.number()};')
            self.emit('goto out;')
            s = self.st.copy()
            for v in [v for v in s.of if not v.top]:
                del s.of[v]
            self.gotos.append(s)
            self.live = False
            return
        text, kept = self.value_to_return()
        look = self.looker() if self.result[0] == 'int' and u.chance(0.5) else None
        owned = [v for v in self.vars('own', 'maybe') if v is not kept]
        if look and owned:
            r = self.int_name('ret')
            if u.chance(0.5):
                self.emit(f'int {r} = {look};')
                text = f'return {r};'
                look = None
        u.rng.shuffle(owned)
        first = self.u.dropped
        for v in owned:
            self.release(v, leaving=True)
        if look and self.u.dropped - first == len(owned):
            text = f'return {look};'
        self.emit(text)
        self.live = False

    # -- statements --

    def s_make(self):
        u = self.u
        makers = u.all(Maker)
        m = u.pick(makers)
        if m.kind.value and (self.goto or self.depth > 2):
            return
        tops = [v for v in self.vars('null', kind=m.kind) if not v.kind.value and not v.taken_if]
        olds = [v for v in self.vars('null', 'none', kind=m.kind) if not v.kind.value and not v.release and v.depth >= self.outer and not v.taken_if]
        v = None
        if tops and (self.goto or u.chance(0.5)):
            v = u.pick(tops)
            if v.depth < self.outer and self.loops:
                return
        elif olds and u.chance(0.4):
            v = u.pick(olds)
        new = v is None
        if new:
            if self.goto and self.depth == 0:
                return
            v = Var(self.name_for(m.kind), m.kind, self.depth)
        if m.kind.value:
            self.emit(m.kind.declare(v.name))
            self.emit(self.call(m.call, o=v.ref))
            self.st.of[v] = ('own', self.obj())
            return
        if m.out:
            nulled = u.chance(0.5)
            if new:
                self.emit(m.kind.declare(v.name, ' = NULL' if nulled else ''))
            call = self.call(m.call, o='&' + v.name)
            bad = {'== 0': ' != 0', '>= 0': ' < 0'}[m.cond] if u.chance(0.7) else None
            if u.chance(0.6) or (not nulled and new) or not new:
                self.st.of[v] = ('null' if not new else 'none', None)
                test = f'{call}{bad}' if bad else f'!({call} {m.cond})'
                self.guarded_exit(test, v)
                self.st.of[v] = ('own', self.obj())
                return
            self.emit(call + ';')
            self.st.of[v] = ('maybe', self.obj())
            return
        call = self.call(m.call)
        self.emit(m.kind.declare(v.name, f' = {call}') if new else f'{v.name} = {call};')
        if m.nullable and u.chance(0.6):
            self.st.of[v] = ('null', None)
            self.guarded_exit(u.pick([f'!{v.name}', f'{v.name} == NULL']), v)
            self.st.of[v] = ('own', self.obj())
        else:
            self.st.of[v] = ('maybe' if m.nullable else 'own', self.obj())

    def guarded_exit(self, test, v):
        """if (test) the way out; behind it the variable is set."""
        before = self.st.copy()
        self.block(f'if ({test})', self.exit_here)
        self.st = before

    def exit_here(self):
        u = self.u
        if u.chance(0.25):
            self.emit(f'printf("{self.name} {u.rng.randrange(100)}\\n");')
        lp = self.loops[-1] if self.loops else None
        if lp and u.chance(0.6):
            self.leave_loop(lp)
        else:
            self.leave()

    def leave_loop(self, lp):
        word = self.u.pick(['break', 'continue'])
        for v in [v for v in self.st.of if v.depth > lp.depth]:
            self.release(v, leaving=True)
        s = self.st.copy()
        for v in [v for v in s.of if v.depth > lp.depth]:
            del s.of[v]
        if word == 'break':
            lp.breaks.append(s)
        else:
            lp.continues.append(s)
        self.emit(word + ';')
        self.live = False

    def s_look(self):
        u = self.u
        look = self.looker()
        if not look:
            return
        k = u.rng.randrange(4)
        if k == 0:
            self.emit(f'printf("{self.name} %d\\n", {look});')
        elif k == 1 and self.depth < 3:
            n = self.int_name(u.pick(['len', 'cost', 'sum']))
            self.emit(f'int {n} = {look};')
            self.emit(f'printf("%d\\n", {n});')
            if self.depth == 0 and not self.goto:
                self.ints.append(f'{n} % 4')
        elif k == 2:
            t = self.vars('own', 'borrow', kind=u.text)
            if t:
                self.emit(f'printf("%s\\n", {u.pick(t).ref});')
        else:
            self.block(f'if ({look} > {u.rng.randint(2, 9)})', lambda: self.emit(f'printf("{self.name} {u.rng.randrange(100)}\\n");'))

    def s_look_maybe(self):
        c = [(v, o) for v in self.vars('maybe') for o in self.u.all(Looker, kind=v.kind)]
        if c:
            v, o = self.u.pick(c)
            self.block(f'if ({v.ref})', lambda: self.emit(f'printf("{self.name} %d\\n", {self.call(o.call, p=v.ref)});'))

    def s_release(self):
        c = [v for v in self.vars('own', 'maybe') if not v.taken_if and self.free_to_kill(v) and not (self.loops and v.depth < self.outer)
             and not (v.kind.value and v.depth < self.outer) and not (v.release and v.depth < self.outer)]
        if c:
            self.release(self.u.pick(c))

    def s_take(self):
        """Hands an object on."""
        u = self.u
        own = [v for v in self.vars('own') if not v.release and not v.kind.value and self.free_to_kill(v) and
               not (v.depth < self.outer and (self.loops or v.taken_if))]
        c = [(v, t, h) for v in own for t in u.all(Taker, kind=v.kind)
             for h in ([None] if t.holder is None else [h for h in self.vars('own', 'borrow', kind=t.holder) if h.release is None])]
        c = [(v, t, h) for v, t, h in c if h is None or (h is not v and self.what(v)[1] not in self.st.around(self.what(h)[1]))]
        if not c:
            return
        v, t, h = u.pick(c)
        holder = self.what(h)[1] if h else None
        if h and '_rename' in t.call:
            if holder in self.frozen or any(holder in self.st.inside.get(o, ()) for o in self.frozen):
                return
            self.parts_gone(holder)
        call = self.call(t.call, p=v.ref, **({'c': h.ref} if h else {}))
        if not t.cond:
            self.emit(call)
            self.give(v, holder)
            return
        self.conditional_take(v, t, call, holder)

    def conditional_take(self, v, t, call, holder):
        u, before = self.u, self.st.copy()
        refused = {'>= 0': f'{call} < 0', '== 0': u.pick([f'{call} != 0', call])}[t.cond]
        k = u.rng.randrange(5)
        if k == 4 and not v.taken_if:
            self.block(f'if ({call} {t.cond})', lambda: self.emit(f'{v.name} = NULL;'))
            if holder is None:
                self.kill(self.what(v)[1])
            else:
                o = self.what(v)[1]
                self.st.inside[o] = self.st.inside[o] | {holder}
            self.st.of[v] = ('maybe', self.what(v)[1])
            return
        if k <= 1 and not v.taken_if and not v.depth < self.outer and not v.top:
            if u.chance(0.3):
                rc = self.int_name('rc')
                self.emit(f'int {rc} = {call};')
                self.ints.append(rc) if self.depth == 0 and not self.goto else None
                refused = refused.replace(call, rc)
            if u.drop():
                if refused.startswith(call):
                    self.emit(call + ';')
            else:
                self.emit(f'if ({refused})')
                self.emit('\t' + u.pick(v.kind.releases).format(p=v.ref))
            self.kill(self.what(v)[1])
            self.st.of[v] = ('none', None)
            return
        self.block(f'if ({refused})', self.exit_here)
        self.st = before
        self.give(v, holder)

    def s_pop(self):
        u = self.u
        c = [(h, p) for h in self.vars('own', 'borrow') for p in u.all(Pop, kind=h.kind) if self.what(h)[1] not in self.frozen]
        if not c or (self.goto and self.depth == 0):
            return
        h, p = u.pick(c)
        v = Var(self.name_for(p.of), p.of, self.depth)
        self.emit(p.of.declare(v.name, f' = {self.call(p.call, c=h.ref)}'))
        self.parts_gone(self.what(h)[1])
        self.st.of[v] = ('maybe', self.obj())

    def s_alias(self):
        """Another pointer to what is there, or into it."""
        u = self.u
        c = [(v, i) for v in self.vars('own', 'borrow') for i in u.all(Inner, kind=v.kind)]
        c += [(v, Inner(v.kind, v.kind, '{p}')) for v in self.vars('own') if not v.kind.value]
        if not c:
            return
        v, i = u.pick(c)
        o = self.what(v)[1]
        q = Var(self.name_for(i.of), i.of, self.depth)
        if i.of is u.text and i.call in ('{p}', '{p} + 1') and u.chance(0.4):
            self.emit(f'const char *{q.name} = {self.call(i.call, p=v.ref)};')
            q.taken = True
        else:
            self.emit(i.of.declare(q.name, f' = {self.call(i.call, p=v.ref)}'))
        if '{p} + 1' in i.call:
            q.kind = u.inner_text
        inner = o if i.of is i.kind else self.obj(o)
        if i.nullable:
            look = u.all(Looker, kind=q.kind)
            if look:
                self.block(f'if ({q.name})', lambda: self.emit(f'printf("{self.name} %d\\n", {self.call(u.pick(look).call, p=q.ref)});'))
            return
        self.st.of[q] = ('borrow', inner)

    def s_share(self):
        c = [v for v in self.vars('own', 'borrow') if hasattr(v.kind, 'share')]
        if c and not (self.goto and self.depth == 0):
            v = self.u.pick(c)
            q = Var(self.name_for(v.kind), v.kind, self.depth)
            self.emit(v.kind.declare(q.name, f' = {self.call(v.kind.share, p=v.ref)}'))
            self.st.of[q] = ('own', self.obj())

    def s_replace(self):
        """The variable gets another object, behind a release or without one."""
        u = self.u
        c = [v for v in self.vars('own', 'maybe') if not v.kind.value and not v.release and not v.taken_if and self.free_to_kill(v)]
        if not c:
            return
        v = u.pick(c)
        makers = [m for m in u.all(Maker, kind=v.kind, out=False) if not m.nullable]
        if not makers:
            return
        w, o = self.what(v)
        call = self.call(u.pick(makers).call)
        if any(q.name in re.findall(r'\w+', call) for q in self.vars('own', 'borrow', 'maybe') if o in self.st.around(self.what(q)[1])):
            return
        if not u.drop():
            text = u.pick(v.kind.releases).format(p=v.ref)
            if w == 'maybe' and (not v.kind.null_safe or 'release_text' in text):
                self.emit(f'if ({v.ref})')
                text = '\t' + text
            self.emit(text)
            self.kill(o)
        self.emit(f'{v.name} = {call};')
        if w == 'maybe' and v.depth < self.outer:
            self.st.of[v] = ('own', self.obj())
        else:
            self.st.of[v] = ('own', self.obj())

    def s_grow(self):
        c = [v for v in self.vars('own', kind=self.u.text) if v.kind.filled and not v.release and not v.taken_if and self.free_to_kill(v) and
             not (self.loops and v.depth < self.outer)]
        if c:
            v = self.u.pick(c)
            self.emit(self.call(v.kind.filled, p=v.name))
            self.kill(self.what(v)[1])
            self.st.of[v] = ('own', self.obj())

    def s_nested(self):
        """What a call makes is given to another at once."""
        u = self.u
        c = [(m, t) for m in u.all(Maker, nullable=False, out=False) if not m.kind.value for t in u.all(Taker, kind=m.kind, holder=None, cond='')]
        k = [(m, look) for m in u.all(Maker, nullable=False, out=False) if not m.kind.value for look in u.all(Looker, kind=m.kind)
             if look.call.count('{p}') == 1 and look.call.startswith(look.call.split('(')[0] + '({p}')]
        if k and u.drop():
            m, t = u.pick(k)
            self.emit(f'printf("%d\\n", {self.call(t.call, p=self.call(m.call))});')
        elif c:
            m, t = u.pick(c)
            self.emit(self.call(t.call, p=self.call(m.call)))

    def s_flagged(self):
        """Text that is the function's own only if a flag says so."""
        if self.goto or self.depth > 1:
            return
        u = self.u
        v = Var(self.name_for(u.text), u.text, self.depth)
        own = self.int_name('own')
        make = self.call(self.made(u.text))
        first = u.pick(['const char *', 'char *'])
        k = u.rng.randrange(3)
        if k == 0:
            self.emit(f'int {own} = {self.condition()};')
            self.emit(f'{first}{v.name} = {own} ? {make} : {"(char *)" if first == "char *" else ""}"none";')
        else:
            self.emit(f'{first}{v.name} = {"(char *)" if first == "char *" else ""}"none";')
            self.emit(f'int {own} = 0;')
            self.emit(f'if ({self.condition()}) {{\n\t{v.name} = {make};\n\t{own} = 1;\n}}')
        cast = '(char *)' if first != 'char *' else ''
        v.release = f'if ({own})\n\tfree({cast}{v.name});'
        v.kind = u.flag_text
        self.st.of[v] = ('own', self.obj())

    def s_if(self):
        u, before = self.u, self.st.copy()
        cond = self.condition()
        alive = self.block(f'if ({cond})', self.some)
        then = self.st if alive else None
        self.st = before
        if u.chance(0.45):
            before = self.st.copy()
            at = len(self.out)
            closed = self.out[-1].strip() == '}'
            alive = self.block('else', self.some)
            if closed and self.out[at].strip().startswith('else'):
                self.out[at - 1] += ' ' + self.out[at].strip()
                del self.out[at]
            other = self.st if alive else None
            if then is None and other is None:
                self.st, self.live = before, False
                return
            self.st = self.merge(then, other)
            return
        self.st = self.merge(then, self.st)

    def s_exit(self):
        before = self.st.copy()

        def body():
            if self.u.chance(0.3):
                self.some(1)
            if self.live:
                self.exit_here()
        self.block(f'if ({self.condition()})', body)
        self.st = before

    def s_loop(self):
        u = self.u
        if len(self.loops) > 1 or self.depth > 3:
            return
        start = self.st.copy()
        borrowed = self.vars('borrow')
        frozen = set(self.frozen)
        for v in borrowed:
            if u.chance(0.5):
                self.frozen |= self.st.around(self.what(v)[1])
            else:
                self.st.of[v] = ('none', None)
        lp = Loop(self.depth)
        i = self.int_name(u.pick(['i', 'j', 'k']))
        limit = u.pick([str(u.rng.randint(1, 3)), u.pick(self.ints), f'{u.pick(self.ints)} % 4'])
        k = u.rng.randrange(4)
        tail = ''
        if k == 0:
            self.emit(f'int {i} = 0;')
            self.emit(f'while ({i}++ < {limit})')
            head = None
        elif k == 1:
            head, tail = 'do', f' while (--{i} > 0);'
            self.emit(f'int {i} = {limit};')
        else:
            head = f'for (int {i} = 0; {i} < {limit}; {i}++)'
        if head is None:
            head = self.out.pop().strip()
        self.loops.append(lp)
        self.ints.append(i)
        self.in_loop = True
        alive = self.block(head, lambda: self.some(u.rng.randint(2, 4)), tail)
        self.ints.remove(i)
        self.loops.pop()
        end = self.st if alive else None
        for s in lp.continues:
            end = self.merge(end, s)
        if end is not None:
            self.check_round(start, end)
        after = end if k == 1 else self.merge(start, end)
        for s in lp.breaks:
            after = self.merge(after, s)
        if after is None:               # a loop that never gets to its end
            raise Inconsistent
        for v in borrowed:
            if v in after.of and start.of[v] != after.of[v] and after.of[v][0] == 'none':
                after.of[v] = start.of[v]
        self.frozen = frozen
        self.st = after

    @staticmethod
    def check_round(start, end):
        """Is what the body relied on so in the next round, too?"""
        for v, (w, o) in start.of.items():
            we = end.of[v][0]
            if w in ('own', 'null', 'none') and we != w or w == 'maybe' and we not in ('own', 'maybe', 'null'):
                if not (w in ('none',) and we in ('borrow', 'null')):
                    raise Inconsistent

    def s_switch(self):
        u, before = self.u, self.st.copy()
        self.emit(f'switch ({u.pick(self.ints)}) {{')
        end, labels = None, u.rng.sample(range(4), u.rng.randint(1, 3))
        default = u.chance(0.6)
        loops, self.loops = self.loops, []      # `break` is the switch's
        for label in [f'case {n}:' for n in labels] + ['default:'] * default:
            self.st = before.copy()
            self.emit(label)
            if self.case():
                end = self.merge(end, self.st)
        self.loops = loops
        self.emit('}')
        if not default:
            end = self.merge(end, before)
        if end is None:
            self.st, self.live = before, False
        else:
            self.st = end

    def case(self):
        """The statements of one case, in braces if they declare something."""
        save, depth, outer = self.out, self.depth, self.outer
        self.out, self.depth, self.outer, self.live = [], depth + 1, depth + 1, True
        self.nested += 1
        self.some(self.u.rng.randint(1, 2))
        if self.live:
            self.leave_scope(depth + 1)
        self.nested -= 1
        if self.live:
            self.emit('break;')
        body, self.out, self.depth, self.outer = self.out, save, depth, outer
        for v in [v for v in self.st.of if v.depth > depth]:
            del self.st.of[v]
        live, self.live = self.live, True
        self.out[-1] += ' {'
        self.out += body
        self.emit('}')
        return live

    def s_print(self):
        self.emit(f'printf("{self.name} %d\\n", {self.number()});')

    def s_fp(self):
        """A release that is chosen at run time."""
        c = [v for v in self.vars('own', kind=self.u.text) if not v.release and not v.taken_if and not v.top and v.depth >= self.outer and self.free_to_kill(v)]
        plain = [f for f in ('eat', 'finish', 'drop_text') if any(s.startswith(f'static void {f}(') for s, _ in self.u.funcs)]
        if not c or not plain:
            return
        v, f = self.u.pick(c), self.int_name('done')
        self.emit(f'void (*{f})(char *) = {self.condition()} ? {self.u.pick(plain)} : {self.u.pick(plain)};')
        if not self.u.drop():
            self.emit(f'{f}({v.name});')
            self.kill(self.what(v)[1])
            self.st.of[v] = ('none', None)
        else:
            self.emit(f'if (!{f})\n\tprintf("-\\n");')
            self.st.of[v] = ('borrow', self.what(v)[1])

    STATEMENTS = [('s_make', 7), ('s_look', 4), ('s_look_maybe', 2), ('s_release', 3), ('s_take', 5), ('s_pop', 2), ('s_alias', 3), ('s_share', 2),
                  ('s_replace', 2), ('s_grow', 1), ('s_nested', 1), ('s_flagged', 1), ('s_if', 4), ('s_exit', 4), ('s_loop', 2),
                  ('s_switch', 1), ('s_print', 1), ('s_fp', 0.5)]

    def some(self, n=None):
        """Some statements, up to the end of the block."""
        u = self.u
        for _ in range(n or u.rng.randint(1, 3)):
            if not self.live or self.budget <= 0:
                return
            names, weights = zip(*self.STATEMENTS)
            size = len(self.out)
            for name in u.rng.choices(names, weights, k=6):     # some have nothing to do here
                getattr(self, name)()
                if len(self.out) > size:
                    break
            self.budget -= 1


def write_function(u, name, top=False):
    """A function of random statements, with a contract for those that come later."""
    rng = u.rng
    kinds = [k for k in u.kinds if not k.value]
    made = [k for k in kinds if u.all(Maker, kind=k, nullable=False, out=False)]
    forms = ['void', 'int', 'int', 'own', 'own', 'out', 'take', 'take']
    form = 'int' if top else rng.choice(forms)
    b = Body(u, name, None, (form,))
    b.goto = b.goto and form in ('void', 'int')
    b.budget = rng.randint(4, 11) + (5 if top else 0)
    ints = ['n', 'm'][:rng.randint(1, 2)] if not top else ['a', 'b']
    args, fmt, op = [f'int {i}' for i in ints], ['{i}'] * len(ints), None
    b.ints = list(ints)
    b.names |= set(ints)
    if form == 'own':
        k, nullable = rng.choice(made), rng.random() < 0.4
        b.result = ('own', k, nullable)
        ctype, op = k.ctype, lambda c: Maker(k, c, nullable=nullable)
    elif form == 'out':
        k = rng.choice(made)
        b.result = ('out', k)
        args.insert(0, k.declare('*out')[:-1])
        fmt.insert(0, '{o}')
        ctype, op = 'int', lambda c: Maker(k, c, out=True, cond='== 0')
    elif form == 'take':
        k = rng.choice(made)
        v = Var(b.name_for(k), k, 0)
        v.taken_if = True
        b.result = ('take',)
        args.insert(0, k.declare(v.name)[:-1])
        fmt.insert(0, '{p}')
        b.st.of[v] = ('own', b.obj())
        ctype, op = 'int', lambda c: Taker(k, c, None, '>= 0')
    elif form == 'void' and rng.random() < 0.5:
        k = rng.choice(kinds)
        v = Var(b.name_for(k), k, 0)
        args.insert(0, k.declare(v.name)[:-1])
        fmt.insert(0, '{p}')
        b.st.of[v] = ('own', b.obj())
        ctype, op = 'void', lambda c: Taker(k, c + ';')
    elif form == 'int' and not top and rng.random() < 0.7:
        k = rng.choice(u.kinds)
        v = Var(b.name_for(k), k.pointer if k.value else k, 0)
        args.insert(0, v.kind.declare(v.name)[:-1])
        fmt.insert(0, '{p}')
        o = b.obj()
        b.st.of[v] = ('borrow', o)
        b.frozen.add(o)
        ctype, op = 'int', lambda c: Looker(k, c)
    else:
        ctype = form
    if b.goto:
        for of in rng.choices(kinds, k=rng.randint(1, 3)):
            v = Var(b.name_for(of), of, 0, top=True)
            b.emit(of.declare(v.name, ' = NULL'))
            b.st.of[v] = ('null', None)
        if form == 'int':
            b.emit('int rc = 0;')
        b.out.append('')
    b.depth = 0
    while b.live and b.budget > 0:
        b.some(2)
    if b.goto:
        if b.live:
            for v in [v for v in b.st.of if not v.top]:
                b.release(v)
            s = b.st.copy()
            for v in [v for v in s.of if not v.top]:
                del s.of[v]
        else:
            s = None
        if b.gotos:
            for g in b.gotos:
                s = b.merge(s, g)
            b.out.append('out:')
            b.st, b.live = s, True
        if b.live:
            for v in list(b.st.of):
                b.release(v, leaving=True)
            if form == 'int':
                b.emit('return rc;')
            elif b.out[-1] == 'out:':
                b.emit('return;')
    elif b.live:
        b.leave()
        if form == 'void':
            b.out.pop()                 # its `return;`
    body = '\n'.join('\t' + line if line and not line.startswith('out:') else line for line in b.out)
    space = '' if ctype.endswith('*') else ' '
    u.funcs.append((f'static {ctype}{space}{name}({", ".join(args)})', body))
    call = f'{name}({", ".join(fmt)})'
    if op:
        u.add(*[op(call)] * 5)
    else:
        u.calls.append((call, ctype))


class Program:
    """files: {name: text}; inputs: lists of arguments; dropped: how many releases were left out."""

    def __init__(self, seed, files, inputs, dropped):
        self.seed, self.files, self.inputs, self.dropped = seed, files, inputs, dropped


HEAD = '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'


def attempt(seed, number):
    rng = random.Random(f'{seed}.{number}')
    u = Unit(rng)
    u.numbers, u.calls, u.as_text = [], [], True
    text_kit(u)
    u.inner_text, u.flag_text = Kind('char *', ['in']), u.text
    u.add(Looker(u.inner_text, '(int)strlen({p})'), Looker(u.inner_text, '{p}[0] % 5'))
    u.flag_text = Kind('char *', ['any'])
    u.add(Looker(u.flag_text, 'look({p})'), Looker(u.flag_text, '(int)strlen({p})'))
    u.kinds = [u.text, u.text]
    names = rng.sample(['item', 'job', 'entry', 'conf'], 2)
    for _ in range(rng.randint(1, 3)):
        k = rng.randrange(8)
        of = rng.choice(u.kinds)
        if of.value or of.ctype == 'FILE *' or hasattr(of, 'share') or not of.null_safe and k == 3:
            of = u.text
        if k <= 1 and names:
            u.kinds.append(item_kit(u, names.pop()))
        elif k == 2 and not any('struct list ' in t for t in u.types):
            u.kinds.append(list_kit(u, 'list', of))
        elif k == 3 and not any('struct table ' in t for t in u.types):
            t = table_kit(u, 'table', of)
            if t.value:
                t.pointer = Kind('struct table *', ['tp'])
                for o in list(u.ops):
                    if isinstance(o, (Looker, Inner, Pop)) and o.kind is t:
                        u.add(o._replace(kind=t.pointer))
                    elif isinstance(o, Taker) and o.holder is t:
                        u.add(o._replace(holder=t.pointer))
            u.kinds.append(t)
        elif k == 4 and not any('struct tree ' in t for t in u.types):
            u.kinds.append(tree_kit(u, 'tree'))
        elif k == 5 and not any(k.ctype == 'FILE *' for k in u.kinds):
            u.kinds.append(file_kit(u))
        elif k == 6 and not any(hasattr(k, 'share') for k in u.kinds):
            u.kinds.append(counted_kit(u, 'shared'))
        elif k == 7 and 'static char *current;' not in u.globals:
            global_kit(u)
    for i in range(rng.randint(1, 5)):
        write_function(u, rng.choice(['step', 'work', 'load', 'handle', 'visit', 'scan']) + str(i + 1))
    write_function(u, 'run', top=True)
    return u


def main_of(u):
    lines = ['int a = argc > 1 ? atoi(argv[1]) : 0;', 'int b = argc > 2 ? atoi(argv[2]) : 0;', '', 'printf("run %d\\n", run(a, b));']
    for call, ctype in u.calls[:-1]:
        c = call.replace('{i}', 'a', 1).replace('{i}', 'b')
        lines.append(f'printf("%d\\n", {c});' if ctype == 'int' else c + ';')
    lines += u.ends
    for p in u.prints:
        lines.append(f'printf("%d\\n", {p});')
    return '\n'.join('\t' + line if line else line for line in lines + ['return 0;'])


def texts(u, seed):
    """One unit, or two with a header."""
    funcs = u.funcs + [('int main(int argc, char **argv)', main_of(u))]

    def definition(sig, body):
        return f'{sig}\n{{\n{body}\n}}\n'
    if u.rng.random() < 0.85:
        return {'prog.c': HEAD + '\n' + ''.join(t + '\n\n' for t in u.types) + '\n'.join(u.globals) + '\n\n' * bool(u.globals) +
                '\n'.join(definition(*f) for f in funcs)}
    bare = [(s.replace('static ', ''), b) for s, b in funcs]
    head = '#ifndef PROG_H\n#define PROG_H\n\n' + HEAD + '\n' + ''.join(t + '\n\n' for t in u.types if 'struct' in t)
    head += ''.join(s + ';\n' for s, b in bare[:-1])
    anon = [g for g in u.globals if g.startswith('static struct {')]
    named = [g for g in u.globals if g not in anon]
    head += ''.join('extern ' + g.replace('static ', '').split(' = ')[0].rstrip(';') + ';\n' for g in named if '= &' not in g)
    if anon:
        head += anon[0].replace('static struct {', 'struct stats {').replace(' stats;', ';') + '\nextern struct stats stats;\n'
    if any('= &' in g for g in named):
        head += 'extern int counted, *counter;\n'
    head += '\n#endif\n'
    defs = ''.join(g.replace('static ', '') + '\n' for g in named) + ('struct stats stats;\n' if anon else '')
    half = u.rng.randint(1, len(bare) - 1)
    return {'prog.h': head, 'kits.c': '#include "prog.h"\n\n' + defs + '\n' + '\n'.join(definition(*f) for f in bare[:half]),
            'prog.c': '#include "prog.h"\n\n' + '\n'.join(definition(*f) for f in bare[half:])}


def generate(seed):
    for number in range(200):
        try:
            u = attempt(seed, number)
        except Inconsistent:
            continue
        return Program(seed, texts(u, seed), [[str(a), str(b)] for a in range(4) for b in range(3)], u.dropped)
    raise RuntimeError(f'seed {seed}: no program')
