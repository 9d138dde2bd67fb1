# SPDX-License-Identifier: GPL-3.0-or-later
# Live counters of a card of the xe driver on the fake kernel. Debian's intel-gpu-tools (1.27.1) has no program that reads xe
# observation streams, so that the fake is held to the order of checks of the kernel's source, and rooftop to the model.
. "$top_srcdir/tests/fakekernel/lib.sh"
driver=xe

# live MODEL SET: a live device against the simulated one
live()
{
	machine "$1"
	as_model "$@"
}

# asked: the properties of the last request for a stream
asked()
{
	awk '/^OA_OPEN/ { s = "" } $1 == "property" { s = s $2 "=" $4 " " } END { print s }' "$log"
}

live tgl,load=private.mad.sp.x4 overview
live tgl,load=copy.sp.x4 memory
live tgl,load=copy.sp.x4 ComputeBasic
live dg2,load=private.mad.sp.x4 memory
live dg2,load=copy.sp.x4 RenderBasic
live lnl,load=private.mad.sp.x4 overview
live lnl,load=stream.sp.x4 overview

# The matrix engine: a full one is full, by type.
machine lnl,load=xmx,groups=4096
gives 0 "Lunar Lake, matrix" -J -n 2 -d 0.1 -m matrix
is "$(window "m['xmx_active'] > 99, m['xmx_fp16'] > 99, m['xmx_bf16'], m['xmx_int8']")" "True True 0 0" "  ... a full matrix engine is full"
machine dg2,load=xmx,groups=4096
gives 0 "DG2, matrix" -J -n 2 -d 0.1 -m matrix
is "$(window "m['xmx_active'] > 99, m['xmx_fp16'] > 99, m['xmx_int'] < 0.01")" "True True True" "  ... and on Xe-HPG"

# What EUs wait for: by events of the OA unit, and by samples, which no other set asks for.
live lnl,load=stream.sp.x4 stalls
is "$(grep -c '^STALL_OPEN' "$log")" 1 "stalls are sampled for the set that shows them"
is "$(window "abs(m['sampled_sbid'] - m['stall_on_sbid']) < 0.5, m['sampled_sbid'] > 90")" "True True" "  ... and both ways agree"
# Samples are read at other moments than reports, so that a busy machine moves some of them into the next window: the rate is that of all.
is "$(windows "8e3 < sum(w['metrics']['sampled_rate'] * w['window_ms'] for w in windows) / sum(w['window_ms'] for w in windows) < 9e3")" \
	True "  ... at the rate that was asked for"
live lnl,load=private.add.sp.x1,groups=8,items=16 stalls
is "$(window "abs(m['sampled_dist_acc'] / (m['sampled_dist_acc'] + m['sampled_active']) - m['eu_stall'] / (m['eu_stall'] + m['eu_active'])) < 0.01, m['sampled_dist_acc'] > 50")" \
	"True True" "a lone chain of dependent additions waits for its results"

# Parts that have no simulated device: their identity, the load of another one. A multiply-add kernel is a multiply-add kernel.
for part in bmg ptl mtl; do
	machine $part,load=private.mad.sp.x4
	gives 0 "$part" -J -n 2 -d 0.1
	is "$(window "m['gpu_busy'], m['eu_active'] > 98, m['type_fp32'] > 95, m['type_fp64'], m['xmx_active']")" "100 True True 0 0" \
		"  ... counts"
done
machine ptl,load=copy.sp.x4
gives 0 "Panther Lake, copying" -J -n 4 -d 0.1
cp "$tmp/out" "$tmp/ptl"
machine lnl,load=copy.sp.x4
gives 0 "Lunar Lake, copying" -J -n 4 -d 0.1
# Over all windows in which a report came: a busy machine may leave the last one without, or make it so short that its ends matter.
is "$(python3 - "$tmp/ptl" "$tmp/out" <<'END'
import json, sys
def mean(path, name):
    windows = [w for w in map(json.loads, open(path).readlines()[1:]) if w['metrics'][name] is not None]
    return sum(w['metrics'][name] * w['window_ms'] for w in windows) / sum(w['window_ms'] for w in windows)
ptl, lnl = sys.argv[1:]
print(all(abs(mean(ptl, k) / mean(lnl, k) - 1) < 0.02 for k in ('mem_read', 'mem_written', 'eu_stall', 'lsc_accesses')),
      abs(mean(ptl, 'eu_thread_occupancy') / mean(lnl, 'eu_thread_occupancy') - 0.8) < 0.01)
END
)" "True True" "  ... and what a count stands for is taken from each generation"

# Intel's own files, which name the same counters, for each machine that is called as its file.
if oracle_has xml 'oa-*.xml.gz'; then
	used=0
	for xml in $oracle_files; do
		name=$(basename "$xml" .xml.gz)
		name=${name#oa-}
		gzip -dc "$xml" | grep -q XVE_INST_EXECUTED_ALU0_ALL_UTILIZATION || continue
		sh "$top_srcdir/tests/fakekernel/maketree.sh" "$root" "$name" xe 2> /dev/null || continue
		machine "$name,load=private.mad.sp.x4"
		used=$((used + 1))
		gives 0 "$name: Intel's ComputeBasic" -J -n 2 -d 0.1 --metrics-xml "$xml" -m ComputeBasic
		is "$(window "m['gpu_busy'], m['xve_active'] > 98, m['xve_inst_executed_alu0_all_utilization'] > 98")" "100 True True" \
			"  ... counts on a live device"
	done
	is "$([ $used -gt 0 ] && echo some)" some "$used machines with Intel's sets"
else
	skip 1 "there is no oracle: set ROOFTOP_ORACLE to its folder"
fi

# Sets in turns under a load that never rests: what the unit wrote by the set before is handed out after the change, where the kernel looks
# late even after a while, and counts for neither. Each set gives what a fresh start of it gives.
for looks_ms in 5 170; do
	machine tgl,load=private.mad.sp.x4
	printf '%s\n' $looks_ms > "$root/i915/poll_ms"
	gives 0 "sets in turns, by a kernel that looks for reports every $looks_ms ms" -J -n 12 -d 0.25 -m overview,flops
	is "$(wc -c < "$tmp/err") $(grep -c '^CONFIG$' "$log") $(grep -c '^OA_OPEN$' "$log")" "0 12 1" "  ... in one stream"
	{ head -1 "$tmp/out"; tail -10 "$tmp/out"; } > "$tmp/live"
	modelled tgl,load=private.mad.sp.x4 -d 0.25 -m overview,flops
	sed -i 2,3d "$tmp/model"	# the second set has not had its turn
	good "  ... each counts what the model counted" python3 "$compare" "$tmp/live" "$tmp/model" energy_update
	is "$(registered)" 0 "  ... and no programming is left behind"
done

# The numbers of the device and the request to the kernel.
machine tgl,load=private.mad.sp.x4
gives 0 "windows of a second" -J -n 1 -d 1
is "$(windows "head['device'], head['driver'], head['source'], head['sim'], windows[0]['window_ms'] > 950")" \
	"card0 xe xe observation False True" "  ... say where they come from"
is "$(asked)" "1=0 2=1 3=1 4=1280 5=16 " "the stream: unit, reports, set, format, a timer below 10 ms"
printf '9\n' > "$root/i915/oa_capabilities"
gives 0 "a kernel that can wait for reports" -J -n 1 -d 1
is "$(asked)" "1=0 2=1 3=1 4=1280 5=16 " "  ... is asked for no more: what paces the program is a timer of its own"
gives 3 "register access" --access mmio -J -n 1
gives 0 "-L" -L
is "$(grep -c '^card0 .* xe .* ready$' "$tmp/out")" 1 "  ... lists the card"

# Units that nobody counts are named.
printf '2\n' > "$root/i915/tiles"
gives 0 "doctor on a card of two tiles" doctor
is "$(grep -c '^  other tiles  *--  1: not read' "$tmp/out") $(grep -c '^  media OA units  *--  1: not read' "$tmp/out")" "1 1" \
	"  ... names the other tile and the media engines' OA unit"
machine lnl,load=private.mad.sp.x4
gives 0 "set fixed on Lunar Lake" -J -n 2 -d 0.1 -m fixed
is "$(window "abs(m['avg_gpu_core_frequency'] - 1950) < 5")" True "  ... counts with one register that nobody reads"
live tgl,load=private.mad.sp.x4 fixed

stays_ours tgl,load=private.mad.sp.x4

# Killed at any moment: the kernel closes the stream, and nothing else was left.
machine tgl,load=private.mad.sp.x4
"$lasting" -J -d 0.05 -o "$tmp/killed" &
wait_for "$tmp/killed" 5000 $!
is "$(registered)" 0 "no programming is registered while a stream runs"
gives 0 "a second rooftop" -J -n 1 -d 0.05
said "sudo find /proc/[0-9]*/fd -lname 'anon_inode:*xe_oa*'" "  ... is told how to find the first"
kill -KILL $!
wait $! 2> /dev/null
gives 0 "the unit is free after SIGKILL" -J -n 1 -d 0.1
is "$(wc -c < "$tmp/err")" 0 "  ... without a word"

# i915's records are made of xe's reports. A recording does not tell how many compute engines there are.
plays_as_model tgl,load=private.mad.sp.x4 ComputeBasic
good "  ... as xe-perf-recorder writes" test "$(od -A n -t u4 -N 4 "$tmp/live.i915perf" | tr -d ' ')" -eq 4
# Two clocks: reports count twice as fast as the command streamers, whose time the recording holds.
machine dg2,load=private.mad.sp.x4
plays_as_model dg2,load=private.mad.sp.x4 RenderBasic
if command -v xe-perf-reader > /dev/null; then
	good "  ... and xe-perf-reader reads it" xe-perf-reader -c GpuBusy "$tmp/live.i915perf"
	is "$(grep -c 'Metric used : RenderBasic' "$tmp/good.out")" 1 "  ... with its metric set"
	machine lnl,load=private.mad.sp.x4
	"$on_fake" xe-perf-recorder -m RenderBasic -o "$tmp/theirs" > "$tmp/recorder" 2>&1 &
	wait_for "$tmp/theirs" 100000 $!
	kill -INT $!
	wait $! 2> /dev/null
	recorded=$tmp/theirs
else
	skip 2 "no xe-perf-reader"
	# 22 reports of the fake Lunar Lake as xe-perf-recorder 2.0 of Debian 13 wrote them
	recorded=$top_srcdir/tests/recordings/xe-perf-recorder.lnl
fi
gives 0 "a recording of xe-perf-recorder" -r "$recorded" --speed max -J -d 0.2
is "$(windows "abs(windows[1]['metrics']['avg_gpu_core_frequency'] - 1950) < 5, head['sim']")" "True False" "  ... plays"
export FAKEKERNEL_FAIL=clock=EINVAL
gives 0 "a recording while the GPU's time cannot be read" -J -n 4 -d 0.1 --overwrite -w "$tmp/timeless"
unset FAKEKERNEL_FAIL
gives 0 "  ... goes on and plays" -r "$tmp/timeless" --speed max -J -d 0.1
is "$(windows "len(windows) >= 3")" True "  ... whole"
machine lnl,load=private.mad.sp.x4
plays_as_model lnl,load=private.mad.sp.x4 overview compute_busy l3_queue_full
finish
