# SPDX-License-Identifier: GPL-3.0-or-later
# A machine whose GPU has no driver, or one that makes no card of it, hears so: "no GPU" would send people the wrong way.
. "$top_srcdir/tests/tty/tap.sh"
bus=$tmp/root/sys/bus/pci

# display ADDRESS CLASS VENDOR DEVICE [DRIVER]
display()
{
	mkdir -p "$bus/devices/$1" "$bus/drivers/${5:-none}"
	echo "$2" > "$bus/devices/$1/class"
	echo "$3" > "$bus/devices/$1/vendor"
	echo "$4" > "$bus/devices/$1/device"
	[ -z "$5" ] || ln -s "../../drivers/$5" "$bus/devices/$1/driver"
}

# says TEXT NAME: a list, doctor, and what batch modes complain about
says()
{
	gives 0 "$2" -L --fsroot "$tmp/root"
	is "$(head -1 "$tmp/out" | grep -c -F -e "$1")" 1 "  ... is in the first line of -L"
	gives 3 "  ... and doctor" doctor --fsroot "$tmp/root"
	is "$(grep -c -F -e "$1" "$tmp/out")" 1 "  ... says the same"
	gives 3 "  ... and batch modes" -b --fsroot "$tmp/root"
	is "$(grep -c -F -e "no usable device ($1" "$tmp/err")" 1 "  ... have it for a reason"
}

display 0000:00:00.0 0x060000 0x8086 0x5904
gives 0 "a bus without a display device" -L --fsroot "$tmp/root"
is "$(head -1 "$tmp/out")" "no GPU was found: no /sys/class/drm" "  ... has nothing to tell"
display 0000:01:00.0 0x030200 0x10de 0x2204 vfio-pci
says "the display device 0000:01:00.0 [0x10de:0x2204] has the driver 'vfio-pci', which makes no card of it" "a GPU that is passed to a guest"
display 0000:00:02.0 0x030000 0x8086 0x5916
says "the display device 0000:00:02.0 [0x8086:0x5916] has no driver" "a GPU without a driver comes before that"
is "$("$rooftop" -L --fsroot "$tmp/root" | sed -n 2p | grep -c 'sudo modprobe i915')" 1 "  ... with a way out"
# Whatever marks a language puts between the ways out.
runtime=$(ldd "$rooftop" | awk '/lib(a|t|ub)san/ { print $3; exit }')
if [ -e "$top_srcdir/po/rooftop.pot" ] && command -v msgfmt > /dev/null; then
	for language in zh_CN fr; do
		mkdir -p "$tmp/locale/$language/LC_MESSAGES"
		msgfmt -o "$tmp/locale/$language/LC_MESSAGES/rooftop.mo" "$top_srcdir/po/$language.po"
		env $in_language LANGUAGE=$language TEST_LOCALEDIR="$tmp/locale" LD_PRELOAD="${runtime:+$runtime }$top_builddir/tests/screen/localedir.so" \
			"$rooftop" doctor --fsroot "$tmp/root" > "$tmp/out" 2> /dev/null
		is "$(grep -c "^ *'lspci -k' " "$tmp/out")$(grep -c ' $' "$tmp/out")" 10 "$language: each way out has a line of its own, without blanks at its end"
	done
else
	skip 2 "no message catalogues"
fi
rm -r "$bus/devices/0000:00:02.0" "$bus/devices/0000:01:00.0"
display 0000:03:00.0 0x038000 0x1002 0x744c
is "$("$rooftop" -L --fsroot "$tmp/root" | sed -n 2p | grep -c -e lspci -e modprobe)" 1 "one of another maker is not sent to Intel's driver"
is "$("$rooftop" -L --fsroot "$tmp/root" | grep -c modprobe)" 0 "  ... at all"
finish
