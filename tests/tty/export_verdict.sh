# SPDX-License-Identifier: GPL-3.0-or-later
# What limits a device reads the same in JSON, in the families that Prometheus gets, and as slices of a trace.
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
py="python3 $top_srcdir/tests/tty/export.py"
check="python3 $top_srcdir/tests/tty/export_verdict.py"
devices="-D sim:hd620,load=private.mad.dp.x4 -D sim:g72,load=uneven -D sim:g52,load=dram -D sim:tgl,load=idle"
socket="unix:$tmp/socket"

# Loads that stay the same, so that any window has the answer of the others.
"$rooftop" $devices -d 0.2 -J --export "prometheus:$socket" > "$tmp/json" 2> "$tmp/err" < /dev/null &
pid=$!
# A kind is said after two windows in a row.
patient $pid lines 12 '"verdict"' "$tmp/json"
$py get "$tmp/socket" > "$tmp/got"
kill -TERM $pid
wait $pid
good "the families have what JSON says, for each of four devices" $check families "$tmp/json" "$tmp/got"
grep -q '^# TYPE rooftop_bound info' "$tmp/got"
point $? "the bound is an info family"
grep -q '^# UNIT rooftop_headroom_ratio ratio' "$tmp/got"
point $? "the headroom has its unit"

# Phases: windows that hold two loads keep the last answer, in the trace as in JSON.
gives 0 "a trace beside JSON" -D sim:hd620,load=tour -D sim:g72,load=tour -d 1.5 -n 14 --speed max -J --trace "$tmp/trace.json"
good "slices of both devices are the answers of JSON, as long as the windows" $check slices "$tmp/out" "$tmp/trace.json"
gives 0 "a trace of turns" -D sim:hd620 -m overview,flops -d 0.2 -n 6 --speed max -J --trace "$tmp/turns.json"
good "  ... has a slice for each window" $check slices "$tmp/out" "$tmp/turns.json"
gives 0 "sets of a Mali take turns" -D sim:g72,load=layers -m overview,latency -d 0.2 -n 6 --speed max -J
is "$(grep -c '"causes":\["overdraw"\]' "$tmp/out")" 6 "  ... and the answer keeps its reason in each window"
finish
