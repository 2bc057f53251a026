# shellcheck shell=bash
#
# programs.sh - the programs that we measure on: how each is got and built.
#
# For a program P:
#
#	source_P	the Debian source package, if it is called otherwise
#	needs_P		packages that its build needs
#	configure_P	prepares the tree; $CC is the compiler (maybe two words)
#	make_P		runs "$@", a make command, as often as needed
#
# Both functions run in the top folder of a fresh copy of the source.  They leave
# out documentation and translations, which cost time and hold no C, and choose
# what Debian chooses where it matters (wget uses GnuTLS; bash, the C library's
# malloc).  The compiler flags are each program's own default.

PROGRAMS=(wget bash make tmux sqlite3 xinetd icecast2 vim git
	lighttpd jq curl openssh nano zsh libxml2)

# The six on which the front end must not fail.
FRONT_PROGRAMS=(wget bash make tmux sqlite3 xinetd)

# shellcheck disable=SC2034
{
source_make=make-dfsg

needs_wget="pkg-config libgnutls28-dev libidn2-dev libpsl-dev libpcre2-dev uuid-dev zlib1g-dev"
needs_bash="bison libncurses-dev"
needs_make="pkg-config autoconf automake autopoint"
needs_tmux="bison pkg-config libevent-dev libncurses-dev libutempter-dev"
needs_sqlite3="tcl8.6"
needs_xinetd="pkg-config libwrap0-dev libselinux1-dev"
needs_icecast2="pkg-config libogg-dev libvorbis-dev libtheora-dev libspeex-dev libxml2-dev
	libxslt1-dev libcurl4-openssl-dev libssl-dev"
needs_vim="libncurses-dev libacl1-dev"
needs_git="zlib1g-dev libpcre2-dev"
needs_lighttpd="pkg-config autoconf automake libtool zlib1g-dev libpcre2-dev"
needs_jq="bison flex autoconf automake libtool libonig-dev"
needs_curl="pkg-config autoconf automake libtool zlib1g-dev libssl-dev libnghttp2-dev libidn2-dev"
needs_openssh="pkg-config autoconf automake zlib1g-dev libssl-dev"
needs_nano="pkg-config libncurses-dev"
needs_zsh="autoconf libncurses-dev libpcre3-dev"
needs_libxml2="pkg-config autoconf automake libtool zlib1g-dev liblzma-dev"
}

# A configure that comes with the source, or is made where it does not.  Debian's patches
# may have touched what it is made from; the tools that would make it again are not wanted.
run_configure()
{
	[ -x configure ] || autoreconf -fi || return
	./configure CC="$CC" "$@"
}

no_autotools=(AUTOCONF=: AUTOMAKE=: AUTOHEADER=: ACLOCAL=: MAKEINFO=:)

configure_wget()	{ run_configure --disable-nls --with-ssl=gnutls; }
make_wget()		{ "$@" "${no_autotools[@]}" -C lib && "$@" "${no_autotools[@]}" -C src; }

configure_bash()	{ run_configure --disable-nls --without-bash-malloc; }
# Its makefile removes the sources that it makes of builtins/*.def, and bear then
# leaves them out of the database.
make_bash()		{ "$@" RM=: bash; }

# Debian removes make's manual, which is not free, and with it the configure script.
configure_make()	{ autoreconf -fi && run_configure --disable-nls --without-guile; }
make_make()		{ "$@" "${no_autotools[@]}" -C lib && "$@" "${no_autotools[@]}" make; }

configure_tmux()	{ run_configure --enable-utempter; }
make_tmux()		{ "$@" "${no_autotools[@]}" tmux; }

configure_sqlite3()	{ run_configure --disable-tcl --disable-readline --enable-fts5; }
make_sqlite3()		{ "$@" sqlite3; }

configure_xinetd()	{ run_configure --with-libwrap --with-labeled-networking; }
make_xinetd()		{ "$@" "${no_autotools[@]}" xinetd; }

configure_icecast2()	{ run_configure; }
make_icecast2()		{ "$@" "${no_autotools[@]}" -C src; }

# What it would find by chance is named, so that both builds are of one program
# whatever is installed between them.
configure_vim()		{ run_configure --disable-nls --enable-gui=no --without-x --with-features=huge \
				--disable-selinux --disable-gpm --disable-canberra --disable-libsodium; }
make_vim()		{ "$@" -C src vim; }

configure_git()		{ :; }
make_git()		{ "$@" CC="$CC" NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 NO_CURL=1 \
				NO_EXPAT=1 USE_LIBPCRE2=1 git; }

# Each as one program, with its own libraries and modules linked in.
configure_lighttpd()	{ run_configure --with-zlib --with-pcre2 --without-bzip2; }
make_lighttpd()		{ "$@" "${no_autotools[@]}" -C src versionstamp && "$@" "${no_autotools[@]}" -C src lighttpd; }

configure_jq()		{ run_configure --disable-docs --disable-shared --enable-static; }
make_jq()		{ "$@" "${no_autotools[@]}" src/builtin.inc src/version.h && "$@" "${no_autotools[@]}" jq; }

configure_curl()	{ run_configure --disable-shared --with-openssl --with-nghttp2 --with-libidn2 --disable-ldap \
				--without-libpsl --without-brotli --without-zstd --without-librtmp --without-libssh2 --disable-manual; }
make_curl()		{ "$@" "${no_autotools[@]}" -C lib && "$@" "${no_autotools[@]}" -C src; }

configure_openssh()	{ autoreconf -fi && run_configure --without-pam --without-selinux --without-security-key-builtin; }
make_openssh()		{ "$@" ssh; }

configure_nano()	{ run_configure --disable-nls --disable-libmagic; }
make_nano()		{ "$@" "${no_autotools[@]}" -C lib && "$@" "${no_autotools[@]}" -C src; }

configure_zsh()		{ run_configure --with-tcsetpgrp --disable-dynamic --disable-gdbm --disable-cap; }
make_zsh()		{ "$@" -C Src zsh; }

configure_libxml2()	{ run_configure --disable-shared --without-python --without-icu --with-lzma; }
make_libxml2()		{ "$@" "${no_autotools[@]}" xmllint; }

# What verdicts.sh checks: a name for it, the program, and the file that the build
# leaves in its tree.
JUDGED=(
	"wget		wget		src/wget"
	"bash		bash		bash"
	"make		make		make"
	"tmux		tmux		tmux"
	"sqlite3	sqlite3		.libs/sqlite3"
	"libsqlite3	sqlite3		.libs/libsqlite3.so"
	"xinetd		xinetd		xinetd/xinetd"
	"icecast2	icecast2	src/icecast"
)

# What engine-cost.sh and bench.py measure: the same, and programs without verdicts, in the order in which they
# are measured.
MEASURED=(
	"make		make		make"
	"wget		wget		src/wget"
	"icecast2	icecast2	src/icecast"
	"jq		jq		jq"
	"nano		nano		src/nano"
	"tmux		tmux		tmux"
	"sqlite3	sqlite3		.libs/sqlite3"
	"lighttpd	lighttpd	src/lighttpd"
	"bash		bash		bash"
	"zsh		zsh		Src/zsh"
	"libxml2	libxml2		xmllint"
	"openssh	openssh		ssh"
	"curl		curl		src/curl"
	"libsqlite3	sqlite3		.libs/libsqlite3.so"
	"vim		vim		src/vim"
	"git		git		git"
)

is_program()
{
	local p
	for p in "${PROGRAMS[@]}"; do
		[ "$p" = "$1" ] && return 0
	done
	return 1
}

# The Debian source package of program $1.
source_of()
{
	local v=source_$1
	echo "${!v:-$1}"
}

needs_of()
{
	local v=needs_$1
	echo "${!v:-}"
}
