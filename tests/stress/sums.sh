# SPDX-License-Identifier: GPL-3.0-or-later
# A figure over a span comes from the sums of the span: comparisons of a recording say what its replay as one window says, however long their own
# windows are, for every metric of every set. See sums.py.
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

# record DEVICE SET: and its comparisons, into a folder of its own; a message of what failed is in its file "said"
record()
{
	folder=$tmp/sets/$n_sets
	mkdir -p "$folder"
	echo "$1, set $2" > "$folder/name"
	{
		"$rooftop" -D "$1" -m "$2" --speed max -d 0.1 -n 20 -b -w "$folder/rec" &&
			# What was counted in windows ten times as long is the same.
			"$rooftop" -D "$1" -m "$2" --speed max -d 1 -n 2 -b -w "$folder/long" &&
			"$rooftop" diff -J "$folder/rec" "$folder/long" -o "$folder/diff.long" &&
			"$rooftop" diff -J -d 0.1 "$folder/rec" "$folder/rec" -o "$folder/diff.0.1" &&
			"$rooftop" diff -J -d 1 "$folder/rec" "$folder/rec" -o "$folder/diff.1" &&
			"$rooftop" -r "$folder/rec" -m "$2" --speed max -d 100 -J > "$folder/one"
	} > "$folder/said" 2>&1
}

# sets DEVICE: those of which each can be counted for itself; "subslices" is sets in turns, which are not recorded
sets()
{
	"$rooftop" -D "$1" -m list -J 2> /dev/null | sed -n 's/.*"set":"\([^"]*\)".*/\1/p' | grep -v -x subslices
}

devices="sim:hd620,load=desktop,jitter=40 sim:chv sim:tgl,lost=5 sim:dg2,load=desktop,rc6 sim:lnl sim:mtl sim:hsw,wrap sim:g72 sim:g52
	sim:g710,load=memory sim:h100 sim:rtx4090 sim:rx7900 sim:mi300x sim:strix"

# A run says of its recording what it said itself, in each line; its joules are the mean power in the time that was measured. All sets
# of a device wait for their commands at once.
for device in $devices; do
	in_share || continue
	rm -f "$tmp"/run.*
	sets=$(sets "$device")
	for set in $sets; do
		{
			"$rooftop" run -D "$device" -m "$set" -d 0.03 -w "$tmp/run.$set.rec" --json -o "$tmp/run.$set.live" -- sleep 0.2
			"$rooftop" run -r "$tmp/run.$set.rec" --json -o "$tmp/run.$set.played"
		} < /dev/null > "$tmp/out" 2> "$tmp/err" &
	done
	wait
	good "$device: a run equals that of its recording, whatever its set" python3 -c 'import json, sys
def off(a, b):
	return abs(a - b) > 1e-9 * abs(a) if isinstance(a, float) and isinstance(b, (int, float)) else a != b
assert len(sys.argv) - 2 == int(sys.argv[1]) > 0, sys.argv
for path in sys.argv[2:]:
	one, other = ([json.loads(line) for line in open(f)] for f in (path, path[:-4] + "played"))
	for lines in one, other:
		lines[0].pop("device")
	for row in one[1:]:
		if row.get("unit") == "W" and row["total"] is not None:
			joules = row["mean"] * one[0]["seconds"] * row["measured_share"]
			assert row["total_unit"] == "J" and abs(row["total"] - joules) <= 1e-3 * abs(joules), (path, row)
	bad = [(a.get("metric"), key, a[key], b.get(key)) for a, b in zip(one, other) for key in a if off(a[key], b.get(key))]
	assert len(one) == len(other) > 10 and not bad, (path, len(one), len(other), bad[:5])' "$(echo $sets | wc -w)" "$tmp"/run.*.live
done

# What is read of moments is so often enough: a long window has the mean of short ones.
for device in $devices; do
	in_share || continue
	for d in 1 20; do
		"$rooftop" -D $device -d $d -n $((60 / d)) --speed max -J > "$tmp/moments.$d" 2> "$tmp/err"
	done
	good "$device: clocks, watts and temperatures of long windows are means of all their time" python3 -c 'import json, sys
short, long = ([json.loads(line) for line in open(f)] for f in sys.argv[1:])
units = short[0]["units"]
def mean(windows, name):
	values = [(w["metrics"][name], w["window_ms"]) for w in windows[1:] if w["metrics"].get(name) is not None]
	return sum(v * ms for v, ms in values) / sum(ms for v, ms in values) if values else None
pairs = {n: (mean(short, n), mean(long, n)) for n in long[1]["metrics"] if units.get(n) in ("W", "MHz", "degC") and n != "clock_mean"}
off = {n: p for n, p in pairs.items() if None not in p and abs(p[0] - p[1]) > 0.03 * abs(p[0]) + 0.01}
assert len(pairs) > 1 and not off, (len(pairs), off)' "$tmp/moments.1" "$tmp/moments.20"
done

# The longest period that may be asked for gives what the shortest gives: no counter turns between two reports.
for device in hsw chv hd620 tgl dg2 mtl; do
	in_share 6 || continue
	for period in 1 0.005; do
		"$rooftop" -D sim:$device,load=private.mad.sp.x4 -p $period -d 2 -n 2 --speed max -J 2> "$tmp/err" | tail -1 > "$tmp/by.$period"
	done
	good "sim:$device counts the same by any period" python3 -c 'import json, sys
one, other = (json.load(open(f))["metrics"] for f in sys.argv[1:])
amounts = ("energy_package", "energy_gpu", "energy_cores", "energy_dram", "gpu_time", "gpu_core_clocks")	# of windows that end with a report
off = {k: (v, other[k]) for k, v in one.items() if v is not None and k not in amounts
	and (other[k] is None or abs(v - other[k]) > 0.02 * abs(v) + 0.5)}
assert one["eu_active"] > 90 and not off, off' "$tmp/by.1" "$tmp/by.0.005"
done

n_sets=0
mkdir "$tmp/sets"
for device in $devices; do
	for set in $(sets "$device"); do
		in_share || continue
		record "$device" "$set"
		n_sets=$((n_sets + 1))
	done
done
# One process judges them all.
python3 -B "$top_srcdir/tests/stress/sums.py" "$tmp/sets" > "$tmp/said"
is "$? $(grep -c '^[01] ' "$tmp/said")" "0 $n_sets" "all sets are judged"
relay "$tmp/said"
finish
