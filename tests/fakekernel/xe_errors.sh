# SPDX-License-Identifier: GPL-3.0-or-later
# What the xe driver refuses or loses ends in a sentence, a way out, and numbers where there still are some.
. "$top_srcdir/tests/fakekernel/errors_lib.sh"
model=lnl,load=stream.sp.x4
driver=xe
clocks="xe clock files 1950"

fails ''
export FAKEKERNEL_PERFMON=0
refused "no right to observe" "dev.xe.observation_paranoid is 1" permission
is "$(grep -c "sudo setcap cap_perfmon+ep $program" "$tmp/err")" 1 "  ... names the capability"
is "$(grep -c "sudo sysctl .*dev.xe.observation_paranoid=0" "$tmp/err")" 1 "  ... and the sysctl"
printf '0\n' > "$root/proc/sys/dev/xe/observation_paranoid"
gives 0 "the sysctl at 0" -J -n 1 -d 0.05
is "$(wc -c < "$tmp/err")" 0 "  ... is enough"
unset FAKEKERNEL_PERFMON
fails open=EBUSY
refused "a unit in use" "card0: another program holds its OA unit" busy
fails open=ENODEV
refused "no OA unit for this GPU" "card0: its driver does not offer this for this GPU: opening the OA stream" unsupported
fails add=EINVAL
refused "registers that are not allowed" "invalid: the registers of this metric set" unsupported
fails open=ENOSPC
refused "an error that nobody expects" "card0: opening the OA stream: No space left on device" no_source
fails topology=ENODEV
refused "no topology" "card0: the kernel does not tell the topology" no_source
fails units=EINVAL
refused "a kernel before OA streams of xe" "card0: this kernel's xe driver tells of no OA unit" unsupported

# A multiply-add kernel keeps EUs active 99.4 % of the time.
mad=lnl,load=private.mad.sp.x4
stream=$model
model=$mad
lost "lost reports" lost@8 1 eu_active 99.4
is "$(grep -c '^STATUS 1$' "$log")" 1 "  ... after asking what EIO was about"
lost "an overflown buffer" buffer@8 1 eu_active 99.4
lost "counters that turned over, no loss," wrapped@8 0 eu_active 99.4
lost "a full queue of triggers, whose reports are others'," triggers@8 0 eu_active 99.4
is "$(grep -c '^STATUS 8$' "$log")" 1 "  ... after asking what EIO was about"
# Three buffers of reports.
fails '' $mad
gives 0 "a buffer that is written over and over" -J -n 20 -d 0.1 -p 0.00004
is "$(windows "all(abs(w['metrics']['eu_active'] - 99.4) < 0.2 for w in windows), sum(w['lost'] for w in windows)")" "True 0" "  ... loses nothing"
model=$stream

# A change of the set that the kernel refuses: the stream was off for it, and the set before goes on.
fails config=ENODEV@4 tgl,load=private.mad.sp.x4
gives 0 "a set that is refused in its turn" -J -n 10 -d 0.1 -m overview,flops
said "the set flops goes on alone" "  ... has its sentence"
is "$(windows "all(abs(w['metrics']['alu0_ternary'] - 98.8) < 0.2 for w in windows[2:]), all(w['metrics']['gpu_busy'] == 100 for w in windows)")" \
	"True True" "  ... and the set before goes on, from zero"

died "a stopped stream" read=EIO@4 "card0: the kernel has stopped its OA stream (Input/output error)"
died "a GPU that goes away" read=ENODEV@4 "card0: the GPU is gone (No such device)" gone
died "a read that is too small" read=ENOSPC@4 "a report does not fit into the 65536 bytes offered"

# Stall samples come and go by themselves.
# sampled WHY NAME: OA counters have numbers, samples have that reason
sampled()
{
	is "$(window "m['eu_stall'] > 90, m['sampled_sbid'], why['sampled_sbid']")" "True None $1" "$2"
}

fails stall=EBUSY
gives 0 "stall sampling in use" -J -n 1 -d 0.1 -m stalls
said "card0: another program samples the stalls of its EUs" "  ... has its sentence"
sampled busy "  ... and costs the samples only"
fails stall=ENODEV
gives 0 "a GPU without stall sampling" -J -n 1 -d 0.1 -m stalls
sampled unsupported "  ... costs the samples only"
fails '' tgl
gives 2 "Tiger Lake" -J -n 1 -d 0.1 -m stalls
said "no metric set 'stalls'" "  ... has no such set"
fails stall_read=ENODEV@3
gives 0 "a GPU reset" -J -n 3 -d 0.1 -m stalls
said "card0: EU stall sampling ended" "  ... has its sentence"
sampled stale "  ... and costs the samples only"
# after_loss COUNT: whether losses are COUNT, and samples that came with the first of them and later have numbers as before. A busy
# machine may keep the program from its turn for a whole window, in which no sample comes.
after_loss()
{
	windows "(lambda lost, later: (sum(lost) $1, any(later), all(v is None or v > 90 for v in later)))([w['lost'] for w in windows],
		[w['metrics']['sampled_sbid'] for i, w in enumerate(windows) if any(w['lost'] for w in windows[:i + 1])])"
}

# All eight Xe cores overflow at once; one core's ring fills the buffer of a read, and the kernel says EIO before each.
fails dropped@30
gives 0 "dropped samples" -J -n 6 -d 0.1 -m stalls
is "$(after_loss '== 8')" "(True, True, True)" "  ... are counted, and sampling goes on"
# As often as in two hours with an overflow each minute.
fails ''
printf '50\n' > "$root/i915/stall_overflow_ms"
gives 0 "more than 120 overflows" -J -n 80 -d 0.1 -m stalls
is "$(after_loss '> 120 * 8')" "(True, True, True)" "  ... and sampling goes on"
is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
unset FAKEKERNEL_FAIL
finish
