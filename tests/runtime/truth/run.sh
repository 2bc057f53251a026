#!/bin/bash
#
# run.sh TOP ORACLE PROGRAM - one program of the table below, watched by TOP/build/libplumb.so,
# under the oracle that build.sh has made in the folder ORACLE.
#
# Prints "PROGRAM SECONDS JUDGEMENTS SITES CLAIMS OVER RECALL WEIGHTED": seconds by the oracle's
# clock; sites with truly stale memory; statements of the library that were judged, on objects
# and on sites; how many of them say more than is true; the recall of objects, and Hound's
# weighted recall of sites.  Exits with 77 if the program is not installed, with 1 if its output
# is not what it is without us.
#
# Nobody here wrote these programs, and what they are given is ordinary: each builds something
# large, then works for a while on little of it or on something else, and allocates meanwhile
# (a program that neither allocates nor sleeps is not looked at).

top=$1 oracle=$2 name=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Each sets command, and writes what the command reads.

program_sqlite3()
{
	cat >s.sql <<'EOF'
create table t(a integer primary key, b, c);
with recursive n(x) as (select 1 union all select x + 1 from n where x < 30000) insert into t select x, x * 7919 % 10007, printf('%032d', x) from n;
create index i on t(b);
create table log(x);
with recursive n(x) as (select 1 union all select x + 1 from n where x < 100000) select count(*), sum(x % 13) from n;
select count(*) from t where a > 29000;
with recursive n(x) as (select 1 union all select x + 1 from n where x < 100000) select count(*), sum(x % 17) from n;
insert into log select a from t where a > 29000;
with recursive n(x) as (select 1 union all select x + 1 from n where x < 100000) select count(*), sum(x % 19) from n;
EOF
	command=(sqlite3 :memory: ".read s.sql")
}

program_perl()
{
	cat >p.pl <<'EOF'
my (%h, @list, $sum);
$h{"key $_"} = { name => "n$_", data => [1 .. 4] } for 1 .. 8000;
push @list, "line $_ of a text that is kept" for 1 .. 20000;
for my $r (1 .. 12) {
	for my $i (1 .. 8000) { my @w = map { "$_$r" } $i .. $i + 3; $sum += length(join(",", @w)) % 7; }
	$sum += $h{"key " . ($r % 50 + 1)}{data}[1];
}
print "$sum\n";
EOF
	command=(perl p.pl)
}

program_python3()
{
	cat >p.py <<'EOF'
import json
docs = [json.dumps({'id': i, 'name': 'n%d' % i, 'tags': ['a%d' % i, 'b']}) for i in range(6000)]
table = {d['id']: d for d in map(json.loads, docs)}
s = 0
for r in range(20):
    for i in range(10000):
        s += hash((i, r)) & 15
    s += len(table[r]['name'])
print(s)
EOF
	command=(/usr/bin/python3 p.py)
}

# The same with threads: each has a table, and leaves most of it alone.
program_threads()
{
	cat >p.py <<'EOF'
import json, sys, threading
sys.setswitchinterval(0.5)
def work(k):
    docs = [json.dumps({'id': i, 'name': 'n%d' % i, 'tags': ['a%d' % i, 'b']}) for i in range(2500)]
    table = {d['id']: d for d in map(json.loads, docs)}
    for r in range(20):
        sums[k] += sum(hash((i, r)) & 15 for i in range(4000)) + len(table[r]['name'])
sums = [0, 0]
all_ = [threading.Thread(target=work, args=(k,)) for k in range(2)]
[t.start() for t in all_]
[t.join() for t in all_]
print(sums)
EOF
	command=(/usr/bin/python3 p.py)
}

program_bash()
{
	cat >b.sh <<'EOF'
declare -A h
for ((i = 0; i < 4000; i++)); do h[key$i]="value number $i"; a[i]=$i$i$i; done
for ((r = 0; r < 12; r++)); do
	for ((i = 0; i < 2000; i++)); do s=$(( (s + i * r) % 1000 )); done
	t="${h[key$r]}"
done
echo $s $t
EOF
	command=(bash --norc b.sh)
}

program_jq()
{
	awk 'BEGIN { printf "["; for (i = 0; i < 6000; i++) printf "%s{\"id\": %d, \"name\": \"n%d\", \"tags\": [\"a%d\", \"b\"]}", i ? "," : "", i, i, i; print "]" }' >d.json
	command=(jq '. as $d | [range(0; 12)] | map(. as $r | reduce range(0; 2500) as $i (0; . + (($i * $r) % 7)) + ($d[$r].name | length)) | add' d.json)
}

program_make()
{
	awk 'BEGIN { print "all: t0"; for (i = 0; i < 2000; i++) printf "V%d = value $(X%d) of %d\nt%d: t%d\n\t@true $(V%d)\n", i, i, i, i, i + 1, i; print "t2000:" }' >d.mk
	command=(make -n -f d.mk)
}

program_vim()
{
	awk 'BEGIN { for (i = 0; i < 4000; i++) print "line " i " of a text, which has some words " i * 7919 % 1009 }' >d.txt
	command=(vim -u NONE -i NONE -n -es d.txt -c 'for i in range(300) | exe "%s/" . i . "7/x&/ge" | endfor' -c '%print' -c q!)
}

program_tclsh()
{
	cat >t.tcl <<'EOF'
for {set i 0} {$i < 8000} {incr i} { set h(key$i) [list $i name$i [string repeat x 20]] }
proc work {r} { set s 0; for {set i 0} {$i < 6000} {incr i} { incr s [string length [join [list $i $r x] ,]] }; return $s }
set sum 0
for {set r 0} {$r < 12} {incr r} { incr sum [work $r]; incr sum [llength $h(key$r)] }
puts $sum
EOF
	command=(tclsh t.tcl)
}

program_git()
{
	awk 'BEGIN { for (r = 1; r <= 3000; r++) { printf "commit refs/heads/x\nmark :%d\ncommitter A <a@b> %d +0000\ndata 20\ncommit number %06d\n", r, 1700000000 + r, r; for (f = 0; f < 3; f++) { s = ""; for (i = 0; i < 20; i++) s = s "line " (i * f + (i == r % 20) * r) "\n"; printf "M 100644 inline f%d\ndata %d\n%s", (r * 7 + f) % 50, length(s), s } } }' >stream
	git init -q repository && git -C repository fast-import --quiet <stream && git -C repository gc -q
	command=(git -C repository --no-pager log --stat refs/heads/x)
}

programs="sqlite3 perl python3 threads bash jq make vim tclsh git"
if [ -z "$name" ]; then
	echo "$programs"
	exit
fi
type -t "program_$name" >/dev/null || exit 1
"program_$name"
path=$(command -v "${command[0]}") || exit 77

plain=(env -i PATH="$PATH" HOME="$work" LC_ALL=C PYTHONMALLOC=malloc PYTHONHASHSEED=0 PERL_HASH_SEED=0)
"${plain[@]}" "$path" "${command[@]:1}" >plain 2>&1
if setarch -R true 2>/dev/null; then	# the same addresses each time
	plain=(setarch -R "${plain[@]}")
fi
"${plain[@]}" VALGRIND_LAUNCHER=/usr/bin/valgrind VALGRIND_LIB="$oracle" \
	LD_PRELOAD="$oracle/truth.so:$top/build/libplumb.so" PLUMB_DEPTH=5 PLUMB_RUN_FILE="$work/run" \
	"$oracle/truth-amd64-linux" --tool=truth --log-file="$work/log" --vgdb=no -q \
	"$path" "${command[@]:1}" >watched 2>&1
cmp -s plain watched || { echo "$name: other output" >&2; exit 1; }
awk -v name="$name" '/^truth: / { seen = 1; print name, $3, $5, $15, $7 + $11, $9 + $13, $17, $19 } END { exit !seen }' log
