# SPDX-License-Identifier: GPL-3.0-or-later
# Live counters on the fake kernel: what the model counted arrives, through registers, stream, decoder and equations.
. "$top_srcdir/tests/fakekernel/lib.sh"

# live MODEL SET [OPTION...]: a live device against the simulated one
live()
{
	machine "$1"
	as_model "$@"
}

live hd620,load=private.mad.sp.x1 memory
live hd620,load=private.mad.sp.x1 ComputeBasic
live hd620,load=copy.sp.x4 memory
live hd620,load=copy.sp.x4 fixed	# one register all the same: the kernel refuses a programming without any
live tgl,load=copy.sp.x4 fixed
live hsw,load=private.mad.sp.x1 overview
live hsw,load=copy.sp.x1 fixed
live chv,load=private.mad.sp.x1 memory
live chv,load=copy.sp.x1 ComputeBasic
live tgl,load=private.mad.sp.x4 overview
live tgl,load=copy.sp.x4 memory
live dg2,load=private.mad.sp.x4 overview
live dg2,load=copy.sp.x4 RenderBasic
live hd620,load=private.mad.sp.x1 flops
live tgl,load=private.mad.sp.x4 eumap

# What all these comparisons are for: a value that is off by 2 % is found, whichever way, and in one window of four.
machine hd620,load=private.mad.sp.x1
as_model hd620,load=private.mad.sp.x1 overview
for metric in eu_active gflops_sp l3_shader_throughput; do
	for factor in 1.02 0.98; do
		python3 - "$tmp/out" $metric $factor > "$tmp/wrong" <<'END'
import json, sys
head, *windows = map(json.loads, open(sys.argv[1]))
windows[1]['metrics'][sys.argv[2]] *= float(sys.argv[3])
print(*map(json.dumps, [head, *windows]), sep='\n')
END
		python3 "$compare" "$tmp/wrong" "$tmp/model" energy_update 2>&1 | grep -q "^AssertionError: $metric: "
		point $? "  ... where $metric is $factor times as much, that is found"
	done
done

# One context: the model has one, and is idle outside it.
machine hd620,load=private.mad.sp.x1
gives 0 "the context of the load" -J -n 2 -d 0.1 --context 0x1d05
is "$(window "abs(m['flop_sp_per_cycle_eu'] - 16) < 0.5")" True "  ... has all that it counts"
gives 0 "another context" -J -n 1 -d 0.1 --context 7
is "$(window "why['eu_active']")" other_context "  ... has not run"
gives 2 "a process is no context" -J --context pid:1

# Sets in turns, under a context that is always busy: it keeps the flexible counters of when the stream was opened, and on all
# generations the registers of a change come late (fake_oa_program_later).
cat > "$tmp/alike.py" <<'END'
import json, sys
(head, *_, turns), (own, *_, alone) = ([json.loads(line) for line in open(path)] for path in sys.argv[1:3])
shares = {n: v for n, v in alone['metrics'].items() if own['units'][n] == '%' and v is not None and v > 0.5}
for name, value in shares.items():
    assert abs(turns['metrics'][name] - value) < 0.02 * value, (name, turns['metrics'][name], value)
assert len(shares) >= 5, shares
END
for model in hd620,load=private.mad.sp.x1 tgl,load=private.mad.sp.x4 chv,load=private.mad.sp.x1; do
	machine $model
	gives 0 "$model: sets in turns" -J -n 6 -d 0.1 -m overview,flops
	{ head -1 "$tmp/out"; tail -2 "$tmp/out"; } > "$tmp/live"
	is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
	modelled $model -d 0.1 -m overview,flops
	sed -i 2,3d "$tmp/model"	# the second set has not had its turn
	good "  ... each counts what the model counted" python3 "$compare" "$tmp/live" "$tmp/model" energy_update
	is "$(registered)" 0 "  ... and no programming is left behind"
	gives 0 "  ... flops alone" -J -n 2 -d 0.1 -m flops
	good "  ... has the values that it has in its turns" python3 "$tmp/alike.py" "$tmp/live" "$tmp/out"
done

# Events that the user chose, live and recorded.
machine hd620,load=private.mad.sp.x1
events="--counter fpu0::ternary --counter active:row1:eu3 --counter send --counter occupancy --counter active"
as_model hd620,load=private.mad.sp.x1 custom $events
gives 0 "  ... recorded" -J -n 4 -d 0.1 $events -w "$tmp/custom.i915perf"
"$program" -r "$tmp/custom.i915perf" --speed max -d 0.1 -J > "$tmp/played" 2> "$tmp/err"
good "  ... and play with their meaning" played_as_model

# Gen11 would switch half of its subslices off while a stream is open.
machine icl,load=private.mad.sp.x1
for set in overview memory; do
	: > "$log"
	gives 0 "Ice Lake, $set" -J -n 1 -d 0.1 -m $set
	is "$(awk '$2 == 7' "$log" | wc -l)" 1 "  ... is asked to leave all of it on"
	is "$(window "m['gpu_busy']")" 100 "  ... and counts"
done
# Fuses: the kernel wants to hear what a subslice has room for, and refuses whatever else it is told.
for JSL in 4e51 4e55 4e57 4e61 4e71; do
	export JSL
	machine jsl,load=private.mad.sp.x1
	for by in perf rpc; do
		: > "$log"
		printf 'own\n' > "$root/i915/load_context"
		gives 0 "Jasper Lake $JSL by $by" -J -n 2 -d 0.1 -m overview --access $by
		is "$(awk '$2 == 7' "$log" | wc -l) $(grep -c '^PERF_OPEN' "$log") $(window "m['gpu_busy']")" "1 1 100" \
			"  ... is whole at the first try and counts"
	done
done
export FAKEKERNEL_FAIL=sseu
for by in perf rpc; do
	: > "$log"
	gives 0 "a kernel that refuses it, by $by" -J -n 2 -d 0.1 -m overview --access $by
	is "$(window "m['gpu_busy']")" 100 "  ... counts all the same"
	gives 0 "doctor" --access $by doctor
	is "$(grep -c 'half of the subslices are switched off' "$tmp/out")" 1 "  ... says what is off"
done
unset FAKEKERNEL_FAIL
# A kernel before the format of DG2.
machine dg2
printf '5\n' > "$root/i915/perf_revision"
gives 0 "DG2 on Linux 6.1" doctor
is "$(grep -c 'Linux 6.2 is the first whose i915 has OA streams for DG2 and Meteor Lake' "$tmp/out")" 1 "  ... is told which kernel it takes"
finish
