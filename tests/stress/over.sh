# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop sweep --over: curves over sizes of groups, loop counts, working sets, strides and intensities, and the experiments with work-groups
# and memory that H. Duarte's thesis (2018, ch. 2.3) tells of, on the simulated HD 620.
. "$top_srcdir/tests/tty/tap.sh"

sim="-D sim:hd620"
# at KERNEL COLUMN VALUE WANTED: the column WANTED of that kernel where COLUMN is VALUE, in $tmp/csv
at()
{
	awk -F, -v k="$1" -v c="$2" -v v="$3" -v w="$4" \
		'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == k && $at[c] == v { print $at[w] }' "$tmp/csv"
}

# ratio A B LOW HIGH WHAT
ratio()
{
	is "$(awk -v a="$1" -v b="$2" -v l="$3" -v h="$4" 'BEGIN { r = b > 0 ? a / b : -1; print (r >= l && r <= h) ? "inside" : a " / " b " = " r }')" inside "$5"
}

column()
{
	awk -F, -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[c] }' "$tmp/csv" | tr '\n' ' '
}

gives 0 "over working sets" sweep $sim --over size -o "$tmp/csv" --plot "$tmp/size.svg"
is "$(column size_bytes)" "16384 65536 262144 1048576 4194304 16777216 67108864 " "are those of the walk"
ratio "$(at lat.chase.16k size_bytes 16384 latency_ns)" "$(at lat.chase.256k size_bytes 262144 latency_ns)" 0.99 1.01 "flat where the L3 holds it"
ratio "$(at lat.chase.1m size_bytes 1048576 latency_ns)" "$(at lat.chase.256k size_bytes 262144 latency_ns)" 1.05 1.5 "higher behind it"
ratio "$(at lat.chase.64m size_bytes 67108864 latency_ns)" "$(at lat.chase.1m size_bytes 1048576 latency_ns)" 1.2 2 "and highest in the memory"
is "$(grep -c '</svg>' "$tmp/size-latency.svg") $(grep -c '>65536<' "$tmp/size-latency.svg") $(ls "$tmp"/size-gflops.svg 2> /dev/null)" "1 1 " \
	"has a picture of what there is"

gives 0 "over intensities" sweep $sim --over intensity -o "$tmp/csv" --plot "$tmp/mix.svg"
is "$(column intensity)" "0.25 0.5 1 2 4 8 16 32 64 128 " "from 0.25 to 128"
ratio "$(at mix.sp.ai-8 intensity 8 gflops)" "$(at mix.sp.ai-4 intensity 4 gflops)" 1.98 2.02 "goes up with the bytes' work"
ratio "$(at mix.sp.ai-128 intensity 128 gflops)" 399 0.97 1.01 "to the peak"
is "$(sed -n 's/.*<text x="6[0-9.]*" y="[0-9.]*" >\(.*\)<\/text>$/\1/p' "$tmp/mix-gflops.svg")" mix.sp "as one curve"

gives 0 "over strides" sweep $sim --over stride -o "$tmp/csv"
is "$(column stride)" "1 2 4 8 16 32 64 " "from 1 to 64"
ratio "$(at mem.stride.s16 stride 16 gbytes_per_s)" "$(at mem.stride.s1 stride 1 gbytes_per_s)" 0.98 1.02 "lines come as fast"
ratio "$(at mem.stride.s64 stride 64 gbytes_per_s)" "$(at mem.stride.s16 stride 16 gbytes_per_s)" 0.5 0.8 "until they are no neighbours"
gives 0 "strides over work-groups" sweep $sim --tpb 32 -o "$tmp/csv" mem.stride.s1 mem.stride.s16
ratio "$(at mem.stride.s16 groups 5 gbytes_per_s)" "$(at mem.stride.s1 groups 5 gbytes_per_s)" 10 20 "a large one fills the memory with few threads"

gives 0 "walkers over work-groups" sweep $sim -o "$tmp/csv" --plot "$tmp/walk.svg" lat.walkers.64m lat.walkers.1m
ratio "$(at lat.walkers.64m groups 84 latency_ns)" "$(at lat.walkers.64m groups 1 latency_ns)" 0.99 1.03 "84 walk as fast as one"
ratio "$(at lat.walkers.64m groups 168 latency_ns)" "$(at lat.walkers.64m groups 1 latency_ns)" 1.5 1.8 "100 can be under way, 168 cannot"
ratio "$(at lat.walkers.1m groups 8 latency_ns)" "$(at lat.walkers.1m groups 1 latency_ns)" 1.05 1.5 "eight sets of 1 MiB spill into the memory"
is "$(grep -c '</svg>' "$tmp/walk-latency.svg")" 1 "has a picture"

gives 0 "over sizes of groups" sweep $sim --over tpb -o "$tmp/csv" slm.reduce slm.reduce-all slm.reduce-chain slm.broadcast slm.barrier flops.private.mad.sp.x4
is "$(grep -c '^slm.reduce,' "$tmp/csv") $(column group_size | cut -d' ' -f1-8)" "8 8 16 32 64 128 256 512 1024" "from 8 to 1024"
ratio "$(at flops.private.mad.sp.x4 group_size 32 gflops)" "$(at flops.private.mad.sp.x4 group_size 8 gflops)" 3.9 4.1 "32 items fill a thread, 8 a quarter of it"
ratio "$(at slm.barrier group_size 256 gops)" "$(at slm.barrier group_size 1024 gops)" 1.5 5 "large groups wait long at barriers"
ratio "$(at slm.broadcast group_size 256 gops)" "$(at slm.reduce group_size 256 gops)" 4 12 "a sum takes as many barriers as it has halves"
# The thesis' figure 2.10: sums by local memory are faster than sums that threads hand on, and the more so the more threads a group has.
gives 0 "sums of lone groups" sweep $sim --over tpb --blocks 3 -o "$tmp/csv" slm.reduce slm.reduce-all slm.reduce-chain
ratio "$(at slm.reduce-all group_size 16 gops)" "$(at slm.reduce-chain group_size 16 gops)" 0.99 1.01 "one run has nobody to hand its sum to"
ratio "$(at slm.reduce-all group_size 64 gops)" "$(at slm.reduce-chain group_size 64 gops)" 1.5 4 "four runs hand it on three times"
ratio "$(at slm.reduce-all group_size 256 gops)" "$(at slm.reduce-chain group_size 256 gops)" 5 15 "sixteen runs fifteen times"
ratio "$(at slm.reduce group_size 256 gops)" "$(at slm.reduce-chain group_size 256 gops)" 1.2 4 "a sum in halves has eight steps"
gives 0 "groups that are too large" sweep $sim --over tpb -o "$tmp/csv" flops.private.mad.sp.x16 flops.private.mad.sp.x1
is "$(at flops.private.mad.sp.x16 group_size 512 group_size) $(at flops.private.mad.sp.x16 group_size 1024 gflops) $(at flops.private.mad.sp.x1 group_size 1024 group_size)" \
	"512  1024" "end their curve, not the sweep"

gives 0 "over loop counts" sweep $sim --over loop -o "$tmp/csv" --blocks 63 flops.private.mad.sp.x4
is "$(column loop | cut -d' ' -f1-3) $(column groups | tr ' ' '\n' | sort -u | tr -d '\n')" "16 32 64 63" "at the groups that were asked for"
ratio "$(at flops.private.mad.sp.x4 loop 16 gflops)" "$(at flops.private.mad.sp.x4 loop 65536 gflops)" 0.001 0.2 "short launches cost"
gives 0 "divergence" stress $sim --time 0.5 -c 'flow.diverge.*'
cp "$tmp/out" "$tmp/csv"
ratio "$(column gops | cut -d' ' -f1)" "$(column gops | cut -d' ' -f6)" 31 33 "32 ways take 32 times as long"

# The processor beside the GPU.
gives 0 "walkers alone" sweep $sim --over size --blocks 96 -o "$tmp/alone.csv" lat.walkers.4m lat.chase.64k
gives 0 "and beside a processor that reads" sweep $sim --over size --blocks 96 -o "$tmp/csv" --beside mem.read.sp.x4 --with "$tmp/alone.csv" \
	--plot "$tmp/beside.svg" lat.walkers.4m lat.chase.64k
cp "$tmp/csv" "$tmp/beside.csv"
near=$(at lat.chase.64k size_bytes 65536 latency_ns)
far=$(at lat.walkers.4m size_bytes 4194304 latency_ns)
is "$(column beside | tr ' ' '\n' | sort -u | tr -d '\n')" mem.read.sp.x4 "says with what"
cp "$tmp/alone.csv" "$tmp/csv"
ratio "$near" "$(at lat.chase.64k size_bytes 65536 latency_ns)" 0.99 1.01 "what the L3 holds is as fast"
ratio "$far" "$(at lat.walkers.4m size_bytes 4194304 latency_ns)" 1.05 1.5 "what comes from the memory is slower"
is "$(column beside_gbytes_per_s | tr -d ' ')" "" "and nobody is beside without it"
gives 0 "two that stream" stress $sim --time 0.5 -c mem.stream.sp.x4 --beside mem.stream.sp.x4
cp "$tmp/out" "$tmp/csv"
ratio "$(column gbytes_per_s)" "$(column beside_gbytes_per_s)" 0.98 1.02 "share the memory"
gives 0 "a busy processor" stress $sim --time 0.5 -c flops.private.mad.sp.x4 --beside lat.chase.1m
cp "$tmp/out" "$tmp/csv"
ratio "$(column clock_mhz)" 1050 0.5 0.98 "takes power from the GPU"

# Options together.
gives 0 "medians" sweep $sim --over tpb --repeat 3 --blocks 21 --loop 512 -o "$tmp/csv" --power-plane gpu mem.copy.sp.x4
is "$(column runs | tr ' ' '\n' | sort -u | tr -d '\n') $(column loop | tr ' ' '\n' | sort -u | tr -d '\n') $(column power_plane | tr ' ' '\n' | sort -u | tr -d '\n')" \
	"3 512 gpu" "of three runs"
gives 0 "goes on" sweep $sim --over tpb --repeat 3 --blocks 21 --loop 512 -o "$tmp/csv" --power-plane gpu --resume mem.copy.sp.x4
is "$(wc -l < "$tmp/csv")" 9 "with nothing left to do"
head -5 "$tmp/csv" > "$tmp/part"
gives 0 "from the middle" sweep $sim --over tpb --repeat 3 --blocks 21 --loop 512 -o "$tmp/part" --power-plane gpu --resume --plot "$tmp/part.svg" mem.copy.sp.x4
is "$(wc -l < "$tmp/part") $(grep -c '<path transform' "$tmp/part-gbytes.svg")" "9 10" "and draws what was there as well"
gives 0 "JSON" sweep $sim --over size -J lat.line.16k lat.line.64m
is "$(grep -c '"latency_ns":[0-9]' "$tmp/out")" 2 "has the latency"
gives 0 "two files" sweep $sim --over size -o "$tmp/a.csv" 'lat.chase.*'
gives 0 "in one picture" sweep -D sim:tgl --over size -o "$tmp/b.csv" --with "$tmp/a.csv" --with "$tmp/a.csv" --plot "$tmp/two.svg"
is "$(grep -c '>lat.chase, Intel' "$tmp/two-latency.svg")" 3 "have curves with their devices"
# Efficiency is by the plane of the title, also of a table that has another one.
gives 0 "watts of another plane" sweep $sim -o "$tmp/gpu.csv" --launches 5 --power-plane gpu power.mad.sp.x4
gives 0 "in a picture of this one" sweep $sim -o "$tmp/csv" --launches 5 --with "$tmp/gpu.csv" --plot "$tmp/planes.svg" power.mad.sp.x4
is "$(sed -n 's/.*text-anchor="end">\([0-9]*\)<.*/\1/p' "$tmp/planes-gflops-per-w.svg" | awk '$1 > most { most = $1 } END { print (most > 20 && most < 40) }')" 1 "are those of the package"
printf 'kernel,groups\na,1,2\n' > "$tmp/bad.csv"
gives 1 "a file with torn rows" sweep $sim --over size -o "$tmp/c.csv" --with "$tmp/bad.csv" --plot "$tmp/two.svg"
for pair in size:flops.private.mad.sp.x4 stride:lat.chase.64k intensity:mem.copy.sp.x4 loop:launch.wait loop:flops.single.add.sp.x1 tpb:lat.walkers.4m; do
	"$rooftop" sweep $sim --over "${pair%:*}" -o "$tmp/none.csv" "${pair#*:}" > "$tmp/out" 2> "$tmp/err"
	is "$? $(grep -c "'${pair#*:}' has no curve over ${pair%:*}: " "$tmp/err") $(test -e "$tmp/none.csv" && echo file)" "2 1 " "no curve of ${pair#*:} over ${pair%:*}"
done
gives 2 "a load that needs a name" sweep $sim --over size nonsense
finish
