# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop doctor --bundle on machines of all vendors: secrets that were planted in their files stay there, and what is packed can be
# looked at elsewhere, as files (--fsroot) and as a recording (-r).
command -v tar > /dev/null || { echo "1..0 # SKIP no tar"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
export USER=alicequ HOSTNAME=secrethost
secrets="secrethost alicequ 52:54:00:ab:cd:ef 192.168.77.9 fe80::5054:ff:feab:cdef 6f0c6b4e-1f5d-4d3c-9a55-0123456789ab"
serials="SN-998877 S3R14L0"
unknown="SecretHost"

# What drivers call things has words; all other files hold numbers.
words='/[^/]*(name|label|type|unit|lockdown|properties|status|modalias|state|gpu_stats|stat|version|osrelease|enabled|oem_info)$|/(format|events)/|/versions.txt$'

# plant: what must not go, into every text of /sys and /proc
plant()
{
	for file in $(find "$root/sys" "$root/proc" -type f 2> /dev/null); do
		[ "$(tr -d '\0' < "$file" | wc -c)" = "$(wc -c < "$file")" ] || continue
		[ -z "$(tail -c 1 "$file")" ] || echo >> "$file"
		printf 'NOTE=%s\nSECRETUEVENT=h1dden\nh1dden\nTITLE=SecretHost\nHOST=secrethost.example\nHOME=/home/alicequ/x\nSERIAL_NUMBER=SN-998877\nserial: S3R14L0\n' "$secrets" >> "$file"
	done
	for hwmon in $(find "$root/sys" -path '*hwmon*/name'); do
		echo secrethost > "${hwmon%name}in0_label"
	done
}

# packed NAME: the machine in $root as a bundle in $tmp/bundle
packed()
{
	plant
	rm -rf "$tmp/bundle" "$tmp/b.tar"
	gives 0 "$1: a bundle" doctor --bundle "$tmp/b.tar" -d 0.1 -n 2
	mkdir "$tmp/bundle"
	good "$1: is an archive" tar -C "$tmp/bundle" -xf "$tmp/b.tar"
	found=
	for secret in $secrets $serials $unknown; do
		grep -a -q -F -e "$secret" "$tmp/b.tar" && found="$found $secret"
	done
	is "$found" "" "$1: none of what was planted is in it"
	is "$(grep -rl h1dden "$tmp/bundle" | grep -v -E "$words")" "" "$1: what has no known form is in no file of numbers"
	is "$(tar -tvf "$tmp/b.tar" | grep -c -e '-> .*xxx')" 0 "$1: links lead where they led"
	"$program" --fsroot "$root" -L > "$tmp/here" 2> "$tmp/err"
	"$program" --fsroot "$tmp/bundle/rooftop-bundle/root" -L > "$tmp/there" 2> "$tmp/err"
	is "$(grep '^card\|^mali' "$tmp/there")" "$(grep '^card\|^mali' "$tmp/here")" "$1: the same cards are found in its files, with the same drivers"
	# What is asleep or has nothing to record is in the report alone.
	"$program" -r "$tmp/bundle/rooftop-bundle/devices.rec" -J --speed max > "$tmp/windows" 2> "$tmp/err"
	is "$? $(tail -1 "$tmp/windows" | grep -c '"metrics":{')" "0 1" "$1: its seconds can be played"
	is "$(grep -c . "$tmp/bundle/rooftop-bundle/doctor.txt") $(head -1 "$tmp/bundle/rooftop-bundle/versions.txt" | grep -c '^rooftop ')" \
		"$(grep -c . "$tmp/bundle/rooftop-bundle/doctor.txt") 1" "$1: has the report and the versions"
	cp "$tmp/out" "$tmp/list"
}

machine hd620,load=private.mad.sp.x4
packed "Intel, i915"
is "$(grep -c 'root/sys/.*/uevent\|root/sys/.*/vendor' "$tmp/list" | awk '{ print ($1 > 0) }')" 1 "the files are listed"
is "$(grep -c 'made x)' "$tmp/list" | awk '{ print ($1 > 0) }')" 1 "and where something was taken out"
is "$(tar -tf "$tmp/b.tar" | grep -c -e '/proc/[0-9]' -e '/proc/self' -e cmdline)" 0 "no process, no command line"
is "$(head -c 300 "$tmp/bundle/rooftop-bundle/devices.rec" | grep -a -c 'sim:')" 0 "the recording is of the machine"
# answered FIRST-LINE BYTES: an answer of the driver that begins so
answered()
{
	grep -A1 "$1" "$tmp/bundle/rooftop-bundle/ioctls.txt" | grep -q "^	$2" && echo yes
}
# DRM_IOCTL_I915_GETPARAM and DRM_IOCTL_I915_QUERY of i915_drm.h: the id of the device, and a topology of at most 3 slices, 4 subslices, 8 EUs.
is "$(answered '^renderD128 0xc0106446 (type 0x64, number 0x46): 4 bytes where' '16 59 00 00$')" yes "i915 says which GPU it is"
is "$(answered '^renderD128 0xc0106479 (type 0x64, number 0x79): [0-9]* bytes where' '00 00 03 00 04 00 08 00 ')" yes "and which parts it has"
is "$(grep '^[^	]' "$tmp/bundle/rooftop-bundle/ioctls.txt" | grep -c -v '^[^ ]* 0x[0-9a-f]* (type 0x[0-9a-f]*, number 0x[0-9a-f]*): .*bytes')" 0 "each answer says to what"
driver=xe
machine lnl,load=private.mad.sp.x4
packed "Intel, xe"
is "$(grep -c '^renderD128 0x[0-9a-f]* (type 0x64, number 0x40): [0-9]* bytes where' "$tmp/bundle/rooftop-bundle/ioctls.txt" | awk '{ print ($1 >= 4) }')" 1 "xe's answers"
driver=
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" card
packed AMD
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" apu
packed "AMD, an APU"
board g72,load=memory panfrost
packed "Mali, panfrost"
board g52,load=compute kbase
packed "Mali, kbase"
is "$(grep -c '^[^ ]* 0x[0-9a-f]* (type 0x80, number 0x03): [0-9]* bytes where' "$tmp/bundle/rooftop-bundle/ioctls.txt")" 1 "kbase's properties, once"

# Files that lead to what a process has, to its own and to the kernel's command line: the links may go, but nothing behind them.
machine hd620,load=private.mad.sp.x4
for place in 4321 self thread-self net; do
	mkdir -p "$root/proc/$place"
	echo "kept-of-$place" > "$root/proc/$place/environ"
done
echo kept-of-cmdline > "$root/proc/cmdline"
echo kept-of-mounts > "$root/proc/mounts"
for target in 4321/environ self/environ thread-self/environ net/environ cmdline mounts; do
	ln -sfn "../../$target" "$root/proc/sys/kernel/version"
	rm -f "$tmp/b.tar"
	"$program" --fsroot "$root" doctor --bundle "$tmp/b.tar" -d 0.1 -n 1 > "$tmp/out" 2> "$tmp/err" < /dev/null
	is "$(tar -tf "$tmp/b.tar" | grep -c 'root/proc/sys/kernel/version$') $(grep -a -c kept-of "$tmp/b.tar")" "1 0" "/proc/$target is not packed"
done

machine hd620,load=private.mad.sp.x4
gives 0 "a bundle on a pipe" doctor --bundle "$tmp/new.tar" -d 0.1 -n 1
is "$(tail -1 "$tmp/err")" "rooftop: wrote $tmp/new.tar, $(tar -tf "$tmp/new.tar" | wc -l) files, $(($(wc -c < "$tmp/new.tar"))) bytes; send it to $("$rooftop" --version | sed -n 's/^Reports and bundles go to \(.*\)\.$/\1/p')" \
	"  ... says where it is, and where it goes"
echo kept > "$tmp/keep.tar"
gives 2 "a file that is there is not replaced" doctor --bundle "$tmp/keep.tar" -d 0.1 -n 1
is "$(cat "$tmp/keep.tar") $(grep -c -e --overwrite "$tmp/err")" "kept 1" "  ... and the way out is named"
gives 0 "  ... unless --overwrite says so" doctor --bundle "$tmp/keep.tar" --overwrite -d 0.1 -n 1
good "  ... then it is the archive" tar -tf "$tmp/keep.tar"
gives 0 "what is no file is written into" doctor --bundle /dev/null -d 0.1 -n 1
gives 1 "a folder that is not there" doctor --bundle "$tmp/no/b.tar" -d 0.1 -n 1
gives 2 "no name" doctor --bundle ''
gives 2 "--bundle is for doctor" -b --bundle "$tmp/x"
is "$(ls "$tmp" | grep -c '\.rooftop-')" 0 "nothing is left beside it"
finish
