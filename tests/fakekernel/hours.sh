# SPDX-License-Identifier: GPL-3.0-or-later
# Hours of a live stream in which its buffer overflows every minute, by a clock that passes only while the program waits (clocks.c): each
# overflow is a counted loss, and sampling goes on, with the values of the model, to the last window. 80 minutes are longer than any of the
# counters takes to turn over, also one of microseconds in 32 bits (72 minutes); stall samples, of which there are far more, have 20.
. "$top_srcdir/tests/fakekernel/lib.sh"
cat > "$tmp/hours.py" <<'END'
import json, sys
(head, *windows), (_, *model) = ([json.loads(line) for line in open(path)] for path in sys.argv[1:3])
each, minutes, names = int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
passed = sum(w['window_ms'] for w in windows)
assert not head['sim'] and abs(passed - 60e3 * minutes) < 60e3, passed
lost = sum(w['lost'] for w in windows)
assert (minutes - 2) * each <= lost <= minutes * each, lost
# All windows are alike, those with a loss as well.
for name in names:
    want = model[-1]['metrics'][name]
    for i, w in enumerate(windows):
        got = w['metrics'][name]
        assert want and got is not None and abs(got / want - 1) < 0.002, (i, name, got, want, w['why'].get(name))
END

# hours NAME MODEL LOSSES MINUTES METRIC... -- OPTION...: so long, with so many losses a minute
hours()
{
	name=$1 model=$2 losses=$3 minutes=$4 metrics=
	shift 4
	while [ "$1" != -- ]; do
		metrics="$metrics $1"
		shift
	done
	shift
	# what a tree has without throttle reasons is read less often
	rm -rf "$root"/sys/class/drm/card0/device/tile0/gt0/freq0/throttle
	echo 60000 > "$root/i915/oa_overflow_ms"
	gives 0 "$minutes minutes of $name, with an overflow each" -J -d 30 -n $((2 * minutes)) "$@"
	"$program" -D "sim:$model" --speed max -J -d 30 -n 2 "$@" > "$tmp/model"
	# shellcheck disable=SC2086
	good "  ... are counted to the end" python3 "$tmp/hours.py" "$tmp/out" "$tmp/model" "$losses" "$minutes" $metrics
	is "$(grep -c '^PERF_OPEN\|^OA_OPEN' "$log")" 1 "  ... in one stream"
}

machine hd620,load=private.mad.sp.x1
hours "i915's OA stream" hd620,load=private.mad.sp.x1 1 80 eu_active gpu_busy flop_sp_per_cycle_eu --
# A few threads, so that there are few samples. All eight Xe cores drop some each time, beside the one loss of OA.
driver=xe
machine lnl,load=private.add.sp.x1,groups=8,items=16
echo 60000 > "$root/i915/stall_overflow_ms"
echo 1000 > "$root/i915/poll_ms"
hours "xe's OA stream and EU stall samples" lnl,load=private.add.sp.x1,groups=8,items=16 9 20 eu_stall gpu_busy sampled_dist_acc sampled_rate -- \
	-m stalls
finish
