# coverage.sh - how many allocations were judged, only stored or cut: one small program for each way, and
# what the commands say of it.
. "$ROOT/tests/lib.sh"

head='#include <stdlib.h>
#include <string.h>
void use(const char *p);
void grab(void *p);'
echo 'use { ignore; }' >use.model

# $name.c is such a program; the model makes use() look only.
program()	# NAME TEXT
{
	printf '%s\n%s\n' "$head" "$2" >"$1.c"
}

counts()	# FILE: allocations, judged, stored, cut
{
	python3 -c '
import json, sys
c = json.load(open(sys.argv[1]))["coverage"]
print(c["allocations"], c["judged"], c["stored"], c["cut"])' "$1"
}

# The numbers that plumb check gives for NAME.c, first without the cache, then with it, twice.
covers()	# WHAT NAME "ALLOCATIONS JUDGED STORED CUT" OPTION...
{
	local what=$1 name=$2 want=$3 got
	shift 3
	run "$PLUMB" check --format json --model use.model --no-cache "$@" "$name.c"
	cp .out fresh.json
	got=$(counts fresh.json)
	[ "$got" = "$want" ] || { "$PLUMB" dump coverage --model use.model "$name.c"; echo "got $got, expected $want"; }
	check "$what ($name${*:+, $*})" [ "$got" = "$want" ]
	run "$PLUMB" check --format json --model use.model --cache-dir cache "$@" "$name.c"
	check "... the same with a new cache" cmp -s .out fresh.json
	run "$PLUMB" check --format json --model use.model --cache-dir cache "$@" "$name.c"
	check "... and from the cache" cmp -s .out fresh.json
}

both()	# the same for each setting of the engine
{
	local e
	for e in vfg path all; do
		covers "$@" --engine "$e"
	done
}

# ---- judged ----

program freed 'int f(int n) { char *p = malloc(4); if (!p) return 1; use(p); if (n) { free(p); return 2; } free(p); return 0; }'
both "released on every way" freed "1 1 0 0"
program leaked 'void f(void) { char *p = malloc(4); use(p); }'
both "reported" leaked "1 1 0 0"
program ignored 'void f(void) { char *p = malloc(4); /* plumb-ignore: so it is */ use(p); }'
both "suppressed" ignored "1 1 0 0"
program returned 'char *f(void) { return malloc(4); }
int g(char **out) { *out = malloc(4); return *out != 0; }'
covers "handed to the caller of an entry function" returned "2 2 0 0"
program ended 'int main(void) { char *p = malloc(4); use(p); return 0; }'
both "still held when the program ends" ended "1 1 0 0"
program wrapped 'static char *mk(int n) { char *p = malloc(n); if (!p) abort(); return p; }
void f(void) { char *p = mk(1); use(p); free(p); }
void g(void) { char *p = mk(2); use(p); free(p); }'
both "a wrapper counts where it is called" wrapped "2 2 0 0"
program none 'int f(int a) { return a; }'
both "no allocation" none "0 0 0 0"

list='struct node { struct node *next; char *name; };
static struct node *list;
int add(const char *s)
{
	struct node *n = malloc(sizeof(*n));
	if (!n) return -1;
	n->name = strdup(s);
	n->next = list;
	list = n;
	return 0;
}
static void drop(struct node *n) { free(n->name); free(n); }
void clear(void)
{
	while (list) {
		struct node *n = list;
		list = n->next;
		drop(n);
	}
}'
program owned "$list
int main(void) { add(\"a\"); clear(); return 0; }"
both "stored, and released from there" owned "2 2 0 0"
program lib_owned 'struct box { char *text; };
int box_set(struct box *b, const char *s) { free(b->text); b->text = strdup(s); return !b->text; }
void box_free(struct box *b) { free(b->text); free(b); }
struct box *box_new(void) { return calloc(1, sizeof(struct box)); }'
covers "a library's member, released by its destructor" lib_owned "2 2 0 0"

# ---- only stored ----

program stored 'static char *table[8];
void put(int i) { table[i & 7] = malloc(4); }
int get(int i) { return table[i & 7] ? table[i & 7][0] : 0; }'
both "in a global, and nobody releases it" stored "1 0 1 0"
program unknown 'void f(void) { char *p = malloc(4); if (p) grab(p); }'
both "given to an unknown function" unknown "1 0 1 0"
program unknown_freed 'void f(void) { char *p = malloc(4); if (p) grab(p); free(p); }'
both "... and released all the same" unknown_freed "1 1 0 0"

# Who cleans up when a constructor fails is not the owner of what it stores when it does not.
program half 'struct pair { char *a, *b; };
static struct pair *all[8];
int mk(int i)
{
	struct pair *p = malloc(sizeof(*p));
	if (!p) return -1;
	p->a = strdup("a");
	p->b = malloc(100);
	if (!p->b) { free(p->a); free(p); return -1; }
	all[i & 7] = p;
	return 0;
}
int look(int i) { return all[i & 7] ? all[i & 7]->a[0] + all[i & 7]->b[0] : 0; }
int main(int n, char **v) { (void)v; mk(n); return look(n); }'
covers "a constructor that cleans up half-way" half "3 0 3 0"
program half_callee 'struct pair { char *a; };
static struct pair *all[8];
static void drop(struct pair *p) { free(p->a); free(p); }
int mk(int i)
{
	struct pair *p = malloc(sizeof(*p));
	if (!p) return -1;
	p->a = strdup("a");
	if (i > 7) { drop(p); return -1; }
	all[i] = p;
	return 0;
}
int look(int i) { return all[i & 7] ? all[i & 7]->a[0] : 0; }
int main(int n, char **v) { (void)v; mk(n); return look(n); }'
covers "... by a function of its own" half_callee "2 0 2 0"
program set_again 'static char *name;
void set(const char *s) { free(name); name = strdup(s); }
int look(void) { return name ? name[0] : 0; }'
covers "a setter alone does not release the last value" set_again "1 0 1 0"
program set_other 'static char *name;
static void set(char *s) { free(name); name = s; }
void one(void) { set(strdup("1")); }
void two(void) { set(strdup("2")); }
int look(void) { return name ? name[0] : 0; }'
covers "... nor one that is given it" set_other "2 0 2 0"
# What a container for anything releases is evidence only for one kind of things.
program jumble 'struct cell { struct cell *next; void *data; };
struct a { int x; }; struct b { long y; };
static struct cell *as, *bs;
static void push(struct cell **l, void *p) { struct cell *c = malloc(sizeof(*c)); if (!c) abort(); c->data = p; c->next = *l; *l = c; }
static void *pop(struct cell **l) { struct cell *c = *l; void *p = c->data; *l = c->next; free(c); return p; }
void put_a(void) { push(&as, malloc(sizeof(struct a))); }
void put_b(void) { struct b *b = malloc(sizeof(*b)); push(&bs, b); }
int take_a(void) { if (!as) return 0; free(pop(&as)); return 1; }
void *first_b(void) { return bs ? bs->data : 0; }
int main(int n, char **v)
{
	(void)v;
	for (; n > 0; n--) { put_a(); put_b(); }
	while (take_a()) ;
	return first_b() != 0;
}'
run "$PLUMB" dump coverage --model use.model jumble.c
expect_out_has "the other container's element has no owner" '^jumble\.c:11: allocation in put_b\(\): only stored'
# What is copied to another place, which may be released, is not owned by that place.
program lent 'struct header { char *value; int ours; };
static char *option;
static struct header sent[8];
void set(const char *s) { if (!option) option = strdup(s); }
static void put(int i, char *value, int ours) { sent[i & 7].value = value; sent[i & 7].ours = ours; }
void fill(int i) { put(i, option, 0); put(i + 1, strdup("x"), 1); }
void drop(int i) { if (sent[i & 7].ours) free(sent[i & 7].value); }
int main(int n, char **v) { set(v[0]); fill(n); drop(n); drop(n + 1); return option[0]; }'
run "$PLUMB" dump coverage lent.c
expect_out_has "an option that is lent" '^lent\.c:8: allocation in set\(\): only stored'
expect_out_has "... and what is owned" '^lent\.c:10: allocation in fill\(\): judged'
# realloc() is no release of what it makes.
program grown 'static char *buf; static int cap;
void put(char c) { if (cap % 8 == 0) { char *p = realloc(buf, cap + 8); if (!p) return; buf = p; } buf[cap++] = c; }
int get(int i) { return buf[i]; }'
covers "what is only ever grown" grown "1 0 1 0" --engine vfg

# ---- cut ----

program no_target 'extern void (*hook)(void *);
void f(void) { char *p = malloc(4); if (p) hook(p); }'
covers "a call through a pointer to nobody knows whom" no_target "1 0 0 1"
check "... has its reason" grep -q '"reason": "it only reaches calls through pointers of which no function is known"' fresh.json
{
	printf '%s\n' "$head"
	echo 'int ask(int);'
	echo 'int many(int x, int n) { char *p = malloc(4); for (int i = 0; i < n; i++) {'
	for k in $(seq 8); do
		echo "switch (ask(x + $k)) {"
		seq 60 | sed 's/.*/case &: x = x + &; break;/'
		echo '}'
	done
	echo 'if (x == 3) return 1; } free(p); return x; }'
} >limits.c
covers "too many conditions" limits "1 0 0 1" --engine vfg
check "... have their reason" grep -q '"reason": "too many conditions"' fresh.json
program joined 'void f(int n) { char *p = n ? malloc(4) : 0; if (p) use(p); free(p); }'
covers "too large a slice" joined "1 0 0 1" --engine vfg --slice-limit 1
check "... names the limit" grep -q '"reason": "it flows to more than 1 places (--slice-limit)"' fresh.json
covers "what one engine has cut, the other may have judged" joined "1 1 0 0" --engine all --slice-limit 1

# ---- what is said, and the exit code ----

run "$PLUMB" check --model use.model freed.c
expect_out "all judged" 'no leaks found: 1 allocation, judged'
expect_status "... is clean" 0
run "$PLUMB" check --strict --model use.model freed.c
expect_status "... also with --strict" 0
run "$PLUMB" check none.c
expect_out "no allocation" 'no leaks found: there is no allocation'
expect_status "... is clean" 0
run "$PLUMB" check stored.c
expect_out "only stored" 'no leaks found: 1 allocation, of them 0 judged, 1 only stored, 0 cut'
expect_status "... is no reason for exit code 3" 0
expect_err_lacks "... and nothing is said of one" 'exit code'
run "$PLUMB" check --strict stored.c
expect_status "... but with --strict" 3
expect_err_has "... which says so" '^plumb: note: exit code 3: 1 of 1 allocations were not judged \(--strict\)$'
run "$PLUMB" check --model use.model leaked.c stored.c
expect_out_has "leaks have the same tail" '^1 leak in 2 units: 2 allocations, of them 1 judged, 1 only stored, 0 cut$'
expect_status "leaks are exit code 1" 1
run "$PLUMB" check --strict --model use.model leaked.c stored.c
expect_status "... whatever --strict says" 1
echo 'int x = ;' >bad.c
run "$PLUMB" check --model use.model leaked.c bad.c
expect_status "... and whatever failed" 1
run "$PLUMB" check --model use.model freed.c bad.c
expect_status "a unit that failed is exit code 3" 3
expect_err_has "... with the reason" 'note: exit code 3: 1 unit was left out$'
check "the last line says it all" [ "$(tail -n 1 .out)" = \
	'no leaks found in the 1 unit that was analysed: 1 allocation, judged; 1 unit could not be analysed' ]

# One in twenty may be cut.
many_freed()	# N
{
	for i in $(seq "$1"); do
		echo "void f$i(void) { char *p = malloc($i); use(p); free(p); }"
	done
}
program twenty "extern void (*hook)(void *);
void f(void) { char *p = malloc(4); if (p) hook(p); }
$(many_freed 19)"
run "$PLUMB" check --model use.model twenty.c
expect_out "one of twenty" 'no leaks found: 20 allocations, of them 19 judged, 0 only stored, 1 cut'
expect_status "... is not too many" 0
program nineteen "extern void (*hook)(void *);
void f(void) { char *p = malloc(4); if (p) hook(p); }
$(many_freed 18)"
run "$PLUMB" check --model use.model nineteen.c
expect_status "one of nineteen is" 3
expect_err_has "... which is the reason" 'note: exit code 3: 1 of 19 allocations were cut, more than one in twenty$'
run "$PLUMB" check --model use.model nineteen.c bad.c
expect_err_has "two reasons" 'note: exit code 3: 1 unit was left out, and 1 of 19 allocations were cut, more than one in twenty$'

run "$PLUMB" fix --model use.model freed.c
expect_err_has "plumb fix: nothing to do, and why" 'nothing to fix: no leak found: 1 allocation, judged$'
expect_status "... is exit code 0" 0
run "$PLUMB" fix --model use.model nineteen.c
expect_err_has "plumb fix says what was not judged" 'nothing to fix: no leak found: 19 allocations, of them 18 judged, 0 only stored, 1 cut$'
expect_status "... and is partial, too" 3

for f in json sarif html; do
	"$PLUMB" check --format $f -o stored.$f stored.c
done
check "SARIF has it as a property" python3 -c '
import json
r = json.load(open("stored.sarif"))["runs"][0]
assert r["properties"]["coverage"]["stored"] == 1
assert any("1 only stored" in n["message"]["text"] for n in r["invocations"][0]["toolExecutionNotifications"])'
check "the page does not say that there are no leaks" bash -c \
	'grep -q "<h1[^>]*>no leaks in what was judged<" stored.html && grep -q "1 only stored" stored.html'
run "$PLUMB" report stored.json -o page.html
check "nor does that of plumb report" bash -c \
	'grep -q "<h1[^>]*>no leaks in what was judged<" page.html && grep -q "1 only stored" page.html'

# ---- who it was ----

run "$PLUMB" check --verbose stored.c
expect_err_has "--verbose lists what is only stored, and where" \
	'^plumb: stored\.c:6: allocation in put\(\): only stored, at stored\.c:6 in put\(\)$'
run "$PLUMB" dump coverage owned.c
expect_out "plumb dump lists all" 'owned.c:9: allocation in add(): judged: stored, and released from there, at owned.c:16 in drop()
owned.c:11: allocation in add(): judged: stored, and released from there, at owned.c:16 in drop()'

# ---- what is not C ----

echo 'int f(void) { return 1; }' >c.c
echo 'int g();' >cpp.cc
: >start.S
echo '#define X' >pre.h
cat >compile_commands.json <<END
[ { "directory": "$PWD", "file": "c.c", "command": "cc -c c.c" },
  { "directory": "$PWD", "file": "cpp.cc", "command": "c++ -c cpp.cc" },
  { "directory": "$PWD", "file": "pre.h", "command": "c++ -x c++-header pre.h" },
  { "directory": "$PWD", "file": "start.S", "command": "cc -c start.S" },
  { "directory": "$PWD", "file": "old.f90", "command": "gfortran -c old.f90" } ]
END
run "$PLUMB" check -p . --verbose
expect_out "what is not C is counted" 'no leaks found: there is no allocation; 3 units are not C'
expect_status "... and no failure" 0
expect_err_has "... and named" '^plumb: cpp\.cc is not C, and is left out$'
run "$PLUMB" check -p . --format json
expect_out_has "... in JSON, too" '"start.S"'
