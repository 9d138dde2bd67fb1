# SPDX-License-Identifier: GPL-3.0-or-later
# A clock that moves while a kernel runs is said, in the row and with the command that fixes it. The card is a fake one, and the kernel runs
# on the CPU, since no OpenCL device belongs to the card.
. "$top_srcdir/tests/fakekernel/lib.sh"
# The kernel runs in a process of its own, in real time.
export FAKEKERNEL_CLOCK=real
. "$top_srcdir/tests/fakekernel/tree_lib.sh"
kernel=flops.private.mad.sp.x4

machine hd620,load=private.mad.sp.x1
"$rooftop" stress -c --time 1 $kernel > "$tmp/out" 2> "$tmp/err" < /dev/null
if ! grep -q "^$kernel," "$tmp/out"; then
	skip 1 "no OpenCL device runs the kernel"
	finish
	exit
fi
is "$(grep -c 'clock [0-9]*-[0-9]* MHz' "$tmp/out")$(grep -c 'the clock moved' "$tmp/err")" 00 "a clock that stands still is no news"

machine hd620,load=private.mad.sp.x1,freq=walk
gives 0 "a kernel while the clock walks" stress -c --time 1.5 $kernel
good "the row has the note" grep -q ',"[^"]*clock [0-9]*-[0-9]* MHz' "$tmp/out"
slowest=$(sed -n 's/.*clock \([0-9]*\)-[0-9]* MHz.*/\1/p' "$tmp/out")
good "the command is told" grep -q "echo $slowest | sudo tee /sys/class/drm/card0/gt/gt0/rps_max_freq_mhz /sys/class/drm/card0/gt/gt0/rps_min_freq_mhz" "$tmp/err"
is "$(grep -c 'the clock moved in runs: 1 of 1' "$tmp/err")" 1 "once"
gives 0 "a quiet run" stress -c --time 1.5 --quiet -o "$tmp/quiet" $kernel
is "$(grep -c 'the clock moved' "$tmp/err") $(grep -c 'MHz' "$tmp/quiet")" "0 1" "has the note alone"
finish
