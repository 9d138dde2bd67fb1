#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sysroot.sh DIR SUITE ARCH PACKAGE...: unpacks packages of Debian's SUITE for ARCH, and what they need, into DIR, without running anything
# of theirs; anybody may. MIRROR is a line of apt's sources, for suites of others than Debian. Status 77: it cannot be done here, and the
# last line of the output says why.
set -eu
dir=$1
suite=$2
arch=$3
shift 3

cannot()
{
	echo "$*"
	exit 77
}

command -v mmdebstrap > /dev/null || cannot "there is no mmdebstrap"
uri=${MIRROR-}
[ -n "$uri" ] || uri=$(apt-get indextargets --format '$(REPO_URI)' | grep -m 1 '/debian/*$') || cannot "apt knows no archive of Debian here"
free_kib=$(df -Pk "$(dirname "$dir")" | awk 'NR == 2 { print $4 }')
[ "$free_kib" -gt 1500000 ] || cannot "there is too little room in $(dirname "$dir"): $free_kib KiB"
mmdebstrap --mode=chrootless --variant=extract --arch="$arch" --include="$(echo "$@" | tr ' ' ,)" "$suite" "$dir" "$uri" > "$dir.log" 2>&1 || {
	tail -n 5 "$dir.log"
	rm -rf "$dir"
	cannot "packages of $suite for $arch cannot be fetched from $uri"
}
# Links that are right in a system of its own lead a compiler out of this one.
find "$dir" -type l -lname '/*' | while read -r link; do
	target=$(readlink "$link")
	[ ! -e "$dir$target" ] || ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$dir$target")" "$link"
done
