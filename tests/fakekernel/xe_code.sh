# SPDX-License-Identifier: GPL-3.0-or-later
# Stall samples keep their address: places and their rest are the window's totals, live as in the model, recorded as live, by each layout.
. "$top_srcdir/tests/fakekernel/lib.sh"
driver=xe
judge=$top_srcdir/tests/fakekernel/xe_code.py
load=stream.sp.x4

# lawful NAME FILE...
lawful()
{
	name=$1
	shift
	python3 "$judge" "$@" > "$tmp/judged" 2>&1
	point $? "$name $(sed 's/^/: /' "$tmp/judged" | head -1)"
}

for part in lnl bmg ptl; do
	machine "$part,load=$load"
	gives 0 "$part" -J -n 4 -d 0.1 -m stalls
	cp "$tmp/out" "$tmp/$part"
	lawful "  ... places and rest are what was sampled" law "$tmp/$part"
done
"$program" -D "sim:lnl,load=$load" --speed max -J -n 4 -d 0.1 -m stalls > "$tmp/model"
lawful "the simulated device: the law" law "$tmp/model"
lawful "  ... and a live one finds the same instructions" same "$tmp/model" "$tmp/lnl"

machine "lnl,load=$load"
gives 0 "recording" -J -n 6 -d 0.1 -m stalls -w "$tmp/recorded"
cp "$tmp/out" "$tmp/live"
"$program" -r "$tmp/recorded" --speed max -J -d 0.1 > "$tmp/replay"
lawful "a replay has the places of the windows" equal "$tmp/live" "$tmp/replay"
"$program" -r "$tmp/recorded" --speed max -J -d 0.3 > "$tmp/longer"
lawful "  ... three joined have at least what they had" law "$tmp/longer"
is "$(grep -c '"exact":false' "$tmp/longer")" "$(grep -c '"code"' "$tmp/longer")" "  ... and say so"
"$program" -D "sim:lnl,load=$load" --speed max -n 4 -d 0.1 -m stalls -w - > "$tmp/stream"
"$program" -r "$tmp/stream" -J > "$tmp/streamed"
lawful "a stream has the places of the windows" equal "$tmp/model" "$tmp/streamed"

if command -v i915-perf-reader > /dev/null; then
	machine "lnl,load=$load"
	gives 0 "without stalls" -J -n 6 -d 0.1 -m overview -w "$tmp/plain"
	timeout 300 i915-perf-reader "$tmp/recorded" > "$tmp/read" 2>&1
	is "$?" "$(timeout 300 i915-perf-reader "$tmp/plain" > "$tmp/read2" 2>&1; echo $?)" "i915-perf-reader passes over them"
fi

# The screen: Enter on a sampled metric, and on the answer.
cat > "$tmp/keys" <<'KEYS'
size 120x60
wait 2
key Enter
save-screen -
KEYS
"$program" -D "sim:lnl,load=$load" -m stalls --script "$tmp/keys" > "$tmp/screen" 2> "$tmp/err" < /dev/null
is "$(grep -c 'Which instruction' "$tmp/screen")" 1 "Enter shows which instruction"
gives 0 "another set" -J -n 2 -d 0.1 -m overview
is "$(grep -c '"code"' "$tmp/out")" 0 "a set that samples no stalls tells no code"
finish
