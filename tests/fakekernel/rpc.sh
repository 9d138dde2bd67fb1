# SPDX-License-Identifier: GPL-3.0-or-later
# OA reports by MI_REPORT_PERF_COUNT on the fake GPU: batches of ours run, and what they bring are the model's values.
. "$top_srcdir/tests/fakekernel/lib.sh"
way="--access rpc"

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
	as_model "$1" "$2"
	is "$(grep -c HANG "$log")" 0 "  ... and the GPU runs"
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
gives 0 "Gen12, a load of others" $way -J -n 2 -d 0.1 -m overview
is "$(window "why['eu_active'], m['cs_threads'], why['cs_threads'], m['avg_gpu_core_frequency']")" \
	"other_context None other_context None" "  ... gives no value and the reason, never 0"
gives 0 "doctor" $way doctor
is "$(grep -c "counts this program's own context, not what others do on the GPU" "$tmp/out")" 1 "  ... says so"
machine hd620,load=private.mad.sp.x1
gives 0 "doctor on Gen9" $way doctor
is "$(grep -c "own context" "$tmp/out")" 0 "  ... has nothing to say"
is "$(grep -c -E '^  MI_REPORT_PERF_COUNT +ok' "$tmp/out")" 1 "  ... but that it works"

on hd620,load=private.mad.sp.x1
plays_as_model hd620,load=private.mad.sp.x1 ComputeBasic
finish
