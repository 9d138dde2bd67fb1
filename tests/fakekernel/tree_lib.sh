# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts share that make a machine of plain files below $root.

# folders PATH...: made at once, which is one program, and not one for each
folders()
{
	for each; do
		shift
		set -- "$@" "$root$each"
	done
	mkdir -p "$@"
}

# identity VENDOR DEVICE REVISION: the first bytes of a display's configuration space, all in hex, and zeros up to its end
identity()
{
	printf "$(printf '\\%03o' "0x${1#??}" "0x${1%??}" "0x${2#??}" "0x${2%??}" 0 0 0 0 "0x$3" 0 0 3)" > "$root$pci/config"
	truncate -s 256 "$root$pci/config"
}

# folder PATH: that of the file
folder()
{
	[ -d "$root${1%/*}" ] || mkdir -p "$root${1%/*}"
}

# file PATH TEXT
file()
{
	folder "$1"
	printf '%s\n' "$2" > "$root$1"
}

# link PATH TARGET
link()
{
	folder "$1"
	ln -s "$2" "$root$1"
}

# drm_nodes DEVICE [NUMBER]: its nodes card0 and renderD128, or those of that number
drm_nodes()
{
	folders "$1/drm/card${2-0}" "$1/drm/renderD$((128 + ${2-0}))" /sys/class/drm /sys/dev/char /dev/dri /run/udev/data
	file /sys/class/drm/version 'drm 1.1.0 20060810'
	for node in card${2-0}:${2-0} renderD$((128 + ${2-0})):$((128 + ${2-0})); do
		name=${node%:*}
		minor=${node#*:}
		file "$1/drm/$name/uevent" "MAJOR=226
MINOR=$minor
DEVNAME=dri/$name
DEVTYPE=drm_minor"
		file "$1/drm/$name/dev" "226:$minor"
		link "$1/drm/$name/device" "../../../${1##*/}"
		link "$1/drm/$name/subsystem" ../../../../../class/drm
		link "/sys/dev/char/226:$minor" "../../${1#/sys/}/drm/$name"
		: > "$root/dev/dri/$name"
		# libsystemd leaves out a device that udev has not seen
		file "/run/udev/data/c226:$minor" I:5000000
	done
	ln -s "../../${1#/sys/}/drm/card${2-0}" "../../${1#/sys/}/drm/$name" "$root/sys/class/drm"
}

# reasons FOLDER PREFIX: of a clock that nothing holds down
reasons()
{
	for reason in status pl1 pl2 pl4 thermal prochot ratl vr_thermalert vr_tdc; do
		file "$1/$2$reason" 0
	done
}
