#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes doc/screen.png from the program's own screen dump: make.sh path/to/rooftop. Needs rsvg-convert (librsvg2-bin).
set -eu
rooftop=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sed "s|@OUT@|$dir/screen.svg|" "$here/overview.script" > "$dir/script"
LC_ALL=C.UTF-8 TZ=UTC "$rooftop" -D sim:hd620,load=tour -d 1 --config /dev/null --script "$dir/script"
rsvg-convert -z 1.25 "$dir/screen.svg" > "$here/../screen.png.tmp"
mv "$here/../screen.png.tmp" "$here/../screen.png"
