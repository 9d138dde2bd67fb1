# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop metrics, --explain, -m help, user metric files, doctor.
. "$top_srcdir/tests/tty/tap.sh"
sim="-D sim:hd620"

gives 0 "the metrics of a set" metrics $sim
is "$([ "$(grep -c '^[a-z0-9_]*  \[' "$tmp/out")" -gt 20 ] && echo many)" many "  ... are many"
gives 0 "one of them" metrics $sim eu_active
is "$(grep -c '^eu_active  \[%\]' "$tmp/out")$(grep -c '^eu_stall' "$tmp/out")" 10 "  ... alone"
gives 0 "as JSON" metrics $sim -J
good "  ... that parses and has equations" python3 -c '
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
assert len(rows) > 20 and all(r["equation"] and r["name"] for r in rows)' "$tmp/out"
gives 2 "one that does not exist" metrics $sim eu_activ
is "$(grep -c 'eu_active' "$tmp/err")" 1 "  ... names a similar one"
gives 0 "--explain" explain eu_active $sim
good "  ... shows the equation" grep -q eu_count "$tmp/out"
gives 0 "--explain of a metric with a roof" -m memory explain dram_throughput_most -D sim:hd620
is "$(grep -A1 '^Roof of sim:hd620' "$tmp/out" | tail -1)" "  data sheet: i7-7500U: 15 W, two channels of DDR4-2133 (ark.intel.com)" "  ... says where the roof comes from"
gives 0 "explain limit" explain limit $sim
good "  ... tells reads from writes of a level" grep -q 'SLM read 0 %, SLM write 0 %$' "$tmp/out"
gives 0 "--explain without any device" explain eu_active --fsroot "$tmp"
gives 0 "--explain of a metric of another set" explain eu_position_active $sim
is "$(head -1 "$tmp/out")" "Set 'memory' does not have it. Sets that do (-m chooses one): eumap" "  ... says which has it"
good "  ... and explains it" grep -q 'eus_per_position' "$tmp/out"
gives 0 "--explain of a counter" explain TILER_ACTIVE -D sim:g72
is "$(grep -A1 '^Block' "$tmp/out" | tail -1)" "  tiler" "  ... says whose it is"
is "$(grep -c "(TI.ACTIVE)" "$tmp/out")" 1 "  ... and what reads it"
gives 0 "--explain of a counter of another set" explain WARP_REG_SIZE_64 -D sim:g52
is "$(head -1 "$tmp/out")" "Set 'overview' does not have it. Sets that do (-m chooses one): libGPUCounters" "  ... says which has it"
gives 2 "--explain of what another GPU has" explain TI.ACTIVE $sim
is "$(grep -c "has no metric or counter 'TI.ACTIVE'" "$tmp/err")$(grep -c 'others have it: g71, g72' "$tmp/err")" 11 "  ... says so, and which"
gives 0 "--explain of a metric without its block" explain GPU_UTILIZATION -D sim:g72
is "$(head -1 "$tmp/out")" "GPU busy (JM.GPU_UTILIZATION) %" "  ... finds it"
gives 2 "--explain of one that another GPU has" explain GPU_UTILIZATION $sim
is "$(grep -c "has no metric or counter 'JM.GPU_UTILIZATION'" "$tmp/err")" 1 "  ... names it in full"
gives 2 "a short name that the set does not count" metrics dram $sim -m subslices
is "$(grep -c "the set subslices does not count 'dram'" "$tmp/err")$(grep -c 'does: overview, .*memory' "$tmp/err")" 11 "  ... says which sets do"
gives 0 "explain of a short name" explain power $sim
good "  ... says what else it may be" grep -q 'power_package is called so, too' "$tmp/err"
gives 2 "--explain of what none has" explain nonsense $sim
is "$(grep -c "no metric 'nonsense'" "$tmp/err")" 1 "  ... says so"
for set in overview latency libGPUCounters; do
	gives 0 "metrics of Mali's set $set" metrics -D sim:g72 -m $set -J
	good "  ... have their blocks, but for constants, clocks, power and heat" python3 -c '
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
assert {"job manager", "tiler", "shader core", "L2 cache"} >= {b for r in rows if r.get("block") for b in r["block"].split(", ")}
none = [r["name"] for r in rows if not r.get("block") and not r["text"].startswith("A constant")]
assert not [n for n in none if not n.startswith(("gpu_clock", "power_", "roof_", "temperature"))], none' "$tmp/out"
done
# Names of derived counters in Arm guide, which the facts about Mali list: each says what to do about a bad value.
gives 0 "derived counters of Mali" metrics -D sim:g72 -J
good "  ... say what helps" python3 -c '
import json, sys
rows = {r["name"]: r for r in map(json.loads, open(sys.argv[1]))}
derived = "JM.GPU_UTILIZATION JM.JS0_UTILIZATION JM.JS1_UTILIZATION JM.PIXEL_COUNT SC.EXEC_CORE_UTILIZATION SC.COMPUTE_QUAD_CYCLES \
	SC.FRAG_QUADS_KILLED_BY_OVERDRAW SC.FRAG_QUADS_TRANSPARENT SC.FRAG_PARTIAL_QUAD_PERCENTAGE SC.FRAG_QUAD_CYCLES SC.EE_UTILIZATION \
	SC.LSC_ISSUES SC.LSC_UTILIZATION SC.LSC_L2_BYTES_PER_ISSUE SC.LSC_EXTERNAL_BYTES_PER_ISSUE SC.TEX_UTILIZATION SC.TEX_CPI \
	SC.TEX_L2_BYTES_PER_ISSUE SC.TEX_EXTERNAL_BYTES_PER_ISSUE SC.VARY_UTILIZATION TI.INPUT_PRIMITIVES TI.CULLED_FACING_PERCENT \
	TI.CULLED_FRUSTUM_PERCENT TI.CULLED_COVERAGE_PERCENT L2.INTERNAL_UTILIZATION L2.READ_MISS_RATE L2.WRITE_MISS_RATE \
	L2.EXTERNAL_READ_BYTES L2.EXTERNAL_READ_UTILIZATION L2.EXTERNAL_WRITE_BYTES L2.EXTERNAL_WRITE_UTILIZATION".split()
missing = [n for n in derived if len(rows[n].get("helps") or "") < 40]
assert not missing, missing' "$tmp/out"
gives 0 "-m help" -m help $sim
is "$(grep -c -E '^(overview|memory|ComputeBasic|RenderBasic) ' "$tmp/out")" 4 "  ... has our sets"

cat > "$tmp/own.metrics" <<'END'
counter GPU_TICKS cycle "GPU clocks"
counter A0 cycle "busy"
set own "My own set"
    text "busy share, twice"
    platforms kblgt2
    group utilization "Utilization"
metric twice_busy
    label "Twice busy"
    unit %
    group utilization
    value 2 * A0 / GPU_TICKS
metric wrong
    unit %
    value A0 +
END
gives 5 "a metric file with a mistake" metrics --check "$tmp/own.metrics"
is "$(grep -c 'own.metrics:14:' "$tmp/out")" 1 "  ... is shown with its line"
gives 1 "  ... and is not used" $sim --metrics "$tmp/own.metrics" -m own --speed max -n 1 -c
is "$(wc -c < "$tmp/out")$(grep -c 'own.metrics:14:' "$tmp/err")" 01 "  ... with the mistake on standard error"
# What is counted of busy time alone adds up to that, and not to all time.
cat > "$tmp/busy.metrics" <<'END'
include counters.metrics
set of_busy "Shares of busy time"
    platforms kblgt2
    group utilization "Utilization" "%"
metric gpu_busy
    unit %
    group utilization
    value 80[%] + 0[%] * GPU_TICKS / GPU_TICKS
    max 100[%]
    limit busy
metric working
    unit %
    group utilization
    value 60[%] + 0[%] * GPU_TICKS / GPU_TICKS
    max 100[%]
    limit working QPUs while-busy
metric waiting
    unit %
    group utilization
    value 40[%] + 0[%] * GPU_TICKS / GPU_TICKS
    max 100[%]
    limit waiting QPUs while-busy
metric other_units
    unit %
    group utilization
    value 5[%] + 0[%] * GPU_TICKS / GPU_TICKS
    max 100[%]
    limit working QPUs
metric empty
    unit %
    group utilization
    value 0[%] * GPU_TICKS / GPU_TICKS
    max 100[%]
    limit empty QPUs while-busy
END
gives 0 "shares of busy time" $sim --metrics "$tmp/busy.metrics" -m of_busy --speed max -n 1 -J
is "$(grep -c '"kind":"partly_idle"' "$tmp/out")$(grep -cE 'for less time than|work, wait and rest' "$tmp/out")" 10 "  ... contradict no busy time"
mkdir -p "$tmp/data/rooftop/metrics"
cp "$tmp/own.metrics" "$tmp/data/rooftop/metrics"
XDG_DATA_HOME=$tmp/data "$rooftop" $sim -m own --speed max -n 1 -c > "$tmp/out" 2> "$tmp/err"
is "$?$(head -1 "$tmp/out")" 0t,mono_ns,window_ms,lost,sim,twice_busy,verdict,bound,share,headroom,verdict_kept "in the user's folder the rest of it works"
is "$(grep -c 'own.metrics:14:' "$tmp/err")" 1 "  ... with the mistake on standard error"
head -11 "$tmp/own.metrics" > "$tmp/data/rooftop/metrics/own.metrics"
XDG_DATA_HOME=$tmp/data "$rooftop" $sim -m own --speed max -n 1 -c > "$tmp/out" 2> "$tmp/err"
is "$?$(head -1 "$tmp/out")$(wc -c < "$tmp/err")" 0t,mono_ns,window_ms,lost,sim,twice_busy,verdict,bound,share,headroom,verdict_kept0 "the user's folder is read"
# A renamed metric has its old name, too, in what programs read, and the new one alone in what people read.
XDG_DATA_HOME=$tmp/data "$rooftop" $sim -m own --speed max -n 1 -b > "$tmp/text" 2> "$tmp/err"
printf '    formerly double_busy 0.2\n' >> "$tmp/data/rooftop/metrics/own.metrics"
XDG_DATA_HOME=$tmp/data "$rooftop" $sim -m own --speed max -n 1 -c > "$tmp/out" 2> "$tmp/err"
is "$?$(cut -d, -f6,7 "$tmp/out" | sed '2s/^\([0-9.]*\),\1$/the same/')" "0twice_busy,double_busy
the same" "the old name of a metric is a column beside the new one"
XDG_DATA_HOME=$tmp/data "$rooftop" $sim -m own --speed max -n 1 -b > "$tmp/out" 2> "$tmp/err"
is "$(head -n 4 "$tmp/out")" "$(head -n 4 "$tmp/text")" "  ... and is not in the text"
gives 0 "a good file" metrics --check "$tmp/data/rooftop/metrics/own.metrics"
gives 1 "a file that does not exist" metrics --check "$tmp/none.metrics"
printf 'set x\0y\n' > "$tmp/nul.metrics"
gives 5 "a file with a NUL byte" metrics --check "$tmp/nul.metrics"
gives 1 "a broken XML file" $sim --metrics-xml "$tmp/own.metrics" --speed max -n 1 -c
is "$([ -s "$tmp/err" ] && echo told)" told "  ... and is told"
# Intel's sets, with each recording of a platform whose XML is there.
if oracle_has recordings '*.i915perf'; then
	used=0
	for recording in $oracle_files; do
		name=$(basename "$recording" .i915perf)
		xml=$ROOFTOP_ORACLE/xml/oa-${name#by-recorder-}.xml.gz
		[ -r "$xml" ] || continue
		used=$((used + 1))
		gives 0 "$name: the sets without Intel's" -r "$recording" -m help
		own=$(wc -l < "$tmp/out")
		gives 0 "  ... with Intel's" -r "$recording" --metrics-xml "$xml" -m help
		is "$([ "$(wc -l < "$tmp/out")" -gt "$own" ] && echo more)" more "  ... are more than $own lines"
		gives 0 "  ... and used for the recording" -r "$recording" --metrics-xml "$xml" --per-report -c
		is "$([ "$(wc -l < "$tmp/out")" -gt 100 ] && echo many)" many "  ... report by report"
	done
	is "$([ $used -gt 0 ] && echo some)" some "$used recordings with Intel's sets"
else
	skip 1 "there is no oracle: set ROOFTOP_ORACLE to its folder"
fi

gives 3 "doctor without a GPU" doctor --fsroot "$tmp"
is "$(grep -c -E '^  (metric files|simulated device|OA self-test|recordings) +ok ' "$tmp/out")" 4 "  ... finds the program itself in order"
# Whoever has a device that doctor opens, such as the processor, has read the user's files before the check does.
mkdir -p "$tmp/user/rooftop/metrics"
printf 'nonsense\n' > "$tmp/user/rooftop/metrics/bad.metrics"
for where in "" "--fsroot $tmp"; do
	XDG_DATA_HOME=$tmp/user "$rooftop" doctor $where > "$tmp/counted" 2> "$tmp/err"
	is "$? $(grep -c 'metric files .*problems 1$' "$tmp/counted")" "5 1" "doctor counts the problems of metric files ${where:+without a machine}"
done
# What configure did not find is named, and nothing else.
lacks=$(sed -n 's,^/\* #undef HAVE_\(LIBDRM\|PCIACCESS\|PAPI\|OPENCL\) \*/,\1,p' "$top_builddir/config.h" | wc -l)
is "$(grep -c '^  without [a-zA-Z]* *-- ' "$tmp/out")" "$lacks" "  ... and $lacks of its parts as not in this program"
is "$(tail -1 "$tmp/out")" "result: GPUs 0 of 0, processor 0 of 0 sources usable; no GPU of this machine can be read; recordings and simulated devices can.  exit status 3" \
	"  ... and says what was counted"
gives 3 "doctor --tap" doctor --tap --fsroot "$tmp"
is "$(grep -c '^not ok' "$tmp/out")" 0 "  ... the same"
good "  ... with a plan that fits" awk '/^(not )?ok/ { n++ } /^1\.\./ { plan = substr($0, 4) } END { exit !(n == plan && n > 3) }' "$tmp/out"
mkdir -p "$tmp/root/sys/class/drm/card0/device"
echo 0x8086 > "$tmp/root/sys/class/drm/card0/device/vendor"
echo 0x5916 > "$tmp/root/sys/class/drm/card0/device/device"
gives 3 "a card that cannot be read" doctor --fsroot "$tmp/root"
is "$(grep -c -E '^  counters +-- ' "$tmp/out")" 1 "  ... is listed with its reason"
gives 3 "and refused with the reason" -D card0 -b --fsroot "$tmp/root"
is "$(grep -c '^rooftop: card0: ' "$tmp/err")" 1 "  ... on one line"
# What hides something says so.
cat > "$tmp/twins.metrics" <<'END'
counter A0 cycle "busy"
set mine
platforms kblgt2
metric Foo
unit cycle
value A0
metric foo
unit cycle
value A0
set mine
platforms kblgt2 sklgt2
metric z
unit cycle
value A0
set mine
platforms bxt
metric z
unit cycle
value A0
END
gives 5 "sets and metrics of one name" metrics --check "$tmp/twins.metrics"
is "$(grep -c "twins.metrics:11.*set 'mine' of 'kblgt2' is in line 2, too" "$tmp/out") $(grep -c "twins.metrics:7: metric 'foo' has the name of 'Foo' in Prometheus: rooftop_foo" "$tmp/out") $(tail -1 "$tmp/out" | sed 's/.*problems//')" \
	"1 1  2" "  ... are told"
finish
