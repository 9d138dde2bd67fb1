# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop explain limit: the verdict with its rule, candidates, counters and thresholds; and the columns of stress and sweep.
. "$top_srcdir/tests/tty/tap.sh"

gives 0 "as text" explain limit -D sim:hd620,load=stream.sp.x4
for part in 'MEMORY-BOUND: DRAM' '^Because$' '^Try$' '^  bandwidth: ' 'dram .*/ .*data sheet  <- the limit' \
	'^  waiting .* eu_stall$' '^  idle  *0.05  '; do
	good "  ... has '$part'" grep -q -- "$part" "$tmp/out"
done
good "  ... and its line says from where on it is full" sh -c \
	"grep -A1 '<- the limit' '$tmp/out' | grep -q 'full at 75 %'"
is "$(grep -c '<- the limit' "$tmp/out")" 1 "  ... one candidate is the verdict"
gives 0 "as JSON" explain limit -D sim:hd620,load=private.mad.dp.x4 --json
cat > "$tmp/check.py" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
v = d['verdict']
assert (v['kind'], v['bound']) == ('pipe', 'fpu0'), v
assert d['rule'] and d['sim'] is True and d['device'] == 'sim:hd620', d
dram = {c['resource']: c for c in d['candidates']}['dram']
assert dram['source'] == 'data_sheet' and dram['why_not'], dram
assert [c['resource'] for c in d['candidates'] if c['why_not'] is None] == ['fpu0'], d['candidates']
roles = {(e['role'], e['word']): e for e in d['evidence']}
assert roles['waiting', 'EUs']['metric'] == 'eu_stall' and roles['level', 'dram'], roles
assert d['thresholds']['pipe'] == 0.9 and len(d['thresholds']) > 20, d['thresholds']
END
good "  ... has rule, candidates, evidence and thresholds" python3 "$tmp/check.py" "$tmp/out"
gives 0 "into a file" explain limit -D sim:hd620,load=idle -o "$tmp/file"
is "$(sed -n 2p "$tmp/file" | cut -d: -f1)" "  IDLE" "  ... an idle device"
gives 2 "CSV is refused" explain limit -D sim:hd620 -c
gives 2 "arguments are refused" explain limit -D sim:hd620 more
gives 0 "a column of stress" stress -D sim:hd620 flops.private.mad.dp.x4 --time 1 -c
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["verdict"], $at["bound"] }' "$tmp/out")" "pipe fpu0" \
	"  ... says what limits the kernel"
# What limits and the roofline speak of one window: the roofline never has less headroom, and as much where the limit is one of its roofs.
for load in g72,load=memory:= g72,load=blits:= g72,load=compute:= g72,load=overdraw:= g72,load=uneven:= g72,load=vsync:= g72,load=pointers:none \
	g52,load=memory:= g72,load=geometry: g72,load=triangles: g72,load=filters: g72,load=lookups: g72,load=ui: \
	hd620,load=stream.sp.x4:= hd620,load=copy.sp.x4:= hd620,load=private.mad.sp.x4:= tgl,load=stream.sp.x4:= lnl,load=mix.sp.ai-8:=; do
	spec=${load%:*}
	"$rooftop" explain limit -D "sim:$spec" > "$tmp/limit" 2> "$tmp/err"
	"$rooftop" roofline -D "sim:$spec" -c > "$tmp/roofs" 2>> "$tmp/err"
	is "$(awk -F, -v equal="${load##*:}" '
		FILENAME ~ /limit$/ { if (match($0, /(headroom|at most) ~?[0-9.]+x/)) { limit = substr($0, RSTART, RLENGTH - 1); sub(/.* ~?/, "", limit) } next }
		FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "headroom") at = i; next }
		$at != "" && (roof == "" || $at + 0 < roof + 0) { roof = $at }
		END {
			# What only waits has no headroom that anybody could tell.
			good = equal == "none" ? limit == "" && roof > 0 : limit > 0 && roof >= limit * 0.985 && (equal == "" || roof <= limit * 1.015)
			print good ? "agree" : "limit " limit " roofline " roof
		}' "$tmp/limit" "$tmp/roofs")" agree "the roofline and the limit of $spec"
	# A resource that limits goes by one name in the answer and in the step at which it stands.
	name=$(sed -n '2s/^  [A-Z]*-BOUND: \(.*[^ ]\) ~*[0-9.]* of [0-9].*/\1/p' "$tmp/limit")
	[ -z "$name" ] || is "$(grep -c "^> .*[:,] $name ~*[0-9]* %" "$tmp/limit")" 1 "  ... whose step has it as $name, too"
done
finish
