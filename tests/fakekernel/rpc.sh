# SPDX-License-Identifier: GPL-3.0-or-later
# OA reports by MI_REPORT_PERF_COUNT on the fake GPU: batches of ours run, and what they bring are the model's values.
. "$top_srcdir/tests/fakekernel/lib.sh"
compare=$top_srcdir/tests/fakekernel/compare.py

# on MODEL: a machine whose load runs in the context of whoever measures, which matters from Gen12 on
on()
{
	machine "$1"
	printf 'own\n' > "$root/i915/load_context"
}

# same MODEL SET: windows of reports against those of the simulated device
same()
{
	on "$1"
	gives 0 "$1, $2: reports by command" --access rpc -J -n 2 -d 0.2 -m "$2"
	cp "$tmp/out" "$tmp/live"
	is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
	"$program" -D "sim:$1" --speed max -J -n 2 -d 0.2 -m "$2" > "$tmp/model" 2> "$tmp/err"
	good "  ... have what the model counted" python3 "$compare" "$tmp/live" "$tmp/model"
	is "$(registered) $(grep -c HANG "$log")" "0 0" "  ... leave no programming behind, and the GPU runs"
}

same hsw,load=copy.sp.x4 overview
same hd620,load=private.mad.sp.x1 overview
same hd620,load=copy.sp.x4 memory
same chv,load=private.mad.sp.x1 overview
same chv,load=copy.sp.x1 ComputeBasic
is "$(awk '$1 == "property" { printf "%s ", $2 }' "$log")" "2 3 4 " "the stream: reports of the unit, a set, a format, no timer"
same tgl,load=private.mad.sp.x4 overview
same tgl,load=copy.sp.x4 memory
is "$(awk '$1 == "property" { printf "%s ", $2 }' "$log")" "1 3 4 " "Gen12: a context, a set, a format"

# Gen12 counts one context: what others do is not seen, and that is said.
machine tgl,load=private.mad.sp.x4
gives 0 "Gen12, a load of others" --access rpc -J -n 2 -d 0.1 -m overview
is "$(tail -1 "$tmp/out" | python3 -c 'import json,sys; w = json.load(sys.stdin); print(w["metrics"]["eu_active"], w["why"]["eu_active"], w["metrics"]["cs_threads"])')" \
	"None div_zero 0" "  ... does not count"
gives 0 "doctor" --access rpc doctor
is "$(grep -c "counts this program's own context, not what others do on the GPU" "$tmp/out")" 1 "  ... says so"
machine hd620,load=private.mad.sp.x1
gives 0 "doctor on Gen9" --access rpc doctor
is "$(grep -c "own context" "$tmp/out")" 0 "  ... has nothing to say"
is "$(grep -c -E '^  MI_REPORT_PERF_COUNT +ok' "$tmp/out")" 1 "  ... but that it works"

# Recording.
on hd620,load=private.mad.sp.x1
gives 0 "recording" --access rpc -J -n 5 -d 0.1 -m ComputeBasic -w "$tmp/live.i915perf"
"$program" -D sim:hd620,load=private.mad.sp.x1 --speed max -J -n 3 -d 0.1 -m ComputeBasic > "$tmp/model" 2> "$tmp/err"
"$program" -r "$tmp/live.i915perf" --speed max -d 0.1 -J > "$tmp/played" 2> "$tmp/err"
good "  ... plays with the same values" python3 "$compare" "$tmp/played" "$tmp/model"
finish
