# SPDX-License-Identifier: GPL-3.0-or-later
# make install into a folder with blanks, what is installed there, the program in another place than it was made for, and uninstall.
. "$top_srcdir/tests/tty/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
root="$tmp/a root with blanks"
good "make install" make -s install DESTDIR="$root"
prefix=$(sed -n 's/^prefix = //p' Makefile)
there=$root$prefix
for file in bin/rooftop share/man/man1/rooftop.1 share/man/man1/rooftop-stress.1 share/man/man5/rooftop-metrics.5 share/rooftop/metrics/gen9.metrics \
	share/bash-completion/completions/rooftop share/applications/rooftop.desktop share/metainfo/alt.rooftop.rooftop.metainfo.xml; do
	[ -f "$there/$file" ]
	point $? "there is $file"
done
if grep -q '^USE_NLS = yes' Makefile; then
	[ -f "$there/share/locale/de/LC_MESSAGES/rooftop.mo" ]
	point $? "there is a catalogue"
else
	is "$(find "$root" -name '*.mo')" "" "there is no catalogue in a build without languages"
fi
# What only loads need is in packages of its own, and everything is in one.
for file in $(find "$there" -path '*/rooftop/rooftop-*' -type f | sed 's,.*/,,'); do
	grep -q "/rooftop/$file\$" "$top_srcdir/packaging/rooftop.spec"
	point $? "the RPM names $file"
	case $file in
	rooftop-worker | rooftop-spans.so)
		[ "$(grep -l "rooftop/$file" "$top_srcdir/debian/rooftop-opencl.install" "$top_srcdir/packaging/alpine/APKBUILD" | wc -l | tr -d ' ')" = 2 ]
		point $? "Debian's and Alpine's packages for OpenCL have $file"
		;;
	esac
done
unit=$(find "$root" -name rooftop-exporter.service)
is "$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$unit")" "$prefix/bin/rooftop" "the service starts the program by its place without the root"
mkdir "$tmp/other place"
mv "$there/bin" "$tmp/other place/bin"
"$tmp/other place/bin/rooftop" -D sim:hd620 --speed max -n 2 -J > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$?:$(wc -l < "$tmp/out"):$(wc -c < "$tmp/err")" 0:3:0 "the program runs in another place, where its files are not"
mv "$tmp/other place/bin" "$there/bin"
good "make uninstall" make -s uninstall DESTDIR="$root"
is "$(find "$root" ! -type d | head -5)" "" "nothing is left"
finish
