# SPDX-License-Identifier: GPL-3.0-or-later
# What tests of register access share: the files behind the registers, and whether they are as after reset.
. "$top_srcdir/tests/fakekernel/errors_lib.sh"
model=hd620,load=private.mad.sp.x1
clocks="i915 clock files 1050"
way="--access mmio"
if [ "$(uname -m)" != x86_64 ]; then
	skip 1 "the fake registers single-step x86-64 code"
	finish
	exit 0
fi
if ! ldd "$program" | grep -q libpciaccess; then
	skip 1 "this build has no libpciaccess"
	finish
	exit 0
fi
resource=$root/sys/class/drm/card0/device/resource0
handle=$root/sys/kernel/debug/dri/0/i915_forcewake_user

# restored EVENTS [NAME]: what can be read back is as after reset: control registers 0, all event registers EVENTS, wells asleep, steering as
# the kernel has it
restored()
{
	is "$(python3 - "$resource" "$root/i915/registers" "$1" <<'END'
import struct, sys
with open(sys.argv[1], 'rb') as f:
	f.seek(0xfdc)
	steering = f.read(4)
	f.seek(0x2000)
	low = f.read(0x2000)
	f.seek(0xd900)
	high = f.read(0x300)
state = open(sys.argv[2], 'rb').read()
events = set(struct.unpack_from('<448I', state, 16))
print(any(low), any(high), events == {int(sys.argv[3], 0)}, struct.unpack_from('<2I', state, 16 + 448 * 4), steering == state[16 + 450 * 4:][:4])
END
)" "False False True (0, 0) True" "${2-  ... and gives every register back, forcewake too}"
}
