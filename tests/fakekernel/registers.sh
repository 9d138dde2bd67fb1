# SPDX-License-Identifier: GPL-3.0-or-later
# OA counters by registers on the fake GPU: values are the model's, live and recorded, and every register is given back.
. "$top_srcdir/tests/fakekernel/registers_lib.sh"

# same MODEL SET EVENTS: windows of registers against those of the simulated device
same()
{
	machine "$1"
	gives 0 "$1, $2: registers" --access mmio -J -n 2 -d 0.2 -m "$2"
	cp "$tmp/out" "$tmp/live"
	is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
	"$program" -D "sim:$1" --speed max -J -n 2 -d 0.2 -m "$2" > "$tmp/model" 2> "$tmp/err"
	good "  ... give what the model counted" python3 "$compare" "$tmp/live" "$tmp/model"
	restored "$3"
}

same hd620,load=private.mad.sp.x1 overview 0
same hd620,load=copy.sp.x4 memory 0
same chv,load=private.mad.sp.x1 overview 0
same chv,load=copy.sp.x1 ComputeBasic 0
same tgl,load=private.mad.sp.x4 overview 0xffffff
same tgl,load=copy.sp.x4 memory 0xffffff

# Recording.
machine hd620,load=private.mad.sp.x1
gives 0 "recording registers" --access mmio -J -n 5 -d 0.1 -m ComputeBasic -w "$tmp/live.i915perf"
"$program" -D sim:hd620,load=private.mad.sp.x1 --speed max -J -n 3 -d 0.1 -m ComputeBasic > "$tmp/model" 2> "$tmp/err"
"$program" -r "$tmp/live.i915perf" --speed max -d 0.1 -J > "$tmp/played" 2> "$tmp/err"
good "  ... plays with the same values" python3 "$compare" "$tmp/played" "$tmp/model"
finish
