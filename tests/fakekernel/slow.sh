# SPDX-License-Identifier: GPL-3.0-or-later
# A card whose driver takes 200 ms to answer each read delays nobody: a thread reads its files, and the numbers stay right.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
# Two threads wait beside each other, and a virtual clock is that of one.
export FAKEKERNEL_CLOCK=real
machine dg2,load=private.mad.sp.x1
powered hwmon
echo 61000 > "$root/sys/devices/pci0000:00/0000:00:02.0/hwmon/hwmon3/temp1_input"

# power: the mean of the windows that have it
power()
{
	windows "(lambda v: round(sum(v) / len(v), 1))([w['metrics']['power_gpu'] for w in windows if w.get('device') == 'card0' and w.get('metrics', {}).get('power_gpu')])"
}

# slept WHO: how many reads have waited, of the thread that draws (first), or of another one
slept()
{
	grep -c "^slow $1 " "$log"
}

gives 0 "a card that answers at once" -J -n 3 -d 0.3 -D card0 -D sim:hd620
quick=$(power)
is "$(slept first)$(slept other)" 00 "is waited for by nobody"

export FAKEKERNEL_SLOW="hwmon 200"
rm -f "$log"
gives 0 "one that takes 200 ms" -J -n 4 -d 0.3 -D card0 -D sim:hd620
few=$(slept first)
rm -f "$log"
gives 0 "the same for longer" -J -n 16 -d 0.3 -D card0 -D sim:hd620
is "$(slept first)" "$few" "once it is known to be slow, the thread that draws never waits for it again"
[ "$(slept other)" -gt 8 ]
point $? "another thread does"
slow=$(power)
is "$(echo "$quick $slow" | awk '{ print ($2 > 0.9 * $1 && $2 < 1.1 * $1) }')" 1 "its power is what it was ($quick W, then $slow W)"

finish
