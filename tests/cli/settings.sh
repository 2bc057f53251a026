# settings.sh - whose settings count: the project's, the user's own, the environment, the command line; and whose cache.
. "$ROOT/tests/lib.sh"

top=$PWD
mkdir -p home/.config/plumb project/sub
export HOME="$top/home"
unset XDG_CONFIG_HOME SUDO_UID GIT_CEILING_DIRECTORIES GIT_DISCOVERY_ACROSS_FILESYSTEM
own=$HOME/.config/plumb/config
conf=$top/project/.plumb.conf
echo 'int f(void) { return 0; }' >project/a.c
cp project/a.c project/sub/b.c

# A clang that says that it ran.
for who in project user env command; do
	printf '#!/bin/sh\necho %s >"%s/ran"\nexec clang-19 "$@"\n' $who "$top" >$who.sh
	chmod +x $who.sh
done
cd project || exit 1

check_a()	# [OPTION...]
{
	rm -f "$top/ran"
	run "$PLUMB" check --no-cache "$@" a.c
}

ran()	# WHAT WHO: whose clang was it?
{
	[ "$(cat "$top/ran" 2>/dev/null)" = "$2" ]
	verdict "$1"
}

# ---- order ----

echo 'format = json' >.plumb.conf
check_a
expect_out_has "a project's setting" '"schema": "plumb-findings/1"'
printf 'format = sarif\nclang = %s/user.sh\n' "$top" >"$own"
check_a
expect_out_has "the user's own one overrides it" '"version": "2.1.0"'
ran "... and may name a program" user
export XDG_CONFIG_HOME="$top/xdg"
mkdir -p xdg "$top/xdg/plumb"
echo 'format = text' >"$top/xdg/plumb/config"
check_a
expect_out_has "\$XDG_CONFIG_HOME is where it is, if set" '^no leaks found'
XDG_CONFIG_HOME=relative check_a
expect_out_has "... to a whole path" '"version": "2.1.0"'
unset XDG_CONFIG_HOME
PLUMB_FORMAT=text PLUMB_CLANG=$top/env.sh check_a
expect_out_has "the environment overrides the user's own settings" '^no leaks found'
ran "... for programs, too" env
PLUMB_FORMAT=sarif PLUMB_CLANG=$top/env.sh check_a --format text --clang "$top/command.sh"
expect_out_has "the command line overrides all" '^no leaks found'
ran "... for programs, too" command
echo 'modle = x' >"$own"
check_a
expect_status "a misspelt setting of the user's own: exit code 2" 2
expect_err_has "... is named with file and line" "home/\.config/plumb/config:1: unknown setting 'modle'"
printf 'output = ~/out.json\nformat = json\n' >"$own"
check_a
check "a user may set where outputs go; ~ is the home" [ -s "$HOME/out.json" ]
rm "$own" "$HOME/out.json"

# ---- what a project may not say ----

for line in "clang = ../project.sh" "cache-dir = made" "cache-limit = 1" "output = made" "safe-directory = *"; do
	key=${line%% *} variable=PLUMB_$(echo "${line%% *}" | tr a-z- A-Z_)
	printf '# a comment\n%s\n' "$line" >.plumb.conf
	for command in check fix report; do
		rm -f "$top/ran"
		run "$PLUMB" $command a.c
		expect_status "$key in a project's file, plumb $command: exit code 2" 2
		expect_one_line "... in one line"
		expect_err_has "... that names file, line and key" "project/\.plumb\.conf:2: \`$key\`"
		expect_err_has "... and says where to put it" "$own.*$variable.*--$key"
	done
	ran "$key in a project's file: nothing runs" ""
	check "$key in a project's file: nothing is written" [ ! -e made ]
done
for key in in-place export; do
	echo "$key = yes" >.plumb.conf
	check_a
	expect_err_has "$key is for the command line" "plumb\.conf:1: \`$key\`.* on the command line"
done

# ---- where it is found ----

echo 'format = json' >.plumb.conf
cd sub || exit 1
run "$PLUMB" check b.c
expect_out_has "in a folder above" '"schema"'
mkdir .git
run "$PLUMB" check b.c
expect_out_has "but not above the top of the project" '^no leaks'
cp ../.plumb.conf .
run "$PLUMB" check b.c
expect_out_has "which may have its own" '"schema"'
rm -r .git .plumb.conf
run env GIT_CEILING_DIRECTORIES="/nowhere:$top/project" "$PLUMB" check b.c
expect_out_has "nor in a folder of GIT_CEILING_DIRECTORIES" '^no leaks'
run env GIT_CEILING_DIRECTORIES="$top" "$PLUMB" check b.c
expect_out_has "which does not stop below it" '"schema"'
cd .. || exit 1
mounted='mount -t tmpfs none sub && cp a.c sub/b.c && cd sub && exec "$@" check b.c'
if unshare -m sh -c 'mount -t tmpfs none sub' 2>/dev/null; then
	run unshare -m sh -c "$mounted" - "$PLUMB"
	expect_out_has "nor in another file system" '^no leaks'
	run unshare -m sh -c "$mounted" - env GIT_DISCOVERY_ACROSS_FILESYSTEM=1 "$PLUMB"
	expect_out_has "unless git would" '"schema"'
else
	skip "nor in another file system" "no file system can be mounted here"
fi

# ---- what kind of file it is ----

ignored()	# WHAT WHY
{
	run timeout 20 "$PLUMB" check --no-cache a.c
	expect_status "$1: the check goes on" 0
	expect_out_has "... without its settings" '^no leaks found'
	expect_one_line "... and says so in one line"
	expect_err_has "... that names it" "project.*$2"
}

mv .plumb.conf ../elsewhere
ln -s ../elsewhere .plumb.conf
ignored "a symbolic link" 'is a symbolic link: ignored'
rm .plumb.conf && ln -s "$HOME/.ssh/id_rsa" .plumb.conf
ignored "a symbolic link to nothing" 'is a symbolic link: ignored'
rm .plumb.conf && mkfifo .plumb.conf
ignored "a pipe" 'is not a regular file: ignored'
rm .plumb.conf && mkdir .plumb.conf
ignored "a folder" 'is not a regular file: ignored'
rmdir .plumb.conf
printf 'format = json\0\n' >.plumb.conf
check_a
expect_err_has "a file that is no text" 'plumb\.conf: not a text file'
truncate -s 3G .plumb.conf
check_a
expect_err_has "a file without end" 'plumb\.conf: too large for settings'
cp ../elsewhere .plumb.conf

# ---- whose it is ----

echo 'format = sarif' >"$own"
chmod 666 "$own"
mv .plumb.conf aside
check_a
expect_out_has "settings of my own that others can write to do not count" '^no leaks found'
expect_err_has "... and that is said" "others can write to $own: ignored"
rm "$own"
mv aside .plumb.conf

if [ "$(id -u)" -eq 0 ]; then
	chown 12345 .plumb.conf
	ignored "another user's file" 'belongs to uid 12345: its settings are ignored .*safe-directory'
	echo 'clang = ../project.sh' >.plumb.conf
	ignored "what is wrong in it is not said" 'belongs to uid 12345'
	ran "... nor done" ""
	cp ../elsewhere .plumb.conf
	SUDO_UID=12345 check_a
	expect_out_has "sudo: the file of who called it counts" '"schema"'
	SUDO_UID=12346 check_a
	expect_out_has "sudo: but nobody else's" '^no leaks'
	chown 0 .plumb.conf
	chown 12345 .
	ignored "my own file in another user's folder" ' belongs to uid 12345'
	chown -R 12345 .

	allowed()	# WHAT
	{
		expect_out_has "safe-directory: $1" '"schema"'
		[ -z "$err" ]
		verdict "... and nothing is said"
	}
	echo "safe-directory = $top/project" >"$own"
	check_a
	allowed "in the user's own settings"
	run sh -c 'cd sub && exec "$0" check b.c' "$PLUMB"
	allowed "it is the folder of the file that is named"
	echo 'safe-directory = *' >"$own"
	check_a
	allowed "all of them"
	printf 'safe-directory = /nowhere\nsafe-directory = ~/../*\n' >"$own"
	check_a
	allowed "several lines, and all below a folder"
	printf 'safe-directory = %s/proj\nsafe-directory = %s/project/sub\nsafe-directory = %s/project/*\n' "$top" "$top" "$top" >"$own"
	ignored "other folders are allowed, not this one" 'belongs to uid 12345'
	rm "$own"
	PLUMB_SAFE_DIRECTORY=/nowhere:$top/project check_a
	allowed "in the environment"
	check_a --safe-directory .
	allowed "on the command line"
	check_a --safe-directory=/nowhere --safe-directory='*'
	allowed "on the command line, twice"
	echo 'clang = ../project.sh' >.plumb.conf
	check_a --safe-directory .
	expect_status "safe-directory: a program is still the user's to name" 2
	chown -R 0 .
	rm .plumb.conf
	echo 'format = sarif' >"$own"
	chown 12345 "$own"
	check_a
	expect_out_has "the user's own settings: not if they are another user's" '^no leaks found'
	expect_err_has "... and that is said" "$own belongs to uid 12345: ignored"
	rm "$own"
else
	skip "another user's file" "only root can make one"
fi
rm -f .plumb.conf

# ---- an option, or a file? ----

for name in -oa.c --clang=..a.c -v.c; do
	cp a.c ./"$name"
	rm -f "$top/ran"
	run "$PLUMB" check "$name" a.c
	expect_status "a file called $name is no option: exit code 2" 2
	expect_one_line "... in one line"
	expect_err_has "... that says how to name it" "a file here has that name: the file is ./$name\$"
	run "$PLUMB" check "./$name" a.c
	expect_status "... and so it is checked" 0
	rm ./"$name"
done
mkdir -p -- --clang=sub
printf '#!/bin/sh\necho project >"%s/ran"\n' "$top" >sub/x.c
chmod +x sub/x.c
cp a.c -- --clang=sub/x.c
run "$PLUMB" check --clang=sub/x.c a.c
expect_status "a file in a folder called --clang=sub is no option" 2
ran "... and nothing runs" ""
rm -r -- --clang=sub sub/x.c

# ---- the cache ----

cache=$top/own-cache
uses()	# WHAT yes|no [PATTERN of the reason]
{
	rm -f "$top/ran"
	for i in 1 2; do
		run "$PLUMB" check --cache-dir "$cache" --clang "$top/command.sh" a.c
		[ $i -eq 1 ] && rm -f "$top/ran"
	done
	if [ "$2" = yes ]; then
		ran "the cache, $1: used" ""
		[ -z "$err" ]
		verdict "... and nothing is said"
	else
		ran "the cache, $1: not used" command
		expect_status "... and the check goes on" 0
		expect_one_line "... and says so in one line"
		expect_err_has "... that names the folder" "cache is not used: $3"
	fi
}

uses "one that there was not" yes
check "it was made for its owner alone" [ "$(stat -c %a "$cache")" = 700 ]
find "$cache" -type f | sort >"$top/before"
chmod 777 "$cache"
uses "others can write to it" no "others can write to $cache"
chmod 1777 "$cache"
uses "others can write to it, though it is sticky" no "others can write to $cache"
chmod 755 "$cache"
uses "others can read it" yes
mkdir "$top/open" && mv "$cache" "$top/open/own-cache" && chmod 777 "$top/open"
cache=$top/open/own-cache
uses "others can put another one there" no "$cache lies in $top/open, which others can write to"
PLUMB_SAFE_DIRECTORY=$cache uses "... which the user trusts" yes
PLUMB_SAFE_DIRECTORY=$top uses "... another one is trusted" no "$cache lies in $top/open, .*safe-directory = $cache"
chmod 777 "$cache"
PLUMB_SAFE_DIRECTORY='*' uses "others can write to it, wherever it lies" no "others can write to $cache"
chmod 755 "$cache"
chmod 1777 "$top/open"
uses "in a sticky folder" yes
ln -s "$cache" "$top/link"
cache=$top/link
uses "a link to it" yes
chmod 777 "$top/open"
uses "a link to one in an open folder" no "$top/open/own-cache lies in"
chmod 755 "$top/open"
cache=$top/open/own-cache
if [ "$(id -u)" -eq 0 ]; then
	chown 12345 "$cache"
	uses "another user's" no "$cache belongs to uid 12345"
	chown 0 "$cache" && chown 12345 "$top/open"
	uses "in another user's folder" no "$cache lies in $top/open, which belongs to uid 12345"
	chown 0 "$top/open"
else
	skip "the cache, another user's" "only root can make one"
fi
find "$cache" -type f | sed "s,$top/open,$top," | sort >"$top/after"
check "nothing was added meanwhile" cmp "$top/before" "$top/after"
uses "mine again" yes
