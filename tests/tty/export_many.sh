# SPDX-License-Identifier: GPL-3.0-or-later
# The endpoint with a thousand devices, with readers that do not read, and with names that nobody would choose.
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
py="python3 $top_srcdir/tests/tty/export.py"
socket=$tmp/metrics.sock

# A name with a quote, a backslash, a newline, and a byte that is no UTF-8.
odd=$(printf 'a"b\\c\nd\377.rec')
gives 0 "a recording with an odd name" -D sim:hd620 -d 0.1 -n 2 -b -w "$tmp/$odd"
"$rooftop" -r "$tmp/$odd" -D sim:hd620 -d 0.1 --export "prometheus:unix:$socket" > /dev/null 2> "$tmp/err" < /dev/null &
pid=$!

# two: both devices have a window in the text
two()
{
	$py get "$socket" > "$tmp/got" 2> /dev/null && lines 2 '^rooftop_gpu_busy_ratio' "$tmp/got"
}
patient $pid two
$py plain "$socket" > "$tmp/text"
good "the text is valid in the older form" $py lint "$tmp/text"
good "the name is escaped, and its odd byte replaced" $py label "$tmp/text" rooftop_device_up device "$odd"
if command -v promtool > /dev/null; then
	good "promtool reads it" sh -c '[ -z "$(promtool check metrics < "$1" 2>&1)" ]' sh "$tmp/text"
else
	skip 1 "promtool (package prometheus) is not installed"
fi
kill -TERM $pid
wait $pid

# answers: waits until the endpoint does. A thousand devices take seconds to open, and Python as long to ask all the while.
answers()
{
	patient $pid test -S "$socket" && patient $pid $py plain "$socket" > /dev/null 2>&1
}

# A signal ends the windows, so that each device has one without waiting.
many=$(for _ in $(seq 1000); do printf -- '-D sim:hd620 '; done)
# shellcheck disable=SC2086
"$rooftop" $many -d 3600 --export "prometheus:unix:$socket" > /dev/null 2> "$tmp/err" < /dev/null &
pid=$!
answers

# all_told NUMBER: each device has a window; the signal ends those that go on
all_told()
{
	kill -USR1 $pid
	$py plain "$socket" > "$tmp/text" 2> /dev/null && lines "$1" '^rooftop_window_age_seconds{' "$tmp/text"
}
patient $pid all_told 1000
is "$(grep -c '^rooftop_device_up{.*} 1$' "$tmp/text")" 1000 "a thousand devices are in one text"
good "  ... which is valid" $py lint "$tmp/text"
good "readers that do not read hold a few texts, not one each, and others are answered" $py unread "$socket" $pid
good "a flood of connections does no harm" $py flood "$socket" 1
good "nor do bad requests" $py slow "$socket"
kill -TERM $pid
wait $pid
is "$?" 143 "it ends as the signal says"

# What takes a while for a thousand is here soon, so that nobody's own time is over before the others come.
# shellcheck disable=SC2086
"$rooftop" $(echo $many | cut -d' ' -f1-400) -d 3600 --export "prometheus:unix:$socket" > /dev/null 2> "$tmp/err" < /dev/null &
pid=$!
answers
patient $pid all_told 200
good "readers in all places that read drop by drop make room for one" $py drops "$socket"
kill -TERM $pid
wait $pid
finish
