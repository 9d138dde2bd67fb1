# SPDX-License-Identifier: GPL-3.0-or-later
# What --record writes plays again with the same values; recordings end readable whatever happens.
. "$top_srcdir/tests/tty/tap.sh"
rec=$tmp/run.i915perf

# Windows of a recording begin and end where those of the live run did, and hold what all its sources have gathered.
gives 0 "recording in batch mode" -D sim:hd620 --speed max -d 0.1 -n 20 -J -w "$rec"
cp "$tmp/out" "$tmp/live"
gives 0 "playing it" -r "$rec" --speed max -d 0.1 -J
cp "$tmp/out" "$tmp/played"
cat > "$tmp/compare.py" <<'END'
import json, sys
live, played = ([json.loads(l) for l in open(p)] for p in sys.argv[1:3])
assert played[0]['sim'] is True, 'a recording of a simulated device says so'
assert played[0]['driver'] == 'recording'
assert live[0]['units'] == played[0]['units'], 'the same metric set'
live, played = live[1:], played[1:]
assert len(live) == 20 and len(played) >= 20, (len(live), len(played))
same = 0
for a, b in zip(live, played):
    assert a['window_ms'] == b['window_ms'], (a['window_ms'], b['window_ms'])
    assert a['lost'] == b['lost']
    assert a['sim'] is True and b['sim'] is True, 'each line says so, too'
    for name, v in b['metrics'].items():
        assert v == a['metrics'][name], (name, v, a['metrics'][name])
        same += v is not None
    for w in a, b:
        del w['verdict']['since_s']
    assert a['verdict'] == b['verdict'], (a['verdict'], b['verdict'])
    assert b['metrics']['power_package'] > 0 and b['metrics']['throttle_power'] is not None
assert same > 20 * 40, same
END
good "values of the same windows are equal" python3 "$tmp/compare.py" "$tmp/live" "$tmp/played"
gives 0 "a replay that is recorded again" -r "$rec" --speed max -d 0.1 -J -w "$tmp/again.i915perf"
gives 0 "  ... plays" -r "$tmp/again.i915perf" --speed max -d 0.1 -J
good "  ... with all of its windows" python3 "$tmp/compare.py" "$tmp/played" "$tmp/out"
is "$(wc -l < "$tmp/out")" "$(wc -l < "$tmp/played")" "  ... and no others"
# A replay is of the time at which it was recorded, whatever day it is now; copies of it, too. Files of other programs do not say it.
for device in hd620 lnl h100; do
	SOURCE_DATE_EPOCH=1000000000 "$rooftop" -D sim:$device --speed max -d 1 -n 3 -J -w "$tmp/day.$device" > "$tmp/live"
	gives 0 "$device: a recording of another day" -r "$tmp/day.$device" --speed max -d 1 -n 3 -J -w "$tmp/day2.$device"
	is "$(grep -c '"t":"2001-09-09T01:46:4[0-9]' "$tmp/out")" 3 "  ... plays with its times"
	gives 0 "  ... and a copy of it" -r "$tmp/day2.$device" --speed max -d 1 -n 3 -J
	is "$(grep '"metrics"' "$tmp/out" | grep -vc '"t":"2001-09-09T01:46:4[0-9]')" 0 "  ... too"
done
printf 'size 100x30\nwait 1\nsave-screen %s\nquit\n' "$tmp/day.txt" > "$tmp/day.script"
TZ=UTC gives 0 "on the screen" -r "$tmp/day.hd620" --script "$tmp/day.script"
is "$(grep -c "What limited it at 01:46:4[0-9] (recording)" "$tmp/day.txt")" 1 "  ... the answer is of that time"
# Counters that the model does not know stay unknown in its recordings, and in recordings of their replay.
gives 0 "a set with counters that the device does not offer" -D sim:hd620 -m RenderBasic --speed max -n 2 -J -w "$tmp/absent.i915perf"
gives 0 "  ... plays" -r "$tmp/absent.i915perf" --speed max -J -w "$tmp/absent2.i915perf"
is "$(grep -c '"sampler_texel_misses":null' "$tmp/out")" "$(grep -c '"metrics"' "$tmp/out")" "  ... without inventing them"
gives 0 "  ... plays from a copy" -r "$tmp/absent2.i915perf" --speed max -J
is "$(grep -c '"sampler_texel_misses":null' "$tmp/out")" "$(grep -c '"metrics"' "$tmp/out")" "  ... neither"
# ... and so do as many chosen counters as there are, in a copy that tells a long name.
words=
for word in occupancy xmx_bf16 xmx_fp16; do
	for row in row0 row1; do
		words="$words --counter $word:$row:send_start --counter $word:$row:ternary"
	done
done
long=$tmp/$(printf %090d 0 | tr 0 l)
gives 0 "twelve chosen counters" -D sim:dg2 $words --speed max -n 2 -J -w "$long"
gives 0 "  ... in a recording with a long name" -r "$long" --speed max -J -w "$tmp/chosen.i915perf"
cp "$tmp/out" "$tmp/chosen.out"
gives 0 "  ... and in a copy of it" -r "$tmp/chosen.i915perf" --speed max -J
is "$(sed -n 2p "$tmp/out" | grep -o '"metrics".*')" "$(sed -n 2p "$tmp/chosen.out" | grep -o '"metrics".*')" "  ... are the same"
# A set that nobody here knows leaves the counters of fixed meaning.
sed 's/RenderBasic/RenderWeird/g' "$tmp/absent.i915perf" > "$tmp/weird.i915perf"
sed -i 's/99c1a40e/00c1a40e/' "$tmp/weird.i915perf"
gives 0 "a recording with an unknown set" -r "$tmp/weird.i915perf" --speed max -J
is "$(grep -c 'RenderWeird.*fixed meaning' "$tmp/err")" 1 "  ... says so"
is "$(sed -n 2p "$tmp/out" | grep -c '"gpu_busy":[0-9]')" 1 "  ... and shows what it can"
is "$(grep -c '"eu_active"' "$tmp/out")" 0 "  ... and nothing else"
gives 0 "  ... and can be copied" -r "$tmp/weird.i915perf" --speed max -J -w "$tmp/weird2.i915perf"
is "$(grep -ac 'set=RenderWeird$' "$tmp/weird2.i915perf")$(grep -ac 00c1a40e "$tmp/weird2.i915perf")" 11 "  ... which keeps the set's name and guid"
gives 0 "a copy of what is looked at with other equations" -r "$rec" -m fixed --speed max -J -w "$tmp/fixed.i915perf"
is "$(grep -ac 'set=memory$' "$tmp/fixed.i915perf")" 1 "  ... names the set that was counted"
# A place that a recording has not.
gives 0 "a recording of sixteen windows" -D sim:hd620 --speed max -n 16 -b -w "$tmp/sixteen.rec"
printf 'size 80x24\nwait 3\nsave-screen %s\nkey g\nsave-screen %s\nkey 9 9 : 9 9 Enter\nsave-screen %s\nkey g a b c Enter\nsave-screen %s\nkey g 0 : 1 0 Enter\nsave-screen %s\nquit\n' \
	"$tmp/before.txt" "$tmp/asks.txt" "$tmp/behind.txt" "$tmp/word.txt" "$tmp/inside.txt" > "$tmp/places.script"
gives 0 "  ... on the screen" -r "$tmp/sixteen.rec" -U --script "$tmp/places.script"
is "$(grep -c '^ Go to (12:30 from the start, -45 s, 50 %)' "$tmp/asks.txt")" 1 "  ... asks for a place"
printf 'size 80x24\nwait 1\nkey g\nsave-screen %s\nkey - 9 9 Enter\nsave-screen %s\nquit\n' "$tmp/clock.txt" "$tmp/kept.txt" > "$tmp/clock.script"
gives 0 "  ... and a live device" -D sim:hd620 -d 0.1 -U --config /dev/null --script "$tmp/clock.script"
is "$(grep -c "^ Go to (12:30 o'clock, -45 s, 50 %)" "$tmp/clock.txt")" 1 "  ... for a time of day"
is "$(grep -c "^ no such time: the last [01] s are kept" "$tmp/kept.txt")" 1 "  ... and refuses one that is older than what is kept"
gives 0 "a recording beside a simulated device, which would go on" -r "$tmp/sixteen.rec" -D sim:h100 -J --speed max
is "$(grep -c '"device":"file:' "$tmp/out")" 17 "  ... ends with the recording"
is "$(grep -c '^ no such time: the recording has 1[56] s' "$tmp/behind.txt")$(grep -c "^ 'abc' is no time: " "$tmp/word.txt")" 11 "  ... refuses a time behind its end, and a word"
bar=$(grep -o '^ 00:[0-9.]* .* 00:1[56][0-9.]*' "$tmp/before.txt")
is "$(grep -c -F -e "$bar" "$tmp/behind.txt")$(grep -c '^ 00:10\.. ' "$tmp/inside.txt")" 11 "  ... stays where it is, and goes where there is something"
gives 2 "an existing file is not replaced" -D sim:hd620 --speed max -n 1 -J -w "$rec"
is "$(grep -c -e --overwrite "$tmp/err")" 1 "  ... and the way out is named"
gives 0 "  ... unless --overwrite says so" -D sim:hd620 --speed max -n 1 -J -w "$rec" --overwrite
gives 0 "a second file" -D sim:hd620 --speed max -n 2 -J -w "$tmp/two.i915perf"
gives 0 "playing it, report by report" -r "$tmp/two.i915perf" --per-report -c
is "$([ "$(wc -l < "$tmp/out")" -gt 20 ] && echo many)" many "  ... gives a row for each pair"
is "$(tail -n +2 "$tmp/out" | cut -d, -f5 | sort -u)" 1 "  ... all of them simulated"
gives 0 "a replay can be recorded again" -r "$tmp/two.i915perf" --speed max -J -w "$tmp/three.i915perf"
if [ -w /dev/full ]; then
	gives 1 "a device takes a recording" -D sim:hd620 --speed max -n 2 -J -w /dev/full
	is "$(grep -c "cannot write '/dev/full': No space left on device" "$tmp/err")" 1 "  ... and says itself why it does not"
	gives 1 "a disk that is full from the start" -D sim:hd620 --speed max -n 2 -J -w /dev/full --overwrite
	printf 'size 120x40\nwait 3\nsave-screen %s\nquit\n' "$tmp/full.txt" > "$tmp/full.script"
	gives 1 "  ... does not end the screen, which fails when it ends" -D sim:h100 -w /dev/full --overwrite --script "$tmp/full.script"
	is "$(grep -c "cannot write '/dev/full'" "$tmp/full.txt")$(grep -c 'rec off' "$tmp/full.txt")" 11 "  ... which says so, and that nothing is recorded any more"
fi
# A limit on the file's size is a disk that fills up: told, and what was written plays.
sh -c 'ulimit -f 64; exec "$0" -D sim:hd620 --speed max -n 500 -J -o /dev/null -w "$1"' "$rooftop" "$tmp/short.i915perf" 2> "$tmp/err"
is "$?" 1 "a file that cannot grow ends the run"
is "$(grep -c 'can be read' "$tmp/err")" 1 "  ... says so"
gives 0 "  ... and what was written plays" -r "$tmp/short.i915perf" --speed max -J
# Killed: the last record may be cut, the rest plays.
cat > "$tmp/kill.py" <<'END'
import os, signal, subprocess, sys
p = subprocess.Popen([sys.argv[1], '-D', 'sim:hd620', '--speed', 'max', '-J', '-o', '/dev/null', '-w', sys.argv[2]])
while not (os.path.exists(sys.argv[2]) and os.path.getsize(sys.argv[2]) > 200000) and p.poll() is None:
    pass
p.send_signal(signal.SIGKILL)
p.wait()
END
python3 "$tmp/kill.py" "$rooftop" "$tmp/killed.i915perf"
gives 0 "a killed recording plays" -r "$tmp/killed.i915perf" --speed max -J
is "$([ "$(wc -l < "$tmp/out")" -gt 2 ] && echo windows)" windows "  ... and has windows"
cat > "$tmp/term.py" <<'END'
import json, signal, subprocess, sys
p = subprocess.Popen([sys.argv[1], '-D', 'sim:hd620', '-d', '0.05', '-J', '-w', sys.argv[2]], stdout=subprocess.PIPE)
for _ in range(3):
    json.loads(p.stdout.readline())
p.send_signal(signal.SIGTERM)
p.stdout.read()
assert p.wait() == -signal.SIGTERM
END
good "a recording that SIGTERM ends" python3 "$tmp/term.py" "$rooftop" "$tmp/term.i915perf"
gives 0 "  ... plays" -r "$tmp/term.i915perf" --speed max -d 0.05 -J
# A time that does not fit in 64 bits of nanoseconds.
printf 'size 80x24\nwait 1\nkey g 9 9 9 9 9 9 9 9 9 : 0 0 : 0 0 Enter\nsave-screen %s\nquit\n' "$tmp/far.txt" > "$tmp/far.script"
gives 0 "a place that no recording has" -r "$tmp/term.i915perf" --script "$tmp/far.script"
is "$(grep -c "'999999999:00:00' is no" "$tmp/far.txt")" 1 "  ... is no time"
# The next set of the setup box, and then the list of the sets, which reads them all: what is bound was made for whole sets.
printf 'key S Down Space Esc\nwait 2\nsave-screen %s\nkey m Esc 8\nwait 2\nsave-screen %s\n' "$tmp/next.txt" "$tmp/count.txt" > "$tmp/next.script"
for device in hsw hd620 tgl lnl dg2 g72 h100; do
	"$rooftop" -D sim:$device --speed max -d 1 -n 6 -J -w "$tmp/next.$device" > "$tmp/out"
	gives 0 "$device: another set is chosen in a recording" -r "$tmp/next.$device" --fsroot "$tmp/empty" --script "$tmp/next.script"
	is "$(grep -c 'NO COUNTERS' "$tmp/next.txt")$(grep -c 'Counters set .* [1-9][0-9]* metrics' "$tmp/count.txt")" 01 "  ... which has its metrics"
done
# Processes are those of their window: where it has none, as nobody asked, they are not those of another one.
"$rooftop" -D sim:hd620,load=tour --speed max -d 1 -n 40 -J -w "$tmp/users.rec" > "$tmp/out"
gives 0 "a recording that has the processes of some windows" -r "$tmp/users.rec" --speed max -d 1 -J --clients
is "$(grep -c '"clients":\[' "$tmp/out") $(grep -c '"clients_why":"not_yet"' "$tmp/out")" "2 38" "  ... has them in these windows alone"
# What a card learns after the first report: here its limit of power is twice as high from the middle on.
cat > "$tmp/late.py" <<'END'
import struct, sys
d, at, parts = open(sys.argv[1], 'rb').read(), 0, []
while at < len(d):
    kind, size = struct.unpack_from('<IxxH', d, at)
    parts.append((kind, d[at:at + size]))
    at += size
consts = bytearray(next(p for kind, p in parts if kind == 0x52540002))
i = consts.index(b'package_power_limit_w\0') + 40
struct.pack_into('<d', consts, i, 2 * struct.unpack_from('<d', consts, i)[0])
ends = [i for i, (kind, _) in enumerate(parts) if kind == 0x52540006]
parts.insert(ends[len(ends) // 2] + 1, (0, bytes(consts)))
open(sys.argv[2], 'wb').write(b''.join(p for _, p in parts))
END
"$rooftop" -D sim:hd620,load=private.mad.sp.x4,cores=9 --speed max -d 1 -n 12 -J -w "$tmp/limit.rec" > "$tmp/out"
python3 "$tmp/late.py" "$tmp/limit.rec" "$tmp/late.rec"
gives 0 "a fact that came late" -r "$tmp/late.rec" --speed max -d 1 -J
is "$(grep -o ' of [0-9.]* W"' "$tmp/out" | uniq -c | tr -s '\n ' ' ')" ' 5 of 15.0 W" 7 of 30.0 W" ' "  ... is known from then on"
# ... as it is where somebody goes back to, in a recording of reports and in a stream.
"$rooftop" -D sim:hd620,load=private.mad.sp.x4,cores=9 --speed max -d 1 -n 12 -w - > "$tmp/limit.stream"
python3 "$tmp/late.py" "$tmp/limit.stream" "$tmp/late.stream"
printf 'size 120x40\nwait 3\nsave-screen %s\nwait 7\nsave-screen %s\nkey g 0 : 0 2 Enter\nwait 1\nsave-screen %s\n' "$tmp/at3.txt" "$tmp/at10.txt" "$tmp/back.txt" > "$tmp/back.script"
for file in late.rec late.stream; do
	gives 0 "$file: going back" -r "$tmp/$file" -U --script "$tmp/back.script"
	is "$(cat "$tmp/at3.txt" "$tmp/at10.txt" "$tmp/back.txt" | grep -o 'power .* of [0-9]* W' | grep -o '[0-9]* W' | tr '\n' ' ')" "15 W 30 W 15 W " "  ... has the limit of that place"
done
# All that can be asked of eight blocks comes back, from a file and from a stream; what does not fit is refused, and not cut.
lanes='!L0,!L1,!L2,!L3,!L4,!L5,!L6,!L7,!L8,!L9,!L10,!L11,!L12,!L13,!L14,!L15'
set --
for block in 0 1 2 3 4 5 6; do
	set -- "$@" --boolean "B$block=at_least(1,$lanes)"
done
gives 2 "questions with many blanks" -D sim:hd620 -m memory "$@" --boolean "B7=at_least(1,                              $lanes)" -b -n 1
said "the questions of --boolean have 7[0-9]* bytes, and recordings have room for 703" "  ... are refused"
set -- "$@" --boolean "B7=at_least(1,$lanes)"
"$rooftop" -D sim:hd620 -m memory "$@" --speed max -n 2 -J -w "$tmp/asked.rec" | head -n 1 | grep -o '"units":{[^}]*}' > "$tmp/asked"
"$rooftop" -D sim:hd620 -m memory "$@" --speed max -n 2 -w - > "$tmp/asked.stream"
is "$(grep -o '"b[0-7]_at_least[^"]*"' "$tmp/asked" | wc -l)" 8 "eight questions"
for file in asked.rec asked.stream; do
	"$rooftop" -r "$tmp/$file" -n 1 -J | head -n 1 | grep -o '"units":{[^}]*}' > "$tmp/out"
	good "  ... come back from $file" cmp "$tmp/out" "$tmp/asked"
done
gives 1 "a text that is no recording" -r "$top_srcdir/README.md" -b
is "$(grep -c "README.md' is not a recording" "$tmp/err")$(grep -c "CSV and JSON are for 'rooftop diff'" "$tmp/err")" 11 "  ... is told, and what does read texts"
# Of processes a recording keeps what the answer needs; whose they are it does not, which is not root's.
gives 0 "a recording without --clients" -D sim:hd620 --speed max -n 3 -b -w "$tmp/whose.rec"
gives 0 "  ... played with it" -r "$tmp/whose.rec" --speed max -J --clients
is "$(grep -o '"uid":[^,]*,"user":[^,]*' "$tmp/out" | sort -u)" '"uid":null,"user":""' "  ... knows nobody's user"
finish
