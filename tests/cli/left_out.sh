# NOSAN: about the build
#
# What make does about packages: it says what it installs, and how, before it does; what cannot be had
# is left out with one line, and the rest is built.
. "$ROOT/tests/lib.sh"

# ---- tools/config.sh: a compiler that cannot find some headers ----

cat >cc <<'END'
#!/bin/bash
case "$*" in
*"- "* | *-) cat >in.$$; grep -qE "$HIDE" in.$$ && exit 1; exec gcc "$@" <in.$$ ;;
*) exec gcc "$@" ;;
esac
END
chmod +x cc
export CC="$PWD/cc"
run env HIDE=nothing "$ROOT/tools/config.sh" all.mk
expect_status "a machine that has all" 0
check "... nothing is left out" [ -z "$(grep 'left out' .err | grep -v valgrind)" ]
run env HIDE='z3.h|Zydis.h|clang-c/|pub_tool_' "$ROOT/tools/config.sh" some.mk
expect_status "without the headers of four parts there is a build" 0
for part in 'plumb fix.*libclang-[0-9]+-dev' 'SMT solver.*libz3-dev' 'plumb run --oblivious.*libzydis-dev' 'plumb train.*'; do
	expect_err_has "... one line for: $part" "^plumb: left out: .*$part"
done
check "... four lines" [ "$(wc -l <.err)" -eq 4 ]
for v in HAVE_LIBCLANG HAVE_Z3 HAVE_ZYDIS VG_INC; do
	check "... make knows: $v" grep -qx "$v := " some.mk
done
check "... LLVM is there" grep -q '^LLVM_LIBS := .*LLVM' some.mk
cp .err before
run env HIDE='z3.h|Zydis.h|clang-c/|pub_tool_' "$ROOT/tools/config.sh" some.mk
check "the next make says so again, without asking" cmp -s before .err
run env HIDE=nothing LLVM=3 "$ROOT/tools/config.sh" none.mk
expect_status "without LLVM there is no build" 1
expect_one_line "... and one line says why"
unset CC

# What stands for libclang has all that is asked for.
gcc -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$ROOT/src" -I"$ROOT/build/gen" -c -o none.o "$ROOT/src/edit/clang_none.c"
check "clang_none.c compiles" [ -s none.o ]
names() { nm "$@" | sed -n 's/.* [TBD] //p' | sort -u; }
real="$ROOT/build/obj/src/edit/clang.o $ROOT/build/obj/src/edit/edit_ast.o $ROOT/build/obj/src/edit/edit_call.o"
if [ -e "$ROOT/build/obj/src/edit/clang.o" ]; then
	# shellcheck disable=SC2086
	names $real >has
	find "$ROOT/build/obj/src" -name '*.o' ! -name clang.o ! -name edit_ast.o ! -name edit_call.o -exec nm -u {} + |
		sed -n 's/^ *U //p' | sort -u | comm -12 - has >wanted
	names none.o >stands
	check "something is wanted of libclang's files" [ -s wanted ]
	check "... and is in clang_none.c" [ -z "$(comm -23 wanted stands)" ]
	check "... which has nothing else" [ -z "$(comm -13 wanted stands)" ]
fi

# ---- tools/deps.sh: on a machine of shell scripts ----

mkdir stub
cat >stub/dpkg-query <<'END'
#!/bin/bash
shift 2
for p in "$@"; do
	[[ " $MISSING " == *" $p "* && ! -e installed ]] || echo "ii $p"
done
END
cat >stub/apt-cache <<'END'
#!/bin/bash
[[ " $ABSENT " == *" $2 "* ]] || printf '%s:\n  Candidate: 1\n' "$2"
END
cat >stub/apt-get <<'END'
#!/bin/bash
echo "$*" >>apt.log
[[ "$*" != *install* ]] || { [ ! -e broken ] || { echo 'E: broken'; exit 100; }; touch installed; echo 'Need to get 3 kB of archives.'; }
echo 'dlstatus:1:50.0:Retrieving file 1'
echo 'pmstatus:jq:90.0:Installing jq'
END
cat >stub/id <<'END'
#!/bin/sh
echo "$FAKE_UID"
END
chmod +x stub/*
deps() { run env PATH="$PWD/stub:$PATH" FAKE_UID=0 MISSING="$missing" ABSENT="$absent" "$@"; }

missing= absent=
deps "$ROOT/tools/deps.sh" build test
expect_status "all is there" 0
check "... nothing is said or done" [ ! -s .err -a ! -e apt.log ]
missing="jq libz3-dev"
deps "$ROOT/tools/deps.sh" -n build test
expect_status "-n: something is missing" 1
expect_out "... and named" "libz3-dev jq"
check "... nothing is done" [ ! -e apt.log ]
deps "$ROOT/tools/deps.sh" build test
expect_status "it is installed" 0
expect_err_has "what is installed is said, and how" '^plumb: installing, as root, with apt-get: libz3-dev jq$'
check "... before it is done, and progress after" [ "$(grep -n -m1 'installing' .err | cut -d: -f1)" -lt "$(grep -n '90 %  Installing jq' .err | tail -n 1 | cut -d: -f1)" ]
expect_err_has "... how much it is" 'Need to get 3 kB'
check "... with apt-get" grep -q 'install --no-install-recommends libz3-dev jq$' apt.log

rm -f installed apt.log
absent=libz3-dev
deps "$ROOT/tools/deps.sh" build test
expect_status "what the archive does not have is done without" 0
expect_err_has "... and named" '^plumb: not in the archive of this system: libz3-dev$'
check "... the rest is installed" grep -q 'install --no-install-recommends jq$' apt.log
rm -f apt.log
deps "$ROOT/tools/deps.sh" build test
check "... and nobody asks for it at each make" [ "$status" -eq 0 -a ! -s .err -a ! -e apt.log ]

rm -rf installed apt.log build
absent=
touch broken
deps timeout 60 "$ROOT/tools/deps.sh" build test
expect_status "what cannot be installed" 1
expect_err_has "... is an error, with what apt-get said" '^E: broken'
expect_err_has "... and the command to try" 'try: apt-get install --no-install-recommends libz3-dev jq'
rm -f broken apt.log

cat >stub/sudo <<'END'
#!/bin/sh
exit 1
END
chmod +x stub/sudo
deps env FAKE_UID=1000 "$ROOT/tools/deps.sh" build test
expect_err_has "who may not install gets the command" 'as root run: apt-get install --no-install-recommends libz3-dev jq'
check "... and nothing is tried" [ ! -e apt.log ]
expect_status "... and the build, if it can go without" 0
