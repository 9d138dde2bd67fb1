#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tarball.sh ARCHIVE WORK: what somebody does who has an archive of `make dist`, a compiler and make: unpack, configure, make, make
# check, make install, all in one folder. The tools that made the archive and Perl are out of reach, and Python is for tests alone.
# For .ci/run. CC may name a compiler with a cache.
set -u
. "$(dirname "$0")/points.sh"
archive=$1
work=$2
units="tests/unit/core/expr.t tests/unit/core/recfile.t"
# package_flags NAME: as deb.sh has them; it is Perl that knows
package_flags()
{
	DEB_CFLAGS_STRIP=-g DEB_BUILD_OPTIONS=noopt DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags --get "$1" 2> /dev/null
}
cflags=$(package_flags CFLAGS) || cflags=-O0
cppflags=$(package_flags CPPFLAGS) || cppflags=

# step NAME COMMAND...: the rest makes no sense without it
step()
{
	name=$1
	shift
	status=0
	"$@" >> "$work/log" 2>&1 < /dev/null || status=$?
	point $status "$name"
	[ $status -eq 0 ] || { tail -n 30 "$work/log"; done_with; }
}

mkdir -p "$work/tools" "$work/python" "$work/a root with blanks" && cd "$work" || exit 1
for folder in $(echo "$PATH" | tr ':' ' '); do
	find "$folder/" -maxdepth 1 ! -type d -exec ln -s -t "$work/tools" {} + 2> /dev/null
done
for tool in 'auto*' aclocal m4 'gettext*' 'msg*' xgettext perl python git; do
	find "$work/tools" -maxdepth 1 -name "$tool*" -exec rm -f {} +
done
ln -s "$(command -v python3)" "$work/python"
step "it can be unpacked" tar -xf "$archive"
PATH=$work/tools
export PATH
for tool in autoconf automake msgfmt python3 perl; do
	! command -v $tool > /dev/null
	point $? "there is no $tool"
done
cd "$work"/rooftop-*/ || exit 1
find . -type f | sort > "$work/unpacked"
# Nothing of what is asked here depends on how well the compiler optimises. With the flags of packages, and built once like these, its objects are
# theirs for a compiler with a cache.
step "configure" ./configure -q --disable-dependency-tracking CFLAGS="$cflags" CPPFLAGS="$cppflags"
step "make" make -s -j "$(nproc)"
step "make check of some tests" env PATH="$PATH:$work/python" make -s -j "$(nproc)" check check_PROGRAMS="$units" \
	TESTS="$units tests/packaging/install.sh tests/tty/options.sh"
root="$work/a root with blanks"
step "make install" make -s install DESTDIR="$root"
[ "$("$root/usr/local/bin/rooftop" --version | head -n 1)" = "$(./rooftop --version | head -n 1)" ]
point $? "the program is there"
"$root/usr/local/bin/rooftop" -D sim:hd620 --speed max -n 2 -J > "$work/out" && [ "$(wc -l < "$work/out")" -eq 3 ]
point $? "  ... and counts"
[ -s "$root/usr/local/share/locale/de/LC_MESSAGES/rooftop.mo" ]
point $? "  ... with the catalogues of the archive"
step "make uninstall" make -s uninstall DESTDIR="$root"
[ -z "$(find "$root" ! -type d)" ]
point $? "nothing is left"
step "make dist" make -s dist
cmp "$archive" "${archive##*/}"
point $? "the archive of the archive is the archive"
rm -f "${archive##*/}"
step "make distclean" make -s distclean
find . -type f | sort | diff "$work/unpacked" - > "$work/changed"
point $? "the folder is what it was"
head -n 10 "$work/changed"
done_with
