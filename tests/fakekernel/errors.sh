# SPDX-License-Identifier: GPL-3.0-or-later
# What the kernel refuses ends in a sentence, a way out, an exit status, and numbers where there still are some.
. "$top_srcdir/tests/fakekernel/errors_lib.sh"
model=hd620,load=private.mad.sp.x1
clocks="i915 clock files 1050"

no_clocks()
{
	rm -f "$root"/sys/class/drm/card0/gt_*_freq_mhz "$root/sys/class/drm/card0/power/rc6_residency_ms"
}

# refused_by STATUS NAME TEXT WHY: with clocks to show and without
refused_by()
{
	refused "$2" "$3" "$4"
	no_clocks
	gives "$1" "  ... without clocks" -J -n 1 -d 0.05
	said "$3" "  ... has the same sentence"
	is "$(wc -c < "$tmp/out")" 0 "  ... and no window"
}

fails ''
export FAKEKERNEL_PERFMON=0
refused_by 4 "no right to OA counters" "card0: dev.i915.perf_stream_paranoid is 1 and this process has no CAP_PERFMON" permission
said "for this program: sudo setcap cap_perfmon+ep $program; until reboot: sudo sysctl dev.i915.perf_stream_paranoid=0 (for everybody)" "  ... names both ways out"
gives 4 "  ... and doctor" doctor
is "$(grep -c 'perf_stream_paranoid is 1' "$tmp/out")" 1 "  ... tells it as well"
fails ''
gives 4 "  ... also when clocks remain" doctor
is "$(sed -n '/^  i915 perf  *NO /,/until reboot/p' "$tmp/out" | sed 's/^ *//' | grep -c -E \
	-e '^i915 perf +NO +dev.i915.perf_stream_paranoid is 1' -e '^for this program: +sudo setcap cap_perfmon.ep /' \
	-e '^until reboot: +sudo sysctl dev.i915.perf_stream_paranoid=0 ')" 3 "  ... a way out on each line"
is "$(grep -c -E '^rooftop .*Linux 6.1.0-44-amd64 \(Debian\) .*capabilities none' "$tmp/out")" 1 "  ... and who asks"
unset FAKEKERNEL_PERFMON
fails node=EACCES
refused_by 4 "no right to the node" "card0: this process may not open /dev/dri/renderD128" permission
is "$(grep -c 'sudo usermod -aG' "$tmp/err")" 1 "  ... names the group"
fails open=EBUSY
refused_by 1 "a unit in use" "card0: another program holds its OA unit" busy
fails open=ENODEV
refused_by 3 "no OA unit" "card0: its driver offers no OA streams" unsupported
fails add=ENOTSUPP
refused_by 3 "perf that was never initialised" "card0: its driver offers no OA streams" unsupported
fails add=EINVAL
refused_by 3 "registers that are not allowed" "invalid: the registers of this metric set" unsupported
fails open=EINVAL
refused_by 3 "an open that is not understood" "invalid: opening the OA stream" unsupported
fails open=ENOSPC
refused_by 1 "an error that nobody expects" "card0: opening the OA stream: No space left on device" no_source
fails topology=ENODEV
refused_by 3 "no topology" "card0: the kernel does not tell the topology" unsupported
fails ''
rm -r "$metrics"
gives 0 "a kernel without metric sets" -J -n 1 -d 0.05
is "$(wc -l < "$tmp/err")" 2 "  ... says so once, with a way out"

died "a stopped stream" read=EIO@4 "card0: the kernel has stopped its OA stream (Input/output error)"
died "a GPU that goes away" read=ENODEV@4 "card0: the GPU is gone (No such device)" gone
died "a read that is too small" read=ENOSPC@4 "a report does not fit into the 65536 bytes offered"
died "a stream that never gives anything" read=EIO "card0: the kernel has stopped its OA stream"
lost "lost reports" lost@8 1 flop_sp_per_cycle_eu 16
lost "a lost buffer" buffer@8 1 flop_sp_per_cycle_eu 16
unset FAKEKERNEL_FAIL

# The real thing: two at a time.
machine $model
"$lasting" -J -d 0.05 -o "$tmp/first" &
wait_for "$tmp/first" 3000 $!
gives 0 "a second rooftop" -J -n 1 -d 0.05
said "sudo find /proc/[0-9]*/fd -lname 'anon_inode:*i915_perf*'" "  ... is told how to find the first"
left busy "  ... and shows the clocks"
kill -TERM $!
wait $! 2> /dev/null
gives 0 "and after that one has ended" -J -n 1 -d 0.05
is "$(wc -c < "$tmp/err")" 0 "  ... everything"
finish
