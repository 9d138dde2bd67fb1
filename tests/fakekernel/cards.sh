# SPDX-License-Identifier: GPL-3.0-or-later
# Cards on other buses stand beside an Intel card: each is listed by its DRM driver, and none is opened that this could wake.
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"

# card NUMBER DEVICE DRIVER: a card of the device in /sys/devices, whose bus driver is given
card()
{
	minor=$1
	node=$2/drm/card$1
	file "$node/dev" "226:$minor"
	link "$node/device" "../../../${2##*/}"
	link "/sys/class/drm/card$1" "../../${2#/sys/}/drm/card$1"
	link "/sys/dev/char/226:$minor" "../../${2#/sys/}/drm/card$1"
	[ -L "$root$2/driver" ] || link "$2/driver" "../../bus/drivers/$3"
	: > "$root/dev/dri/card$1"
}

# lists CARD WORDS NAME: -L has one line of the card that begins so
lists()
{
	is "$(grep "^$1 " "$tmp/out" | tr -s ' ' | cut -c "1-$((${#1} + 1 + ${#2}))")" "$1 $2" "$3"
}

machine hd620
pci=/sys/devices/pci0000:00
file $pci/0000:00:04.0/vendor 0x1af4
file $pci/0000:00:04.0/device 0x1050
file $pci/0000:00:04.0/uevent "DRIVER=virtio-pci
PCI_SLOT_NAME=0000:00:04.0"
link $pci/0000:00:04.0/driver ../../../bus/pci/drivers/virtio-pci
card 1 $pci/0000:00:04.0/virtio1 virtio_gpu
card 2 /sys/devices/faux/my-screen faux_driver
file /faux/driver vkms
file $pci/0000:01:00.0/vendor 0x1002
file $pci/0000:01:00.0/device 0x73ff
file $pci/0000:01:00.0/power/runtime_status suspended
card 3 $pci/0000:01:00.0 amdgpu
card 4 /sys/devices/platform/soc:gpu vc4-drm
card 5 /sys/devices/platform/fde60000.gpu lima

gives 0 "a machine with cards on five buses" -L
lists card0 "Intel HD Graphics 620 [8086:5916]" "  ... lists the Intel card"
lists card1 "Red Hat virtio GPU [1af4:1050] virtio_gpu" "  ... a virtio card with the ids of PCI"
lists card2 "GPU vkms" "  ... a faux card, which says its driver itself"
lists card3 "AMD GPU [1002:73ff] amdgpu" "  ... a sleeping card"
lists card4 "GPU vc4" "  ... a platform card whose bus driver has another name"
lists card5 "GPU lima" "  ... a platform card whose bus driver has the same name"
is "$(grep -c "the driver .* gives no counters\|amdgpu hands out no counters" "$tmp/out")" 5 "  ... with the reason why those of others have no counters"
is "$(grep -c "amdgpu hands out no counters.* (it is asleep and was left so)" "$tmp/out")" 1 "  ... and leaves the sleeping one asleep"
is "$(cat "$log")" "faux version" "  ... of all nodes that of the faux card alone is asked"
gives 0 "a card of another vendor is a device without counters" -D card1 -b -n 1
is "$(grep -c "Busy, *$\|^  limit " "$tmp/out")" 1 "  ... with an answer all the same"
gives 0 "the Intel card is the one to use" -J -n 1 -d 0.05
export FAKEKERNEL_FAIL=node=EACCES
gives 0 "without permission to open the faux card" -L
lists card2 "GPU my-screen" "  ... it has the name of its device"
unset FAKEKERNEL_FAIL

# Parts that i915 and xe drive and no metric set names: everything but their own counters, and the reason.
# without ID DRIVER PMU REASON
without()
{
	PLAIN=$1 sh "$top_srcdir/tests/fakekernel/maketree.sh" "$root" skl1,load=private.mad.sp.x1 "$2"
	pmus "$3" power:intel
	[ "$2" != xe ] || mkdir -p "$root/sys/class/drm/card0/device/tile0/gt0/engines/rcs"
	gives 0 "$1, a part of $2 without metric sets" -L
	is "$(grep -A1 '^card0 ' "$tmp/out" | grep -c "ready$\|$4")" 2 "  ... is ready, with the reason"
	gives 0 "  ... opens by itself" -J -n 2 -d 0.1
	is "$(window "m['clock_actual'] == 950, m['engines_used'] > 0.5, m['power_package'] > 0, 'gpu_busy' in m")" "True True True False" \
		"  ... and has clock, engines and power"
	gives 0 "  ... doctor" doctor
	is "$(grep -c "^  OA counters .*$4" "$tmp/out")" 1 "  ... says why there is no more"
}

without 1902 i915 i915 "no metric sets are known for Intel HD Graphics 510 (8086:1902)"
gives 3 "--access" -J -n 1 --access mmio
said "no metric sets are known" "  ... is refused with that reason"
gives 2 "--counter" -J -n 1 --counter active
gives 2 "--context" -J -n 1 --context 7
without 0166 i915 i915 "no metric sets are known for Intel Graphics (Ivy Bridge GT2)"
without 674c xe xe_0000_00_02.0 "no metric sets are known for Intel Graphics (Crescent Island)"
without 7777 xe xe_0000_00_02.0 "Intel GPU 8086:7777 is not in the tables"
rm -rf "$root/sys/devices/pci0000:00/0000:00:02.0/tile0" "$root"/sys/devices/pci0000:00/0000:00:02.0/drm/card0/gt* \
	"$root/sys/devices/pci0000:00/0000:00:02.0/drm/card0/power"
gives 0 "an unknown part without clock files" -L
is "$(grep -A1 '^card0 ' "$tmp/out" | grep -c "ready$\|is not in the tables")" 2 "  ... is ready"
gives 0 "  ... opens as any card does" -b -n 1 -d 0.1
is "$(grep -c "NO COUNTERS" "$tmp/out")" 1 "  ... and says what it lacks"
finish
