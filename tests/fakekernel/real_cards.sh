# SPDX-License-Identifier: GPL-3.0-or-later
# Cards of real machines, as far as users of LACT recorded their files (lact_cards.txt): what is there is found, and energy whose
# counter stands still, as all of a recording do, is no power.
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"

# recorded MACHINE: its files below /sys, with the links that LACT did not record
recorded()
{
	rm -rf "$root"
	grep "^$1 " "$top_srcdir/tests/fakekernel/lact_cards.txt" > "$tmp/files"
	read -r _ card _ < "$tmp/files"
	uevent=$(sed -n "s|^$1 $card device/uevent ||p" "$tmp/files" | tr / '\n')
	slot=$(echo "$uevent" | sed -n 's/^PCI_SLOT_NAME=//p')
	driver=$(echo "$uevent" | sed -n 's/^DRIVER=//p')
	pci=/sys/devices/pci0000:00/$slot
	while read -r _ _ path value; do
		case $path in
		device/uevent) file "$pci/uevent" "$uevent" ;;
		device/*) file "$pci/${path#device/}" "$value" ;;
		*) file "$pci/drm/$card/$path" "$value" ;;
		esac
	done < "$tmp/files"
	file "$pci/device" "0x$(echo "$uevent" | sed -n 's/^PCI_ID=8086://p' | tr A-F a-f)"
	link "$pci/driver" "../../../bus/pci/drivers/$driver"
	link "/sys/bus/pci/devices/$slot" "../../../devices/pci0000:00/$slot"
	link "$pci/drm/$card/device" "../../../$slot"
	link "/sys/class/drm/$card" "../../devices/pci0000:00/$slot/drm/$card"
	driver=
}

# card MACHINE NAME WANT...: it is listed by that name, and its last window has these expressions
card()
{
	name=$2
	recorded "$1"
	shift 2
	"$program" --fsroot "$root" -L > "$tmp/list" 2>&1
	is "$(grep -c "^$card .*$name .*ready" "$tmp/list")" 1 "$name is listed"
	"$program" --fsroot "$root" -D "$card" -J -n 2 -d 0.3 > "$tmp/out" 2> "$tmp/err"
	for want; do
		is "$(window "$want")" True "  ... $want"
	done
}

card a380-i915 "Intel Arc A380 Graphics" "m['clock_actual'] == 600" "m['temperature'] > 20" "m['fan'] is not None" \
	"(m['power_gpu'], why['power_gpu']) == (None, 'stands_still')"
card a380-xe "Intel Arc A380 Graphics" "m['clock_actual'] is not None" "m['temperature'] > 20" \
	"why['power_gpu'] == 'stands_still'" "why['power_card'] == 'unsupported'"
card b580 "Intel Arc B580 Graphics" "m['temperature'] == 54" "why['power_gpu'] == 'stands_still'" "why['power_card'] == 'stands_still'"
card b580-6.16 "Intel Arc B580 Graphics" "m['power_card'] is None" "why['power_card'] in ('unsupported', 'stands_still')" \
	"why['power_gpu'] == 'stands_still'"
# The same card with telemetry, which LACT did not record: memory and link without the counters of a set.
recorded b580
telem=$pci/intel_pmt/telem2
file "$telem/guid" 0x5e2f8211
python3 -c 'import sys; t = bytearray(3692); t[3688] = 0x3f; open(sys.argv[1], "wb").write(t)' "$root$telem/telem"
link /sys/class/intel_pmt/telem2 "../../devices/${telem#/sys/devices/}"
"$program" --fsroot "$root" -D card1 -J -n 2 -d 0.3 > "$tmp/out" 2> "$tmp/err"
is "$(window "(m['card_memory_total'], m['link_sent'])")" "(0, 0)" "a B580's telemetry tells that nothing moves"
is "$(window "why['link_received'] if m['link_received'] is None else 'ok'")" ok "  ... nor comes over its link"

card tigerlake "Intel Iris Xe Graphics" "m['clock_requested'] is not None" "m['power_card'] is None"
recorded cometlake
"$program" --fsroot "$root" -L > "$tmp/list" 2>&1
is "$(grep -c "^card0 .*8086:9b41" "$tmp/list")" 1 "Comet Lake is listed"
finish
