# SPDX-License-Identifier: GPL-3.0-or-later
# What can change is a gauge: limits, modes and rates of every fake machine are read again. See gauges.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"

# changes NAME [OPTION...]: each file of this machine in turn
changes()
{
	python3 -B "$top_srcdir/tests/fakekernel/gauges.py" "$rooftop" "$root" "$@" > "$tmp/points" 2> "$tmp/err"
	point $? "$1"
	sed 's/^/#   /' "$tmp/err" | tail -3
	relay "$tmp/points"
}

for kind in card apu; do
	sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" $kind
	changes "an AMD $kind" -D card0
	# A share of a window is no single look at one moment.
	for try in "0.02 1" "0.1 0"; do
		gives 0 "windows of ${try% *} s" -D card0 -J -n 3 -d "${try% *}"
		is "$(tail -1 "$tmp/out" | grep -c '"estimated":\[[^]]*"gpu_busy"')" "${try#* }" "  ... have a look, or several"
		is "$(tail -1 "$tmp/out" | grep -c '"estimated":\[[^]]*"temperature"')" 0 "  ... and a state is what it is"
	done
done
machine hd620,load=copy.sp.x4
powered client
changes "i915" -D card0
machine dg2,load=copy.sp.x4
changes "a card of i915" -D card0
driver=xe
machine dg2,load=copy.sp.x4
changes "a card of xe" -D card0
driver=
board g710,load=memory panthor
# What it can do at most, whatever is allowed now.
find "$root/sys/devices" -name max_freq | while read -r file; do echo "425000000 850000000" > "${file%/*}/available_frequencies"; done
changes "panthor" -D card0
finish
