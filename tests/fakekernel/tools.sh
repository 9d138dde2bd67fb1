# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that know nothing of rooftop, on the same fake kernel: it behaves as they expect, and what they record plays here.
. "$top_srcdir/tests/fakekernel/lib.sh"

# record MODEL [SET]: i915-perf-recorder until there are reports of some windows
record()
{
	set=${2:-ComputeBasic}
	machine "$1"
	rm -f "$tmp/by-recorder"
	"$on_fake" i915-perf-recorder -m "$set" -p 0.002 -c 0.2 -o "$tmp/by-recorder" > "$tmp/recorder.out" 2>&1 &
	wait_for "$tmp/by-recorder" 50000 $!
	kill -INT $!
	wait $!
	point $? "$1: i915-perf-recorder records"
	"$program" -r "$tmp/by-recorder" --speed max -d 0.05 -J > "$tmp/played" 2> "$tmp/err"
	modelled "$1" -d 0.05 -m "$set"
	good "  ... and rooftop plays it with the values of the model" played_as_model
}

if command -v i915-perf-recorder > /dev/null; then
	record hd620,load=private.mad.sp.x1
	record chv,load=copy.sp.x1
	record dg2,load=private.mad.sp.x4 RenderBasic
	record tgl,load=copy.sp.x4
else
	skip 8 "no i915-perf-recorder"
	machine tgl
fi
if command -v i915-perf-configs > /dev/null && command -v i915-perf-recorder > /dev/null; then
	good "i915-perf-configs lists what the recorder registered" "$on_fake" i915-perf-configs
	is "$(grep -c 'name=ComputeBasic$' "$tmp/good.out")" 1 "  ... with the names that it knows"
	good "  ... and takes it away" "$on_fake" i915-perf-configs -p
	is "$(registered)" 0 "  ... all of it"
else
	skip 4 "no i915-perf-configs or nothing for it"
fi
if command -v intel_gpu_top > /dev/null; then
	good "intel_gpu_top -L" "$on_fake" intel_gpu_top -L
	is "$(grep -c '^card0 .*pci:vendor=8086' "$tmp/good.out")" 1 "  ... lists the card"
else
	skip 2 "no intel_gpu_top"
fi
# nvtop finds cards through libsystemd or libudev, and only those that are switched on.
if command -v nvtop > /dev/null; then
	for driver in i915 xe; do
		if [ $driver = xe ]; then machine lnl; else machine tgl; fi
		"$on_fake" nvtop -s > "$tmp/out" 2>&1 < /dev/null
		is "$(grep -c '"gpu_clock": "[0-9]*MHz"' "$tmp/out")" 1 "nvtop finds a card of $driver"
		echo 0 > "$root/sys/devices/pci0000:00/0000:00:02.0/enable"
		"$on_fake" nvtop -s > "$tmp/out" 2>&1 < /dev/null
		is "$(cat "$tmp/out")" "No GPU to monitor." "  ... but not one that is switched off"
	done
else
	skip 4 "no nvtop"
fi
finish
