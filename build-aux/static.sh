#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# static.sh SOURCE WORK: builds rooftop as one file, WORK/rooftop, which needs nothing of the system that it
# runs on but its kernel. The libraries in it are built with musl-gcc from Debian's source packages; it runs on a Debian system
# with musl-tools, dpkg-dev and libdrm-dev. What is in WORK already is taken as it is. CACHED may be "ccache ".
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
log=$work/static.log
# The terminals of people who log in from elsewhere; the system's own descriptions come first.
terminals=xterm,xterm-256color,xterm-color,linux,vt100,vt220,ansi,dumb,screen,screen-256color,tmux,tmux-256color,rxvt,rxvt-256color,\
rxvt-unicode-256color,putty,putty-256color,konsole-256color,vte-256color,gnome-256color,st-256color,alacritty,foot,xterm-kitty,\
iterm2,mintty,Eterm

say()
{
	echo "static: $*" >&2
}

die()
{
	say "$*"
	exit 1
}

# cannot REASON: status 77 is for what this system does not have
cannot()
{
	say "$*"
	exit 77
}

# quiet COMMAND...: its output is shown when it fails
quiet()
{
	"$@" > "$log" 2>&1 < /dev/null || { tail -n 30 "$log" >&2; die "that failed: $*"; }
}

for tool in musl-gcc apt-get dpkg-source infocmp tic make pkg-config; do
	command -v "$tool" > /dev/null || cannot "there is no $tool here: ./bootstrap deps musl-tools dpkg-dev ncurses-bin make pkg-config libdrm-dev"
done
pkg-config --exists libdrm || cannot "libdrm's headers are not here: ./bootstrap deps libdrm-dev"

# The lists of sources are apt's own, but in a folder of ours, so that the system stays as it is and nobody has to be root.
fetch()
{
	mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	uri=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' | grep -m 1 '/debian/*$') ||
		cannot "apt knows no archive of Debian here"
	echo "deb-src $uri $suite main" > "$work/apt/sources.list"
	set -- -q -o "Dir::Etc::SourceList=$work/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$work/apt/lists" \
		-o "Dir::Cache=$work/apt/cache" -o APT::Sandbox::User=
	{
		apt-get "$@" update && apt-get "$@" source --download-only ncurses expat zlib
	} > "$log" 2>&1 < /dev/null || cannot "Debian's sources of ncurses, expat and zlib cannot be fetched: $(tail -n 1 "$log")"
}

# unpack NAME
unpack()
{
	rm -rf "$work/$1"
	quiet dpkg-source --no-check -x "$work/$1"_*.dsc "$work/$1"
	cd "$work/$1"
}

# musl-gcc knows only musl's own headers. Those of the kernel belong to no C library.
kernel_headers()
{
	mkdir -p "$work/root/include"
	host=$(gcc -print-multiarch)
	for folder in linux asm-generic drm; do
		ln -sfn "/usr/include/$folder" "$work/root/include/$folder"
	done
	ln -sfn "/usr/include/$host/asm" "$work/root/include/asm"
}

zlib()
{
	unpack zlib
	quiet ./configure --static --prefix="$work/root"
	quiet make -j "$(nproc)" install
}

expat()
{
	unpack expat
	cd expat/lib 2> /dev/null || cd lib
	# Three files; the source package has no configure, and what would make one asks for libtool.
	cat > expat_config.h <<-'END'
	#define BYTEORDER (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4321 : 1234)
	#define HAVE_GETRANDOM 1
	#define XML_CONTEXT_BYTES 1024
	#define XML_DTD 1
	#define XML_GE 1
	#define XML_NS 1
	END
	for file in xmlparse xmlrole xmltok; do
		quiet $CC $CFLAGS -DHAVE_EXPAT_CONFIG_H -I. -c $file.c
	done
	cp expat.h expat_external.h "$work/root/include"
	quiet ar rcs "$work/root/lib/libexpat.a" xmlparse.o xmlrole.o xmltok.o
	version=$(sed -n 's/^#define XML_[MI][A-Z]*_VERSION //p' expat.h | paste -sd.)
	printf 'Name: expat\nDescription: expat\nVersion: %s\nLibs: -L%s -lexpat\nCflags: -I%s\n' \
		"$version" "$work/root/lib" "$work/root/include" > "$work/root/lib/pkgconfig/expat.pc"
}

# Names of terminals that this ncurses describes; old ones do not know all.
known_terminals()
{
	for terminal in $(echo "$terminals" | tr , ' '); do
		! grep -q "^\([^[:space:]]*|\)*$terminal|" misc/terminfo.src || echo "$terminal"
	done | paste -sd,
}

ncurses()
{
	unpack ncurses
	quiet ./configure --prefix="$work/root" --enable-widec --without-shared --without-debug --without-ada --without-cxx --without-cxx-binding \
		--without-manpages --without-progs --without-tests --enable-pc-files --with-pkg-config-libdir="$work/root/lib/pkgconfig" \
		--with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo --with-default-terminfo-dir=/usr/share/terminfo \
		--with-fallbacks="$(known_terminals)" --with-tic-path="$(command -v tic)" --with-infocmp-path="$(command -v infocmp)" --disable-db-install
	quiet make -j "$(nproc)"
	quiet make install.libs install.includes
}

cd "$work"
export CC="${CACHED-}musl-gcc" CFLAGS="${CFLAGS:--O2} -g0 -fPIE -isystem $work/root/include"
unset CPPFLAGS LDFLAGS PKG_CONFIG_PATH
kernel_headers
set -- $(ls ./*.dsc 2> /dev/null)
if [ $# -lt 3 ]; then
	say "fetching the sources of ncurses, expat and zlib"
	fetch
fi
for library in zlib expat ncurses; do
	[ ! -e "$work/root/$library.done" ] || continue
	say "building $library"
	( "$library" )
	: > "$work/root/$library.done"
done
say "building rooftop"
# The specs of musl-gcc link programs at a fixed address or with a loader. Here the program has no loader, and musl's rcrt1.o moves it
# to wherever the kernel has put it.
specs=$(sed -n 's/.*-specs "\([^"]*\)".*/\1/p' "$(command -v musl-gcc)")
sed 's,/Scrt1.o,/rcrt1.o,; s,-dynamic-linker [^ ]*,-static -pie --no-dynamic-linker -z text,' "$specs" > "$work/new.specs"
# ccache knows objects by the time of this file.
cmp -s "$work/new.specs" "$work/root/one-file.specs" || mv "$work/new.specs" "$work/root/one-file.specs"
export CC="${CACHED-}gcc -specs=$work/root/one-file.specs"
mkdir -p "$work/build"
cd "$work/build"
PKG_CONFIG_LIBDIR=$work/root/lib/pkgconfig
export PKG_CONFIG_LIBDIR
# Helpers and descriptions of terminals are where the system has them.
LIBDRM_CFLAGS=-isystem\ /usr/include/libdrm LIBDRM_LIBS=-ldrm quiet "$source/configure" --prefix=/usr --sysconfdir=/etc --libexecdir=/usr/libexec --disable-nls \
	--without-pciaccess --without-papi --without-opencl CC_FOR_BUILD=gcc
quiet make -j "$(nproc)"
strip -o "$work/rooftop" rooftop
say "$work/rooftop has $(wc -c < "$work/rooftop") bytes"
