# SPDX-License-Identifier: GPL-3.0-or-later
# What no kernel grants: the fake refuses it as the real one does.
. "$top_srcdir/tests/fakekernel/lib.sh"

for asked in i915:8 xe:16; do
	driver=${asked%:*}
	machine tgl,load=private.mad.sp.x4
	"$on_fake" python3 "$top_srcdir/tests/fakekernel/unkind.py" $driver > "$tmp/points" 2> "$tmp/err"
	relay "$tmp/points"
	is "$(wc -l < "$tmp/points") $(wc -c < "$tmp/err")" "${asked#*:} 0" "$driver: all were asked"
done

# Batches on xe, which rooftop does not submit: what igt's tests need of them.
machine lnl
"$on_fake" python3 "$top_srcdir/tests/fakekernel/submit.py" > "$tmp/points" 2> "$tmp/err"
relay "$tmp/points"
is "$(wc -l < "$tmp/points") $(cat "$tmp/err")" "14 " "all batches were submitted"
driver=i915

# What CONFIG does to the flexible counters of Gen9 depends on the context that is counted.
for state in busy idle new; do
	machine hd620,load=private.mad.sp.x1
	echo $state > "$root/i915/context"
	"$on_fake" python3 "$top_srcdir/tests/fakekernel/config.py" $state > "$tmp/points" 2> "$tmp/err"
	relay "$tmp/points"
	is "$(wc -l < "$tmp/points") $(wc -c < "$tmp/err")" "2 0" "$state: both were asked"
done

# Reads that are cut short, end by a signal or find nothing after poll(), and reports that are empty or come twice, cost no number.
for asked in i915:hd620 i915:tgl xe:lnl; do
	driver=${asked%:*}
	model=${asked#*:},load=private.mad.sp.x1
	for oddity in short zeros twice "every 2 read EINTR *" "every 3 read EAGAIN anon" "every 2 ioctl EINTR *" "every 5 poll EINTR *"; do
		echo "# $driver: $oddity"
		machine $model
		case $oddity in
		every*) echo "$oddity" > "$root/calls" ;;
		*) echo $oddity > "$root/i915/unkind" ;;
		esac
		as_model $model overview
		grep -q '^unkind: ' "$log"
		point $? "  ... although the driver was unkind"
	done
done
driver=i915

# Parts with EUs that are switched off in each subslice, of families without rules of their own.
for part in hd620:24 tgl:96; do
	machine ${part%:*},load=private.mad.sp.x1
	echo 2 > "$root/i915/fused_eus"
	all=$(python3 -c 'import sys; n = int(sys.argv[1]); each = 16 if n > 90 else 8; print(n - n // each * 2)' ${part#*:})
	gives 0 "${part%:*} with two EUs less in each subslice" -J -n 2 -d 0.1
	is "$(windows "head['sim'], windows[1]['metrics']['eu_active'] > 0")" "False True" "  ... counts"
	"$rooftop" doctor > "$tmp/out" 2>&1
	is "$(grep -c "^card0 .* EU $all " "$tmp/out")" 1 "  ... and has $all EUs"
done
finish
