# SPDX-License-Identifier: GPL-3.0-or-later
# NVIDIA GPUs through the helper and a library that is the model behind NVIDIA's interface: values are those of the simulated card, the
# sentence too; old libraries, cards without GPM, sleep, processes.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakenvml/lib.sh"
python=$(command -v python3)

# window NAME EXPRESSION...: what holds in one window, the last one in $tmp/out
window()
{
	what=$1
	shift
	printf '%s\n' "$@" > "$tmp/wants"
	settles "$(sed 's/.*/True/' "$tmp/wants")" hold -d 0.5
	point $status "$what"
	number=0
	for want; do
		number=$((number + 1))
		is "$(sed -n ${number}p "$tmp/said")" True "  ... $want"
	done
}

# hold: whether each of them does
hold()
{
	tail -1 "$tmp/out" | "$python" -c "import json, sys
w = json.load(sys.stdin)
m, why, v = w['metrics'], w['why'], w['verdict']
for want in open(sys.argv[1]):
    print(eval(want))" "$tmp/wants"
}

card h100,load=fma
gives 0 "the GPU without a DRM card is listed" -L
is "$(grep -c '^nvidia0 .*NVIDIA Test Card.*nvidia .*ready' "$tmp/out")" 1 "  ... by its node, as the driver names it"
is "$(grep -A1 '^nvidia0 ' "$tmp/out" | tail -1)" '    Driver 550.163.01, UUID GPU-11111111-0000-0000-0000-000000000001' "  ... with driver and UUID, without asking the library"
gives 0 "windows" -J -n 1 -d 0.2
is "$(head -1 "$tmp/out" | grep -o '"about":{[^}]*}')" \
	'"about":{"driver_version":"550.0.fake","uuid":"GPU-00000000-0000-0000-0000-000000000001","cuda_version":"12.4"}' "  ... say what the library tells of itself"
rm "$root/usr/lib/libnvidia-ml.so.1"
gives 0 "without the library" -L
is "$(grep -c '^nvidia0 .*not ready$' "$tmp/out")$(grep -c "NVIDIA's library is not installed" "$tmp/out")" 11 "  ... it is not ready, with the reason"
card h100,load=fma drm
gives 0 "with one it is listed once" -L
is "$(grep -c 'nvidia' "$tmp/out")" 1 "  ... as that card"
is "$(grep -c '^card0 ' "$tmp/out")" 1 "  ... by its name"

# Every value is the simulated card's, but for what the interface rounds.
cat > "$tmp/modelled.py" <<'END'
import json, sys
live, model = (json.loads(open(f).read().splitlines()[-1]) for f in sys.argv[1:3])
coarse = {'gpu_busy': 1, 'memory_busy': 1, 'sm_occupancy': 0.1, 'temperature': 0.6, 'temperature_vram': 0.6, 'dram_total': 3.4, 'energy_card': None,
          'ecc_corrected': None, 'power_card': 1, 'memory_used': 0.6, 'ai_dram': None, 'gflops_per_watt': None}
# Windows of the host's clock hold a little more or less.
bad, n = [], 0
for name, v in model['metrics'].items():
    w = live['metrics'].get(name)
    if v is None or w is None:
        if (v is None) != (w is None) and coarse.get(name, 0) is not None:
            bad.append(f'{name}: {w} instead of {v}')
        continue
    room = coarse.get(name, 0)
    if room is None:
        continue
    n += 1
    if abs(w - v) > room + 0.03 * abs(v):
        bad.append(f'{name}: {w} instead of {v}')
print(f'{n >= 30} {"; ".join(bad)}'.strip())
a, b = ([w['verdict'][key] for key in ('kind', 'bound')] for w in (live, model))
print(a == b or f'{a} instead of {b}')
END
for load in stream fma gemm fewgroups chase launches dp hp integer upload allreduce idle; do
	card "h100,load=$load"
	api=13
	write_program
	"$there" -J -n 3 -d 0.5 -D "sim:h100,load=$load" --speed max > "$tmp/model" 2> /dev/null
	settles "True
True" "$python $tmp/modelled.py $tmp/out $tmp/model" -d 0.5 -D nvidia0
	is "$(sed -n 1p "$tmp/said")" True "$load: values through the library are the model's"
	is "$(sed -n 2p "$tmp/said")" True "$load: and so is what limits it"
done
api=

# The roofline holds the point against the roof of what runs: one device, one headroom.
for load in stream fma dp hp gemm; do
	"$there" roofline -D "sim:h100,load=$load" -c > "$tmp/roofline" 2> /dev/null < /dev/null
	"$there" -D "sim:h100,load=$load" --speed max -J -n 2 -d 0.5 2> /dev/null < /dev/null | tail -1 > "$tmp/window"
	"$python" - "$tmp/roofline" "$tmp/window" > "$tmp/out" <<'END'
import csv, json, sys
lines = [l for l in open(sys.argv[1]) if not l.startswith('#')]
rows = list(csv.DictReader(lines))
point = [r for r in rows if 'point' in r.values()][0]
verdict = json.load(open(sys.argv[2]))['verdict']
clock = 1980 / 1800 if verdict['kind'] == 'power' else 1     # a lowered clock is no matter of the roofline
print(abs(float(point['headroom']) * clock / verdict['headroom'] - 1) < 0.02, point['headroom'], verdict['headroom'])
END
	is "$(cut -d' ' -f1 "$tmp/out")" True "$load: the roofline's headroom is the answer's ($(cat "$tmp/out"))"
done

card h100,load=gemm
window "shares in tenths of a per cent" "m['pipe_tensor'] > 50" "m['throttle_power'] > 99" "v['kind'] == 'power'"
export ROOFTOP_FAKE_XIDS=3 ROOFTOP_FAKE_VIDEO=37
window "errors, and video" "m['xids'] == 3" "abs(m['encoder_busy'] - 37) < 0.01" "abs(m['decoder_busy'] - 37) < 0.01" "m['ecc_corrected'] == 3" "m['ecc_uncorrected'] == 0"
unset ROOFTOP_FAKE_XIDS ROOFTOP_FAKE_VIDEO
# ecc VERDICTS: of both kinds of errors, as check tells them
ecc()
{
	is "$(sed -n 's/.*"check":"\(ecc[^"]*\)".*"value":\([^,]*\),.*"verdict":"\([^"]*\)".*/\1 \2 \3/p' "$tmp/out" | tr '\n' ' ')" "$1" "  ... $1"
}
gives 0 "errors that were corrected are told" check nvidia0 -J
ecc "ecc.uncorrected 0 ok ecc.corrected 3 info "
good "  ... as no fault" grep -q '"check":"ecc.corrected".*were corrected, which is no fault' "$tmp/out"
# xids VERDICT: whether there were errors of the driver, as check tells it
xids()
{
	is "$(sed -n 's/.*"check":"xids","value":\([^,]*\),.*"verdict":"\([^"]*\)".*/\1 \2/p' "$tmp/out")" "$1" "  ... $1"
}
xids "0 ok"
export ROOFTOP_FAKE_XIDS=3
gives 5 "an error that the driver reports meanwhile is a failure" check nvidia0 -J
xids "3 failed"
unset ROOFTOP_FAKE_XIDS
export ROOFTOP_FAKE_ECC=2
gives 5 "errors that were not corrected are a failure" check nvidia0 -J
ecc "ecc.uncorrected 2 failed ecc.corrected 3 info "
unset ROOFTOP_FAKE_ECC
card rtx4090,load=stream
window "a card without GPM" "m['gpu_busy'] == 100" "m['pipe_fp32'] is None" "why['pipe_fp32'] in ('no_source', 'unsupported')" "m['power_card'] > 50" \
	"'dram_total' not in [x for x in m if m[x] is not None]"
# Without counters it still says what holds the clock, or that work is missing.
card rtx4090,load=gemm
window "a card without GPM at its power limit and 99 % of its clock" "v['kind'] == 'no_counters'" "'power limit' in v['because'][0]"
export ROOFTOP_FAKE_REASONS=0x4 ROOFTOP_FAKE_MHZ=2044
window "  ... and at 81 %" "v['kind'] == 'power'" "v['bound'] == 'card'" "'at_most' in v['flags']"
card rtx4090,load=fma
export ROOFTOP_FAKE_REASONS=0x40 ROOFTOP_FAKE_MHZ=1500
# What its link moves says nothing of the work: whether that follows the clock is not known.
window "  ... that is too hot" "v['kind'] == 'heat'" "abs(v['share'] - 1500 / 2520) < 0.01" "v['headroom'] is None"
ROOFTOP_FAKE_REASONS=0x2
window "  ... whose clock is set" "v['kind'] == 'clock'" "\"a setting keeps the clock below the device's maximum\" in v['because']"
ROOFTOP_FAKE_REASONS=0
window "  ... whose clock is low, and nobody says why" "v['kind'] == 'no_counters'"
unset ROOFTOP_FAKE_REASONS ROOFTOP_FAKE_MHZ
card rtx4090,load=launches
window "  ... that waits for work" "v['kind'] in ('partly_idle', 'host')"
card rtx4090,load=idle
window "  ... that has none" "v['kind'] == 'idle'"
library=libnvidia-ml-old.so.1
card h100,load=fma
window "a library of driver 418" "m['gpu_busy'] == 100" "m['pipe_fp32'] is None" "m['clock_actual'] == 1980" "m['memory_used'] > 4" "m['power_card'] > 100"
library=libnvidia-ml.so.1


# What is measured twice has to agree.
card h100,load=gemm
export ROOFTOP_FAKE_JOULES=1
window "an energy in another unit than the power" "m['energy_card'] is None" "why['energy_card'] == 'disagrees'" "m['power_card'] > 100"
unset ROOFTOP_FAKE_JOULES
# Busy time against the sum of the processes, which is a part of it; both are means over times of their own, so that it takes some seconds.
card rtx4090,load=fma
export ROOFTOP_FAKE_BUSY=1
window "a busy share a hundredth of its processes', once it lasts" "m['gpu_busy'] is None" "why['gpu_busy'] == 'disagrees'"
is "$(grep -c '"gpu_busy":1,' "$tmp/out" | awk '{ print ($1 > 0) }')" 1 "  ... was shown at first"
unset ROOFTOP_FAKE_BUSY
# What the link cannot carry is no number of its bytes, by counters of 64 bits, too.
card h100,load=stream
export ROOFTOP_FAKE_LINK=200 ROOFTOP_FAKE_WIDE=1
window "bytes beyond the link's speed, beside rates" "m['pcie_sent'] == m['pcie_received'] == 0"
fault 'nvmlDeviceGetPcieThroughput=3,nvmlGpmQueryDeviceSupport=3'
window "  ... and alone" "m['pcie_sent'] is None" "why['pcie_sent'] == why['pcie_received'] == 'disagrees'"
export ROOFTOP_FAKE_LINK=none
window "all bits of a counter are set: it has no number" "m['pcie_sent'] is m['pcie_received'] is None"
fault ''
unset ROOFTOP_FAKE_LINK ROOFTOP_FAKE_WIDE

# Two GPUs without cards: their names are those of their places on the bus, whichever sleeps.
second=0000:41:00.0
two()
{
	card h100,load=fma
	mkdir -p "$root/sys/devices/pci0000:40/$second/power" "$root/proc/driver/nvidia/gpus/$second"
	cp "$pci"/vendor "$pci"/device "$pci"/revision "$root/sys/devices/pci0000:40/$second/"
	echo active > "$root/sys/devices/pci0000:40/$second/power/runtime_status"
	ln -s "../../../../devices/pci0000:40/$second" "$root/sys/bus/pci/drivers/nvidia/$second"
	ln -s "../../../devices/pci0000:40/$second" "$root/sys/bus/pci/devices/$second"
	printf 'Device Minor: \t 0\n' > "$root/proc/driver/nvidia/gpus/$second/information"
	printf 'Device Minor: \t 1\n' > "$root/proc/driver/nvidia/gpus/$address/information"
}
for asleep in none pci0000:00/$address pci0000:40/$second; do
	two
	[ $asleep = none ] || echo suspended > "$root/sys/devices/$asleep/power/runtime_status"
	gives 0 "two GPUs, asleep: $asleep" -L -J
	is "$(grep '"device":"nvidia' "$tmp/out" | grep -o '"device":"[^"]*"\|"pci":"[^"]*"' | cut -d: -f2- | tr -d '"' | tr '\n' ' ')" \
		"nvidia0 $address nvidia1 $second " "  ... have the same names"
done

# The link: 32 bits come around every 68 ms at the speed of this one. A number is right, or there is none.
# link GB/S DELAY
link()
{
	export ROOFTOP_FAKE_LINK=$1
	gives 0 "$1 GB/s over PCIe, windows of $2 s" -J -n 3 -d "$2"
	is "$(tail -1 "$tmp/out" | "$python" -c "import json, sys
w = json.load(sys.stdin)
for name in 'pcie_sent', 'pcie_received':
    v = w['metrics'][name]
    if (v is None and w['why'][name] not in ('gap', 'not_yet')) or (v is not None and abs(v / $1 - 1) > 0.03):
        print(name, v, w['why'].get(name))")" "" "  ... are told, or nothing is"
	unset ROOFTOP_FAKE_LINK
}
card h100,load=idle
fault 'nvmlDeviceGetPcieThroughput=3,nvmlGpmQueryDeviceSupport=3'
link 0.5 1
# A busy machine may read too late in each of three windows, but not for ever.
ROOFTOP_FAKE_LINK=0.5 "$rooftop" -J -o "$tmp/slow" -d 0.1 > "$tmp/out" 2> "$tmp/err" < /dev/null &
process=$!
patient $process lines 3 '"pcie_received":0[.]\(49\|50\).*"pcie_sent":0[.]\(49\|50\)' "$tmp/slow"
point $? "  ... but numbers come"
kill $process
wait $process 2> /dev/null
link 12 4
link 25 1
link 50 0.5
link 60 2
card h100,load=upload
fault 'nvmlDeviceGetFieldValues=3'
window "bytes of the link where nobody counts them" "m['pcie_received'] > 10" "m['pcie_sent'] is not None"
fault 'nvmlDeviceGetFieldValues=3,nvmlGpmQueryDeviceSupport=3'
window "  ... and without GPM" "m['pcie_received'] > 10" "m['pcie_sent'] is not None"
fault ''

# Tensor units: both kinds of FP64, and a type that nobody tells.
card h100,load=gemm
export ROOFTOP_FAKE_GPM=5=77,8=77
window "matrix instructions in FP64" "abs(m['pipe_tensor_fp64'] - 77) < 0.01" "m['flop_tensor_per_cycle'] > 10000"
export ROOFTOP_FAKE_GPM=5=77
window "a type that the GPU does not tell" "abs(m['pipe_tensor'] - 77) < 0.01" "m['flop_tensor_per_cycle'] is None" "m['pipe_tensor_fp64'] is None" "m['gflops_most'] > 100000"
unset ROOFTOP_FAKE_GPM
export ROOFTOP_FAKE_REASONS=0x100
window "a clock that the displays hold" "m['throttle_setting'] > 99"
unset ROOFTOP_FAKE_REASONS

# A GB10: its SMs are those of its kin, and its memory, which the library says nothing of, is in a data sheet.
sed -e 's/^product_name .*/product_name NVIDIA GB10/; s/^cc .*/cc 12.1/; s/^cores .*/cores 6144/; s/^max_sm_clock .*/max_sm_clock 2418/' \
	-e '/^bus_bits\|^max_mem_clock/d' "$top_srcdir/tests/fakenvml/recorded/rtx4000sff.card" > "$tmp/gb10.card"
export ROOFTOP_FAKE_CARD="$tmp/gb10.card"
gives 0 "the roofs of a GB10" roofline -c
is "$(awk -F, '$2 == "sp.mad" || $2 == "DRAM" && $1 == "roof" { printf "%s %d ", $2, $11 }' "$tmp/out")" "sp.mad 29712 DRAM 273 " "  ... by its kin and its data sheet"
unset ROOFTOP_FAKE_CARD

# Rows of processes are longer with drivers 535.43 to 535.86; a list of more than 256 is asked for once more.
card h100,load=stream
for row in 24 32; do
	export ROOFTOP_FAKE_PROCESSES=6 ROOFTOP_FAKE_ROW=$row
	gives 0 "six processes in rows of $row bytes" -J -n 2 -d 1.2 --clients
	is "$(tail -1 "$tmp/out" | "$python" -c "import json, sys
print(sorted((c['pid'], round(c['resident_bytes'] / 2 ** 29)) for c in json.load(sys.stdin)['clients'] if c['resident_bytes']))")" \
		"[(1000, 1), (1001, 2), (1002, 3), (1003, 4), (1004, 5), (1005, 6)]" "  ... with their memory"
done
export ROOFTOP_FAKE_PROCESSES=300
gives 0 "300 processes" -J -n 2 -d 1.2 --clients
is "$(tail -1 "$tmp/out" | "$python" -c "import json, sys
print(len(json.load(sys.stdin)['clients']) >= 256)")" True "  ... are not too many"
unset ROOFTOP_FAKE_PROCESSES ROOFTOP_FAKE_ROW

card h100,load=stream
gives 0 "processes" -b -n 2 -d 1.2 --clients
says out 4194303 "  ... one that is not of this machine has its number"
# The other one is the caller, which --fsroot has no file of, unless it is given.
printf 'size 120x30\nwait 3\nkey 5\nwait 2\nsave-screen %s\n' "$tmp/shot" > "$tmp/script"
gives 0 "in a container" --script "$tmp/script"
says shot 'PID of the host: start the container with --pid=host' "  ... it says what names need"
"$there" -D sim:h100,load=stream --speed max -b -n 2 -d 0.5 --clients > "$tmp/out" 2> /dev/null
says out 'load stream' "the load of a simulated card is a process"
"$there" -D sim:h100,load=idle --speed max -b -n 2 -d 0.5 --clients > "$tmp/out" 2> /dev/null
is "$(grep -c 'load idle' "$tmp/out")" 0 "  ... and none that is idle"

card h100,load=fma
echo suspended > "$pci/power/runtime_status"
fault '*=exit'	# whoever asks the library of a card that sleeps ends here
gives 0 "a GPU that sleeps is left asleep" -b -n 2 -d 0.2
says out ASLEEP "  ... and the answer says so"
fault ''

# A command that outlives the card's waking hours: totals are of the time that was measured. It looks at what is recorded of it: two more windows
# with watts, and two without.
card h100,load=stream DRM
cat > "$tmp/outlives" <<END
windows_with()
{
	"$there" -r "$tmp/outlives.rec" -J --speed max 2> /dev/null | grep -c "\"power_card\":\$1"
}
two_more_with()
{
	before=\$(windows_with "\$1")
	while [ "\$(windows_with "\$1")" -lt \$((before + 2)) ]; do
		sleep 0.02
	done
}
two_more_with '[0-9]'
echo suspended > "$pci/power/runtime_status"
two_more_with null
END
gives 0 "a GPU that falls asleep under a command" run -D card0 -d 0.1 --json -o "$tmp/run" -w "$tmp/outlives.rec" -- \
	sh "$tmp/outlives"
is "$(python3 -c "import json, sys
head, *rows = map(json.loads, open(sys.argv[1]))
row = {l.get('metric'): l for l in rows}['power_card']
print(row['why'], 0 < row['measured_share'] < 1, abs(row['total'] / row['mean'] / row['measured_share'] / head['seconds'] - 1) < 0.2)" "$tmp/run")" \
	"asleep True True" "  ... costs what was measured"

card h100,load=fma
rm "$root/usr/lib/libnvidia-ml.so.1"
gives 1 "without the library" -b -n 1 -d 0.2
says err "NVIDIA's library cannot be loaded" "  ... it says so"
says err "install the library" "  ... and what helps"
says out 'NO COUNTERS' "  ... and the answer is that nothing is counted"

finish
