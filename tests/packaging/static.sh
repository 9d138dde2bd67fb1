#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# static.sh SOURCE WORK: builds the program as one file in WORK, and runs it where there is nothing else. For .ci/run.
set -u
source=$1
work=$2
passed=0
failed=0
skipped=0

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

mkdir -p "$work"
status=0
"$source/build-aux/static.sh" "$source" "$work" 2> "$work/said" || status=$?
cat "$work/said"
case $status in
0) ;;
77)
	echo "SKIP: $(tail -n 1 "$work/said")"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
	;;
*)
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
	;;
esac
program=$work/rooftop
! readelf -l "$program" | grep -q INTERP
point $? "the file needs no loader and no library"
size=$(wc -c < "$program")
[ "$size" -gt 1000000 ] && [ "$size" -lt 4000000 ]
point $? "it has about 3 MB: $size"
"$program" -D sim:hd620 --speed max -n 2 -J > "$work/out"
point $? "it runs"
[ "$(wc -l < "$work/out")" -eq 3 ]
point $? "and prints a head and two windows"
mkdir -p "$work/empty"
"$program" doctor --fsroot "$work/empty" > "$work/out"
[ "$(grep -c -E '^  without (libpciaccess|PAPI|OpenCL) +-- +not in this program' "$work/out")" -eq 3 ]
point $? "doctor names what is not in it"
become=
[ "$(id -u)" -eq 0 ] || become="unshare -r"
if $become true 2> /dev/null; then
	for term in xterm-256color tmux-256color linux alacritty; do
		timeout 60 $become python3 "$source/tests/packaging/static.py" "$program" "$term"
		point $? "the screen on $term, where no terminal is described"
	done
else
	skipped=4
	echo "SKIP: only root, or a user with namespaces, can start it in an empty folder"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
