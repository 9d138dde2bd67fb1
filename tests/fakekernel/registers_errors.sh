# SPDX-License-Identifier: GPL-3.0-or-later
# Registers that are refused, taken by others, or change under way: a sentence, a way out, and no wrong number.
. "$top_srcdir/tests/fakekernel/registers_lib.sh"

fails ''
printf 'none [integrity] confidentiality\n' > "$root/sys/kernel/security/lockdown"
: > "$log"
refused "lockdown" "the kernel is locked down (integrity), so nobody may map registers" permission
is "$(grep -c MAP "$log")" 0 "  ... is not tried against"
fails ''
rm "$resource"
refused "no registers" "cannot use /sys/bus/pci/devices/0000:00:02.0/resource0: No such file or directory" no_source
fails resource=EACCES
refused "no right to registers" "this process may not map the registers of PCI device 0000:00:02.0" permission
fails map=EINVAL
refused "registers that the driver keeps" "this kernel keeps the registers of PCI device 0000:00:02.0 to its driver" permission
fails forcewake=EIO
refused "a GPU that does not wake up" "the GPU's power well 'render' does not wake up" no_source
restored 0
unset FAKEKERNEL_FAIL

machine hsw
gives 0 "Haswell" $way -J -n 1 -d 0.05
said "card0: this version does not know the OA registers of Haswell" "  ... has no table of registers"

# A set that wants other registers than those of the OA unit, and a card that is asleep.
machine $model
cat > "$tmp/odd.metrics" <<'END'
include counters.metrics
set odd "Odd"
	platforms kblgt2
	registers OA 2B00 00000001
	let L3.shader = A30 + A31 + A32
	include body-fixed.metrics
END
: > "$log"
gives 2 "registers of others" $way --metrics "$tmp/odd.metrics" -m odd -J -n 1
said "card0: set 'odd' writes register 0x2b00, which is none of the OA unit of Kaby Lake" "  ... are not written"
is "$(grep -c '^WRITE' "$log")" 0 "  ... nor any other"
printf 'suspended\n' > "$root/sys/class/drm/card0/device/power/runtime_status"
: > "$log"
gives 0 "a card that is asleep" $way -J -n 1 -d 0.05
said "card0 is asleep and is left so; its counters come when it is used" "  ... is left so"
is "$(grep -c '^MAP' "$log")" 0 "  ... and its registers alone"

# One unit, two users.
machine $model
"$lasting" -J -d 0.05 -o "$tmp/first" &
wait_for "$tmp/first" 3000 $!
refused "registers while a stream runs" "card0: another program controls its OA unit (OA control register 0x2b00 is 0x15)" busy
kill -TERM $!
wait $! 2> /dev/null
"$lasting" $way -J -d 0.05 -o "$tmp/first" 2> "$tmp/first.err" &
wait_for "$tmp/first" 3000 $!
first=$!
"$lasting" -J -d 0.05 -o "$tmp/second" 2> "$tmp/err" &
second=$!
patient $first grep -q 'card0: another program controls its OA unit' "$tmp/first.err"
point $? "a stream while registers are read ends their use, with a sentence"
patient $second has_number "$tmp/second" eu_active
point $? "  ... and counts"
kill -TERM $first $second
wait $first $second 2> /dev/null
is "$(grep -c 'card0: another program controls its OA unit' "$tmp/first.err")" 1 "  ... which is said once"

# What happens under way.
died "a GPU that goes away" gone=ENODEV@600 "card0: the GPU is gone: its registers do not answer"
fails slow@1000
gives 0 "a turn that is interrupted" $way -J -n 6 -d 0.1
is "$(windows "sum(w['lost'] for w in windows), max(abs(w['metrics']['eu_active'] - windows[0]['metrics']['eu_active']) for w in windows) < 1")" \
	"0 True" "  ... is read again"
lost "a context with events of its own" context@20 1 flop_sp_per_cycle_eu 16
fails ''
printf '1\n' > "$root/i915/stuck_subslice"
gives 0 "a subslice that takes no events" $way doctor
is "$(grep -c 'subslice 1 of slice 0 does not hold the events' "$tmp/out")" 1 "  ... is told by name"
unset FAKEKERNEL_FAIL
finish
