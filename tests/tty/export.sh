# SPDX-License-Identifier: GPL-3.0-or-later
# OpenMetrics over a socket and in a file, and traces: other programs read them, and no client can hurt the monitor.
. "$top_srcdir/tests/tty/tap.sh"
py="python3 $top_srcdir/tests/tty/export.py"
sim="-D sim:hd620,load=private.mad.sp.x4"
socket=$tmp/metrics.sock

# answers ADDRESS: the endpoint does, with a window
answers()
{
	$py get "$1" > "$tmp/got" 2> /dev/null && grep -q '^rooftop_gpu_busy' "$tmp/got"
}

# started ADDRESS: waits for that
started()
{
	patient $pid answers "$1"
}

# Beside the rest: windows of an hour, and a crowd that says nothing.
"$rooftop" $sim -d 3600 --export "prometheus:unix:$tmp/long.sock" > /dev/null 2>&1 < /dev/null &
long=$!
{
	patient $long $py get "$tmp/long.sock" > /dev/null 2>&1
	$py crowd "$tmp/long.sock"
} > "$tmp/crowd.out" 2>&1 &
crowd=$!

"$rooftop" $sim -d 0.2 --export "prometheus:unix:$socket" > "$tmp/out" 2> "$tmp/err" < /dev/null &
pid=$!
good "the endpoint serves a complete window" started "$socket"
is "$(cat "$tmp/out")$(cat "$tmp/err")" "rooftop: unix:$socket" "where it is stands on standard error, and nothing else anywhere"
tail -n +2 "$tmp/got" > "$tmp/text"
good "the text is well formed" $py check "$tmp/text"
for python in "env python3" /usr/bin/python3; do
	$python -c 'import prometheus_client.openmetrics.parser' 2> /dev/null && parser=$python
done
if [ -n "$parser" ]; then
	# shellcheck disable=SC2086
	good "Prometheus' own parser reads it" $parser "$top_srcdir/tests/tty/export.py" prometheus "$tmp/text"
else
	skip 1 "python3-prometheus-client is not installed"
fi
is "$(grep -c '^rooftop_gpu_busy_ratio{device="sim:hd620",sim="true"} 1$' "$tmp/text")" 1 "a percentage is a ratio"
grep -q '^rooftop_power_package_watts{.*} [0-9]' "$tmp/text"
point $? "power is in watts"
grep -q '^rooftop_missing{.*,metric="[a-z0-9_]*",why="[a-z0-9_]*"} 1$' "$tmp/text"
point $? "what is missing has its reason"
is "$($py get "$socket" /nothing | head -1)" "HTTP/1.0 404 Not Found" "another path is not found"
is "$($py get "$socket" / | head -1)" "HTTP/1.0 200 OK" "the root says where to look"
is "$($py get "$socket" /metrics POST | head -1)" "HTTP/1.0 405 Method Not Allowed" "only reading is allowed"
is "$($py get "$socket" /metrics HEAD | wc -l)" 1 "HEAD has no body"
good "bad clients do no harm" $py slow "$socket"
good "nor does a flood of connections" $py flood "$socket"
gives 1 "a second one cannot have the same socket" $sim --export "prometheus:unix:$socket" -n 1
is "$(grep -c 'name another path' "$tmp/err")" 1 "  ... and is told what helps"
kill -TERM $pid
wait $pid
is "$?" 143 "it ends as the signal says"
[ ! -e "$socket" ]
point $? "and takes its socket away"

"$rooftop" $sim -d 0.2 --export "prometheus:unix:$socket" > /dev/null 2>&1 < /dev/null &
pid=$!
started "$socket"
kill -KILL $pid
wait $pid 2> /dev/null
"$rooftop" $sim -d 0.2 -n 3 -J --export "prometheus:unix:$socket" > "$tmp/out" 2> /dev/null < /dev/null
is "$? $(grep -c '"mono_ns"' "$tmp/out")" "0 3" "a socket left over by a killed one is taken over; lines and endpoint go together"

port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
"$rooftop" $sim -d 0.2 --export "prometheus:$port" > /dev/null 2>&1 < /dev/null &
pid=$!
good "a port on the loopback" started "127.0.0.1:$port"
"$rooftop" $sim --export "prometheus:$port" -n 1 > /dev/null 2> "$tmp/err" < /dev/null
is "$? $(grep -c 'name a free one' "$tmp/err")" "1 1" "a port that is taken is said so, with the way out"
for name in localhost "localhost:$port" 127.0.0.1 "[::1]:$port"; do
	is "$($py host "$port" "$name")" "HTTP/1.0 200 OK" "a request to $name is answered"
done
for name in evil.example "evil.example:$port" localhost.evil.example "1.2.3.4.evil.example" ""; do
	is "$($py host "$port" "$name")" "HTTP/1.0 421 Misdirected Request" "a request to '$name' may be a web page's, and is refused"
done
kill $pid
wait $pid 2> /dev/null

(ulimit -n 24; exec "$rooftop" $sim -d 0.2 --export "prometheus:unix:$socket" > /dev/null 2>&1 < /dev/null) &
pid=$!
started "$socket"
good "when descriptors run out it waits for one, and then answers" $py starve "$socket" $pid
good "a thousand clients, of whom some say nothing and some do not read, keep nobody out" $py thousand "$socket" $pid 1000
kill $pid
wait $pid 2> /dev/null
for bad in graphite prometheus:99999 prometheus:x:1 prometheus:unix: prometheusX 'prometheus:[::1'; do
	gives 2 "--export $bad is refused" $sim --export "$bad" -n 1
done

"$rooftop" -D sim:hd620,load=private.mad.sp.x4 -d 0.2 -m overview,flops --export "prometheus:unix:$socket" > /dev/null 2>&1 < /dev/null &
pid=$!
started "$socket"
is "$(grep -c '^rooftop_[a-z0-9_]*{.*,multiplexed="true"}' "$tmp/got" | awk '{ print ($1 > 3) }')" 1 "metrics of sets in turns say so"
kill $pid
wait $pid 2> /dev/null

# The clock stands still between frames, so all of its clocks are busy; of the time they are the part that is not asleep.
"$rooftop" -D sim:hd620,rc6,load=desktop -d 0.2 --export "prometheus:unix:$socket" > /dev/null 2>&1 < /dev/null &
pid=$!
started "$socket"
is "$(awk '/^rooftop_gpu_busy_ratio\{/ { clocks = $2 } /^rooftop_device_busy_ratio\{/ { busy = $2 } /^rooftop_device_asleep_ratio\{/ { asleep = $2 }
	END { sum = busy + asleep; print clocks, (asleep > 0.5), (busy > 0), (sum > 0.999 && sum < 1.001) }' "$tmp/got")" "1 1 1 1" \
	"the busy ratio of a device is a share of all time"
kill $pid
wait $pid 2> /dev/null

mkdir "$tmp/textfile"
"$rooftop" $sim -d 0.2 --textfile "$tmp/textfile" > /dev/null 2>&1 < /dev/null &
pid=$!
patient $pid test -e "$tmp/textfile/rooftop.prom"
cp "$tmp/textfile/rooftop.prom" "$tmp/prom"
kill $pid
wait $pid 2> /dev/null
is "$(grep -c '^# EOF\|^# UNIT\|info$' "$tmp/prom")" 0 "the text file has the older form"
is "$(grep -c '^# TYPE rooftop_windows_total counter$' "$tmp/prom")" 1 "where counters are called as their samples are"
is "$(ls "$tmp/textfile")" "" "it goes away with the program"
# The file has a clock of its own: a stream that stalls, as the first device, lets neither its age nor the other device stand still.
"$rooftop" -w - -D sim:g72 --speed max -n 2 -d 0.2 > "$tmp/stalled"
mkfifo "$tmp/stall.fifo"
exec 9<> "$tmp/stall.fifo"
cat "$tmp/stalled" >&9
"$rooftop" -r - -D sim:hd620 -d 0.2 -J --textfile "$tmp/textfile" > /dev/null 2>&1 < "$tmp/stall.fifo" &
pid=$!
patient $pid grep -q -s 'rooftop_windows_total{device="sim:hd620".*} [5-9]' "$tmp/textfile/rooftop.prom"
point $? "a device behind a stream that stalls grows in the file"
is "$(sed -n 's/^rooftop_window_age_seconds{device="file:-.*} //p' "$tmp/textfile/rooftop.prom" | awk '{ print ($1 > 0.5) }')" 1 "  ... and the stream's age does, too"
kill $pid
wait $pid 2> /dev/null
exec 9>&-
# The first device is a recording, which ends while the second one goes on.
gives 0 "a recording of two windows" $sim -d 0.1 -n 2 -b -w "$tmp/short.rec"
"$rooftop" -D "file:$tmp/short.rec" -D sim:hd620 -d 0.1 -J --textfile "$tmp/textfile" > "$tmp/windows" 2> /dev/null < /dev/null &
pid=$!
patient $pid lines 20 '"t":.*"device":"sim:hd620"' "$tmp/windows"
touch -r "$tmp/textfile/rooftop.prom" "$tmp/before"
patient $pid test "$tmp/textfile/rooftop.prom" -nt "$tmp/before"
point $? "the file of several devices is kept up to date after the first one's recording has ended"
kill -TERM $pid
wait $pid
mkdir "$tmp/planted"
echo untouched > "$tmp/victim"
ln -s "$tmp/victim" "$tmp/planted/rooftop.prom"
"$rooftop" $sim -d 0.1 -J --textfile "$tmp/planted" > "$tmp/windows" 2> /dev/null < /dev/null &
pid=$!

# replaced: the link is a file by now; until then one lies where the new file may be written, too
replaced()
{
	[ ! -L "$tmp/planted/rooftop.prom" ] || ! ln -sf "$tmp/victim" "$tmp/planted/rooftop.prom.$pid"
}
patient $pid replaced
kill -TERM $pid
wait $pid
is "$(cat "$tmp/victim")" untouched "links that somebody planted beside the file are not followed"
gives 1 "a folder that does not exist" $sim --textfile "$tmp/none" -n 1
gives 2 "a file instead of a folder" $sim --textfile "$tmp/prom" -n 1

gives 0 "a trace" $sim --speed max -n 5 --trace "$tmp/trace.json"
good "  ... loads, and says that it is simulated" $py trace "$tmp/trace.json"
# Nothing is drawn where nothing was measured: after the last window of each track, and where the device slept.
cat > "$tmp/ends.py" <<'END'
import json, sys
events = json.load(open(sys.argv[1]))
last, windows = {}, [e for e in events if e['ph'] == 'X' and e['tid'] == 2]
for e in events:
    if e['ph'] == 'C':
        last.setdefault((e['pid'], e['name']), []).append((e['ts'], list(e['args'].values())[0]))
assert len(last) > 20, len(last)
end = max(w['ts'] + w['dur'] for w in windows)
for name, values in last.items():
    assert values == sorted(values, key=lambda v: v[0]), name
    assert values[-1][1] == 0 and values[-1][0] <= end, (name, values[-1], end)
END
good "  ... every track ends with the last window" python3 "$tmp/ends.py" "$tmp/trace.json"
gives 1 "a trace that cannot be written" $sim --speed max -n 2 --trace "$tmp/none/trace.json"
[ ! -e /dev/full ] || gives 1 "a trace on a full disk" $sim --speed max -n 2 --trace /dev/full
gives 2 "exports belong to the monitor" metrics --trace "$tmp/trace.json"
gives 0 "a trace of turns" $sim -m overview,flops -d 0.2 -n 6 --speed max --trace "$tmp/turns.json"
good "  ... has a value where it was measured, not where it was kept" python3 -c '
import collections, json, sys
n = collections.Counter(k for e in json.load(open(sys.argv[1])) if e["ph"] == "C" for k in e["args"])
# with the end of each track, or of each turn
assert n["gpu_busy"] == 6 + 1 and n["fpu0_ternary"] == 3 + 3, n' "$tmp/turns.json"
wait $crowd
point $? "silent clients lose their places although a window takes an hour"
kill $long
wait $long 2> /dev/null
finish
