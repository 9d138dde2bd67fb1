# SPDX-License-Identifier: GPL-3.0-or-later
# Hours, by the clock of a simulation: values stay what they are while counters of 32 and 40 bits and time stamps turn over hundreds of
# times, and memory stays flat.
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
so=$top_builddir/tests/faults/faults.so
cat > "$tmp/steady.py" <<'END'
import json, sys
windows = [json.loads(line) for line in open(sys.argv[1])][1:]
n, seconds, names = int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
assert len(windows) == n, len(windows)
assert not any(w['lost'] for w in windows)
for name in names:
    values = [w['metrics'][name] for w in windows]
    middle = sorted(values)[n // 2]
    assert middle > 0, (name, middle)
    assert all(abs(v - middle) < 0.002 * middle for v in values), (name, min(values), middle, max(values))
passed = sum(w['window_ms'] for w in windows) / 1000
assert abs(passed - n * seconds) < seconds, passed
END

# steady NAME SECONDS METRICS OPTION...: two hours in windows of so many seconds
steady()
{
	name=$1 seconds=$2 metrics=$3
	shift 3
	n=$((7200 / seconds))
	gives 0 "two hours: $name" --speed max -d "$seconds" -n $n -J "$@"
	good "  ... all windows are alike" python3 "$tmp/steady.py" "$tmp/out" $n "$seconds" $metrics
}

steady "counters that wrap" 60 "eu_active avg_gpu_core_frequency flop_sp_per_cycle_eu power_package" -D sim:hd620,load=private.mad.sp.x4,wrap
steady "memory" 60 "gti_throughput power_dram cs_threads" -D sim:tgl,load=copy.sp.x4,wrap -m memory
steady "32-bit words of Mali" 10 "JM.GPU_UTILIZATION SC.EE_UTILIZATION" -D sim:g72,load=compute
steady "Haswell" 60 "gpu_busy avg_gpu_core_frequency" -D sim:hsw,load=private.mad.sp.x4,wrap

# counted OPTION...: allocations, and the bytes that were held at most
counted()
{
	FAULTS_COUNT="$tmp/count" LD_PRELOAD="$so" "$rooftop" "$@" > /dev/null 2> "$tmp/err" < /dev/null
	allocated=$(sed -n 's/^malloc //p' "$tmp/count")
	most=$(sed -n 's/^most //p' "$tmp/count")
}

# flat NAME OPTION...
flat()
{
	name=$1
	shift
	counted --speed max -d 10 -n 30 -J "$@"
	few=$most
	counted --speed max -d 10 -n 330 -J "$@"
	# The buffer of a line may double once; a leak of the smallest object in each window is more.
	[ $((most - few)) -le 4096 ]
	point $? "$name: 300 more windows take no more memory"
	[ "${allocated:-0}" -gt 1000 ]
	point $? "  ... of what was counted"
}

if grep -q -a __asan_init "$rooftop"; then
	skip 8 "a sanitizer has its own allocator"
elif [ ! -e "$so" ]; then
	skip 8 "no faults.so"
else
	flat overview -D sim:hd620
	flat "sets in turns" -D sim:tgl -m overview,flops
	flat cells -D sim:g72
	for wait in 3000 9000; do
		printf 'size 120x40\nwait %s\nkey 3\nwait 60\nkey 5\nwait 60\nkey 2\nwait 60\nquit\n' $wait > "$tmp/$wait.script"
	done
	counted -D sim:hd620 --script "$tmp/3000.script"
	few=$allocated
	counted -D sim:hd620 --script "$tmp/9000.script"
	is "$allocated" "$few" "the screen: 6000 more windows allocate nothing"
	[ "$(cat "$tmp/err" | wc -c)" -eq 0 ]
	point $? "  ... and say nothing"
fi
finish
