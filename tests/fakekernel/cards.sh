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
is "$(grep -c "no backend for driver '" "$tmp/out")" 5 "  ... with the reason why those of others cannot be used"
is "$(grep -c "no backend for driver 'amdgpu' (it is asleep and was left so)" "$tmp/out")" 1 "  ... and leaves the sleeping one asleep"
is "$(cat "$log")" "faux version" "  ... of all nodes that of the faux card alone is asked"
gives 3 "a card of another vendor is refused" -D card1 -b -n 1
said "card1: no backend for driver 'virtio_gpu'" "  ... by its driver"
gives 0 "the Intel card is the one to use" -J -n 1 -d 0.05
export FAKEKERNEL_FAIL=node=EACCES
gives 0 "without permission to open the faux card" -L
lists card2 "GPU my-screen" "  ... it has the name of its device"
finish
