# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts share that make a machine of plain files below $root.

# once KEY: the machine that this script has made before by the same key is copied to $root, and the script ends: that costs a seventh of making
# it. The others are kept in a folder that "make check" empties when what makes machines has changed (tests/fakekernel.am).
once()
{
	forest=${top_builddir:-/nowhere}/tests/fakekernel/machines
	kept="$forest/${0##*/} $1"
	rm -rf "$root"
	[ -w "$forest" ] || return 0
	if [ -d "$kept" ] && cp -R --preserve=mode "$kept" "$root"; then
		exit 0
	fi
	rm -rf "$root"
	trap 'keep $?' EXIT
}

# keep STATUS: two of them may do so at once, and either is right
keep()
{
	[ "$1" -eq 0 ] && mine=$(mktemp -d "$forest/XXXXXX") || return 0
	cp -R --preserve=mode "$root" "$mine/machine" && mv -T "$mine/machine" "$kept" 2> /dev/null || :
	rm -rf "$mine"
}

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
