#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deb.sh SOURCE WORK: builds Debian packages of a copy of SOURCE in the empty folder WORK, looks at what is in them, and runs their
# own tests as far as they are for what is here. For .ci/run.
set -eu
. "$(dirname "$0")/points.sh"
source=$1
work=$2

# checked NAME COMMAND...
checked()
{
	name=$1
	shift
	status=0
	"$@" || status=$?
	point $status "$name"
}

# in_package NAME FILE...
in_package()
{
	package=$1
	shift
	for file; do
		checked "$package has $file" test -e "$root/$package/$file"
	done
}

# libraries PACKAGE: its dependencies, one a line, without versions
libraries()
{
	dpkg-deb -f "$work/$1"_*.deb Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//; s/t64$//' | sort -u
}

root=$work/root
mkdir -p "$work/rooftop" "$root"
tar -C "$source" -c --exclude=./build . | tar -C "$work/rooftop" -x
cd "$work/rooftop"
# What is in packages does not depend on how well the compiler optimises, and nobody debugs these.
DEB_CFLAGS_STRIP=-g DEB_BUILD_OPTIONS="nocheck noopt noautodbgsym parallel=$(nproc)" dpkg-buildpackage -b -us -uc
for package in rooftop rooftop-opencl rooftop-papi; do
	dpkg-deb -x "$work/$package"_*.deb "$root/$package"
	dpkg-deb -I "$work/$package"_*.deb
	dpkg-deb -c "$work/$package"_*.deb
done
in_package rooftop usr/bin/rooftop usr/share/man/man1/rooftop.1.gz usr/share/man/man1/rooftop-stress.1.gz usr/share/doc/rooftop/60-rooftop-rapl.rules \
	usr/share/bash-completion/completions/rooftop usr/share/zsh/vendor-completions/_rooftop \
	usr/share/fish/vendor_completions.d/rooftop.fish usr/share/applications/rooftop.desktop \
	usr/share/metainfo/alt.rooftop.rooftop.metainfo.xml
checked "rooftop has its service" sh -c "ls $root/rooftop/usr/lib/systemd/system/rooftop-exporter.service || ls $root/rooftop/lib/systemd/system/rooftop-exporter.service"
in_package rooftop-opencl usr/libexec/rooftop/rooftop-worker
in_package rooftop-papi usr/libexec/rooftop/rooftop-papi
checked "the monitor needs no OpenCL, no PAPI and nothing unexpected" \
	test -z "$(libraries rooftop | grep -v -x -E 'libc6|libncursesw6|libtinfo6|libexpat1|zlib1g|libpciaccess0')"
export PATH="$root/rooftop/usr/bin:$PATH"
export AUTOPKGTEST_TMP="$work/tmp"
mkdir -p "$AUTOPKGTEST_TMP"
checked "the package's own test of the monitor" sh -e "$source/debian/tests/monitor"
[ "$(find "$root" -perm /6000 | wc -l)" -eq 0 ]
point $? "nothing in them is setuid or setgid"
if command -v desktop-file-validate > /dev/null; then
	checked "the desktop file is valid" desktop-file-validate "$root/rooftop/usr/share/applications/rooftop.desktop"
else
	skip "the desktop file: there is no desktop-file-validate"
fi
if command -v appstreamcli > /dev/null; then
	checked "the metainfo is valid" appstreamcli validate --no-net "$root/rooftop/usr/share/metainfo/alt.rooftop.rooftop.metainfo.xml"
else
	skip "the metainfo: there is no appstreamcli"
fi
if command -v systemd-analyze > /dev/null; then
	# It asks whether the program is there. The threshold is ten times the figure.
	sed 's,^ExecStart=[^ ]*,ExecStart=/bin/true,' "$(find "$root" -name rooftop-exporter.service)" > "$work/rooftop-exporter.service"
	checked "the service is exposed less than 2" systemd-analyze security --offline=true --threshold=19 "$work/rooftop-exporter.service"
else
	skip "the service: there is no systemd-analyze"
fi
done_with
