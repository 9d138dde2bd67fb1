# SPDX-License-Identifier: GPL-3.0-or-later
# Files that are named as input or output: pipes, devices and files without an end give a sentence and status 1, old results stay until
# there are new ones, and what a killed writer has left goes away.
. "$top_srcdir/tests/tty/tap.sh"
sim="-D sim:hd620 --speed max"
export XDG_CONFIG_HOME="$tmp/config" XDG_STATE_HOME="$tmp/state"
mkfifo "$tmp/silent" "$tmp/endless"
printf 'size 80x24\nsave-screen -\n' > "$tmp/look.script"
# Both hold their pipe open for reading, too: neither waits for a reader, and none ends them.
sleep 600 1<> "$tmp/silent" 2> /dev/null &
yes 1<> "$tmp/endless" 2> /dev/null &
writers=$(jobs -p)

# refuses FILE TEXT: whoever is told to read FILE ends with status 1, and one line of its message has TEXT
refuses()
{
	for reader in "$sim -b -n 1 --metrics" "$sim -b -n 1 --metrics-xml" "$sim -b -n 1 --config" "--script $tmp/look.script --config" \
		"metrics --check" "-b -r" "-D sim:hd620 --script" "-D sim:hd620 sweep --resume -o"; do
		timeout 300 "$rooftop" $reader "$1" > "$tmp/out" 2> "$tmp/err" < /dev/null
		is "$? $(wc -c < "$tmp/out") $(grep -c -e "'$1'.*$2" -e "'$1' is no file that can be played" "$tmp/err")" "1 0 1" \
			"$1 is refused by ${reader##* }"
	done
}

refuses /dev/zero "neither a file nor a pipe"
refuses "$tmp" ""
refuses "$tmp/endless" "longer than 64 MB"
if [ "$(id -u)" = 0 ] && [ -r /proc/kmsg ]; then
	refuses /proc/kmsg ""
else
	echo "# skipped: only root may open /proc/kmsg, which waits for news"
fi
# Each reader waits for ten seconds, so one stands for all: they open files by the same function.
timeout 300 "$rooftop" metrics --check "$tmp/silent" > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c "silent' has not ended after 10 seconds" "$tmp/err")" "1 1" "a pipe whose writer says nothing is given up"
for screen in "--script $tmp/look.script" "$sim -b -n 1"; do
	timeout 300 "$rooftop" -D sim:hd620 --metrics /dev/stdin $screen < /dev/zero > "$tmp/out" 2> "$tmp/err"
	is "$? $(wc -c < "$tmp/out") $(grep -c "/dev/stdin' is neither" "$tmp/err")" "1 0 1" "standard input is held to the same (${screen%% *})"
done
: | "$rooftop" $sim -b -n 1 --metrics /dev/stdin > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c 'is empty' "$tmp/err")" "1 1" "a pipe without a byte is told"
kill $writers
gives 0 "/dev/null is an empty file" $sim -b -n 1 --metrics /dev/null --config /dev/null

gives 1 "a named settings file that is missing" $sim -b -n 1 --config "$tmp/none"
is "$(wc -c < "$tmp/out") $(grep -c -e "cannot open '$tmp/none'" -e 'create it: touch FILE' "$tmp/err")" "0 2" "  ... is an error with a way out"
gives 1 "  ... for the screen, too" -D sim:hd620 --script "$tmp/look.script" --config "$tmp/none"
printf '# mine\ndely=3\n\nset.0000:00:02.0=memory\nzzzzzz = 1\n' > "$tmp/rc"
gives 0 "unknown settings end nothing" $sim -b -n 1 --config "$tmp/rc"
is "$(cat "$tmp/err")" "rooftop: $tmp/rc:2: unknown setting 'dely'; it is kept and not used
rooftop: did you mean 'delay'?
rooftop: $tmp/rc:5: unknown setting 'zzzzzz'; it is kept and not used" "  ... and are named with line and suggestion"
# A value that a key may not have is told, too, where it is read.
printf '%s\n' 'delay=never' 'ascii=perhaps' 'mouse=on' > "$tmp/rc"
gives 0 "values that make no sense" $sim -b -n 1 --config "$tmp/rc"
is "$(grep -c "is no value of it" "$tmp/err") $(grep -c "'delay': 'never'\|'ascii': 'perhaps'" "$tmp/err")" "2 2" "  ... are told, and no others"
printf '%s\n' 'scheme=nonsense' 'screen=map' 'units=no' 'processes-sort=age' > "$tmp/rc"
printf 'wait 1\n' > "$tmp/values.script"
gives 0 "those of the screen" $sim --script "$tmp/values.script" --config "$tmp/rc"
is "$(grep -c "is no value of it" "$tmp/err")" 3 "  ... are told where they are read"

# Results that never come destroy nothing.
echo old > "$tmp/results"
for command in "run -D sim:hd620 -o $tmp/results --json no-such-command" "-D card77 -J -o $tmp/results" \
	"stress -D sim:hd620 -o $tmp/results no.such.kernel" "calibrate -D sim:hd620 -o $tmp/results no.such" \
	"sweep -D sim:hd620 -o $tmp/results no.such.kernel" "-D sim:hd620 -c -n 1 --trace $tmp/results -o $tmp/none/x"; do
	"$rooftop" $command > /dev/null 2>&1 < /dev/null
	is "$(cat "$tmp/results")" old "old results outlive: $command"
done
"$rooftop" -D sim:hd620 -c -d 3600 -o "$tmp/results" --trace "$tmp/old.trace" > /dev/null 2>&1 < /dev/null &
long=$!
patient $long test -e "$tmp/old.trace"
kill -TERM $long
wait $long
is "$(cat "$tmp/results")" old "  ... and a run that ends before its first window"
gives 0 "new results" $sim -c -n 1 --overwrite -o "$tmp/results"
is "$(grep -c old "$tmp/results") $(wc -l < "$tmp/results")" "0 2" "  ... replace them"

# Leftovers of writers that were killed: of settings, of a picture and of the file for node_exporter.
mkdir -p "$tmp/config/rooftop" "$tmp/prom" "$tmp/state/rooftop"
leftovers="$tmp/config/rooftop/rooftoprc.rooftop-aB3xyZ $tmp/prom/rooftop.prom.rooftop-aB3xyZ $tmp/x.svg.rooftop-aB3xyZ"
for f in $leftovers; do
	: > "$f"
	touch -d '1 minute ago' "$f"
done
gives 0 "the next start with a file for node_exporter" $sim -n 1 -b --textfile "$tmp/prom"
gives 0 "  ... with a picture" roofline -D sim:hd620 --plot "$tmp/x.svg"
: > "$tmp/config/rooftop/rooftoprc"
gives 0 "  ... with settings" $sim -n 1 -b --config "$tmp/config/rooftop/rooftoprc"
is "$(ls $leftovers 2> /dev/null)" "" "  ... removes what killed writers have left there"

# A trace that was cut, as by SIGKILL, is an array without its end: Perfetto reads it so.
"$rooftop" -D sim:hd620 -b -d 0.05 --trace "$tmp/cut.json" > "$tmp/out" 2>&1 < /dev/null &
long=$!
patient $long lines 20 '"ph":"C"' "$tmp/cut.json"
kill -KILL $long
wait $long 2> /dev/null
good "a trace that was cut is a JSON array without its end" python3 -c '
import json, sys
text = open(sys.argv[1]).read()
assert not text.rstrip().endswith("]")
assert len(json.loads(text + "]")) > 20' "$tmp/cut.json"
finish
