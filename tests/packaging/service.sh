# SPDX-License-Identifier: GPL-3.0-or-later
# The exporter's service may open what the backends open, and speak the families of sockets that the program speaks.
. "$top_srcdir/tests/tty/tap.sh"
unit=$top_srcdir/packaging/rooftop-exporter.service.in
sources="$top_srcdir/base $top_srcdir/core $top_srcdir/backends $top_srcdir/helpers $top_srcdir/src"

# A node of the sources, with any number in it, and what the unit calls it: the group of /proc/devices whose nodes stand there, or its path.
cat > "$tmp/groups" <<'END'
/dev/dri char-drm
/dev/accel char-accel
/dev/kfd char-kfd
/dev/nvidia char-nvidia*
END
# These need no line: DevicePolicy=closed leaves null and zero open, stdout is a link to what is open already, a service has no terminal,
# and registers of a processor need a capability that the service does not have.
cat > "$tmp/without" <<'END'
/dev/null
/dev/zero
/dev/stdout
/dev/tty
/dev/cpu/
END
find $sources -name '*.[ch]' -exec grep -h -o '["[:blank:]]/dev/[a-z]*/\{0,1\}' {} + | sed 's/^.//' | grep -v -x /dev/ | sort -u > "$tmp/nodes"
point $((! $(grep -c -x '/dev/dri/' "$tmp/nodes"))) "nodes are found in the sources"
grep -v -F -f "$tmp/without" "$tmp/nodes" > "$tmp/wanted"
while read -r node; do
	name=$(awk -v node="$node" 'index(node, $1) == 1 { print $2 }' "$tmp/groups")
	grep -q -F -e "DeviceAllow=${name:-$node}" "$unit"
	point $? "the service may open $node"
done < "$tmp/wanted"
nodes=$(grep -r -h -o 'define KBASE_NODES [0-9]*' "$top_srcdir/backends" | sed 's/.* //')
is "$(grep -c '^DeviceAllow=/dev/mali[0-9]* rw' "$unit")" "$nodes" "  ... with as many numbers as are asked for"

find $sources -name '*.c' -exec grep -h -o -w 'AF_[A-Z0-9]*' {} + | sort -u > "$tmp/families"
point $((! $(grep -c -x 'AF_NETLINK' "$tmp/families"))) "families of sockets are found in the sources"
while read -r family; do
	grep -q "^RestrictAddressFamilies=.*\<$family\>" "$unit"
	point $? "the service may use $family"
done < "$tmp/families"

# Each call of an exporter that runs is one that the filter lets through.
if command -v strace > /dev/null && command -v systemd-analyze > /dev/null && strace -o /dev/null true 2> /dev/null; then
	strace -f -qq -o "$tmp/trace" timeout 300 "$rooftop" -D sim:hd620 -D sim:g72 --speed max -n 2 -d 0.1 --textfile "$tmp" > "$tmp/out" 2>&1
	sed 's/^[0-9]* *//; s/(.*//' "$tmp/trace" | grep '^[a-z][a-z0-9_]*$' | sort -u > "$tmp/calls"
	for set in @system-service @privileged @resources; do
		systemd-analyze syscall-filter $set
	done > "$tmp/sets" 2> /dev/null
	# expand NAME: the calls of a set, with those of the sets in it
	expand()
	{
		systemd-analyze syscall-filter "$1" | sed 's/#.*//' | awk 'NR > 1 && NF { print $1 }' | while read -r call; do
			case $call in
			@*) expand "$call" ;;
			*) echo "$call" ;;
			esac
		done
	}
	{ expand @system-service; expand @default; } | sort -u > "$tmp/allowed"
	{ expand @privileged; expand @resources; } | sort -u > "$tmp/denied"
	is "$(wc -l < "$tmp/calls" | awk '{ print ($1 > 10) }')" 1 "calls of an exporter are traced"
	# A later line of single calls lets these through again.
	{ comm -23 "$tmp/allowed" "$tmp/denied"; sed -n 's/^SystemCallFilter=\([a-z]*\)$/\1/p' "$unit"; } | sort -u > "$tmp/let"
	is "$(comm -23 "$tmp/calls" "$tmp/let" | tr '\n' ' ')" "" "the filter lets all of them through"
else
	echo "# what the program calls was not traced: there is no strace, or no systemd-analyze"
fi
finish
