# SPDX-License-Identifier: GPL-3.0-or-later
# A figure over a span comes from the sums of the span: comparisons of a recording say what its replay as one window says, however long their own
# windows are, for every metric of every set. See sums.py.
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

# agree DEVICE SET
agree()
{
	rm -f "$tmp"/r.*
	"$rooftop" -D "$1" -m "$2" --speed max -d 0.1 -n 20 -b -w "$tmp/r.rec" > "$tmp/out" 2>&1 || return 1
	for d in 0.1 0.3 1; do
		"$rooftop" diff -J -d $d "$tmp/r.rec" "$tmp/r.rec" -o "$tmp/r.diff.$d" || return 1
	done
	"$rooftop" -r "$tmp/r.rec" -m "$2" --speed max -d 100 -J > "$tmp/r.one" || return 1
	python3 -B "$top_srcdir/tests/stress/sums.py" "$tmp/r.one" "$tmp"/r.diff.*
}

for device in sim:hd620,load=desktop,jitter=40 sim:chv sim:tgl,lost=5 sim:dg2,load=desktop,rc6 sim:lnl sim:mtl sim:hsw,wrap sim:g72 sim:g710 \
	sim:h100 sim:rtx4090; do
	for set in $("$rooftop" -D "$device" -m list -J 2> /dev/null | sed -n 's/.*"set":"\([^"]*\)".*/\1/p'); do
		[ "$set" = subslices ] && continue	# sets in turns, which are not recorded
		agree "$device" "$set" > "$tmp/said" 2>&1
		point $? "$device, set $set"
		sed 's/^/#   /' "$tmp/said" | tail -2 | cut -c1-900
	done
done
finish
