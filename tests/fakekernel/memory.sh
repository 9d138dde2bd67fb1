# SPDX-License-Identifier: GPL-3.0-or-later
# Memory of discrete cards as i915 and xe tell it; who has none, or no right, says so.
. "$top_srcdir/tests/fakekernel/lib.sh"

# memory: size and use in the last window of a run, or why there is none
memory()
{
	tail -1 "$tmp/out" | python3 -c 'import json, sys
w = json.load(sys.stdin)
print(*(w["metrics"][n] if w["metrics"][n] is not None else w["why"][n] for n in ("local_memory", "local_memory_used")))'
}

# shows NAME WANTED [OPTION...]
shows()
{
	name=$1
	wanted=$2
	shift 2
	gives 0 "$name" -J -n 1 -d 0.05 "$@"
	is "$(memory)" "$wanted" "  ... $wanted"
}

machine dg2,load=private.mad.sp.x4
shows "i915, a card of its own" "17.179869184 1.5"
"$rooftop" doctor > "$tmp/doctor"
is "$(grep -c -E '^  local memory +ok' "$tmp/doctor")" 1 "  ... which doctor lists"
export FAKEKERNEL_PERFMON=0
echo 0 > "$root/proc/sys/dev/i915/perf_stream_paranoid"
shows "without CAP_PERFMON" "17.179869184 permission"
unset FAKEKERNEL_PERFMON
echo 0 > "$root/i915/local_memory_used_bytes"
shows "a kernel that does not count what is used" "17.179869184 unsupported"
export FAKEKERNEL_FAIL=memory=EINVAL
shows "a kernel without the query" "unsupported unsupported"
export FAKEKERNEL_FAIL=memory=ENODEV@3
shows "a card that goes away" "gone gone"
unset FAKEKERNEL_FAIL
echo suspended > "$root/sys/devices/pci0000:00/0000:00:02.0/power/runtime_status"
shows "a card that sleeps" "asleep asleep"

machine dg2,load=private.mad.sp.x4 xe
shows "xe, a card of its own" "17.179869184 1.5"
export FAKEKERNEL_PERFMON=0
echo 0 > "$root/proc/sys/dev/xe/observation_paranoid"
shows "without CAP_PERFMON" "17.179869184 permission"
unset FAKEKERNEL_PERFMON
rm "$root/dev/dri/renderD128" "$root/dev/dri/card0"
shows "without a node" "no_source no_source"

machine lnl,load=private.mad.sp.x4 xe
shows "xe, processor graphics" "unsupported unsupported"
"$rooftop" doctor > "$tmp/doctor"
is "$(grep -A1 -E '^  local memory +-- ' "$tmp/doctor" | grep -c 'none of its own')" 1 "  ... which doctor explains"
machine hd620,load=private.mad.sp.x1
shows "i915, processor graphics" "unsupported unsupported"
finish
