# SPDX-License-Identifier: GPL-3.0-or-later
# Questions to free blocks of B0 to B7: the words that the kernel is given, and what blocks that follow from the clock answer.
. "$top_srcdir/tests/fakekernel/lib.sh"

# word ADDRESS: what the kernel was last told to write there
word()
{
	awk -v a="$1" '$1 == a && $2 == "=" { v = $3 } END { print v ? v : "none" }' "$log"
}

# asks MODEL SET METRIC OPTION ADDRESS=WORD...: the set with a question; the words stand in the kernel's log
asks()
{
	machine "$1"
	what="$1, $2, $4"
	gives 0 "$what" -J -n 1 -d 0.1 -m "$2" --boolean "$4"
	is "$(window "'$3' in m")" True "  ... has a metric"
	shift 4
	for pair; do
		is "$(word "${pair%=*}")" "${pair#*=}" "  ... ${pair%=*}"
	done
	is "$(registered)" 0 "  ... and leaves no programming behind"
}

# B0 and B1 of these sets of Gen8, Gen9 and Gen11 count the lanes 0 and 1 themselves; those of Tiger Lake are blocks.
asks chv RenderBasic b5_any_b0_b1 "B5=any(B0,B1)" 2798=18 279c=fffc 2714=800000 2724=20800000
asks hd620 RenderBasic b5_all_b0_not_b1 "B5=all(B0,!B1)" 2798=a 279c=fffc 2714=800000 2724=20800000
asks icl RenderBasic b7_any_l0_l15 "B7=any(L0,L15)" 27a8=40008 27ac=7ffe 2714=800000 2724=80800000
asks tgl RenderBasic b6_any_b0_b1 "B6=any(B0,B1)" d970=100018 d974=fffc dc30=100018 dc34=fffc d904=30800000 d914=40800000 dc40=430000
asks dg2 RenderBasic b1_any_l0_l1 "B1=any(L0,L1)" d948=18 d94c=fffc dc08=none d904=20800000

# clocked FIRST START PLATFORM: blocks as in TestOa (B3 of period 2, B4 and B5 of period 3), and questions about them
clocked()
{
	python3 - "$@" > "$tmp/clocked.metrics" <<'END'
import sys
first, start = (int(a, 16) for a in sys.argv[1:3])
print(f"""include counters.metrics
set clocked "Blocks that follow from the clock"
platforms {sys.argv[3]}
registers NOA 9840 00000080
registers OA {start + 4:X} 80800000
registers OA {start + 0x14:X} 30800000""")
for block, a, b in (3, 0x100002, 0xfff7), (4, 0x100002, 0xffcf), (5, 0x100082, 0xffef):
    print(f'registers OA {first + 8 * block:X} {a:X}\nregisters OA {first + 8 * block + 4:X} {b:X}')
print("""program B0 any(B3, B4)
program B1 all(B3, B4)
program B2 !any(B3, B4)
program B6 any(B0, half)
program B7 all(B3, !B4)
group utilization "Utilization" "%"
metric half
	unit %
	value B3 * 1[cycle] / GPU_TICKS
metric third
	unit %
	value B4 * 1[cycle] / GPU_TICKS""")
END
}

# The clocks of a GPU that sleeps are not counted, so that the shares hold whatever it does.
for row in "hd620 2770 2710 kblgt2" "chv 2770 2710 chv" "icl 2770 2710 icl" "tgl D940 D900 tglgt2" "dg2 D940 D900 acmgt3"; do
	set -- $row
	clocked "$2" "$3" "$4"
	machine "$1"
	gives 0 "$1: questions of a metric file" -J -n 2 -d 0.1 --metrics "$tmp/clocked.metrics" -m clocked
	is "$(window "[round(m[n] * 6 / 100, 2) for n in ('half', 'third', 'b0_any_b3_b4', 'b1_all_b3_b4', 'b2_not_any_b3_b4', 'b7_all_b3_not_b4')]")" \
		"[3.0, 2.0, 4.0, 1.0, 2.0, 2.0]" "  ... are answered clock by clock, in sixths"
	is "$(window "m['b6_any_b0_half'] >= max(m['b0_any_b3_b4'], m['half']) - 0.01 and m['b6_any_b0_half'] <= 100")" True "  ... also a clock later"
done

# Blocks that look at those of known lanes: what the model counts arrives.
for spec in hd620,load=private.mad.sp.x4,groups=64,items=256 chv,load=private.mad.sp.x4,groups=15,items=256; do
	machine $spec
	as_model $spec ready --boolean "B6=any(B0,B4)" --boolean "B7=all(B0,!B6)"
	is "$(window "0 < m['b6_any_b0_b4'] <= 100 and m['b7_all_b0_not_b6'] < m['b6_any_b0_b4']")" True "  ... with an answer"
done

# The registers way writes them itself, and gives back what was there.
machine hd620
clocked 2770 2710 kblgt2
gives 0 "hd620 by its registers" -J -n 2 -d 0.1 --metrics "$tmp/clocked.metrics" -m clocked --access mmio
is "$(window "round(m['b1_all_b3_b4'] * 6 / 100, 2)")" 1.0 "  ... has the same answer"

# What is asked goes into a recording.
gives 0 "a recording" -J -n 3 -d 0.1 -m RenderBasic --boolean "B5=any(B0,B1)" -w "$tmp/asked.i915perf"
gives 0 "  ... knows what was asked" -J -n 1 -r "$tmp/asked.i915perf"
is "$(windows "'b5_any_b0_b1' in head['units']")" True "  ... and has its metric"
gives 2 "a recording cannot be asked anew" -J -n 1 -r "$tmp/asked.i915perf" --boolean "B5=B0"
said "the reports of 'file:$tmp/asked.i915perf' are recorded" "  ... which is said"

# Refusals name the reason, before anything is opened.
: > "$log"
while IFS='|' read -r set question reason; do
	gives 2 "$set $question" -J -n 1 -m "$set" --boolean "$question"
	said "$reason" "  ... $reason"
done <<'END'
RenderBasic|B0=any(B1,B2)|set RenderBasic uses B0:
RenderBasic|B5=any(B0,B5)|a block compares either lanes or outputs of blocks
RenderBasic|B5=!B5|B5 looks at its own output
RenderBasic|B5=any(B5,L0)|a block compares either lanes or outputs of blocks
overview|B5=any(L0)|set overview brings no signals to the lanes
overview|B5=any(B0)|nothing is known of B0 in set overview
END
is "$(grep -c ADD_CONFIG "$log")" 0 "nothing was registered for these"
finish
