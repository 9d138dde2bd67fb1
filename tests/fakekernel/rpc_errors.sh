# SPDX-License-Identifier: GPL-3.0-or-later
# Reports that are refused, do not come, or end: a sentence, a way out, and no wrong number.
. "$top_srcdir/tests/fakekernel/errors_lib.sh"
model=hd620,load=private.mad.sp.x1
clocks="i915 clock files 1050"
way="--access rpc"

fails ''
export FAKEKERNEL_PERFMON=0
refused "no right to OA counters" "card0: dev.i915.perf_stream_paranoid is 1 and this process has no CAP_PERFMON" permission
unset FAKEKERNEL_PERFMON
fails open=EBUSY
refused "a unit in use" "card0: another program holds its OA unit" busy

died "a GPU that was given up" exec=EIO@4 "card0: the GPU takes no more commands: its driver has given it up (Input/output error)"
died "a GPU that goes away" exec=ENODEV@4 "card0: the GPU is gone (No such device)"
fails drop@20
gives 0 "a report that is not written" $way -J -n 90 -d 0.05
said "card0: the command streamer wrote no report: the OA unit is off" "  ... has its sentence"
is "$(window "abs(m['flop_sp_per_cycle_eu'] - 16) < 0.5")" True "  ... and the source comes back by itself"
fails wait=ETIME@20
gives 0 "a GPU that is busy with something long" $way -J -n 12 -d 0.05
is "$(window "m['eu_active'], why['eu_active']")" "None not_yet" "  ... is waited for, without a number"
fails mmap=EINVAL
gives 0 "objects that are mapped by offset" $way -J -n 1 -d 0.1
is "$(wc -c < "$tmp/err")" 0 "  ... serve as well"
unset FAKEKERNEL_FAIL
finish
