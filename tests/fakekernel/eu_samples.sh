# SPDX-License-Identifier: GPL-3.0-or-later
# Looks at single EUs through ROW_INSTDONE on the fake GPU: they agree with what OA counters say of the same load, nobody who is not there
# is looked at, and steering belongs to the kernel.
. "$top_srcdir/tests/fakekernel/registers_lib.sh"

# A pause beside each launch, so that shares are neither 0 nor 1; two threads of a group, so that some EUs have none.
load=load=private.mad.sp.x4,groups=4,items=64,pause=100
looked="$way -J -n 3 -d 0.5 -m euload"

# compare: positions of EUs are the sums of all subslices, so sums are compared. All EUs are looked at in the same rounds, so that their
# errors may add up: the error of a sum is that of one EU, with the share that the counters say, times the EUs that have threads.
compare()
{
	python3 - "$tmp/looks" "$tmp/active" "$tmp/stalled" <<'END'
import json, math, sys
def last(f, metric):
	w = json.loads(open(f).readlines()[-1])
	m = next(m for m in w['cells'] if metric in m['values'])
	return m['names'], m['values'][metric]
names, share = last(sys.argv[1], 'eu_loaded_share')
_, looks = last(sys.argv[1], 'eu_looks')
positions, active = last(sys.argv[2], 'eus_active_here')
_, stalled = last(sys.argv[3], 'eus_stall_here')
found = {}
for name, p in zip(names, share):
	eu = int(name.split('E')[-1])
	f = found.setdefault('R%dE%d' % (eu // 4 % 2, eu % 4), [])
	f.append(p / 100)
bad = []
for key, a, s in zip(positions, active, stalled):
	loaded = sum(p > 0 for p in found[key])
	truth = min((a + s) / max(loaded, 1), 1)
	error = loaded * math.sqrt(truth * (1 - truth) / min(looks))
	if abs(sum(found[key]) - (a + s)) > 3 * error + 0.02:
		bad.append((key, sum(found[key]), a + s, error))
print(len(names), len(set(names)), min(looks) >= 5, any(0 < p < 100 for p in share), bad)
END
}

# agrees MODEL EUS EVENTS: each share of looks is within three standard errors of the share of time in which OA counters find threads
# there. One try of 300 fails where all is well, so there are two.
agrees()
{
	machine "$1,$load"
	gives 0 "$1: EU clocks by position" $way -J -n 3 -d 0.5 -m eumap
	cp "$tmp/out" "$tmp/active"
	gives 0 "  ... and those that wait" $way -J -n 3 -d 0.5 -m eumap-stall
	cp "$tmp/out" "$tmp/stalled"
	good="$2 $2 True True []"
	gives 0 "  ... and looks" $looked
	cp "$tmp/out" "$tmp/looks"
	if [ "$(compare)" != "$good" ]; then
		"$rooftop" $looked > "$tmp/looks" 2> "$tmp/err"
	fi
	is "$(compare)" "$good" "  ... the shares agree within three standard errors"
	restored "$3"
}

agrees hd620 24 0
agrees tgl 96 0xffffff

# The simulated device looks at its own model, without registers.
for device in hd620:24 tgl:96; do
	for part in euload:looks eumap:active eumap-stall:stalled; do
		"$program" -D "sim:${device%:*},$load" --speed max -J -n 3 -d 0.5 -m "${part%:*}" > "$tmp/${part#*:}" 2> "$tmp/err"
	done
	is "$(compare)" "${device#*:} ${device#*:} True True []" "sim:${device%:*}: the shares agree within three standard errors"
done

# By subslice: four groups of two threads on three subslices.
machine "hd620,$load"
gives 0 "by subslice" $looked
is "$(python3 - "$tmp/out" <<'END'
import json, sys
w = json.loads(open(sys.argv[1]).readlines()[-1])
m = next(m for m in w['cells'] if 'eu_loaded_share' in m['values'])
print(' '.join(n for n, p in zip(m['names'], m['values']['eu_loaded_share']) if p > 0))
END
)" "S0SS0E0 S0SS0E1 S0SS0E2 S0SS0E3 S0SS1E0 S0SS1E1 S0SS2E0 S0SS2E1" "  ... the EUs that have threads, and no other"

# Nobody steers to a subslice that is fused off: all words that are written to the steering register name one that is there.
is "$(sed -n 's/^WRITE 0xfdc = \([0-9a-fx]*\)$/\1/p' "$log" | sort -u | tr '\n' ' ')" "0 0x1000000 0x2000000 " "steering names the three subslices that are there"
is "$(grep -c 'STEERING LEFT' "$log")" 0 "  ... and is given back"

# The kernel steers elsewhere between two accesses: the look is thrown away, and its value stays.
for n in 2 3 5 6 7 8 9 20 21; do
	machine "hd620,$load"
	export FAKEKERNEL_FAIL="steer@$n"
	gives 0 "the kernel steers before read $n" $looked
	unset FAKEKERNEL_FAIL
	restored 0 "  ... and that is how it stays"
done

# Killed between two accesses or two rounds.
for i in 1 2 3; do
	machine "hd620,$load"
	rm -f "$tmp/killed"
	"$lasting" $way -J -d 0.05 -m euload -o "$tmp/killed" &
	wait_for "$tmp/killed" $((3000 + i * 700)) $!
	kill -KILL $!
	wait $! 2> /dev/null
	patient $$ eval "[ \"\$(tail -1 '$log')\" = 'WRITE 0xa278 = 0x20000' ]"
	restored 0 "SIGKILL leaves no steering and no register behind"
done

# The menu of sets turns to it while the program runs; the looks are opened with it.
machine "hd620,load=private.mad.sp.x4"
cat > "$tmp/choose" <<'END'
size 80x24
wait 1
key m Down Down Down Down Down Down Down Down Down Down Down Enter 2
wait 4
save-screen -
END
"$rooftop" --access mmio --script "$tmp/choose" > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$(grep -c '24 cells, samples of ROW_INSTDONE' "$tmp/out")" 1 "key m chooses the map of looks at runtime"
# Without power all words are zeros, which are no looks; other ways have none at all.
machine "hd620,load=idle,rc6"
gives 0 "a set that asks for looks, by perf" -J -n 1 -d 0.1 -m euload
is "$(window "m['eu_loaded_share'], why['eu_loaded_share']")" "None unsupported" "  ... has none"
gives 0 "doctor" doctor -m euload
is "$(grep -A1 'looks at single EUs' "$tmp/out" | grep -c -e '--access mmio reads registers')" 1 "  ... says what would"
machine "chv,load=private.mad.sp.x1"
gives 0 "Cherryview" -L -D card0
is "$(grep -c euload "$tmp/out")" 0 "  ... whose bits nobody has published, has no such set"
finish
