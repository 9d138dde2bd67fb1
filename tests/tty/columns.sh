# SPDX-License-Identifier: GPL-3.0-or-later
# The metrics that are asked for: --columns, by name, label and short word, in every form; --units; wrong names.
. "$top_srcdir/tests/tty/tap.sh"

python3 -B "$top_srcdir/tests/tty/columns.py" "$rooftop" > "$tmp/points"
is "$?" 0 "columns were asked for on all devices"
relay "$tmp/points"

sim="-D sim:hd620 --speed max -n 1"
gives 0 "text" $sim -b -k "gpu_busy,dram"
is "$(sed -n 2p "$tmp/out" | tr -s ' ')" "SIM GPU busy DRAM" "  ... has these columns in this order"
gives 0 "what the usual set does not count" $sim -c -k gpu_busy,fpu0_ternary,fpu0_binary
is "$(head -1 "$tmp/out" | cut -d, -f6-8)" gpu_busy,fpu0_ternary,fpu0_binary "  ... is counted by a set that does"
gives 0 "what but the second of two sets in turns counts" $sim -c -m fixed,memory -k dram
is "$(head -1 "$tmp/out" | cut -d, -f6)" dram_throughput_most "  ... is that set's"
echo 'set = overview' > "$tmp/config"
for device in hd620 tgl dg2 lnl hsw mtl; do
	gives 0 "-k dram where the set that was saved counts what few machines can" --config "$tmp/config" -D sim:$device,load=stream.sp.x4 \
		-c -k dram -n 2 --speed max
	is "$(tail -1 "$tmp/out" | cut -d, -f6 | grep -c '[1-9]')" 1 "  ... is what another set counts of sim:$device"
done
gives 0 "-k help" -D sim:hd620 -k help
is "$(grep -c '^gpu_busy$' "$tmp/out")" 1 "  ... lists names"
gives 0 "a label in explain" -D sim:hd620 explain "GPU busy"
is "$(head -1 "$tmp/out" | grep -c gpu_busy)" 1 "  ... means its metric"
gives 0 "and in metrics" -D sim:hd620 metrics "eu active" dram
is "$(grep -c -e '^eu_active ' -e '^dram_throughput_most ' "$tmp/out")" 2 "  ... whatever its case"
while IFS='|' read -r words said; do
	eval "set -- $words"
	gives 2 "wrong: $words" -D sim:hd620 "$@"
	is "$(grep -c -e "$said" "$tmp/err")$(wc -c < "$tmp/out")" 10 "  ... says '$said'"
done <<'END'
-c -k gpu_bussy|similar: gpu_busy
-c -k zzzzzz|there are gpu_busy, .*'rooftop metrics' lists all
-c -k dram_thrughput|similar: .*dram_throughput_most
-c -k ""|names of metrics with commas
-c -k a,,b|names of metrics with commas
-c -k gpu_busy,|names of metrics with commas
-b --units|which -c asks for
-J --units|which -c asks for
-c -m flops -k gpu_busy,vs_thraeds|no metric .vs_thraeds. in set .flops.
--intel-gpu-top-json -k gpu_busy|--columns has no effect with --intel-gpu-top-json
explain limits|did you mean .rooftop explain limit.
explain gpu_bussy|similar: gpu_busy
metrics gpu_bussy|similar: gpu_busy
END
gives 2 "a set that does not count it" $sim -c -m flops -k vs_threads
is "$(grep -c -e 'the set flops does not count .vs_threads.' -e '-m chooses one that does: .*memory' "$tmp/err")" 2 "  ... and the sets that do"
finish
