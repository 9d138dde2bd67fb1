# SPDX-License-Identifier: GPL-3.0-or-later
# The event registers of one subslice alone, on the fake GPU: each subslice counts for itself, all of them add up to the whole, and steering
# and registers belong to the kernel. The fake ends a program that leaves either behind.
. "$top_srcdir/tests/fakekernel/registers_lib.sh"

events="--counter active --counter stall --counter fpu0::ternary --counter active:row0:eu1 --counter occupancy"
# Thirteen groups on six dual subslices: 3 : 2 : 2 : 2 : 2 : 2.
load=load=private.mad.sp.x4,groups=13,items=64

# one PLACE OPTION...: windows of one subslice, into $tmp/PLACE
one()
{
	place=$1
	shift
	gives 0 "events in $place" $way -J -n 3 -d 0.1 $events --eu-events-in "$place" "$@"
	cp "$tmp/out" "$tmp/$place"
	restored 0xffffff
}

# add_up PLACE...: shares of the subslices, weighted by their EUs (they have 16 each), against the windows in $tmp/whole. The noise is what
# windows of the whole GPU differ by, and half a point for reading registers one after the other.
add_up()
{
	python3 - "$tmp" "$@" <<'END'
import json, os, sys
tmp, places = sys.argv[1], sys.argv[2:]
def windows(f):
	return [w['metrics'] for w in map(json.loads, open(os.path.join(tmp, f))) if 'metrics' in w]
def mean(f, name):
	v = [m[name] for m in windows(f)[1:] if m[name] is not None]
	return sum(v) / len(v), max(v) - min(v)
bad = []
names = ['eu_active', 'eu_stall', 'eu_fpu0_ternary', 'eu_active_row0_eu1', 'eu_occupancy']
for n in names:
	want, noise = mean('whole', n)
	got = sum(mean(p, n + '_s%sss%s' % tuple(p.split('.')))[0] for p in places) / len(places)
	if abs(got - want) > noise + 0.5 or want < 0.5:
		bad.append((n, got, want, noise))
print(len(names), bad)
END
}

machine "tgl,$load"
gives 0 "the whole GPU" $way -J -n 5 -d 0.1 $events
cp "$tmp/out" "$tmp/whole"
: > "$log"
places="0.0 0.1 0.2 0.3 0.4 0.5"
for p in $places; do
	one $p
done
is "$(add_up $places)" "5 []" "all subslices add up to the whole, within half a point"
is "$(python3 - "$tmp" <<'END'
import json, os, sys
def last(s):
	rows = map(json.loads, open(os.path.join(sys.argv[1], '0.%d' % s)))
	values = [r['metrics']['eu_occupancy_s0ss%d' % s] for r in rows if 'metrics' in r]
	return [v for v in values if v is not None][-1]
v = [last(s) for s in range(6)]
print([round(x / v[5], 1) for x in v])
END
)" "[1.5, 1.0, 1.0, 1.0, 1.0, 1.0]" "  ... and thirteen groups are three on the first one, and two on each other"
is "$(sed -n 's/^WRITE 0xfdc = \([0-9a-fx]*\)$/\1/p' "$log" | sort -u | tr '\n' ' ')" \
	"0 0x1000000 0x2000000 0x3000000 0x4000000 0x5000000 0x80000000 0x81000000 0x82000000 0x83000000 0x84000000 0x85000000 " \
	"steering names the six that are there, and no other"
is "$(grep -c -e LEFT -e LOST "$log")" 0 "  ... and is given back, as all events are"

# Each is marked as estimated, and says what it is.
is "$(tail -1 "$tmp/0.3" | python3 -c "import json, sys
print(sorted(n for n in json.load(sys.stdin)['estimated'] if n.endswith('_s0ss3')))")" \
	"['eu_active_row0_eu1_s0ss3', 'eu_active_s0ss3', 'eu_fpu0_ternary_s0ss3', 'eu_occupancy_s0ss3', 'eu_stall_s0ss3']" \
	"each value is marked as estimated"

# A recording of it says so, too.
one 0.3 -w "$tmp/one.i915perf"
gives 0 "its replay" -r "$tmp/one.i915perf" --speed max -J -d 0.1
# A busy machine leaves windows without reports.
is "$(windows "(lambda v: (len(v) > 1, max(v) - min(v) < 1))([w['metrics']['eu_active_s0ss3'] for w in windows if w['metrics']['eu_active_s0ss3'] is not None]), 'eu_active' in windows[0]['metrics']")" \
	"(True, True) False" "  ... has the same values under the same names"

# The kernel steers elsewhere between two accesses, or just before one of our writes, which then goes astray.
for word in steer@2 steer@4 steer@9 steer@25 astray@1 astray@8 astray@10; do
	machine "tgl,$load"
	export FAKEKERNEL_FAIL="$word"
	one 0.3
	unset FAKEKERNEL_FAIL
	is "$(python3 - "$tmp/0.3" "$tmp/0.5" <<'END'
import json, sys
def last(f, name):
	rows = [json.loads(line) for line in open(f)]
	return [r['metrics'][name] for r in rows if 'metrics' in r and r['metrics'][name] is not None][-1]
print(abs(last(sys.argv[1], 'eu_active_s0ss3') - last(sys.argv[2], 'eu_active_s0ss5')) < 1)
END
)" True "  ... and $word changes no value"
done

# A context of another program is switched in, or subslices were without power: the interval is lost, and the events are written anew.
for word in context@12 gated@12; do
	machine "tgl,$load"
	export FAKEKERNEL_FAIL="$word"
	gives 0 "$word" $way -J -n 5 -d 0.1 --counter active --eu-events-in 0.1
	unset FAKEKERNEL_FAIL
	is "$(windows "sum(w['lost'] for w in windows) > 0, (lambda v: max(v) - min(v) < 1)([w['metrics']['eu_active_s0ss1'] for w in windows if w['metrics']['eu_active_s0ss1'] is not None])")" \
		"True True" "  ... costs an interval, and the numbers stay right"
done

# Writes that reach nobody, and those that all subslices take.
machine "tgl,$load"
printf '3\n' > "$root/i915/stuck_subslice"
gives 0 "a subslice that takes no events" $way -J -n 1 -d 0.1 --counter active --eu-events-in 0.3
said "the events of subslice 3 of slice 0 cannot be written alone" "  ... is told"
is "$(window "m['eu_active_s0ss3'], why['eu_active_s0ss3']")" "None busy" "  ... and has no value"

# Killed between two accesses.
for i in 1 2; do
	machine "tgl,$load"
	rm -f "$tmp/killed"
	"$lasting" $way -J -d 0.05 $events --eu-events-in 0.4 -o "$tmp/killed" &
	wait_for "$tmp/killed" $((3000 + i * 700)) $!
	kill -KILL $!
	wait $! 2> /dev/null
	patient $$ eval "[ \"\$(tail -1 '$log')\" = 'WRITE 0xa278 = 0x20000' ]"
	restored 0xffffff "SIGKILL leaves no steering and no event behind"
done

# What is refused before anything is written.
machine "tgl,$load"
: > "$log"
gives 2 "a subslice that is not there" $way -J -n 1 --counter active --eu-events-in 0.6
said "card0 has no subslice 6 in slice 0" "  ... is refused"
said "--eu-events-in takes one of 0.0, 0.1, 0.2, 0.3, 0.4, 0.5" "  ... with those that are"
gives 2 "a slice that is not there" $way -J -n 1 --counter active --eu-events-in 17.0
machine $model
gives 2 "Gen9" $way -J -n 1 --counter active --eu-events-in 0.1
said "whether the event registers of Kaby Lake can be written in one subslice is not documented" "  ... is refused"
is "$(cat "$log" 2> /dev/null | grep -c '^WRITE')" 0 "  ... and nothing was written"
finish
