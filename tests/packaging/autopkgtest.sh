#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# autopkgtest.sh SOURCE DEBS: installs the packages of the folder DEBS in a view of this system that is gone afterwards, and runs
# the tests of SOURCE/debian/tests there with autopkgtest's null runner. For root. For .ci/run.
set -u
source=$1
debs=$2

nothing()
{
	echo "SKIP: $*"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}

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

command -v autopkgtest > /dev/null || nothing "there is no autopkgtest"
[ "$(id -u)" -eq 0 ] || nothing "only root can install packages, even in a view of its own"
place=$(mktemp -d) || exit 1
trap 'rmdir "$place"' EXIT
why=$(view true 2>&1) || nothing "no view of this system can be made here: $why"
view env DEBIAN_FRONTEND=noninteractive sh -c 'dpkg -i "$1"/*.deb && exec autopkgtest --no-built-binaries --summary "$1/autopkgtest.summary" "$2/" -- null' \
	sh "$debs" "$source"
status=$?
passed=$(grep -c ' PASS' "$debs/autopkgtest.summary" 2> /dev/null)
failed=$(grep -c ' FAIL' "$debs/autopkgtest.summary" 2> /dev/null)
skipped=$(grep -c ' SKIP' "$debs/autopkgtest.summary" 2> /dev/null)
sed -n 's/^\([^ ]*\)  *FAIL/FAIL: \1/p' "$debs/autopkgtest.summary"
# 2: some were skipped
case $status in
0 | 2) ;;
*) [ "${failed:-0}" -gt 0 ] || failed=1 ;;
esac
echo "${passed:-0} passed, ${failed:-0} failed, ${skipped:-0} skipped"
[ "${failed:-0}" -eq 0 ]
