# SPDX-License-Identifier: GPL-3.0-or-later
# TAP for tests with a library that looks like NVIDIA's: card SPEC makes a machine with that card ("h100,load=fma"); $rooftop is the program
# on it. fault LIST says what the library's functions return instead (fakenvml/nvml.c).
. "$top_srcdir/tests/tty/tap.sh"
root=$tmp/machine
address=0000:01:00.0
pci=$root/sys/devices/pci0000:00/$address
there=$rooftop
spec=h100
faults=
api=
library=libnvidia-ml.so.1

# What gives() runs.
write_program()
{
	rooftop=$tmp/rooftop-there
	cat > "$rooftop" <<END
#!/bin/sh
ROOFTOP_FAKE_GPU='$spec' ROOFTOP_FAKE_FAULT='$faults' ROOFTOP_FAKE_API='$api' exec '$there' --fsroot '$root' "\$@"
END
	chmod 755 "$rooftop"
}

# card SPEC [DRM]: with DRM it is also a card of nvidia-drm
card()
{
	spec=$1
	rm -rf "$root"
	mkdir -p "$pci/power" "$root/sys/bus/pci/drivers/nvidia" "$root/sys/bus/pci/devices" "$root/usr/lib" \
		"$root/proc/driver/nvidia/gpus/$address" "$root/sys/class/drm" "$root/etc"
	echo 0x10de > "$pci/vendor"
	echo 0x2330 > "$pci/device"
	echo 0xa1 > "$pci/revision"
	echo active > "$pci/power/runtime_status"
	echo on > "$pci/power/control"
	ln -s "../../../../devices/pci0000:00/$address" "$root/sys/bus/pci/drivers/nvidia/$address"
	ln -s "../../../devices/pci0000:00/$address" "$root/sys/bus/pci/devices/$address"
	ln -s /sys/bus/pci/drivers/nvidia "$pci/driver"
	printf 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.163.01  Tue Apr  8 12:41:17 UTC 2025\nGCC version:  gcc version 14.2.0\n' \
		> "$root/proc/driver/nvidia/version"
	printf 'Model: \t\t NVIDIA Test Card\nIRQ:   \t\t 18\nGPU UUID: \t GPU-11111111-0000-0000-0000-000000000001\nDevice Minor: \t 0\n' > "$root/proc/driver/nvidia/gpus/$address/information"
	cp "$top_builddir/tests/fakenvml/$library" "$root/usr/lib/libnvidia-ml.so.1"
	if [ $# -gt 1 ]; then
		mkdir -p "$pci/drm/card0" "$pci/drm/renderD128"
		ln -s "../../../$address" "$pci/drm/card0/device"
		ln -s "../../devices/pci0000:00/$address/drm/card0" "$root/sys/class/drm/card0"
	fi
	write_program
}

fault()
{
	faults=$1
	write_program
}

# says FILE TEXT NAME: $tmp/FILE has the text somewhere
says()
{
	grep -qF -- "$2" "$tmp/$1"
	point $? "$3"
}

# settles WANT JUDGE OPTION...: windows until the command JUDGE prints WANT of those in $tmp/out, into $tmp/said; $status is 0 when they came. The
# helper's time is real, and a busy machine may keep it from its turn, so that a window has old values or none. What is wrong is so in a hundred.
settles()
{
	wanted=$1
	judge=$2
	shift 2
	"$rooftop" -J "$@" > "$tmp/windows" 2> "$tmp/err" < /dev/null &
	process=$!
	seen=0
	patient $process does_settle
	kill -TERM $process
	wait $process
	[ $? -eq 143 ]
	status=$?
}

does_settle()
{
	now=$(($(wc -l < "$tmp/windows") - 1))
	[ $now -gt $seen ] || return 1
	seen=$now
	head -n $((now + 1)) "$tmp/windows" > "$tmp/out"
	$judge > "$tmp/said" 2>&1
	[ "$(cat "$tmp/said")" = "$wanted" ] || [ $now -ge 100 ]
}
