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
points_of 16 export_hotplug.py "$rooftop" "$tmp" "$root"

# A silent client has a tenth of a second, which is not over while the clock stands.
held_at 300
"$rooftop" -D card0 -d 0.1 --export "prometheus:unix:$tmp/held.sock" > "$tmp/out" 2> "$tmp/err" < /dev/null &
process=$!
py="command python3 -B $top_srcdir/tests/tty/export.py"
patient $process $py plain "$tmp/held.sock" > /dev/null 2>&1
good "a crowd behind a silent client takes its place not at once" $py overtaken "$tmp/held.sock"
kill $process
wait $process 2> /dev/null
finish
