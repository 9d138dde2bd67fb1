# SPDX-License-Identifier: GPL-3.0-or-later
# Cards that come and go while the endpoint serves the whole machine: see export_hotplug.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
machine hd620,load=private.mad.sp.x1

# A second card of plain files, whose driver has no backend of its own.
pci=$root/sys/devices/pci0000:00/0000:05:00.0
mkdir -p "$pci/drm/card1" "$root/sys/bus/pci/drivers/radeon" "$pci/hwmon/hwmon7" "$pci/power"
echo 0x1002 > "$pci/vendor"
echo 0x6798 > "$pci/device"
printf 'DRIVER=radeon\nPCI_SLOT_NAME=0000:05:00.0\n' > "$pci/uevent"
echo active > "$pci/power/runtime_status"
echo 51000 > "$pci/hwmon/hwmon7/temp1_input"
ln -s ../../../bus/pci/drivers/radeon "$pci/driver"
ln -s ../../../0000:05:00.0 "$pci/drm/card1/device"
ln -s ../../devices/pci0000:00/0000:05:00.0/drm/card1 "$tmp/card1"
points_of 15 export_hotplug.py "$rooftop" "$tmp" "$root"
finish
