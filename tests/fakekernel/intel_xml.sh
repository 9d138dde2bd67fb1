# SPDX-License-Identifier: GPL-3.0-or-later
# Intel's own sets on live cards: counters and registers that depend on what a card has, and values, as on the simulated device.
. "$top_srcdir/tests/fakekernel/lib.sh"
if [ ! -d "$ROOFTOP_ORACLE/xml" ]; then
	skip 1 "no XML of Intel's in '$ROOFTOP_ORACLE'"
	finish
	exit
fi

# sets MACHINE DRIVER XML SLICES SUBSLICES REVISION
sets()
{
	driver=$2
	machine "$1"
	points_of 4 intel_xml.py "$rooftop" "$root" "$ROOFTOP_ORACLE/xml/oa-$3.xml.gz" "$4" "$5" "$6"
}

# counts MODEL DRIVER XML SET
counts()
{
	driver=$2
	machine "$1"
	as_model "$1" "$4" --metrics-xml "$ROOFTOP_ORACLE/xml/oa-$3.xml.gz"
}

sets hsw i915 hsw 1 3 5
sets hd620 i915 kblgt2 1 7 2
sets skl i915 sklgt2 1 7 0
sets chv i915 chv 1 3 5
sets tgl i915 tglgt2 1 0x3f 1
sets icl i915 icl 1 0xff 0
sets dg2 i915 acmgt3 1 0xffffffff 8
sets mtl i915 mtlgt3 1 0xff 0
sets lnl xe lnl 3 0xff 4
sets bmg xe bmg 0x1f 0xfffff 0
sets ptl xe ptl 3 0xff 0
counts hsw,load=private.mad.sp.x1 i915 hsw RenderBasic
counts hd620,load=private.mad.sp.x1 i915 kblgt2 ComputeBasic
counts hd620,load=copy.sp.x4 i915 kblgt2 MemoryReads
counts chv,load=private.mad.sp.x1 i915 chv ComputeBasic
counts tgl,load=private.mad.sp.x4 i915 tglgt2 ComputeBasic
counts dg2,load=private.mad.sp.x4 i915 acmgt3 RenderBasic
driver=xe
machine lnl,load=private.mad.sp.x4
xml=$ROOFTOP_ORACLE/xml/oa-lnl.xml.gz
modelled lnl,load=private.mad.sp.x4 -d 0.1 -m ComputeBasic --metrics-xml "$xml"
gives 0 "Lunar Lake, ComputeBasic" -J -n 4 -d 0.1 -m ComputeBasic --metrics-xml "$xml"
good "  ... gives what the model counted" python3 "$compare" "$tmp/out" "$tmp/model"
said "XVE_INST_EXECUTED_ALU2_ALL_UTILIZATION is from before Intel's correction of 2025-12-04" "  ... and says what the file lacks"
# A recording keeps the constants that only the kernel could tell.
gives 0 "a recording of Intel's set" -J -n 3 -d 0.1 -m RenderBasic --metrics-xml "$xml" --overwrite -w "$tmp/xml.i915perf"
cp "$tmp/out" "$tmp/live"
gives 0 "  ... plays" -r "$tmp/xml.i915perf" --metrics-xml "$xml" -J --speed max -d 0.1
is "$(window "sorted(n for n, w in why.items() if w == 'unknown_const'), len(m) > 60")" "[] True" "  ... and knows every constant"
is "$(cat "$tmp/live" "$tmp/out" | python3 -c "import json, sys
heads = [l for l in map(json.loads, sys.stdin) if 'units' in l]
print(heads[0]['units'] == heads[1]['units'])")" True "  ... with the counters of the card"
finish
