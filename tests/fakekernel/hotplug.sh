# SPDX-License-Identifier: GPL-3.0-or-later
# A card that comes while the screen is open, told by the kernel or found: see hotplug.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
machine hd620,load=private.mad.sp.x1

# listens: what kind of socket (SO_DOMAIN) a program has for the kernel's messages; 1 is AF_UNIX, 16 the machine's own netlink
listens()
{
	"$on_fake" python3 -c 'import socket
s = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 15)
s.bind((0, 1))
print(s.getsockopt(socket.SOL_SOCKET, 39))'
}
is "$(listens)" 1 "a machine without messages does not hear those of the real one"
mkdir "$root/uevents"
is "$(listens)" 1 "  ... nor one that has some"
rm -r "$root/uevents"
points_of 12 hotplug.py "$rooftop" "$tmp" "$root"
finish
