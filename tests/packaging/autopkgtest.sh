#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# autopkgtest.sh SOURCE DEBS: installs the packages of the folder DEBS in a view of this system that is gone afterwards, and runs
# the tests of SOURCE/debian/tests there with autopkgtest's null runner. For root. For .ci/run.
set -u
. "$(dirname "$0")/points.sh"
source=$1
debs=$2

# The system's files lie below the view and stay as they are: what is written goes to memory.
view_script()
{
	cat <<-'END'
	set -e
	mount -t tmpfs tmpfs "$1"
	mkdir "$1/upper" "$1/work" "$1/root"
	mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
	for folder in /proc /sys /dev "$2" "$3"; do
		mkdir -p "$1/root$folder"
		mount --rbind "$folder" "$1/root$folder"
	done
	mkdir -p "$1/root/tmp"
	chmod 1777 "$1/root/tmp"
	# What root of this system runs at login is no part of a package, and has waited a minute for what no view has.
	rm -f "$1/root/root/.profile" "$1/root/root/.bash_profile"
	root=$1/root
	shift 3
	exec chroot "$root" "$@"
	END
}

# view COMMAND...
view()
{
	unshare -m --propagation private sh -c "$(view_script)" sh "$place" "$source" "$debs" "$@"
}

# with WORD: how many tests ended with it
with()
{
	cat "$debs/autopkgtest.summary" 2> /dev/null | grep -c " $1"
}

command -v autopkgtest > /dev/null || nothing "there is no autopkgtest"
[ "$(id -u)" -eq 0 ] || nothing "only root can install packages, even in a view of its own"
place=$(mktemp -d) || exit 1
trap 'rmdir "$place"' EXIT
why=$(view true 2>&1) || nothing "no view of this system can be made here: $why"
view env DEBIAN_FRONTEND=noninteractive sh -c 'dpkg -i "$1"/*.deb && exec autopkgtest --no-built-binaries --summary "$1/autopkgtest.summary" "$2/" -- null' \
	sh "$debs" "$source"
status=$?
passed=$(with PASS)
failed=$(with FAIL)
skipped=$(with SKIP)
sed -n 's/^\([^ ]*\)  *FAIL/FAIL: \1/p' "$debs/autopkgtest.summary"
# 2: some were skipped
case $status in
0 | 2) ;;
*) [ "$failed" -gt 0 ] || failed=1 ;;
esac
done_with
