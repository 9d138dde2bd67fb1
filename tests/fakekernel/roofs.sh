# SPDX-License-Identifier: GPL-3.0-or-later
# The roof of the memory on fake machines: the table of cards, their firmware, the machine's modules, and what is not known.
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"

# of_metal MODEL: a machine that is no virtual one, whatever this test runs on
of_metal()
{
	machine "$1"
	file /proc/cpuinfo "processor	: 0
flags		: fpu"
}

# memory_row: the row of doctor, with its reason
memory_row()
{
	"$rooftop" doctor > "$tmp/doctor" 2> "$tmp/err"
	grep -m1 '^  memory roof' "$tmp/doctor" | tr -s ' ' | sed 's/^ //'
}

# roof WANTED NAME: of the memory in GB/s, as rooftop roofline prints it
roof()
{
	gives 0 "$2" roofline -c -n 1 -d 0.05 -D card0
	is "$(python3 -c "import csv, sys
for r in csv.DictReader(l for l in open(sys.argv[1]) if l[0] != '#'):
    if r['what'] == 'roof' and r['name'] == 'DRAM':
        print(r['theory'])" "$tmp/out")" "$1" "  ... $1"
}

of_metal dg2,load=private.mad.sp.x4
roof 560 "a card of 16 GB by the table"
is "$(memory_row)" "memory roof ok 560.0 GB/s: Intel's sheet, by svethardware.cz" "  ... whose source doctor names"
echo 4 > "$root/i915/hwconfig_memory_type"
roof 560 "  ... as its firmware says GDDR6"
is "$(memory_row)" "memory roof ok 560.0 GB/s: Intel's sheet, by svethardware.cz; firmware: GDDR6, 8 channels" "  ... which doctor tells"
echo 3 > "$root/i915/hwconfig_memory_type"
roof "" "  ... not where its firmware says HBM2e"
is "$(memory_row | grep -c "the table says GDDR6, but the card's firmware says HBM2e")" 1 "  ... and doctor says why"
rm "$root/i915/hwconfig_memory_type"
echo 8589934592 > "$root/i915/local_memory_bytes"
roof 512 "the same card with 8 GB"
is "$(memory_row | cut -d' ' -f4)" "~512.0" "  ... from memory alone: uncertain"

driver=xe
of_metal bmg,load=private.mad.sp.x4
echo 4 > "$root/i915/hwconfig_memory_type"
roof 456 "xe, a card of 12 GB by the table"
echo 1 > "$root/i915/hwconfig_memory_type"
roof "" "  ... not where its firmware says LPDDR5"
driver=

of_metal hd620,load=private.mad.sp.x4
roof "" "processor graphics of a machine that tells nothing"
is "$(memory_row | grep -c 'neither udev')" 1 "  ... and doctor says so"
file /run/udev/data/+dmi:id "E:MEMORY_DEVICE_0_TYPE=DDR4
E:MEMORY_DEVICE_0_DATA_WIDTH=64
E:MEMORY_DEVICE_0_CONFIGURED_SPEED_MTS=2133
E:MEMORY_DEVICE_0_LOCATOR=ChannelA-DIMM0
E:MEMORY_DEVICE_1_TYPE=DDR4
E:MEMORY_DEVICE_1_DATA_WIDTH=64
E:MEMORY_DEVICE_1_CONFIGURED_SPEED_MTS=2133
E:MEMORY_DEVICE_1_LOCATOR=ChannelB-DIMM0"
roof 34.128 "processor graphics, by udev's database"
is "$(memory_row)" "memory roof ok ~34.1 GB/s: udev: 2133 MT/s, 128 bits on 2 channels" "  ... whose source doctor names"
sed -i 's/SPEED_MTS=2133/SPEED_MTS=66/' "$root/run/udev/data/+dmi:id"
roof "" "a firmware that writes nonsense"
is "$(memory_row | grep -c 'udev claims 66 MT/s')" 1 "  ... and doctor says which"

# More bytes than the memory is said to move: counted ones prove the table wrong.
driver=xe
of_metal bmg,dram=900,mhz=4200,watts=900,load=update.sp.x4
for each in rp0_freq max_freq; do echo 4200 > "$root/sys/class/drm/card0/device/tile0/gt0/freq0/$each"; done
driver=
gives 0 "a roof that the traffic exceeds" -J -n 3 -d 0.2
said "more than its roof of 456 (FluidX3D README (8986874e), column of data sheets): that roof is wrong" "  ... is named once"
is "$(window 'w["verdict"]["missing"], w["verdict"]["roof"], w["verdict"]["headroom"]')" "roof None None" "  ... and is none in the end"

# What calibration measured comes before everything.
export XDG_STATE_HOME="$tmp/state"
"$program" -D sim:hd620 calibrate L3 --keep > /dev/null 2> "$tmp/err"
"$program" -D sim:hd620,load=copy.sp.x4 -J -n 2 > "$tmp/out" 2>> "$tmp/err"
is "$(window 'w["verdict"]["bound"], w["verdict"]["source"], round(w["verdict"]["share"], 2)')" "l3 measured 1.0" "a measured roof is the one that counts"
"$program" -D sim:hd620 roofline -c > "$tmp/rows"
is "$(python3 -c "import csv, sys
print(*(r['name'] + '=' + r['source'] for r in csv.DictReader(open(sys.argv[1])) if r['name'] in ('L3', 'DRAM', 'GTI') and r['what'] == 'roof'))" "$tmp/rows")" \
	"L3=measured GTI=computed DRAM=data_sheet" "  ... and each roof says its source"
unset XDG_STATE_HOME
finish
