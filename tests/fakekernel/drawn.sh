# SPDX-License-Identifier: GPL-3.0-or-later
# Windows of a card that is recorded while somebody pauses, goes back, looks at the map and at other sizes: the trace of the recording draws in
# each what the trace of the run drew. See drawn.py.
. "$top_srcdir/tests/fakekernel/lib.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

cat > "$tmp/first" <<'END'
size 100x30
wait 2
key Space
wait 3
key Left Left Left
wait 0.3
key End Space 3
wait 1.7
key 1 2
wait 2.5
key v Esc ] [ 1
size 31x7
wait 1
key Space g
key 0 : 0 2 Enter
wait 1.7
key Space
wait 4
END
cat > "$tmp/second" <<'END'
size 80x24
wait 1
key N 9
wait 2.5
key 2
wait 1
size 20x5
key 8 1
wait 3.1
key Space
wait 0.3
key Space 7
wait 1
size 120x40
key 5 i e Esc 6 1
wait 4
END

# drawn NAME [OPTION...]
drawn()
{
	name=$1
	shift
	for script in first second; do
		gives 0 "$name is recorded under the $script keys" -d 1 -w "$tmp/r.rec" --trace "$tmp/run" --overwrite --script "$tmp/$script" "$@"
		gives 0 "  ... is played" -r "$tmp/r.rec" --speed max -d 1 -J --trace "$tmp/played" --overwrite
		good "  ... and drawn as it was" python3 -B "$top_srcdir/tests/fakekernel/drawn.py" "$tmp/run" "$tmp/played"
	done
}

machine hd620,load=private.mad.sp.x4
drawn "i915's stream"
board g72,load=memory panfrost
drawn "a Mali"
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" card
drawn "an AMD card" -D card0
finish
