# SPDX-License-Identifier: GPL-3.0-or-later
# Text, CSV and JSON: other programs read them, they say what is simulated, and they end well whoever ends them.
. "$top_srcdir/tests/tty/tap.sh"
sim="-D sim:hd620 --speed max"

cat > "$tmp/check.py" <<'END'
import csv, json, math, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
rows = list(csv.reader(open(sys.argv[2], newline='')))
head, windows = lines[0], lines[1:]
assert {k: head[k] for k in ('v', 'header', 'device', 'driver', 'sim')} == \
    {'v': 1, 'header': True, 'device': 'sim:hd620', 'driver': 'sim', 'sim': True}, head
assert set(head) == {'v', 'header', 'device', 'name', 'driver', 'source', 'sim', 'units', 'amounts', 'no_means'}, head.keys()
assert len(windows) == 3, len(windows)
assert rows[0] == ['t', 'mono_ns', 'window_ms', 'lost', 'sim'] + list(head['units']) + [
        'verdict', 'bound', 'share', 'headroom', 'verdict_kept'], rows[0]
assert len(rows) == 4
missing = numbers = 0
for w, row in zip(windows, rows[1:]):
    assert set(w) == {'v', 't', 'mono_ns', 'window_ms', 'lost', 'sim', 'verdict', 'metrics', 'why', 'estimated',
        'clock_mhz', 'contexts'}, w.keys()
    assert abs(sum(c['share'] for c in w['contexts']) - 1) < 1e-9, w['contexts']
    assert w['sim'] is True
    assert list(w['metrics']) == list(head['units'])
    assert abs(w['window_ms'] - 1000) < 20, w['window_ms']
    cell = dict(zip(rows[0], row))
    assert cell['sim'] == '1' and len(row) == len(rows[0])
    assert int(cell['mono_ns']) == w['mono_ns'] and float(cell['window_ms']) == w['window_ms']
    assert set(w['why']) == {k for k, v in w['metrics'].items() if v is None}
    assert set(w['estimated']) <= set(w['metrics'])
    for name, value in w['metrics'].items():
        if value is None:
            assert cell[name] == ''
            missing += 1
        else:
            assert float(cell[name]) == value and math.isfinite(value)
            numbers += 1
    v = w['verdict']
    assert list(v) == ['kind', 'bound', 'value', 'roof', 'source', 'share', 'headroom', 'sentence',
        'because', 'causes', 'try', 'since_s', 'flags', 'missing', 'unit'], list(v)
    assert (v['unit'] is None) == (v['value'] is None), v
    assert cell['verdict'] == v['kind'] and cell['bound'] == (v['bound'] or ''), v
    for name in 'share', 'headroom':
        assert cell[name] == '' if v[name] is None else float(cell[name]) == v[name], (name, v)
    assert cell['verdict_kept'] == '0' and 'kept' not in v['flags'], (cell, v)
    assert 'simulated' in v['flags'] and v['sentence'].isascii(), v
assert windows[1]['mono_ns'] - windows[0]['mono_ns'] == 1000000000
assert numbers > 30, numbers
END
export SOURCE_DATE_EPOCH=1795269802
gives 0 "JSON lines" $sim -n 3 -J
cp "$tmp/out" "$tmp/json"
gives 0 "CSV" $sim -n 3 -c
cp "$tmp/out" "$tmp/csv"
good "both parse and say the same" python3 "$tmp/check.py" "$tmp/json" "$tmp/csv"
gives 0 "the same again" $sim -n 3 -J
good "  ... is the same, byte for byte" cmp "$tmp/out" "$tmp/json"
for language in de_DE.UTF-8 C tr_TR.UTF-8; do
	LC_ALL=$language "$rooftop" $sim -n 3 -J > "$tmp/out" 2> /dev/null
	good "  ... and in the locale $language" cmp "$tmp/out" "$tmp/json"
done
gives 0 "text" $sim -n 3 -b
is "$(grep -c -v '^SIM ' "$tmp/out")" 0 "every line of text says that it is simulated"
is "$(grep -c -E '^SIM [0-9:.]{12} ' "$tmp/out")" 3 "one line a window"
is "$(awk '/^SIM [0-9]/ { print NF }' "$tmp/out" | sort -u | wc -l)" 1 "all lines have the same columns"
COLUMNS=80 "$rooftop" $sim -n 3 -b > "$tmp/out" 2> "$tmp/err"
is "$(tail -n +2 "$tmp/out" | awk 'length($0) > 80' | wc -l)" 0 "80 columns are enough when asked"
# Words of labels stand in heads as a whole, however wide they are.
cat > "$tmp/heads.py" <<'END'
import json, re, subprocess, sys
program, device, metric_set = sys.argv[1:]
run = lambda *words: subprocess.run([program, "-D", device, "-m", metric_set, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
labels = [json.loads(l).get("label", "") for l in run("metrics", "-J").splitlines()]
whole = set()
for label in labels:
    parts = re.findall(r"[^ /_:]*(?:/|_|:+)|[^ /_:]+", label)
    for i in range(len(parts)):
        for k in range(i, len(parts)):
            whole.add("".join(parts[i:k + 1]))
head = [l.removeprefix("SIM") for l in run("--speed", "max", "-n", "1", "-b").splitlines()[1:3]]
words = [w for l in head for w in l.split() if w not in ("time", "window", "awake")]
assert len(labels) > 5 and len(words) > 5, (labels, words)
print(*[w for w in words if w not in whole])
END
for head in "hd620 overview" "lnl stalls" "hd620 flops" "g72 overview"; do
	is "$(python3 "$tmp/heads.py" "$rooftop" "sim:${head% *}" "${head#* }")" "" "${head#* } of ${head% *}: no word of a head is broken"
done
is "$(python3 "$tmp/heads.py" "$rooftop" sim:hd620 flops | wc -l)" 1 "  ... as far as was looked"
"$rooftop" -D sim:hd620 --counter fpu0::ternary --speed max -n 1 -b > "$tmp/out" 2> /dev/null
is "$(sed -n 2,3p "$tmp/out" | grep -c -e ' fpu0::\( \|$\)' -e ' ternary\( \|$\)')" 2 "an event is broken behind its colons"
"$rooftop" $sim -n 2 > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$?$(grep -c -E '^SIM [0-9]' "$tmp/out")" 02 "without a terminal rooftop prints text"
gives 0 "-o FILE" $sim -n 2 -J -o "$tmp/file"
is "$(wc -l < "$tmp/file") $(wc -c < "$tmp/out")" "3 0" "  ... holds the lines, standard output none"
for option in -o -w --trace; do
	gives 1 "$option to a folder that does not exist" $sim -n 2 -J $option "$tmp/none/file"
	is "$(grep -c -e "cannot write to '$tmp/none/file'" -e "mkdir -p" "$tmp/err")$(test -e "$tmp/none" && echo made)" 2 \
		"  ... is told with a way out, and no folder is made"
done
gives 1 "roofline --plot to a folder that does not exist" roofline -D sim:hd620 --plot "$tmp/none/x.svg"
is "$(grep -c "mkdir -p" "$tmp/err")$(test -e "$tmp/none" && echo made)" 1 "  ... is one, too"
mkfifo "$tmp/pipe"
cat "$tmp/pipe" > "$tmp/plot" &
exec 4> "$tmp/pipe"
gives 0 "roofline --plot to a pipe" roofline -D sim:hd620 --plot "$tmp/pipe"
exec 4>&-
wait
is "$(head -c 5 "$tmp/plot")$(test -p "$tmp/pipe" && echo " pipe")" "<svg  pipe" "  ... writes into it and leaves it a pipe"
gives 1 "  ... that nobody reads is an error" roofline -D sim:hd620 --plot "$tmp/pipe"
if [ -w /dev/full ]; then
	gives 1 "a full disk is a failure" $sim -n 2 -J -o /dev/full
	is "$(grep -c '/dev/full' "$tmp/err")" 1 "  ... that is told"
	"$rooftop" $sim -n 2 -J > /dev/full 2> "$tmp/err"
	is $? 1 "  ... on standard output too"
	"$rooftop" --help > /dev/full 2> "$tmp/err"
	is $? 1 "  ... and for --help"
else
	skip 4 "no /dev/full"
fi
("$rooftop" $sim -J 2> "$tmp/err"; echo $? > "$tmp/status") | head -2 > "$tmp/out"
is "$(cat "$tmp/status")$(wc -c < "$tmp/err")" 00 "a reader that goes away ends it quietly"
good "  ... with whole lines" python3 -c 'import json,sys; [json.loads(l) for l in open(sys.argv[1])]' "$tmp/out"

# Killed at any moment: all lines up to the last newline are whole. No waiting for a time: for the file to grow.
cat > "$tmp/kill.py" <<'END'
import json, os, signal, subprocess, sys
path = sys.argv[2]
for form in ('-J', '-c'):
    open(path, 'w').close()
    p = subprocess.Popen([sys.argv[1], '-D', 'sim:hd620', '--speed', 'max', form, '-o', path])
    while os.path.getsize(path) < 30000 and p.poll() is None:
        pass
    p.send_signal(signal.SIGKILL)
    assert p.wait() == -signal.SIGKILL
    text = open(path).read()
    assert text.endswith('\n'), text[-40:]
    lines = text.splitlines()
    if form == '-J':
        for l in lines:
            json.loads(l)
    else:
        assert len({l.count(',') for l in lines}) == 1
END
good "SIGKILL leaves whole lines" python3 "$tmp/kill.py" "$rooftop" "$tmp/killed"
cat > "$tmp/signals.py" <<'END'
import json, os, signal, subprocess, sys
for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    p = subprocess.Popen([sys.argv[1], '-D', 'sim:hd620', '-d', '0.02', '-J'], stdout=subprocess.PIPE)
    json.loads(p.stdout.readline())
    json.loads(p.stdout.readline())
    p.send_signal(s)
    rest = p.stdout.read()
    assert p.wait() == -s, (s, p.returncode)
    assert all(json.loads(l) for l in rest.splitlines())
p = subprocess.Popen([sys.argv[1], '-D', 'sim:hd620', '-d', '3600', '-J'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
json.loads(p.stdout.readline())
got = b''
os.set_blocking(p.stdout.fileno(), False)
while not got:                      # the first one may arrive before the unseen window is over
    p.send_signal(signal.SIGUSR1)
    got = p.stdout.readline() or b''
assert json.loads(got)['window_ms'] < 3600e3
p.kill()
END
good "signals stay signals, after whole lines; SIGUSR1 takes a window now" timeout 300 python3 "$tmp/signals.py" "$rooftop"
"$rooftop" -D sim:hd620 -d 0.02 -n 2 -J > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$?$(wc -l < "$tmp/out")" 03 "with a real clock"
"$rooftop" $sim -n 2 -J > "$tmp/out" 2> "$tmp/err" <&-
is "$?$(wc -l < "$tmp/out")" 03 "with a closed standard input"
"$rooftop" -J $sim >&- 2> "$tmp/err" < /dev/null
is "$?$(grep -c 'standard output' "$tmp/err")" 11 "a closed standard output is a failure"
"$rooftop" --help >&- 2> "$tmp/err" < /dev/null
is "$?$(grep -c 'standard output' "$tmp/err")" 11 "  ... for --help too"
(ulimit -f 1; "$rooftop" $sim -J -o "$tmp/limited" 2> "$tmp/err" < /dev/null)
is "$?$(grep -c 'limited' "$tmp/err")" 11 "a limit of file sizes is a failure, not a signal"
# The folder of the build may be closed to others, so they get a copy.
theirs=$tmp/theirs
cp "$rooftop" "$theirs"
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null && setpriv --reuid nobody --clear-groups "$theirs" --version > /dev/null 2>&1; then
	setpriv --reuid nobody --clear-groups "$theirs" $sim -n 2 -J > "$tmp/out" 2> "$tmp/err" < /dev/null
	is "$?$(wc -l < "$tmp/out")" 03 "without any right"
	: > "$tmp/locked"
	chmod 600 "$tmp/locked"
	for option in -r --script -w; do
		setpriv --reuid nobody --clear-groups "$theirs" "$option" "$tmp/locked" $([ $option = --script ] || printf '%s ' -n 2 -J) \
			$([ $option = -w ] && echo --overwrite $sim) > "$tmp/out" 2> "$tmp/err" < /dev/null
		is "$?$(grep -c 'locked' "$tmp/err")" 11 "  ... $option FILE of another user is a failure"
	done
else
	skip 4 "cannot become another user, or that user cannot run the program"
fi
# Who reads JSON may rely on v: each line of each command has it first, and windows have it in their header.
home=$HOME
export HOME="$tmp/home-of-v"
mkdir -p "$HOME"
for words in "roofline -D sim:hd620" "check -D sim:hd620" "stress --list" "stress -D sim:hd620 --time 0.1 flops.private.mad.sp.x8" \
	"sweep -D sim:hd620 --time 0.1 flops.private.mad.sp.x8" "calibrate -D sim:hd620" "explain limit -D sim:hd620" "-L -D sim:hd620" "-m list -D sim:hd620"; do
	"$rooftop" $words -J < /dev/null > "$tmp/out" 2> "$tmp/err"
	is "$(grep -c '^{"v":1,' "$tmp/out" | awk '{ print ($1 > 0) }') $(grep -v -c '^{"v":1,' "$tmp/out")" "1 0" "each line of $words -J has v"
done
export HOME=$home
finish
