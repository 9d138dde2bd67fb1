# SPDX-License-Identifier: GPL-3.0-or-later
# What the kernel refuses ends in a sentence, a way out, an exit status, and numbers where there still are some.
. "$top_srcdir/tests/fakekernel/lib.sh"

# fails SCENARIO: the machine as new, with that scenario
fails()
{
	machine hd620,load=private.mad.sp.x1
	export FAKEKERNEL_FAIL="$1"
}

no_clocks()
{
	rm -f "$root"/sys/class/drm/card0/gt_*_freq_mhz "$root/sys/class/drm/card0/power/rc6_residency_ms"
}

# left WHY NAME: a window with clocks, and WHY as the reason for OA counters
left()
{
	is "$(python3 - "$tmp/out" <<'END'
import json, sys
head, *windows = [json.loads(line) for line in open(sys.argv[1])]
w = windows[-1]
print(head['source'], w['metrics']['clock_actual'], w['metrics']['eu_active'], w['why']['eu_active'])
END
)" "i915 clock files 1050 None $1" "$2"
}

# refused STATUS NAME TEXT WHY: twice, with clocks to show and without
refused()
{
	gives 0 "$2" -J -n 2 -d 0.05
	said "$3" "  ... has its sentence"
	left "$4" "  ... leaves the clocks"
	is "$(registered)" 0 "  ... and no programming"
	no_clocks
	gives "$1" "  ... without clocks" -J -n 2 -d 0.05
	said "$3" "  ... has the same sentence"
	is "$(wc -c < "$tmp/out")" 0 "  ... and no window"
}

fails ''
export FAKEKERNEL_PERFMON=0
refused 4 "no right to OA counters" "card0: dev.i915.perf_stream_paranoid is 1 and this process has no CAP_PERFMON" permission
said "for this program: sudo setcap cap_perfmon+ep $program; until reboot: sudo sysctl dev.i915.perf_stream_paranoid=0 (for everybody)" "  ... names both ways out"
gives 4 "  ... and doctor" doctor
is "$(grep -c 'perf_stream_paranoid is 1' "$tmp/out")" 1 "  ... tells it as well"
fails ''
gives 4 "  ... also when clocks remain" doctor
is "$(sed -n '/^  i915 perf  *NO /,/until reboot/p' "$tmp/out" | sed 's/^ *//' | grep -c -E \
	-e '^i915 perf +NO +card0: dev.i915.perf_stream_paranoid is 1' -e '^for this program: +sudo setcap cap_perfmon.ep /' \
	-e '^until reboot: +sudo sysctl dev.i915.perf_stream_paranoid=0 ')" 3 "  ... a way out on each line"
is "$(grep -c -E '^rooftop .*kernel 6.1.0-44-amd64 \(Debian\) .*capabilities none' "$tmp/out")" 1 "  ... and who asks"
unset FAKEKERNEL_PERFMON
fails node=EACCES
refused 4 "no right to the node" "card0: this process may not open /dev/dri/renderD128" permission
is "$(grep -c 'sudo usermod -aG' "$tmp/err")" 1 "  ... names the group"
fails open=EBUSY
refused 1 "a unit in use" "card0: another program holds its OA unit" busy
fails open=ENODEV
refused 3 "no OA unit" "card0: its driver offers no OA streams" unsupported
fails add=ENOTSUPP
refused 3 "perf that was never initialised" "card0: its driver offers no OA streams" unsupported
fails add=EINVAL
refused 3 "registers that are not allowed" "invalid: the registers of this metric set" unsupported
fails open=EINVAL
refused 3 "an open that is not understood" "invalid: opening the OA stream" unsupported
fails open=ENOSPC
refused 1 "an error that nobody expects" "card0: opening the OA stream: No space left on device" no_source
fails topology=ENODEV
refused 3 "no topology" "card0: the kernel does not tell the topology" unsupported
fails ''
rm -r "$metrics"
gives 0 "a kernel without metric sets" -J -n 1 -d 0.05
is "$(wc -l < "$tmp/err")" 2 "  ... says so once, with a way out"

# died NAME TEXT WHY: the stream ends while it is read
died()
{
	gives 1 "$1" -J -n 3 -d 0.05
	said "$2" "  ... has one sentence"
	is "$(tail -1 "$tmp/out" | python3 -c 'import json,sys; w = json.load(sys.stdin); print(w["metrics"]["eu_active"], w["why"]["eu_active"])')" \
		"None $3" "  ... and no number"
	is "$(registered)" 0 "  ... and no programming"
}

fails read=EIO@4
died "a stopped stream" "card0: the kernel has stopped its OA stream (Input/output error)" stale
fails read=ENODEV@4
died "a GPU that goes away" "card0: the GPU is gone (No such device)" gone
fails read=ENOSPC@4
died "a read that is too small" "a report does not fit into the 65536 bytes offered" stale
fails read=EIO
died "a stream that never gives anything" "card0: the kernel has stopped its OA stream" stale

# lost NAME: one of the windows had a loss, and every window numbers
lost()
{
	gives 0 "$1" -J -n 6 -d 0.1
	is "$(python3 - "$tmp/out" <<'END'
import json, sys
head, *windows = [json.loads(line) for line in open(sys.argv[1])]
print(sum(w['lost'] for w in windows), all(abs(w['metrics']['flop_sp_per_cycle_eu'] - 16) < 0.5 for w in windows))
END
)" "1 True" "  ... are counted once, and the numbers stay right"
}
fails lost@8
lost "lost reports"
fails buffer@8
lost "a lost buffer"
unset FAKEKERNEL_FAIL

# The real thing: two at a time.
machine hd620,load=private.mad.sp.x1
"$rooftop" -J -d 0.05 -o "$tmp/first" &
wait_for "$tmp/first" 3000 $!
gives 0 "a second rooftop" -J -n 1 -d 0.05
said "sudo find /proc/[0-9]*/fd -lname 'anon_inode:*i915_perf*'" "  ... is told how to find the first"
left busy "  ... and shows the clocks"
kill -TERM $!
wait $! 2> /dev/null
gives 0 "and after that one has ended" -J -n 1 -d 0.05
is "$(wc -c < "$tmp/err")" 0 "  ... everything"
finish
