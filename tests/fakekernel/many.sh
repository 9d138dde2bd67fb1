# SPDX-License-Identifier: GPL-3.0-or-later
# Several devices at once: a card, the processor, models and a recording, in every form of output; and what cannot be.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
machine hd620,load=private.mad.sp.x1
prom=$tmp/prom
mkdir "$prom"
chmod 777 "$prom"

gives 0 "a recording to begin with" -D sim:tgl --speed max -n 4 -w "$tmp/tgl.i915perf" -J
recording=file:$tmp/tgl.i915perf
set -- -d 0.1 -n 2 -D card0 -D cpu0 -D sim:g72 -D "$recording" -D sim:g72
names="card0 cpu0 sim:g72 $recording sim:g72#2"

# The file goes away with rooftop: a link, made after the first window, keeps what it had in it.
held_at 250
"$rooftop" "$@" -J --textfile "$prom" --trace "$tmp/trace.json" > "$tmp/json" 2> "$tmp/err" < /dev/null &
patient $! ln "$prom/rooftop.prom" "$tmp/kept.prom" 2> /dev/null
go_on
wait $!
status=$?
rm "$root/gate"
is "$status" 0 "five devices of four kinds, as JSON"
gives 0 "as CSV" "$@" -c
cp "$tmp/out" "$tmp/csv"
# shellcheck disable=SC2086
points_of 14 many.py "$tmp/json" "$tmp/csv" "$tmp/kept.prom" "$tmp/trace.json" $names
gives 0 "as text" "$@" -b
for name in $names; do
	[ "$(grep -c "^$name  *\(SIM \)\?[0-9][0-9]:" "$tmp/out")" -eq 2 ] || echo "$name"
done > "$tmp/lacks"
is "$(cat "$tmp/lacks")" "" "each line of the text names its device"

gives 0 "all of them, recorded" -w "$tmp/rec" "$@" -J
is "$(cat "$tmp/err")" "" "and nothing is refused"
is "$(cd "$tmp" && ls rec.*)" "$(for name in $names; do echo "rec.$name"; done | tr / _ | sort)" "a file for each, by its name, and no other one"
for name in $names; do
	"$rooftop" -r "$tmp/rec.$(echo "$name" | tr / _)" --speed max -J > "$tmp/out" 2>&1
	[ "$(tail -n +2 "$tmp/out" | grep -c '"window_ms":[0-9]')" -ge 1 ] || echo "$name"
done > "$tmp/lacks"
is "$(cat "$tmp/lacks")" "" "and each of them has windows"
gives 0 "an option behind a -D" -D card0 -m flops -D sim:hd620 -d 0.1 -n 1 -J
is "$(head -2 "$tmp/out" | grep -c shader_mad)" "$(head -1 "$tmp/out" | grep -c shader_mad)" "is for that device"

gives 0 "-D all" -D all -d 0.1 -n 1 -J
is "$(grep -o '"header":true,"device":"[^"]*"' "$tmp/out" | cut -d'"' -f6 | xargs)" "card0 cpu0" "means what this machine has, and no model"
gives 0 "-D all beside a named one" -D all -D cpu0 -D sim:hd620 -d 0.1 -n 1 -J
is "$(grep -o '"header":true,"device":"[^"]*"' "$tmp/out" | cut -d'"' -f6 | xargs)" "cpu0 sim:hd620 card0" "names each device once"
gives 0 "a recording without waiting" --speed max -D "$recording" -c
once=$(wc -l < "$tmp/out")
gives 0 "the same one twice" --speed max -D "$recording" -D "$recording" -c
is "$(wc -l < "$tmp/out")" $((2 * once - 1)) "gives all windows of both"

gives 2 "a device of this machine twice" -D card0 -D card0 -J
said "'card0' is named twice" "is told"
said "in turns" "with the way to several sets"
gives 3 "a device that is not there" -D card0 -D card7 -J
said "no device 'card7'" "is told before anything is counted"
is "$(wc -c < "$tmp/out")" 0 "and nothing is written"

gives 2 "-D all for a command that is about one device" stress -D all
said "about one device" "is told"
# The list has the card, and then its node answers nobody.
export FAKEKERNEL_FAIL=vanish@1
gives 0 "-D all with a card that goes away between listing and opening" -D all -d 0.1 -n 2 -J
said "card0: cannot open /dev/dri/renderD128: No such device" "is told"
is "$(grep -c . "$tmp/err")" 1 "in one line"
is "$(grep -o '"header":true,"device":"[^"]*"' "$tmp/out" | cut -d'"' -f6 | xargs)" cpu0 "and the others count"
is "$(tail -n +2 "$tmp/out" | grep -c '"window_ms"')" 2 "all their windows"
machine hd620,load=private.mad.sp.x1
gives 1 "the same card, named" -D card0 -d 0.1 -n 1 -J
said "card0: cannot open /dev/dri/renderD128: No such device" "is refused"
is "$(wc -c < "$tmp/out")" 0 "and nothing is written"
unset FAKEKERNEL_FAIL
machine hd620,load=private.mad.sp.x1

mkdir -p "$tmp/empty"
gives 3 "-D all where nothing is" --fsroot "$tmp/empty" -D all -J
said "no usable device" "is told"

# Where each takes far longer they are fewer, and still more than there are descriptors for below.
share=${ROOFTOP_SHARE:-1}
count=$((1000 / ${share%%:*}))
[ $count -ge 100 ] || count=100
crowd=$(for i in $(seq $count); do printf -- '-D sim:hd620 '; done)
# shellcheck disable=SC2086
gives 0 "$count devices" --speed max $crowd -n 1 -c
is "$(tail -n +2 "$tmp/out" | cut -d, -f1 | sort -u | wc -l)" $count "each of its own name"
(
	ulimit -n 64
	# A hundred of them.
	# shellcheck disable=SC2046,SC2086
	"$rooftop" $(echo $crowd | cut -d' ' -f1-200) -n 1 -J > "$tmp/out" 2> "$tmp/err"
	echo $? > "$tmp/status"
)
is "$(cat "$tmp/status")" 1 "more than there are descriptors for"
said "Too many open files" "is told"
said "ulimit -n" "with the way out"
finish
