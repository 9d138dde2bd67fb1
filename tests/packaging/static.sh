#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# static.sh SOURCE WORK: builds the program as one file in WORK, and runs it where there is nothing else. For .ci/run.
set -u
. "$(dirname "$0")/points.sh"
source=$1
work=$2

mkdir -p "$work"
status=0
"$source/build-aux/static.sh" "$source" "$work" 2> "$work/said" || status=$?
cat "$work/said"
case $status in
0) ;;
77) nothing "$(tail -n 1 "$work/said")" ;;
*)
	point 1 "the file is built"
	done_with
	;;
esac
program=$work/rooftop
! readelf -l "$program" | grep -q INTERP
point $? "the file needs no loader and no library"
readelf -h "$program" | grep -q 'Type: *DYN'
point $? "it can be loaded anywhere"
size=$(wc -c < "$program")
[ "$size" -gt 1000000 ] && [ "$size" -lt 4500000 ]
point $? "it has some 4 MB without optimisation, and less with it: $size"
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
		timeout 300 $become python3 "$source/tests/packaging/static.py" "$program" "$term"
		point $? "the screen on $term, where no terminal is described"
	done
else
	skip "only root, or a user with namespaces, can start it in an empty folder" 4
fi
done_with
