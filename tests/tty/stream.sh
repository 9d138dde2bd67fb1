# SPDX-License-Identifier: GPL-3.0-or-later
# Streams: rooftop -w - into rooftop -r -, over ssh, with several devices, and everything that can go wrong between them.
. "$top_srcdir/tests/tty/tap.sh"
compare=$top_srcdir/tests/tty/stream_compare.py

for device in sim:hd620 sim:lnl,load=copy.sp.x4 sim:dg2,lost=3 sim:g72 sim:hd620,load=idle,rc6 sim:hd620,load=private.div.sp.x1/stream.sp.x4; do
	gives 0 "$device: live and streamed" -w - -J -o "$tmp/live" -D "$device" --speed max -n 12 -d 0.5
	cp "$tmp/out" "$tmp/stream"
	"$rooftop" -r - -J < "$tmp/stream" > "$tmp/played" 2> "$tmp/err"
	is "$?" 0 "  ... plays"
	good "  ... with the same values, contexts and verdicts" python3 "$compare" "$tmp/live" "$tmp/played" 12
done
gives 0 "three devices in one stream" -w - -J -o "$tmp/live" -D sim:hd620 -D sim:lnl -D sim:g72 --speed max -n 6 -d 0.5
cp "$tmp/out" "$tmp/three"
"$rooftop" -r - -J < "$tmp/three" > "$tmp/played" 2> "$tmp/err"
good "  ... come out as three" python3 "$compare" "$tmp/live" "$tmp/played" 6
gives 0 "  ... from a file, too" -r "$tmp/three" --speed max -J
good "  ... with the same values" python3 "$compare" "$tmp/live" "$tmp/out" 6
gives 0 "a stream of a replay" -w - -r "$tmp/stream" --speed max
"$rooftop" -r - -J < "$tmp/out" > "$tmp/again" 2> "$tmp/err"
is "$(grep -c '"metrics"' "$tmp/again")" 12 "  ... is a stream, too"

# A file of a stream is a recording: it has a length, and places in it.
printf 'size 80x24\nwait 2\nkey g 0 0 : 0 3 Enter\nwait 1\nsave-screen %s\nquit\n' "$tmp/sought.txt" > "$tmp/seek.script"
gives 0 "a place in a file" -r "$tmp/stream" --script "$tmp/seek.script"
good "  ... is gone to" grep -q '3' "$tmp/sought.txt"

# Live.
sh -c '"$0" -w - -D sim:hd620 -d 0.05 2> "$1/writer" | "$0" -r - -J -n 5 > "$1/out"' "$rooftop" "$tmp"
is "$(grep -c '"metrics"' "$tmp/out")" 5 "windows come while the other side still counts"
is "$(cat "$tmp/writer")" "rooftop: the reader of the stream has closed it" "  ... which hears with a sentence that nobody reads any more"
# What has a clock of its own waits for its reader.
"$rooftop" -D sim:hd620 --speed max -n 3000 -d 0.01 -w - 2> "$tmp/writer" < /dev/null | (sleep 1; cat) > "$tmp/slow"
gives 0 "a stream that was read late" -r "$tmp/slow" --speed max -d 0.01 -c
is "$(grep -c "^[0-9]" "$tmp/out") $(wc -c < "$tmp/writer")" "3000 0" "  ... has all windows"
gives 0 "-w - obeys -n" -w - -D sim:hd620 --speed max -n 2 -d 0.1
cat > "$tmp/screen.py" <<'END'
# The screen of a stream on standard input has its keys from the terminal.
import os, pty, select, subprocess, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.environ['TERM'] = 'xterm'
    os.execv('/bin/sh', ['sh', '-c', '"$0" -w - -D sim:hd620 -d 0.05 2> /dev/null | "$0" -r -', sys.argv[1]])
seen, asked, end = b'', False, time.time() + 300
while time.time() < end:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            got = os.read(fd, 65536)
        except OSError:
            break
        if not got: break
        seen += got
    if b'MEMORY-BOUND' in seen and not asked:
        asked = True
        os.write(fd, b'q')
assert asked, seen[-300:]
assert os.waitpid(pid, 0)[1] == 0
END
good "the screen shows a stream live, and its keys come from the terminal" python3 "$tmp/screen.py" "$rooftop"
cat > "$tmp/stalled.py" <<'END'
# A reader that stops reading holds nobody up, and costs no memory without end.
import subprocess, sys, time, os
p = subprocess.Popen([sys.argv[1], '-w', '-', *['-D', 'sim:hd620'] * 6, '-n', '600', '-d', '0.01'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
os.set_blocking(p.stderr.fileno(), False)
said, peak = b'', 0
while b'windows are left out' not in said:
    said += p.stderr.read() or b''
    for line in open('/proc/%d/status' % p.pid):
        if line.startswith('VmRSS'): peak = max(peak, int(line.split()[1]))
    assert p.poll() is None, said
    time.sleep(0.01)
assert peak < 60000, peak
rest = p.stdout.read()
assert p.wait() == 0
open(sys.argv[2], 'wb').write(rest)
END
good "a reader that stops reading is told of, and bounded" python3 "$tmp/stalled.py" "$rooftop" "$tmp/slow.stream"
"$rooftop" -r "$tmp/slow.stream" -J --speed max > "$tmp/out" 2> "$tmp/err"
is "$(python3 -c '
import json, sys
w = [d for d in map(json.loads, open(sys.argv[1])) if "metrics" in d]
print(len(w) > 100, len(w) + sum(d["lost"] for d in w))' "$tmp/out" | cut -d" " -f1)" True "  ... and what was left out is counted as lost"
good "  ... by the window behind it" grep -q '"lost":[1-9]' "$tmp/out"

# What comes can be nonsense.
size=$(wc -c < "$tmp/stream")
for cut in 1 7 20 300 3000 $((size / 2)) $((size - 1)); do
	head -c "$cut" "$tmp/stream" > "$tmp/cut"
	timeout 300 "$rooftop" -r - -J < "$tmp/cut" > "$tmp/out" 2> "$tmp/err"
	[ $? -lt 124 ] && [ "$(grep -c '^rooftop: ' "$tmp/err")" -ge 1 ]
	point $? "a stream that is cut at $cut of $size bytes ends with a sentence"
done
head -c $((size - 1)) "$tmp/stream" | "$rooftop" -r - -J > "$tmp/out" 2> "$tmp/err"
is "$(grep -c '"metrics"' "$tmp/out")" 11 "half a record costs its window, and nothing before it"
cat > "$tmp/damage.py" <<'END'
import random, subprocess, sys
random.seed(int(sys.argv[3]))
whole = open(sys.argv[2], 'rb').read()
for i in range(60):
    b = bytearray(whole)
    for _ in range(random.choice((1, 3, 30))):
        b[random.randrange(len(b))] = random.randrange(256)
    p = subprocess.run([sys.argv[1], '-r', '-', '-J'], input=bytes(b), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300)
    assert 0 <= p.returncode < 6, (i, p.returncode, p.stderr)
END
good "damaged streams crash nothing" python3 "$tmp/damage.py" "$rooftop" "$tmp/stream" "${ROOFTOP_FUZZ_SEEDS:-1}"
# The version is the first word behind the heads of record and part.
{ head -c 24 "$tmp/stream"; printf '\002\000\000\000'; tail -c +29 "$tmp/stream"; } > "$tmp/newer"
"$rooftop" -r - -J < "$tmp/newer" > "$tmp/out" 2> "$tmp/err"
is "$?" 3 "a newer stream is refused"
good "  ... by its version" grep -q 'version 2 .*only version 1 is known' "$tmp/err"
gives 1 "nothing at all is refused" -r - -J
echo "Welcome to this machine" > "$tmp/motd"
"$rooftop" -r - -J < "$tmp/motd" > "$tmp/out" 2> "$tmp/err"
is "$?" 1 "a greeting is no stream"
"$rooftop" -w - -D sim:hd620 -n 2 -d 0.1 --speed max > "$tmp/short"
for second in "-D file:-" "-r -"; do
	# shellcheck disable=SC2086
	"$rooftop" -D file:- $second -J < "$tmp/short" > "$tmp/out" 2> "$tmp/err"
	is "$? $(wc -c < "$tmp/out") $(grep -c "'file:-' is open already" "$tmp/err")" "1 0 1" "standard input is read once: -D file:- $second"
done
gives 2 "-w - beside -J needs -o" -w - -J -D sim:hd620
gives 2 "--speed does not hurry a stream" -r - --speed 2 -b
for sets in overview,flops subslices; do
	"$rooftop" -D sim:hd620 -m $sets -w - -n 4 -d 0.2 --speed max | "$rooftop" -r - -J > "$tmp/played" 2> "$tmp/err"
	"$rooftop" -D sim:hd620 -m $sets -J -n 4 -d 0.2 --speed max > "$tmp/out" 2> "$tmp/err"
	good "sets in turns over a pipe: $sets" python3 -B "$top_srcdir/tests/tty/stream_compare.py" "$tmp/out" "$tmp/played" 4
done

# Over ssh: a program of that name runs rooftop here.
mkdir "$tmp/bin"
cat > "$tmp/bin/ssh" <<END
#!/bin/sh
case \$1 in
evil) printf '\033]0;title\007\033[31mred\302' >&2; exit 255 ;;
down) echo "ssh: connect to host down port 22: No route to host" >&2; exit 255 ;;
bare) shift; echo "sh: 1: \$1: not found" >&2; exit 127 ;;
tells) shift 2; echo "\$*" > "$tmp/asked"; exec "$rooftop" "\$@" ;;
slow) read -r go < "$tmp/gate" ;;
mute) echo \$\$ > "$tmp/mute"; exec sleep 600 ;;
dies) shift 2; "$rooftop" "\$@" -n 3; echo "Connection to dies closed by remote host." >&2; exit 255 ;;
esac
shift 2
exec "$rooftop" "\$@"
END
chmod +x "$tmp/bin/ssh"
PATH=$tmp/bin:$PATH
gives 0 "another machine" -D ssh:me@box/sim:hd620 -J -n 2
is "$(grep -c '"device":"ssh:me@box/sim:hd620"' "$tmp/out")" 1 "  ... has its name in outputs"
gives 0 "two machines beside each other" -D ssh:one/sim:hd620 -D ssh:two/sim:lnl -J -n 1
is "$(sed -n 's/.*"device":"\([^"]*\)".*"metrics".*/\1/p' "$tmp/out" | sort | tr '\n' ' ')" "ssh:one/sim:hd620 ssh:two/sim:lnl " "  ... are two devices"
# shellcheck disable=SC2046
gives 2 "more devices than a stream has room for" -w - -n 1 --speed max $(printf ' -D sim:g52%.0s' $(seq 129))
is "$(grep -c 'room for 128 devices, and these are 129' "$tmp/err") $(wc -c < "$tmp/out")" "1 0" "  ... are refused before anything is written"
"$rooftop" -w - -D sim:hd620 -D sim:g72 -n 3 --speed max > "$tmp/both.stream" 2> "$tmp/err"
for file in "$tmp/both.stream" -; do
	"$rooftop" -L -r "$file" < "$tmp/both.stream" > "$tmp/out" 2> "$tmp/err"
	is "$(cut -d' ' -f1 "$tmp/out" | tr '\n' ' ')" "file:$file/sim:hd620 file:$file/sim:g72 " "a list of ${file##*/} has all its devices"
done
"$rooftop" -L -D "file:$tmp/both.stream" -J > "$tmp/out" 2> "$tmp/err"
is "$(grep -c ',"usable":true' "$tmp/out")" 2 "  ... as JSON, too"
# A stream that ends takes no device of this machine with it.
"$rooftop" -D sim:hd620 --speed max -n 3 -w - > "$tmp/ended"
"$rooftop" -r - -D sim:h100 -d 0.05 -J < "$tmp/ended" > "$tmp/beside" 2> /dev/null &
good "a device beside a stream that has ended goes on" patient $! lines 20 '"device":"sim:h100".*"metrics"' "$tmp/beside"
kill $!
gives 0 "the other machine is asked" -D ssh:tells/sim:hd620 -J -n 2 -d 0.25
is "$(cat "$tmp/asked")" "-w - -d 0.250000000 -D sim:hd620" "  ... for windows of the same length"
mkfifo "$tmp/gate"
"$rooftop" -D ssh:slow/sim:hd620 -J -n 1 -d 0.1 > "$tmp/out" 2> "$tmp/err" &
waits=$!
patient $waits grep -q 'waiting for slow.*Ctrl-C ends it' "$tmp/err"
is "$(grep -c 'waiting for slow.*Ctrl-C ends it' "$tmp/err")" 1 "who says nothing for long is named, and how to end it"
timeout 300 sh -c "echo go > '$tmp/gate'"
wait $waits
is "$? $(grep -c '"metrics"' "$tmp/out")" "0 1" "  ... and is heard when it speaks"
"$rooftop" -D ssh:mute -b > "$tmp/out" 2> "$tmp/err" &
waits=$!
patient $waits grep -q 'waiting for mute' "$tmp/err"
kill -TERM $waits
wait $waits 2> /dev/null
is "$?" 143 "  ... or ended while it is waited for"
kill "$(cat "$tmp/mute")"
gives 3 "a machine that is not there" -D ssh:down -b
good "  ... as ssh says it" grep -q 'No route to host' "$tmp/err"
gives 3 "a machine whose words command terminals" -D ssh:evil -b
is "$(grep -c 'red' "$tmp/err") $(tr -d '\n\t -~' < "$tmp/err" | wc -c)" "1 0" "  ... says them, and commands nothing"
gives 3 "a machine without rooftop" -D ssh:bare -b
good "  ... with the way to look" grep -q 'rooftop --version' "$tmp/err"
gives 0 "a connection that breaks" -D ssh:dies/sim:hd620 -J -d 0.1
is "$(grep -c '"metrics"' "$tmp/out")" 3 "  ... keeps what came"
good "  ... and says why it ended" grep -q 'closed by remote host' "$tmp/err"
gives 2 "a host that is an option" -D ssh:-oProxyCommand=x -b
gives 2 "a device that is a command" -D 'ssh:box/x;reboot' -b
finish
