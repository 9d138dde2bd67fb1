#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes doc/tour.svg and doc/screen.png from the program's own screen dumps: make.sh path/to/rooftop. The second needs rsvg-convert
# (librsvg2-bin); with the argument "moving" behind the program only doc/tour.svg is made, and goes to standard output.
set -eu
rooftop=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# play SCRIPT: saves what it saves below $dir
play()
{
	sed "s|@OUT@|$dir|" "$here/$1" > "$dir/script"
	LC_ALL=C.UTF-8 TZ=UTC "$rooftop" -D sim:hd620,load=tour -d 1 --config /dev/null --script "$dir/script" < /dev/null
}
play tour.script
python3 "$here/moving.py" 2 "$dir"/??.svg > "$dir/tour"
if [ "${2:-}" = moving ]; then
	cat "$dir/tour"
	exit
fi
cp "$dir/tour" "$here/../tour.svg"
play overview.script
rsvg-convert -z 1.25 "$dir/screen.svg" > "$here/../screen.png.tmp"
mv "$here/../screen.png.tmp" "$here/../screen.png"
