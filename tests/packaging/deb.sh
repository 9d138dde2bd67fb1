#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deb.sh SOURCE WORK: builds a Debian package of a copy of SOURCE in the empty folder WORK and starts what is in it. For .ci/run.
set -eu
source=$1
work=$2
passed=0
failed=0

# point STATUS NAME
point()
{
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $2"
	fi
}

mkdir -p "$work/rooftop"
tar -C "$source" -c --exclude=./build . | tar -C "$work/rooftop" -x
cd "$work/rooftop"
DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -b -us -uc
deb=$(ls "$work"/rooftop_*.deb)
dpkg-deb -x "$deb" "$work/root"
dpkg-deb -I "$deb"
dpkg-deb -c "$deb"
for file in usr/bin/rooftop usr/share/man/man1/rooftop.1.gz usr/share/doc/rooftop/60-rooftop-rapl.rules \
	usr/share/bash-completion/completions/rooftop; do
	status=0
	[ -e "$work/root/$file" ] || status=1
	point $status "the package has $file"
done
status=0
"$work/root/usr/bin/rooftop" -D sim:hd620 --speed max -n 2 -J > "$work/out" || status=1
point $status "the program in it runs"
[ "$(wc -l < "$work/out")" -eq 3 ] || status=1
point $status "and prints a head and two windows"
status=0
find "$work/root" -perm /6000 | grep . && status=1
point $status "nothing in it is setuid or setgid"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
