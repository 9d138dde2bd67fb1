# SPDX-License-Identifier: GPL-3.0-or-later
# What a live machine was, its recording is: the same windows have the same values and the same verdict, on another machine, too.
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"

cat > "$tmp/same.py" <<'END'
import json, sys
live, played = ([json.loads(l) for l in open(p)][1:] for p in sys.argv[1:3])
must = sys.argv[3:]
same = 0
# The live run ends with its last window, and the recording a little later.
assert len(played) >= len(live) >= 3, (len(live), len(played))
for i, (a, b) in enumerate(zip(live, played)):
    for name, v in a['metrics'].items():
        assert v == b['metrics'][name] and a['why'].get(name) == b['why'].get(name), (i, name, v, b['metrics'][name], a['why'].get(name), b['why'].get(name))
    for name in must:
        assert b['metrics'][name] is not None, (name, b['why'])
    for w in a, b:
        for key in 'since_s', 'flags':
            del w['verdict'][key]
    assert a['verdict'] == b['verdict'], (i, a['verdict'], b['verdict'])
END

# replayed NAME METRIC...: a live run is recorded and played where there is no such machine; these metrics have values
replayed()
{
	name=$1
	shift
	rm -f "$tmp/live.i915perf"
	gives 0 "$name, recorded" -J -n 4 -d 0.5 -w "$tmp/live.i915perf"
	cp "$tmp/out" "$tmp/live"
	"$program" -r "$tmp/live.i915perf" --speed max -d 0.5 -J > "$tmp/played" 2> "$tmp/err"
	good "  ... and plays with the same values and verdicts" python3 "$tmp/same.py" "$tmp/live" "$tmp/played" "$@"
}

machine hd620,load=private.mad.sp.x4
reasons /sys/class/drm/card0/gt/gt0 throttle_reason_
file /proc/cpuinfo "flags		: fpu"
powered client
file /run/udev/data/+dmi:id "E:MEMORY_DEVICE_0_TYPE=DDR4
E:MEMORY_DEVICE_0_DATA_WIDTH=64
E:MEMORY_DEVICE_0_CONFIGURED_SPEED_MTS=2133
E:MEMORY_DEVICE_0_LOCATOR=ChannelA-DIMM0"
echo 1 > "$root/sys/class/drm/card0/gt/gt0/throttle_reason_status"
echo 1 > "$root/sys/class/drm/card0/gt/gt0/throttle_reason_pl1"
replayed "i915 under a power limit" power_package throttle_power power_limit_package clock_actual gpu_clock_limit
"$program" -r "$tmp/live.i915perf" roofline -c > "$tmp/rows"
is "$(grep '^roof,DRAM' "$tmp/rows" | grep -c '17.064.*read,1,"udev: 2133 MT/s, 64 bits on 1 channels"')" 1 "  ... and the roof of its machine, with the source"
if command -v i915-perf-reader > /dev/null; then
	i915-perf-reader -r -c GpuBusy "$tmp/live.i915perf" > "$tmp/reader" 2>&1
	is "$?" 0 "i915-perf-reader passes over our records"
	is "$(grep -c GpuBusy "$tmp/reader" | awk '{ print ($1 > 10) }')" 1 "  ... and reads the reports"
else
	skip 2 "no i915-perf-reader"
fi

# The figures of a run are those of its recording, whoever adds them up: what came before the command and behind it is none of it. Energies
# that change every 50 ms are known of a stretch of time that begins before the command.
powered slow client
rm -f "$tmp"/live.*
lasting_until 900
gives 0 "a run is recorded" run --json -o "$tmp/live.json" -w "$tmp/live.i915perf" -- "$tmp/lasting"
rm "$root/gate"
"$program" diff --all -J "$tmp/live.json" "$tmp/live.i915perf" > "$tmp/diff" 2> "$tmp/err"
good "  ... and compared with its recording" python3 -c '
import json, sys
rows = [r for r in map(json.loads, open(sys.argv[1])) if r.get("metric")]
off = [(r["metric"], r["before"], r["after"]) for r in rows if None not in (r["before"], r["after"]) and abs(r["before"] - r["after"]) > 1e-9 * abs(r["before"])]
assert len(rows) > 20 and any(r["metric"] == "power_package" for r in rows) and not off, (len(rows), off)' "$tmp/diff"

driver=xe
machine lnl,load=copy.sp.x4
driver=
echo 1 > "$root/sys/class/drm/card0/device/tile0/gt0/freq0/throttle/status"
echo 1 > "$root/sys/class/drm/card0/device/tile0/gt0/freq0/throttle/reason_thermal"
replayed "xe that is too hot" throttle_heat clock_actual

# Recordings of other programs, and our older ones, have reports only.
python3 - "$tmp/live.i915perf" "$tmp/bare.i915perf" <<'END'
import struct, sys
data, at, out = open(sys.argv[1], 'rb').read(), 0, b''
while at < len(data):
    kind, _, size = struct.unpack_from('<IHH', data, at)
    if not 0x52540002 <= kind <= 0x52540006:
        out += data[at:at + size]
    at += size
open(sys.argv[2], 'wb').write(out)
END
rooftop=$program
gives 0 "a recording without our records" -r "$tmp/bare.i915perf" --speed max -d 0.2 -J
is "$(window 'm["gpu_busy"] is not None, why["throttle_heat"]')" "True no_source" "  ... plays as before"
finish
