# SPDX-License-Identifier: GPL-3.0-or-later
# Each subslice by itself on the fake machines: live, recorded, played, and as i915-perf-reader reads it.
. "$top_srcdir/tests/fakekernel/lib.sh"

# shares METRIC WANT NAME: the cells of the metric's map in the last window that has it, over the first of them; a window of 0.1 s ends
# within launches, so that its shares are right to a tenth
shares()
{
	is "$(windows "(lambda v: [round(x / v[0], 1) for x in v])([t['values']['$1'] for w in windows for t in w.get('cells', []) if '$1' in t['values'] \
		and None not in t['values']['$1']][-1])")" "$2" "$3"
}

# names METRIC WANT NAME: the names of its cells
names()
{
	is "$(windows "[t['names'] for w in windows for t in w.get('cells', []) if '$1' in t['values']][-1]")" "$2" "$3"
}

load=load=private.mad.sp.x4,items=256
for row in "4 [1.0,_0.5,_0.5]" "7 [1.0,_0.7,_0.7]" "22 [1.0,_0.9,_0.9]"; do
	set -- $row
	machine "hd620,$load,groups=$1"
	as_model "hd620,$load,groups=$1" dispatch
	shares subslice_dispatch "$(echo "$2" | tr _ ' ')" "  ... and $1 groups stand as they are dealt"
done
machine "hd620,$load,groups=22"
as_model "hd620,$load,groups=22" ready
shares subslice_ready "[1.0, 0.0, 0.0]" "  ... and one group waits in the first subslice"
machine hd620,load=copy.sp.x4,groups=63,items=256
as_model hd620,load=copy.sp.x4,groups=63,items=256 waits
shares subslice_l3_stall "[1.0, 1.0, 1.0]" "  ... alike everywhere"

# What is recorded has Intel's name and number, and plays with the same cells.
machine "hd620,$load,groups=4"
plays_as_model "hd620,$load,groups=4" dispatch
mv "$tmp/played" "$tmp/out"
shares subslice_dispatch "[1.0, 0.5, 0.5]" "  ... and the same cells"
if command -v i915-perf-reader > /dev/null; then
	i915-perf-reader -c ThreadHeader00ReadyPort0,ThreadHeader01ReadyPort1 "$tmp/live.i915perf" > "$tmp/reader" 2>&1
	is "$(grep -c "Metric used : TDL_2" "$tmp/reader")" 1 "i915-perf-reader knows the set"
	is "$(awk '/ThreadHeader00ReadyPort0/ { a += $2 } /ThreadHeader01ReadyPort1/ { b += $2 } END { printf "%.1f", a / b }' "$tmp/reader")" 2.0 \
		"  ... and sees the same shares"
else
	skip 2 "no i915-perf-reader"
fi

# A subslice that the device does not have is no cell, live and played.
machine "chv,$load,groups=5"
gives 0 "chv" -J -n 3 -d 0.1 -m dispatch -w "$tmp/chv.i915perf"
names subslice_dispatch "['S0SS0', 'S0SS1']" "  ... has two cells"
"$program" -r "$tmp/chv.i915perf" --speed max -d 0.1 -J > "$tmp/out" 2> "$tmp/err"
names subslice_dispatch "['S0SS0', 'S0SS1']" "  ... also played"

# Parts that one programming does not show take turns.
machine "tgl,$load,groups=7"
gives 0 "tgl, in turns" -J -n 12 -d 0.1 -m subslices
names subslice_dispatch "['S0SS0', 'S0SS1', 'S0SS2', 'S0SS3', 'S0SS4', 'S0SS5']" "  ... has six cells"
shares subslice_dispatch "[1.0, 0.5, 0.5, 0.5, 0.5, 0.5]" "  ... of which the first has two groups"
is "$(windows "len(set([t['t_ns'][i] for t in windows[-1]['cells'] if 'subslice_dispatch' in t['values'] for i in (0, 2, 5)]))")" 3 \
	"  ... each as old as its turn"
is "$(registered)" 0 "  ... and leaves no programming behind"
gives 0 "turns are recorded" -J -n 12 -d 0.1 -m subslices -w "$tmp/turns.rooftop"
cp "$tmp/out" "$tmp/run"
"$program" -r "$tmp/turns.rooftop" -J > "$tmp/played" 2> "$tmp/err"
echo "turns|$tmp/played||  ... and replay as they ran" > "$tmp/laws"
judge_replays
gives 2 "a profile has its own turns" -n 1 -J -m subslices,memory
said "'subslices' is several sets that take turns already" "  ... which is said"
gives 2 "a single set has none" -n 1 -J -m dispatch --rotate-every 1
said "'dispatch' is a single set" "  ... which is said"
finish
