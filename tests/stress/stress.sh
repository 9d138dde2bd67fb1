# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop stress on the simulated device: values, names, forms, files, and what is refused.
. "$top_srcdir/tests/tty/tap.sh"

# column NAME: of the first row of the CSV in $tmp/out
column()
{
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' "$tmp/out"
}

# near GOT WANT SHARE NAME
near()
{
	is "$(awk -v g="$1" -v w="$2" -v s="$3" 'BEGIN { print (g >= w * (1 - s) && g <= w * (1 + s)) ? "near" : g " is not " w }')" near "$4"
}

sim="-D sim:hd620"
# H. Duarte's thesis (2018): peaks of the HD 620.
while read -r kernel unit peak share; do
	gives 0 "$kernel runs" stress $sim -c "$kernel"
	near "$(column "$unit")" "$peak" "$share" "$kernel reaches $peak"
done <<END
flops.private.mad.sp.x1 gflops 399.0 0.01
flops.private.mad.dp.x1 gflops 100.0 0.01
flops.private.add.sp.x1 gflops 200.0 0.01
flops.private.add.dp.x1 gflops 50.0 0.01
mem.copy.sp.x4 gbytes_per_s 192.0 0.02
END
for device in dg2 lnl; do
	gives 0 "counters of $device" stress -D sim:$device -c flops.private.mad.sp.x4
	near "$(column gflops_counted)" "$(column gflops)" 0.01 "agree with its job, too"
	gives 0 "division on $device" stress -D sim:$device -m overview -c flops.private.div.sp.x4
	is "$(awk -v v="$(column type_fp32)" 'BEGIN { print (v > 10 && v <= 100) }')" 1 "keeps the FP32 pipe busy for no more than all clocks"
done
gives 0 "the short name is the same" stress $sim -c private.mad.sp.x4
near "$(column gflops_counted)" "$(column gflops)" 0.01 "counters and job agree"
near "$(column flop_per_cycle)" 380 0.01 "FLOP/cycle by the counted clock"
near "$(column gflops_per_w)" "$(awk -v a="$(column gflops)" -v w="$(column package_w)" 'BEGIN { print a / w }')" 0.001 "GFLOP/s per W"
near "$(column energy_j)" "$(awk -v w="$(column package_w)" -v s="$(column seconds)" 'BEGIN { print w * s }')" 0.01 "joules are watts times seconds"
is "$(column sim)" 1 "it says that it is simulated"
# What the screen shows of a load is what its job says.
for kernel in private.mad.sp.x4 private.mad.dp.x4 private.add.dp.x1; do
	gives 0 "$kernel" stress $sim -c -m overview $kernel
	near "$(column gflops_counted)" "$(column gflops)" 0.02 "  ... counters and job agree"
	near "$(column gflops_per_watt_package)" "$(column gflops_per_w)" 0.05 "  ... on operations for a watt, too"
done
# A33 of the thesis' table A.1: what stays in the cache does not miss it, and a walk through memory always does.
gives 0 "copies of the same elements" stress $sim -c -m fixed mem.copy.sp.x4
is "$(awk -v v="$(column shader_memory_miss_rate)" 'BEGIN { print (v < 1) }')" 1 "  ... hit the first-level cache"
gives 0 "a stream" stress $sim -c -m fixed mem.stream.sp.x4
near "$(column shader_memory_miss_rate)" 100 0.01 "  ... misses it"
near "$(column shader_memory_misses)" "$(column shader_memory_accesses)" 0.01 "  ... with each message"
gives 0 "what nobody checked" explain shader_memory_miss_rate -D sim:hd620 -m fixed
is "$(grep -c unverified "$tmp/out")" 2 "  ... is marked as that"
gives 0 "division" stress $sim -c private.div.sp.x4
is "$(column gflops_counted)" "" "  ... is counted by the kernel alone"
gives 0 "a pattern takes several" stress $sim -c 'flops.private.*.sp.x4'
is "$(wc -l < "$tmp/out")" 6 "a row for each of five operations"
gives 0 "groups and sizes" stress $sim -c --blocks 4 --tpb 128 --loop 1024 private.mad.sp.x4
is "$(column groups) $(column group_size) $(column loop)" "4 128 1024" "are the job's"
gives 0 "so many launches" stress $sim -c --launches 500 private.mad.sp.x4
is "$(awk -v n="$(column launches)" 'BEGIN { print (n >= 500 && n < 1000) }')" 1 "end the kernel"
gives 0 "runs" stress $sim -c --repeat 3 --time 100ms private.mad.sp.x4
is "$(wc -l < "$tmp/out")" 4 "a row for each"
gives 0 "smoothing" stress $sim -c --power-smoothing --time 0.1 power.mad.sp.x4
is "$(wc -l < "$tmp/out") $(column run)" "2 " "one row for all runs"
gives 0 "JSON" stress $sim -J private.mad.sp.x4 mem.copy.sp.x4
if command -v python3 > /dev/null; then
	is "$(python3 -c 'import json,sys
for l in open(sys.argv[1]):
	d = json.loads(l)
	print(d["kernel"], d["sim"], d["gflops"] is None)' "$tmp/out" | tr '\n' ' ')" \
		"flops.private.mad.sp.x4 True False mem.copy.sp.x4 True True " "is JSON with what is missing as null"
else
	skip 1 "no python3"
fi
gives 0 "text" stress $sim --profile private.mad.sp.x4
is "$(grep -c simulated "$tmp/out")" 1 "text says simulated"
is "$(head -1 "$tmp/out" | grep -c 'event us')" 1 "--profile adds times"
# Where the groups of a launch run: the share of each subslice is that of the curve k / (S * ceil(k / S)).
while read -r groups dealt; do
	gives 0 "where $groups groups run" stress $sim --where -c --tpb 256 --blocks "$groups" flops.private.mad.sp.x4
	is "$(awk -F, 'NR > 1 { printf "%s%s", (NR > 2 ? ":" : ""), $4 }' "$tmp/out")" "$dealt" "  ... by subslice"
done <<END
1 1
4 2:1:1
5 2:2:1
7 3:2:2
22 8:7:7
63 21:21:21
END
gives 5 "  ... and wrong results are told" stress -D sim:hd620,flaw=bitflip --where --blocks 4 flops.private.mad.sp.x4
gives 0 "where groups run, in text" stress $sim --where --blocks 4 flops.private.mad.sp.x4
is "$(tail -1 "$tmp/out")" \
	"simulated: 4 work-groups on 3 subslices: S0SS0 had more than others; mean over max 0.667, a multiple of 3 would be up to 1.5 times faster" \
	"  ... in words"
for part in mtl dg2 lnl; do
	gives 0 "where groups run, on $part" stress -D sim:$part --where --blocks 4 flops.private.mad.sp.x4
done
gives 0 "where groups run, on dual subslices" stress -D sim:tgl --where -J --blocks 7 flops.private.mad.sp.x4 mem.copy.sp.x4
is "$(grep -c '"kernel":"mem.copy.sp.x4","slice":0,"subslice":[0-5],"groups":[12],.*"sim":true,.*"eu15":[0-9]*}$' "$tmp/out") $(wc -l < "$tmp/out")" "6 12" \
	"  ... for each kernel"
# Four clocks of a launch (figure 4.10 of the thesis); a time stamp that is 1 % off is found out, and the others are not led astray.
# clocks SPEC: sets what events, time stamp and cycles say
clocks()
{
	gives 0 "clocks of $1" stress -D "sim:hd620$1" -c --profile --time 20 private.mad.sp.x4
	event=$(column event_us)
	stamp=$(column timestamp_us)
	cycles=$(column cycles_us)
}

clocks ""
near "$stamp" "$event" 0.004 "time stamp and events agree"
near "$cycles" "$event" 0.004 "cycles as well"
is "$(grep -c 'time stamp' "$tmp/out")" 0 "and nothing is said"
for permille in 1010 990; do
	clocks ",stamp=$permille"
	near "$stamp" "$(awk -v e="$event" -v p=$permille 'BEGIN { print e * p / 1000 }')" 0.004 "a time stamp of $permille parts in 1000 is seen"
	near "$cycles" "$event" 0.004 "cycles do not depend on it"
	is "$(grep -c 'time stamp [+-][01].[09]' "$tmp/out")" 1 "the note has its error"
	near "$(column clock_mhz)" 1050 0.001 "the clock is one of the machine's seconds"
	near "$(column gflops_counted)" "$(column gflops)" 0.008 "and so is what was counted"
done
# Two devices beside each other.
gives 0 "two devices" stress -D sim:hd620 -D sim:tgl -c --repeat 2 --power-plane gpu private.mad.sp.x4 private.mad.dp.x4 mem.copy.sp.x4
is "$(wc -l < "$tmp/out") $(column device_1 | cut -c1-17) $(column device_2 | cut -c1-13)" "4 Intel HD Graphics Intel Iris Xe" "a row for each kernel, with both"
near "$(column gflops_1)" 399 0.01 "what the first one reaches"
ratio=$(column gflops_ratio)
near "$ratio" "$(awk -v a="$(column gflops_1)" -v b="$(column gflops_2)" 'BEGIN { print b / a }')" 0.001 "the ratio"
is "$(column power_plane) $(column runs)" "gpu 2" "the plane, and the runs"
good "what the second one cannot is empty, with the reason" \
	grep -q '^flops.private.mad.dp.x4,[^,]*,[^,]*,[0-9.]*,,,.*no double precision' "$tmp/out"
second=$(column gflops_2)
gives 0 "the second one alone" stress -D sim:tgl -c private.mad.sp.x4
near "$second" "$(column gflops)" 0.001 "reaches the same"
gives 0 "text" stress -D sim:hd620 -D sim:tgl private.mad.sp.x4
is "$(head -2 "$tmp/out" | cut -c1-8 | tr "\n" " ")$(head -2 "$tmp/out" | grep -c ", W: package$")" "1: Intel 2: Intel 2" "says which is which, and whose watts it has"
gives 3 "a second one that runs no kernels" stress -D sim:hd620 -D sim:h100 -c private.mad.sp.x4
is "$(awk -F, 'NR == 2 { print ($4 > 300) $5 $(NF - 1) }' "$tmp/out") $(grep -c 'sim:h100 runs no kernels' "$tmp/err")" "1not run there 1" "  ... leaves the first one its numbers"
gives 2 "three devices" stress -D sim:hd620 -D sim:tgl -D sim:chv private.mad.sp.x4
gives 2 "two with columns of one" stress -D sim:hd620 -D sim:tgl --profile private.mad.sp.x4
gives 0 "a list" stress $sim --list
is "$(grep -c '^flops.private.mad.dp.x16 ' "$tmp/out")" 1 "has every kernel"
gives 0 "a list as CSV" stress -D sim:tgl --list -c
is "$(grep '^flops.private.mad.dp.x16,' "$tmp/out" | cut -d, -f6)" 0 "says what the device cannot"
gives 0 "sources" stress --dump-kernel flops.private.mad.sp.x4 mem.copy.sp.x1
is "$(grep -c "rt_private(" "$tmp/out") $(grep -c "rt_copy(" "$tmp/out")" "1 1" "are OpenCL C, without any device"
gives 2 "sources of nothing" stress --dump-kernel
gives 0 "counters of the thesis' options" stress $sim -c --cc-i fpu0 --cc-f ternary --cc-i 4 private.mad.sp.x4
near "$(column eu_fpu0_ternary)" 98.95 0.01 "become columns"
near "$(column eu_active)" 99.94 0.01 "each of them"
gives 0 "a set" stress $sim -c -m flops private.mad.sp.x4
near "$(column gflops_sp)" "$(column gflops_counted)" 0.0001 "brings its metrics"
gives 0 "quiet" stress $sim --quiet private.mad.sp.x4
is "$(cat "$tmp/out" "$tmp/err" | wc -c)" 0 "is silent"
gives 0 "a file" stress $sim -c -o "$tmp/file" --dump "$tmp/dump" private.mad.sp.x4
is "$(wc -l < "$tmp/file") $(wc -c < "$tmp/out")" "2 0" "gets the rows"
is "$(head -1 "$tmp/dump" | cut -c1-11) $([ "$(wc -l < "$tmp/dump")" -ge 8 ] && echo windows)" "t,mono_ns,w windows" "--dump has the windows"
gives 0 "twice the same" stress $sim -c private.mad.sp.x4
cp "$tmp/out" "$tmp/first"
gives 0 "and again" stress $sim -c private.mad.sp.x4
good "the model repeats itself" cmp "$tmp/first" "$tmp/out"

gives 2 "no kernel" stress $sim
gives 2 "an unknown kernel" stress $sim private.mad.sp.x3
is "$(grep -c 'rooftop stress help' "$tmp/err")" 1 "the hint says what there is"
gives 2 "a pattern that fits nothing" stress $sim 'nothing*'
gives 2 "a name that is too long" stress $sim "$(printf %0300d 0)"
gives 2 "an empty name" stress $sim ""
gives 3 "double precision where there is none" stress -D sim:tgl 'flops.private.mad.dp.*'
gives 2 "the same by its name" stress -D sim:tgl private.mad.dp.x1
gives 2 "too many groups" stress $sim --blocks 70000 private.mad.sp.x4
gives 2 "too large groups" stress $sim --tpb 4096 private.mad.sp.x4
gives 2 "a launch that takes too long" stress $sim --blocks 60000 --loop 1000000 private.mad.sp.x4
for bad in "--blocks 0" "--tpb x" "--loop -1" "--time 0" "--time 1e9" "--repeat 1001" "--launches 1.5"; do
	gives 2 "$bad" stress $sim $bad private.mad.sp.x4
done
gives 2 "an option for loads without a load" --blocks 3 -L
gives 2 "--list without stress" --list
gives 1 "a file that cannot be written" stress $sim -o "$tmp/no/file" private.mad.sp.x4
if [ -w /dev/full ]; then
	gives 1 "a full disk" stress $sim -o /dev/full private.mad.sp.x4
else
	skip 1 "no /dev/full"
fi
gives 0 "a recording is made" -D sim:hd620 -b -n 2 -d 0.1 -w "$tmp/rec"
gives 2 "a recording cannot be loaded" stress -r "$tmp/rec" private.mad.sp.x4
finish
