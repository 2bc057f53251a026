# scan.sh - many programs: lists, builds, limits, results, the database; killed at any moment, nothing is lost
# and nothing is done twice.
. "$ROOT/tests/lib.sh"

leaky='#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	char *p = malloc(3);

	if (!p || argc > 2)
		return 1;
	for (int i = 0; i < argc; i++) {
		char *q = malloc(9);

		if (!q)
			continue;
		*q = *argv[i];
		if (*q == 120)
			continue;
		putchar(*q);
		free(q);
	}
	free(p);
	return 0;
}'

project()	# NAME BUILD-RULE
{
	mkdir -p "$1" && printf '%s\n' "$leaky" >"$1/a.c" && printf 'all:\n\t%s\n' "$2" >"$1/Makefile"
}

query()
{
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True).execute(sys.argv[2]):
    print("|".join(str(x) for x in row))' "$1/scan.db" "$2"
}

# ---- one of each kind ----

project byhand 'gcc -o prog a.c'
project broken 'exit 3'
project tried 'mkdir meson-private && cc -o meson-private/sanitycheckc.exe a.c && exit 3'
project twice 'cc -c a.c && cc -o one a.o && cc -o two a.o'
project spoilt 'cc -o prog a.c' && mkdir spoilt/debian && printf '%%:\n\trm a.c && exit 3\n' >spoilt/debian/rules
mkdir nothing && echo hello >nothing/README
mkdir withcmake && printf '%s\n' "$leaky" >withcmake/a.c &&
	printf 'cmake_minimum_required(VERSION 3.10)\nproject(x C)\nadd_executable(x a.c)\n' >withcmake/CMakeLists.txt
mkdir configured && printf '%s\n' "$leaky" >configured/a.c &&
	printf '#!/bin/sh\nprintf "all:\\n\\t${CC:-cc} -o prog a.c\\n" >Makefile\n' >configured/configure
mkdir objects && printf '%s\n' "$leaky" >objects/a.c && printf 'all:\n\tcc -c a.c\n' >objects/Makefile
git init -q repo && project repo 'cc -o prog a.c' && git -C repo add . &&
	git -C repo -c user.name=x -c user.email=x@y commit -qm one && git -C repo tag v1 &&
	echo 'int broken(' >>repo/a.c && git -C repo -c user.name=x -c user.email=x@y commit -qam two
cp -r byhand before

cat >list <<END
# all kinds
./byhand
./broken	# cannot be built
./twice
./tried
./spoilt

folder ./nothing
./withcmake
./configured
./objects
git $PWD/repo v1 name=tagged
git $PWD/repo name=newest
git $PWD/repo v9 name=missing
END
run "$PLUMB" scan -o out -j 2 --cost-units 5 list
expect_status "some cannot be analysed: exit code 1" 1
for name in byhand twice spoilt withcmake configured objects tagged; do
	check "$name: its leak is found" [ "$(query out "SELECT count(*) FROM finding WHERE name = '$name'")" -eq 1 ]
	check "$name: and is fixed" [ "$(query out "SELECT count(*) FROM finding WHERE name = '$name' AND fix = 'available'")" -eq 1 ]
done
check "the sources are as they were" diff -r before byhand
check "of programs with the same units one is analysed" [ "$(query out "SELECT programs FROM entry WHERE name = 'twice'")" = 1 ]
check "lines are counted" [ "$(query out "SELECT lines FROM entry WHERE name = 'byhand'")" -eq "$(wc -l <byhand/a.c)" ]
check "the cost is compared" [ "$(query out "SELECT cpu_check > 0 AND cpu_fix > 0 AND cpu_compile > 0 FROM entry WHERE name = 'byhand'")" = 1 ]
check "broken: why" [ "$(query out "SELECT why FROM entry WHERE name = 'broken'")" = "nothing was built" ]
check "... its step, and what it said" [ "$(query out "SELECT ended, code FROM trouble WHERE name = 'broken'")" = "failed|2" ]
check "... and its log" grep -q 'exit 3' out/logs/broken.log
check "tried: what a build system compiles to try the compiler is no program" \
	[ "$(query out "SELECT why FROM entry WHERE name = 'tried'")" = "nothing was built" ]
check "nothing: why" [ "$(query out "SELECT why LIKE 'no build system%' FROM entry WHERE name = 'nothing'")" = 1 ]
check "missing: why" [ "$(query out "SELECT why FROM entry WHERE name = 'missing'")" = "the repository has no revision v9" ]
check "newest: does not compile" [ "$(query out "SELECT why FROM entry WHERE name = 'newest'")" = "nothing was built" ]
check "tagged: its commit" [ "$(query out "SELECT version FROM entry WHERE name = 'tagged'")" = "$(git -C repo rev-parse v1)" ]
check "builds are removed" [ -z "$(ls out/work)" ]
run "$PLUMB" scan -o out --table
expect_status "--table" 0
expect_out_has "... has a line for each" '^byhand .* 2/ *2 '
expect_out_has "... with the trouble" '^broken .*nothing was built'

stat -c '%n %Y %i' out/results/* >results.before
run "$PLUMB" scan -o out list
expect_status "once more" 1
stat -c '%n %Y %i' out/results/* >results.now
check "... does nothing again" cmp results.before results.now
query out "SELECT * FROM finding ORDER BY 1, 2" >findings.before
rm out/scan.db
run "$PLUMB" scan -o out list
query out "SELECT * FROM finding ORDER BY 1, 2" >findings.now
check "the database is made again of the results" cmp findings.before findings.now
sed -i 's/ v1 name=tagged/ v9 name=tagged/' list
run "$PLUMB" scan -o out list
check "another version in the list is another entry" [ "$(query out "SELECT why FROM entry WHERE name = 'tagged'")" = "the repository has no revision v9" ]
check "... whose findings are gone" [ "$(query out "SELECT count(*) FROM finding WHERE name = 'tagged'")" -eq 0 ]

# ---- one job, as make or a cluster runs it ----

run "$PLUMB" scan -o alone --no-fix --job "folder $PWD/byhand name=x.y"
expect_status "--job" 0
check "... writes the result" [ "$(jq -r '"\(.schema) \(.name) \(.findings | length)"' alone/results/x.y.json)" = "plumb-scan/1 x.y 1" ]
check "... --no-fix: has no fixes" jq -e '[.findings[] | has("fix")] | any | not' alone/results/x.y.json
check "... no database" [ ! -e alone/scan.db ]
run "$PLUMB" scan -o alone --job "folder $PWD/byhand name=model" -- --low-nonsense
check "options that plumb check does not know: a result says so" \
	[ "$(jq -r '.why' alone/results/model.json)" = "nothing could be analysed" ]

# ---- limits ----

project slow 'sleep 61 & sleep 62'
project greedy 'python3 -c "import time; x = bytearray(400 << 20); time.sleep(63)"'
project behind 'cc -o prog a.c; (setsid sleep 64 >/dev/null 2>&1 &)'
printf '%s\n' ./slow ./greedy ./behind >limits
run "$PLUMB" scan -o lim -j 3 --time-limit 8 --memory-limit 300M --no-fix limits
expect_status "limits" 1
check "a build that takes too long" [ "$(query lim "SELECT step, ended FROM trouble WHERE name = 'slow'")" = "build|time-out" ]
check "a build that takes too much memory" [ "$(query lim "SELECT step, ended FROM trouble WHERE name = 'greedy'")" = "build|out of memory" ]
check "what a build leaves in the background is ended, and does no harm" [ "$(query lim "SELECT count(*) FROM finding WHERE name = 'behind'")" -eq 1 ]
check "nothing of them runs" [ -z "$(pgrep -f '^sleep 6[124]$|time.sleep\(63\)')" ]

# ---- killed ----

: >many
for i in 1 2 3 4 5 6; do
	project "p$i" 'sleep 0.5; cc -o prog a.c; sleep 0.5'
	echo "./p$i" >>many
done
"$PLUMB" scan -o kill -j 2 --no-fix many >/dev/null 2>&1 &
driver=$!
sleep 1.2
kill -9 $driver
wait $driver 2>/dev/null
"$PLUMB" scan -o kill -j 2 --no-fix many >/dev/null 2>&1 &
driver=$!
for i in $(seq 100); do
	job=$(pgrep -P $driver -f -- --job | head -n 1)
	[ -z "$job" ] || break
	sleep 0.05
done
check "a job is there to be killed" [ -n "$job" ]
kill -9 $job
sleep 0.3
kill -9 $driver
wait $driver 2>/dev/null
run "$PLUMB" scan -o kill -j 2 --no-fix many
expect_status "the driver killed twice, a job once: done in the end" 0
check "... all of it" [ "$(query kill "SELECT count(*) FROM entry WHERE why IS NULL")" -eq 6 ]
check "... and once" [ "$(query kill "SELECT count(*) FROM finding")" -eq 6 ]
check "nothing is left in its folder" [ -z "$(ls kill/work)" ]

project dies 'kill -9 $$(cat /proc/$$PPID/stat | cut -d" " -f4)'
echo ./dies >dying
run "$PLUMB" scan -o dies.out --no-fix dying
expect_status "a job that is always killed" 1
check "... has a result that says so" [ "$(query dies.out "SELECT why LIKE 'the job left no result, 2 times: killed by signal 9%' FROM entry")" = 1 ]

"$PLUMB" scan -o term -j 1 --no-fix many >/dev/null 2>term.err &
driver=$!
sleep 1
kill -TERM $driver
wait $driver
check "SIGTERM: exit code 2" [ $? -eq 2 ]
check "... says how to go on" grep -q 'the same command continues from there' term.err
check "... nothing runs" [ -z "$(pgrep -f "$PWD/term/work")" ]

# ---- what is wrong ----

bad_list()	# WHAT TEXT PATTERN
{
	printf '%s\n' "$2" >bad
	run "$PLUMB" scan -o bad.out bad
	expect_status "$1: exit code 2" 2
	expect_err_has "... in one line" "$3"
	expect_one_line "... alone"
}

bad_list "a name that leads elsewhere" 'folder ./byhand name=../x' 'bad:1: .*cannot be the name of a file'
bad_list "an option for a source" 'git --upload-pack=touch' 'would be taken for an option'
bad_list "a name twice" "./byhand
$PWD/byhand" 'bad:2: .byhand. is also the name of line 1'
bad_list "too many words" 'debian a b c' 'one word too many'
run "$PLUMB" scan -o bad.out nosuchlist
expect_status "no list: exit code 2" 2
expect_one_line "... in one line"
mkdir lock && echo ./byhand >one
flock lock/lock sleep 65 &
holder=$!
for i in $(seq 100); do
	flock -n lock/lock true || break
	sleep 0.05
done
run "$PLUMB" scan -o lock one
expect_status "another scan in the folder: exit code 2" 2
expect_err_has "... which is said" 'another scan works in this folder'
pkill -P $holder sleep
wait $holder 2>/dev/null
echo garbage >out/scan.db
run "$PLUMB" scan -o out list
expect_status "a damaged database: exit code 2" 2
expect_err_has "... says what to do" 'scan\.db: .*remove it'
echo '{' >alone/results/byhand.json
printf '%s\n' ./byhand >one
run "$PLUMB" scan -o alone --no-fix one
expect_status "a damaged result is made again" 0

# ---- a source package without its Debian part ----

mkdir dl fake && tar -czf dl/half_1.orig.tar.gz --transform 's,^byhand,half-1,' byhand
sum=$(md5sum <dl/half_1.orig.tar.gz | cut -d' ' -f1) size=$(stat -c %s dl/half_1.orig.tar.gz)
cat >dl/half_1-1.dsc <<END
Format: 3.0 (quilt)
Source: half
Version: 1-1
Files:
 $sum $size half_1.orig.tar.gz
 00000000000000000000000000000000 100 half_1-1.debian.tar.xz
END
printf '#!/bin/sh\ncp "%s"/dl/* .\nexit 100\n' "$PWD" >fake/apt-get && chmod +x fake/apt-get
echo 'debian half 1-1' >half
PATH=$PWD/fake:$PATH run "$PLUMB" scan -o half.out --no-fix half
expect_status "a source package without its Debian part" 0
check "... is upstream's alone" [ "$(query half.out 'SELECT version FROM entry')" = "1-1 (upstream's part)" ]
check "... and analysed" [ "$(query half.out 'SELECT count(*) > 0 FROM finding')" = 1 ]

# ---- what a source package wants to be there: all of it or, where apt cannot have that, what there is ----

cp -r byhand wants && mkdir wants/debian && printf '%%:\n\tcc -o prog a.c\n' >wants/debian/rules
printf 'Source: wants\nBuild-Depends: x\n\nPackage: wants\nArchitecture: any\n' >wants/debian/control
tar -czf dl/wants_1.orig.tar.gz wants
sum=$(md5sum <dl/wants_1.orig.tar.gz | cut -d' ' -f1) size=$(stat -c %s dl/wants_1.orig.tar.gz)
sed "s/half/wants/; s/^ [0-9a-f]* [0-9]* wants_1.orig/ $sum $size wants_1.orig/" dl/half_1-1.dsc >dl/wants_1-1.dsc
rm dl/half*
cat >fake/apt-get <<END
#!/bin/sh
for last; do :; done
case "\$*" in
*' source '*) cp "$PWD"/dl/* . ;;
*' build-dep '*) echo all >>"$PWD/asked"; exit 100 ;;
*' install '*) echo "\$last" >>"$PWD/asked"; [ "\$last" != gone ] || exit 100 ;;
esac
END
printf '#!/bin/sh\necho configure >>"%s/asked"\n' "$PWD" >fake/dpkg && chmod +x fake/dpkg

build_wanting()	# TEXT: what is missing
{
	printf '#!/bin/sh\n%s\n' "${1:+echo 'dpkg-checkbuilddeps: error: Unmet build dependencies: $1' >&2; exit 1}" >fake/dpkg-checkbuilddeps
	chmod +x fake/dpkg-checkbuilddeps
	rm -f asked
	echo 'debian wants 1-1' >wanted
	PATH=$PWD/fake:$PATH run "$PLUMB" scan -o wants.out --build-deps --again --no-fix wanted
}

build_wanting 'aa (>= 2) gone | other bb:native'
expect_status "some of what a package wants cannot be had: it is built all the same" 0
check "... with the others" [ "$(tr '\n' ' ' <asked)" = "all configure aa gone other bb " ]
check "... which is said" [ "$(query wants.out "SELECT group_concat(ended) FROM step WHERE step = 'dependencies'")" = "failed,failed" ]
build_wanting ''
expect_status "all is there" 0
check "... apt is not asked" [ ! -e asked ]
