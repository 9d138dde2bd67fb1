# SPDX-License-Identifier: GPL-3.0-or-later
# Engines by the PMUs of i915 and xe, throttle reasons and sensors: rooftop and an unmodified intel_gpu_top say what the machine does.
. "$top_srcdir/tests/fakekernel/lib.sh"
perftree=$top_builddir/tests/fakekernel/perftree

# rate PMU EVENT PER_SECOND
rate()
{
	mkdir -p "$root/perf/$1"
	printf '%s\n' "$3" > "$root/perf/$1/$2"
}

machine hd620,load=private.mad.sp.x1
"$perftree" "$root" i915 power:intel uncore_imc
rate i915 rcs0-busy 700000000
rate i915 rcs0-sema 50000000
rate i915 vcs0-busy 300000000
rate i915 interrupts 2500
gives 0 "engines of i915" -J -n 3 -d 0.2
cp "$tmp/out" "$tmp/live"
cat > "$tmp/engines.py" <<'END'
import json, sys
want = json.loads(sys.argv[2])
windows = [json.loads(line) for line in open(sys.argv[1])][1:]
for w in windows:
    (cells,) = [c for c in w['cells'] if c['scope'] == 'engine']
    busy = dict(zip(cells['names'], cells['values']['engine_busy']))
    assert sorted(busy) == sorted(want), busy
    for name, pct in want.items():
        assert abs(busy[name] - pct) < 0.5, busy
    assert abs(w['metrics']['engines_busy'] - sum(want.values()) / 100) < 0.01, w['metrics']['engines_busy']
    interrupts = w['metrics']['interrupts'], w['why'].get('interrupts')
    assert sys.argv[3:] == ['i915-alone'] or interrupts[1] == 'no_source' if sys.argv[3:] else abs(interrupts[0] - 2500) < 75, interrupts
print(len(windows))
END
want='{"render 0": 70, "copy 0": 0, "video 0": 30, "enhance 0": 0}'
good "  ... are busy as the machine says" python3 "$tmp/engines.py" "$tmp/out" "$want"

if command -v intel_gpu_top > /dev/null; then
	FAKEKERNEL_CLOCK=virtual timeout 300 "$on_fake" sh -c 'intel_gpu_top -l -s 200 | head -5' > "$tmp/list" 2> "$tmp/err"
	is "$(awk 'NR > 2 && ($7 > 69 && $7 < 71 || $9 > 69 && $9 < 71) { n++ } END { print n }' "$tmp/list")" 3 \
		"intel_gpu_top -l sees the same, three times"
	# Since 2.0 it adds the engines of a class up unless it is told not to; before, it knows no -p.
	each=$(intel_gpu_top -h 2>&1 | awk '$1 == "[-p]" { print "-p" }')
	cat > "$tmp/gpu_top.py" <<'END'
import json, sys
text, at, found = open(sys.argv[1]).read(), 0, []
decoder = json.JSONDecoder()
while True:
    at = text.find('{', at)
    if at < 0:
        break
    try:
        value, at = decoder.raw_decode(text, at)
    except json.JSONDecodeError:
        break
    found.append(value)
last = found[-1]
busy = {name: e['busy'] for name, e in last['engines'].items()}
assert abs(busy['Render/3D/0'] - 70) < 0.5 and abs(busy['Video/0'] - 30) < 0.5 and busy['Blitter/0'] == 0, busy
assert abs(last['engines']['Render/3D/0']['sema'] - 5) < 0.5, last
# It reads energies one after the other and divides all by one time.
assert abs(last['power']['Package'] / 15 - 1) < 0.1 and abs(last['power']['Package'] / last['power']['GPU'] - 3) < 0.1, last['power']
assert abs(last['frequency']['actual'] - 1050) < 30, last['frequency']
assert last['rc6']['value'] == 0, last
assert last['interrupts']['unit'] == 'irq/s' and abs(last['interrupts']['count'] - 2500) < 75, last['interrupts']
windows = [json.loads(line)['metrics'] for line in open(sys.argv[2]).readlines()[1:]]
assert abs(windows[-1]['power_package'] - last['power']['Package']) < 0.3, (windows[-1]['power_package'], last['power'])
assert abs(windows[-1]['clock_actual'] - last['frequency']['actual']) < 30
assert abs(windows[-1]['interrupts'] - last['interrupts']['count']) < 150, (windows[-1]['interrupts'], last['interrupts'])
END
	gpu_top_json "$tmp/json" $each -s 200
	good "intel_gpu_top -J agrees with rooftop on engines, interrupts, clock and power" python3 "$tmp/gpu_top.py" "$tmp/json" "$tmp/live"
	# Its own form, with every name and unit; of the numbers only those that stand still are compared.
	cat > "$tmp/same.py" <<'END'
import json, sys
text, at, theirs = open(sys.argv[1]).read(), 0, []
decoder = json.JSONDecoder()
while (at := text.find('{', at)) >= 0:
    try:
        value, at = decoder.raw_decode(text, at)
    except json.JSONDecodeError:
        break
    theirs.append(value)
ours = json.load(open(sys.argv[2]))
assert len(ours) == 3, len(ours)


def shape(v, path=''):
    """Names and units of an object, without those of clients: rooftop has the card open, and is one itself."""
    for name, member in v.items():
        here = f'{path}/{name}'
        if name == 'clients':
            assert all(c.keys() >= {'name', 'pid'} for c in member.values()), member
        elif isinstance(member, dict):
            yield from shape(member, here)
        else:
            yield here, member if name == 'unit' else type(member)


a, b = dict(shape(theirs[-1])), dict(shape(ours[-1]))
assert a == b, {k: (a.get(k), b.get(k)) for k in a.keys() | b.keys() if a.get(k) != b.get(k)}
for name, e in theirs[-1]['engines'].items():
    assert abs(e['busy'] - ours[-1]['engines'][name]['busy']) < 1 and abs(e['sema'] - ours[-1]['engines'][name]['sema']) < 1, name
assert abs(theirs[-1]['imc-bandwidth']['reads'] / ours[-1]['imc-bandwidth']['reads'] - 1) < 0.1, (theirs[-1], ours[-1])
END
	"$rooftop" --intel-gpu-top-json -n 3 -d 0.3 > "$tmp/same" 2> "$tmp/err"
	good "--intel-gpu-top-json has its members, names, units and numbers" python3 "$tmp/same.py" "$tmp/json" "$tmp/same"
	is "$(wc -c < "$tmp/err")" 0 "  ... without a word"
else
	skip 4 "no intel_gpu_top"
fi

# i915: the engines of its query are those that its PMU has events of, on all GTs together.
while read -r engines share; do
	machine dg2,load=private.mad.sp.x1
	"$perftree" "$root" i915
	echo "$engines" | tr , ' ' > "$root/i915_engines"
	events=$root/sys/bus/event_source/devices/i915/events
	rm "$events"/*[0-9]-*
	for engine in $(cat "$root/i915_engines"); do
		name=$(echo rcs bcs vcs vecs ccs | cut -d' ' -f$((${engine%.*} + 1)))${engine#*.}
		for sample in busy:0 wait:1 sema:2; do
			printf 'config=0x%x\n' $((${engine%.*} << 12 | ${engine#*.} << 4 | ${sample#*:})) > "$events/$name-${sample%:*}"
		done
	done
	gives 0 "engines of i915, $engines" -J -n 2 -d 0.2
	good "  ... are busy as the machine says" python3 "$tmp/engines.py" "$tmp/out" "$share" i915-alone
	cat > "$tmp/query.py" <<'END'
import ctypes, fcntl, os, struct, sys
# DRM_I915_QUERY_ENGINE_INFO (i915_drm.h): the length first, then the answer.
fd = os.open('/dev/dri/renderD128', os.O_RDWR)
answer = None
for _ in range(2):
    item = bytearray(struct.pack('QiIQ', 2, 0 if answer is None else len(answer), 0, 0 if answer is None else ctypes.addressof(answer)))
    held = (ctypes.c_char * len(item)).from_buffer(item)
    query = bytearray(struct.pack('IIQ', 1, 0, ctypes.addressof(held)))
    fcntl.ioctl(fd, 0xc0106479, query)
    length = struct.unpack_from('QiIQ', item)[1]
    assert length > 0, length
    answer = answer or ctypes.create_string_buffer(length)
n = struct.unpack_from('I', answer.raw)[0]
print(*('%d.%d' % struct.unpack_from('HH', answer.raw, 16 + 56 * i) for i in range(n)))
END
	is "$("$on_fake" python3 "$tmp/query.py")" "$(cat "$root/i915_engines")" "  ... and are those of its query"
done <<END
0.0,1.0,2.0,2.1,3.0,3.1 {"render 0": 100, "copy 0": 0, "video 0": 0, "video 1": 10, "enhance 0": 0, "enhance 1": 10}
0.0,1.0,2.0,2.1,3.0,4.0,4.1,4.2,4.3 {"render 0": 100, "copy 0": 0, "video 0": 0, "video 1": 10, "enhance 0": 0, "compute 0": 0, "compute 1": 10, "compute 2": 20, "compute 3": 30}
1.0,4.0,4.1 {"copy 0": 0, "compute 0": 0, "compute 1": 10}
END

# xe: its list of engines has gaps where parts are fused off, and those of the media GT.
while read -r what engines share; do
	machine tgl,load=private.mad.sp.x1 xe
	"$perftree" "$root" xe_0000_00_02.0
	mkdir -p "$root/sys/class/drm/card0/device/tile0/gt0/engines/rcs" "$root/sys/class/drm/card0/device/tile0/gt0/engines/vcs"
	case $engines in *,1.*)
		rmdir "$root/sys/class/drm/card0/device/tile0/gt0/engines/vcs"
		mkdir -p "$root/sys/class/drm/card0/device/tile0/gt1/engines/vcs" "$root/sys/class/drm/card0/device/tile0/gt1/engines/vecs"
		;;
	esac
	echo "$engines" | tr , ' ' > "$root/xe_engines"
	gives 0 "engines of xe, $what" -J -n 2 -d 0.2
	good "  ... are busy as the machine says" python3 "$tmp/engines.py" "$tmp/out" "$share" xe
done <<END
two-in-a-row 0.0.0,0.2.0,0.2.1 {"render 0": 70, "video 0": 30, "video 1": 10}
with-a-gap 0.0.0,0.2.0,0.2.2 {"render 0": 70, "video 0": 30, "video 2": 10}
without-the-first 0.0.0,0.2.2 {"render 0": 70, "video 2": 10}
of-many 0.0.0,0.1.0,0.1.1,0.1.2,0.1.3,0.1.4,0.1.5,0.1.6,0.1.7,0.1.8,0.2.0,0.2.1,0.2.2,0.2.3,0.2.4,0.2.5,0.2.6,0.2.7,0.4.0,0.4.1,0.4.2,0.4.3 {"render 0": 70, "copy 0": 0, "copy 1": 0, "copy 2": 0, "copy 3": 0, "copy 4": 0, "copy 5": 0, "copy 6": 0, "copy 7": 0, "copy 8": 0, "video 0": 30, "video 1": 10, "video 2": 10, "video 3": 0, "video 4": 0, "video 5": 0, "video 6": 0, "video 7": 0, "compute 0": 0, "compute 1": 0, "compute 2": 0, "compute 3": 0}
of-two-GTs 0.0.0,1.2.0,1.3.2 {"render 0": 70, "video 0": 20, "enhance 2": 40}
END

# A card that sleeps is not asked which engines it has. When it wakes, those that it has count: where they are as many as were taken for
# granted, each has its cell, and else the sum has them all.
while read -r engines cells sum; do
	machine tgl,load=private.mad.sp.x1 xe
	"$perftree" "$root" xe_0000_00_02.0
	mkdir -p "$root/sys/class/drm/card0/device/tile0/gt0/engines/rcs" "$root/sys/class/drm/card0/device/tile0/gt0/engines/vcs"
	echo "$engines" | tr , ' ' > "$root/xe_engines"
	state=$root/sys/devices/pci0000:00/0000:00:02.0/power/runtime_status
	echo suspended > "$state"
	rm -f "$tmp/slept"
	"$lasting" -J -d 0.1 -o "$tmp/slept" 2> "$tmp/err" &
	wait_for "$tmp/slept" 4000 $!
	is "$(cat "$log" 2> /dev/null | wc -l)" 0 "a card that sleeps, with engines $engines, is left so"
	echo active > "$state.new"
	mv "$state.new" "$state"
	patient $! has_number "$tmp/slept" engines_busy
	point $? "  ... and counts when it wakes"
	kill $!
	wait $! 2> /dev/null
	tail -1 "$tmp/slept" > "$tmp/out"
	is "$(window "','.join(name.replace(' ', '') for c in w['cells'] if c['scope'] == 'engine' for name in c['names']), round(m['engines_busy'], 2)")" \
		"$cells $sum" "  ... those that there are"
done <<END
0.0.0,0.2.2 render0,video2 0.8
0.0.0,0.2.0,0.2.1 render0,video0 1.1
0.0.0,0.2.0 render0,video0 1.0
END

# Debian's rule: not even CAP_PERFMON.
machine hd620,load=private.mad.sp.x1
"$perftree" "$root" i915
export FAKEKERNEL_PERFMON=0
echo 3 > "$root/proc/sys/kernel/perf_event_paranoid"
gives 0 "without rights" -J -n 1 -d 0.1
is "$(python3 -c 'import json,sys; print(json.loads(open(sys.argv[1]).readlines()[1])["why"]["engines_busy"])' "$tmp/out")" permission \
	"  ... engines say why"
"$rooftop" doctor > "$tmp/doctor"
is "$(grep -A2 -E '^  engine PMU +NO ' "$tmp/doctor" | grep -c -e "kernel.perf_event_paranoid is 3 (Debian): it needs CAP_SYS_ADMIN" \
	-e 'sudo sysctl kernel.perf_event_paranoid=0')" 2 "  ... and doctor names Debian's rule and the command"
unset FAKEKERNEL_PERFMON

# A right that comes later, on a kernel that does not tell of waiting: that is no 0.
machine hd620,load=private.mad.sp.x1
"$perftree" "$root" i915
rate i915 rcs0-busy 700000000
rm "$root"/sys/bus/event_source/devices/i915/events/*-wait "$root/sys/bus/event_source/devices/i915/events/interrupts"
FAKEKERNEL_FAIL=perf=EACCES@1-1 gives 0 "a right that comes later" -J -n 40 -d 0.1
is "$(python3 -c 'import json,sys
first, *_, last = [json.loads(line) for line in open(sys.argv[1]).readlines()[1:]]
(cells,) = [c for c in last["cells"] if c["scope"] == "engine"]
print(first["why"]["engines_busy"], round(last["metrics"]["engines_busy"], 1), cells["values"]["engine_wait"], last["why"]["engine_wait"],
    set(cells["why"]["engine_wait"]), last["metrics"]["interrupts"], last["why"]["interrupts"])' "$tmp/out")" \
	"permission 0.7 [None, None, None, None] unsupported {'unsupported'} None unsupported" "  ... brings what there is"

# Counters that jump or go back have no number in that window, which is counted; before and after it they have.
jump()
{
	printf '%s\n' "$3" > "$root/perf/$1/$2.new"
	mv "$root/perf/$1/$2.new" "$root/perf/$1/$2.jump"
}

machine hd620,load=private.mad.sp.x1
"$perftree" "$root" i915 power:intel uncore_imc
rate i915 rcs0-busy 700000000
mkdir -p "$root/perf/power" "$root/perf/uncore_imc"
"$lasting" -J -d 0.1 -o "$tmp/jumps" &
wait_for "$tmp/jumps" 12000 $!
jump i915 rcs0-busy -100000000000
jump i915 interrupts -1000000
jump power energy-pkg -1e16
jump uncore_imc data_reads -1e15
for metric in engines_busy interrupts power_package dram_total; do
	patient $! grep -q "\"$metric\":\"gap\"" "$tmp/jumps" || break	# the points below say what is missing
done
size=$(cat "$tmp/jumps" | wc -c)
wait_for "$tmp/jumps" $((size + 30000)) $!
kill $!
wait $! 2> /dev/null
cat > "$tmp/jumps.py" <<'END'
import json, sys
lines = open(sys.argv[1]).read().split('\n')
windows = [json.loads(line) for line in lines[1:] if line.endswith('}')]
top = dict(engines_busy=0.75, interrupts=1100, power_package=20, dram_total=40)
for name, most in top.items():
    values = [w['metrics'][name] for w in windows]
    whys = [w['why'].get(name) for w in windows]
    assert whys.count('gap') >= 1, (name, whys)
    assert all(v is None or 0 <= v <= most for v in values), (name, values)
    at = whys.index('gap')
    assert any(v is not None for v in values[:at]) and any(v is not None for v in values[at + 1:]), (name, values)
assert sum(w['lost'] for w in windows) >= 4, [w['lost'] for w in windows]
END
good "counters that go back are refused and counted" python3 "$tmp/jumps.py" "$tmp/jumps"

# Another machine, whose kernel counts no engines: those of this one are not its, nor are its files, and a limit that changes there is news.
mkdir "$tmp/bin"
sed "s,FAKEKERNEL_ROOT='$root',FAKEKERNEL_ROOT='$tmp/far'," "$lasting" > "$tmp/bin/far"
printf '#!/bin/sh\nshift 2\nexec far "$@"\n' > "$tmp/bin/ssh"
chmod +x "$tmp/bin/far" "$tmp/bin/ssh"
machine hd620
powered client
cp -R "$root" "$tmp/far"
pmus i915
rate i915 rcs0-busy 100000000
PATH=$tmp/bin:$PATH "$lasting" -D ssh:far/card0 -J -d 0.1 > "$tmp/far.json" 2> "$tmp/err" &
process=$!
far_windows()
{
	[ "$(grep -c '"metrics"' "$tmp/far.json")" -ge "$1" ]
}
patient $process far_windows 3
echo 9000000 > "$tmp/far/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw"
good "a card of another machine goes on when its limit changes" patient $process sh -c 'grep -q "\"power_limit_package\":9[,.}]" "$1"' sh "$tmp/far.json"
kill $process
wait $process 2> /dev/null
is "$(grep -c '"engines_busy":[0-9]' "$tmp/far.json")" 0 "  ... and has no engines of this one"

# What holds the clock down, and the sensors of a card.
mkdir -p "$root/sys/class/drm/card0/gt/gt0" "$root/sys/class/drm/card0/device/hwmon/hwmon3"
for reason in status pl1 pl2 pl4 thermal prochot; do
	echo 0 > "$root/sys/class/drm/card0/gt/gt0/throttle_reason_$reason"
done
echo 1 > "$root/sys/class/drm/card0/gt/gt0/throttle_reason_status"
echo 1 > "$root/sys/class/drm/card0/gt/gt0/throttle_reason_pl1"
echo 61500 > "$root/sys/class/drm/card0/device/hwmon/hwmon3/temp1_input"
echo 1450 > "$root/sys/class/drm/card0/device/hwmon/hwmon3/fan1_input"
gives 0 "throttle reasons and sensors" -J -n 1 -d 0.1
is "$(python3 -c 'import json,sys
m = json.loads(open(sys.argv[1]).readlines()[1])["metrics"]
print(*(m[n] for n in ("clock_throttled", "throttled_by_pl1", "throttled_by_pl2", "throttled_by_heat", "temperature", "fan")))' "$tmp/out")" \
	"1 1 0 0 61.5 1450" "  ... arrive"
echo suspended > "$root/sys/devices/pci0000:00/0000:00:02.0/power/runtime_status"
gives 0 "a card that sleeps" -J -n 1 -d 0.1
is "$(python3 -c 'import json,sys; print(json.loads(open(sys.argv[1]).readlines()[1])["why"]["temperature"])' "$tmp/out")" asleep \
	"  ... is not asked"
# Kernels are counted only while the engines for copies and video are idle: what they move is counted, too.
if python3 -c 'import socket; socket.send_fds' 2> /dev/null && [ -e "$top_builddir/rooftop-spans.so" ]; then
	mkdir "$tmp/run"
	maker=$(cd "$top_srcdir" && pwd)/tests/kernels/maker.py
	# grades WANTED NAME: whether the maker's kernel is counted, what limits it, and why not
	grades()
	{
		rm -f "$tmp/kernels"
		# The command runs by then, and what it tells lets the clock go on.
		held_at 1000
		XDG_RUNTIME_DIR=$tmp/run "$rooftop" run --kernels -J -p 100us -d 0.2 -o "$tmp/kernels" -- \
			env -u LD_PRELOAD FAKEKERNEL_ROOT="$root" python3 "$maker" runs 0000:00:02.0 > "$tmp/out" 2> "$tmp/err"
		is "$(sed -n 's/.*"kernel":"first".*"grade":"\([a-z]*\)","bound":\([^,]*\),.*"why":"\([^,"]*\).*/\1 \2 \3/p' "$tmp/kernels")" "$1" "$2"
	}
	beside="time null copy or video engines worked meanwhile"
	machine hd620,load=private.mad.sp.x1
	"$perftree" "$root" i915
	rate i915 vcs0-busy 2000000
	grades 'counted "fpu" ' "a kernel on i915 is counted while engines for copies are idle, and one for video nearly"
	rate i915 bcs0-busy 300000000
	grades "$beside" "  ... and not while one for copies works"
	rate i915 bcs0-busy 0
	rate i915 vcs0-busy 20000000
	grades "$beside" "  ... or one for video, a fiftieth of the time"
	machine tgl,load=private.mad.sp.x1 xe
	"$perftree" "$root" xe_0000_00_02.0
	mkdir -p "$root/sys/class/drm/card0/device/tile0/gt0/engines/rcs" "$root/sys/class/drm/card0/device/tile0/gt0/engines/vcs"
	echo 0.0.0 0.1.0 > "$root/xe_engines"
	grades 'counted "alu0" ' "on xe, too"
	echo 0.0.0 0.1.0 0.2.0 > "$root/xe_engines"
	grades "$beside" "  ... it is not while one for video works"
else
	skip 5 "no Python 3.9, or no layer"
fi
finish
