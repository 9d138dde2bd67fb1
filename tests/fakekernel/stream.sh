# SPDX-License-Identifier: GPL-3.0-or-later
# What an i915 card is asked for, what of it stays behind, and what is recorded.
. "$top_srcdir/tests/fakekernel/lib.sh"

# The numbers of the device and the request to the kernel.
machine hd620,load=private.mad.sp.x1
gives 0 "windows of a second" -J -n 1 -d 1
cat > "$tmp/head.py" <<'END'
import json, sys
head, window = [json.loads(line) for line in open(sys.argv[1])]
assert (head['device'], head['driver'], head['source'], head['sim']) == ('card0', 'i915', 'i915 perf', False), head
assert window['window_ms'] > 950, window['window_ms']
m = window['metrics']
assert m['clock_actual'] == 1050 and m['rc6'] == 0, m
assert m['power_package'] is None and window['why']['power_package'] == 'unsupported'
assert abs(m['flop_sp_per_cycle_eu'] - 16) < 0.5, m
END
good "  ... say where they come from, and 16 FLOP a cycle and EU" python3 "$tmp/head.py" "$tmp/out"
is "$(awk '$1 == "property" { printf "%s=%s ", $2, $4 }' "$log")" "2=1 3=2 4=10 5=15 8=100000000 " \
	"the stream: reports, set, format, a timer below 10 ms, ten wake-ups a second"
sed -i 's/.*/4/' "$root/i915/perf_revision"
: > "$log"
gives 0 "revision 4" -J -n 1 -d 0.1
is "$(grep -c 'property 8' "$log")" 0 "  ... is not asked for a poll period"
printf 'size 80x24\nwait 1\nsave-screen -\n' > "$tmp/script"
gives 0 "a script waits for a real device" -D card0 -d 0.2 --script "$tmp/script"
is "$(grep -c 'PIPE FULL\|BOUND\|IDLE' "$tmp/out")" 1 "  ... whose screen has an answer"
gives 2 "  ... but not beside a clock that it moves" -D sim:hd620 -D card0 --script "$tmp/script"
gives 0 "--fsroot: the tree by its own name" --fsroot "$root" -J -n 1 -d 0.1
gives 0 "-L" -L
is "$(grep -c '^card0 .* i915 .* ready$' "$tmp/out")" 1 "  ... lists the card"
gives 0 "doctor" doctor
is "$(grep -c -E '^  i915 (perf|clock files) +ok' "$tmp/out")" 2 "  ... tries its sources"
is "$(grep -c -E '^  OA self-test +ok ' "$tmp/out")" 2 "  ... and runs the OA self-test on the card and on the model"
is "$(grep -c '^result: .* usable; a device of this machine can be read.  exit status 0$' "$tmp/out")" 1 "  ... with a result"
gives 0 "doctor --tap" doctor --tap

machine hd620,load=private.mad.sp.x1

# A rate above the limit for ordinary processes.
printf '0\n' > "$root/proc/sys/dev/i915/perf_stream_paranoid"
: > "$log"
export FAKEKERNEL_PERFMON=0
gives 0 "a rate that this process may not have" -J -n 1 -d 0.1 --oa-period 6us
is "$(awk '$2 == 5 { printf "%s ", $4 }' "$log")" "5 6 " "  ... is lowered to what it may"
unset FAKEKERNEL_PERFMON
: > "$log"
gives 0 "a privileged process" -J -n 1 -d 0.1 --oa-period 6us
is "$(awk '$2 == 5 { printf "%s ", $4 }' "$log")" "5 " "  ... gets what it wants"

# Sets in turns: only opening a stream waits until the counters follow, so each turn has a stream of its own.
: > "$log"
gives 0 "sets in turns" -J -n 4 -d 0.1 -m overview,memory
opened=$(grep -c PERF_OPEN "$log")
is "$(grep -c ADD_CONFIG "$log") $(grep -c 'CLOSE stream' "$log") $([ "$opened" -ge 4 ] && echo many)" "$opened $opened many" \
	"  ... take a stream and a programming each"
is "$(sed -n '/PERF_OPEN/,$p' "$log" | awk '/PERF_OPEN/ && open++ { n++ } /CLOSE stream/ { open-- } END { print n + 0 }')" 0 \
	"  ... never two at once"
is "$(registered)" 0 "  ... none of which stays"

# A turn that fails: the stream is gone, and comes back with the set before.
machine hd620,load=private.mad.sp.x1
export FAKEKERNEL_FAIL=open=EBUSY@3-3
gives 0 "a turn that another program breaks" -J -n 40 -d 0.1 -m overview,flops
unset FAKEKERNEL_FAIL
said "goes on alone" "  ... is told once"
is "$(windows "windows[-1]['why'].get('eu_active', 'there')")" there "  ... and its stream comes back by itself"
is "$(registered)" 0 "  ... with nothing left behind"

stays_ours hd620,load=private.mad.sp.x1

# Killed at any moment: the kernel closes the stream, and nothing else was left.
machine hd620,load=private.mad.sp.x1
"$lasting" -J -d 0.05 -o "$tmp/killed" &
wait_for "$tmp/killed" 5000 $!
is "$(registered)" 0 "no programming is registered while a stream runs"
kill -KILL $!
wait $! 2> /dev/null
gives 0 "the unit is free after SIGKILL" -J -n 1 -d 0.1

plays_as_model hd620,load=private.mad.sp.x1 ComputeBasic
if command -v i915-perf-reader > /dev/null; then
	good "  ... and i915-perf-reader reads it" i915-perf-reader -c all "$tmp/live.i915perf"
	is "$(grep -c 'Metric used : ComputeBasic' "$tmp/good.out")" 1 "  ... with its metric set"
else
	skip 2 "no i915-perf-reader"
fi
# DG2: reports count twice as fast as the command streamer, whose time the recording holds.
machine dg2,load=private.mad.sp.x4
plays_as_model dg2,load=private.mad.sp.x4 RenderBasic
if command -v i915-perf-reader > /dev/null; then
	good "  ... and i915-perf-reader reads it" i915-perf-reader -c GpuBusy "$tmp/live.i915perf"
else
	skip 1 "no i915-perf-reader"
fi
export FAKEKERNEL_FAIL=clock=EINVAL
gives 0 "a recording while the GPU's time cannot be read" -J -n 4 -d 0.1 --overwrite -w "$tmp/timeless"
unset FAKEKERNEL_FAIL
gives 0 "  ... goes on and plays" -r "$tmp/timeless" --speed max -J -d 0.1
finish
