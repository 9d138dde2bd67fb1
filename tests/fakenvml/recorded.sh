# SPDX-License-Identifier: GPL-3.0-or-later
# What nvidia-smi said of real cards, in files of other projects, is what rooftop says of them through NVIDIA's interface: values, what
# they do not tell, instances (MIG), and the answer.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakenvml/lib.sh"
python=$(command -v python3)

cat > "$tmp/recorded.py" <<'END'
import json, sys
card = dict(line.rstrip('\n').split(' ', 1) for line in open(sys.argv[1]))
lines = [json.loads(line) for line in open(sys.argv[2])]
about, last = lines[0]['about'], lines[-1]
m, why, verdict = last['metrics'], last['why'], last['verdict']
names = {'gpu_util': ('gpu_busy', 1), 'memory_util': ('memory_busy', 1), 'encoder_util': ('encoder_busy', 1), 'decoder_util': ('decoder_busy', 1),
         'sm_clock': ('clock_actual', 1), 'mem_clock': ('memory_clock', 1), 'power_draw': ('power_card', 1), 'gpu_temp': ('temperature', 1),
         'memory_temp': ('temperature_vram', 1), 'fan_speed': ('fan_share', 1), 'performance_state': ('performance_state', 1),
         'memory_used': ('memory_used', 1024 ** 2 / 1e9), 'ecc_corrected': ('ecc_corrected', 1), 'ecc_uncorrected': ('ecc_uncorrected', 1),
         'current_link_width': ('link_lanes_now', 1)}
bad = []
for key, (name, factor) in names.items():
    if card[key] == 'N/A':
        if m[name] is not None or not why.get(name):
            bad.append(f'{name}: {m[name]} where the card says nothing')
    elif m[name] is None or abs(m[name] - float(card[key]) * factor) > 0.01:
        bad.append(f'{name}: {m[name]} instead of {card[key]}')
rate = {1: 2.5, 3: 8, 4: 16}[int(card['current_link_gen'])]
if m['link_speed'] != rate:
    bad.append(f'link speed {m["link_speed"]}')
if about['uuid'] != card['uuid']:
    bad.append(f'UUID {about["uuid"]}')
if verdict['kind'] != sys.argv[3]:
    bad.append(f'answer {verdict["kind"]}: {verdict["sentence"]}')
cells = [c for c in last.get('cells', []) if c['scope'] == 'instance']
parts = [p.split(':') for p in card['mig'].split(',')] if 'mig' in card else []
if bool(cells) != bool(parts):
    bad.append(f'{len(parts)} instances, cells {cells}')
if cells and parts:
    v = cells[0]['values']
    if [int(p[2]) for p in parts] != v['mig_sms'] or [int(p[1]) for p in parts] != v['mig_slices']:
        bad.append(f'SMs {v["mig_sms"]}')
    if any(abs(int(p[4]) * 2 ** 20 / 1e9 - have) > 1e-6 for p, have in zip(parts, v['mig_memory_used'])):
        bad.append(f'memory {v["mig_memory_used"]}')
    if any(x is not None for x in v['mig_sm_busy']):
        bad.append('a monitor that Ampere does not have')
print('; '.join(bad) or 'same')
END

# recorded CARD KIND: its values, and the kind of the answer
recorded()
{
	card h100,load=fma
	export ROOFTOP_FAKE_CARD="$top_srcdir/tests/fakenvml/recorded/$1.card"
	settles same "$python $tmp/recorded.py $ROOFTOP_FAKE_CARD $tmp/out $2" -d 0.4
	point $status "$1"
	is "$(cat "$tmp/said")" same "  ... says what nvidia-smi said, and the answer is $2"
}

recorded t4 idle
recorded a10g idle
recorded rtx4000sff idle
# Its link is slow because it is idle, which is no fault.
gives 0 "  ... whose link is told" check nvidia0 -c
is "$(sed -n 's/.*,link.speed,[0-9.]*,.*,\(not_measured\),.*--level 2 looks.*/\1/p' "$tmp/out")" not_measured "  ... and not blamed"
# 65 % at 1950 of 2100 MHz
recorded rtx3080 partly_idle
# What is past of the link is its traffic, which this card does not tell, and not its lanes.
printf '%s\n' 'size 120x40' 'wait 2' 'save-screen -' > "$tmp/look.script"
gives 0 "the screen of an RTX 3080" -d 0.3 --script "$tmp/look.script"
is "$(grep -c '^│ clock  *1950 MHz' "$tmp/out") $(grep -c '% roof' "$tmp/out")" "1 0" "  ... has no roof in its past"
recorded a100-mig no_counters
says out '"1:1g.20gb"' "  ... instances have their profiles"

# An idle card with half of its lanes: the link is told as it is.
unset ROOFTOP_FAKE_CARD

# Instances of the performance monitor: the third does a third of the work.
card h100,load=fma
export ROOFTOP_FAKE_MIG=1:4:64:40448:20000:4g.40gb,2:2:32:20096:500:2g.20gb,3:1:16:9984:13:1g.10gb
cat > "$tmp/divided.py" <<'END'
import json, sys
last = json.loads(open(sys.argv[1]).read().splitlines()[-1])
cells = [c for c in last['cells'] if c['scope'] == 'instance'][0]
v = cells['values']
busy, sp = v['mig_busy'], v['mig_fp32']
print(cells['names'] == ['0:4g.40gb', '1:2g.20gb', '2:1g.10gb'], abs(busy[0] - 100) < 0.2, abs(busy[2] - 100 / 3) < 0.2, abs(sp[1] - sp[0] / 2) < 0.2,
      v['mig_slices'] == [4, 2, 1], v['mig_processes'] == [2, 0, 0], abs(last['metrics']['gpu_busy'] - 100) < 0.3)
END
settles "True True True True True True True" "$python $tmp/divided.py $tmp/out" -d 0.5
point $status "a divided card with GPM"
is "$(cat "$tmp/said")" "True True True True True True True" "  ... has numbers, slices, memory and processes of each instance"
# It says what the simulated one says, and no means over instances are taken for a share of a roof.
unset ROOFTOP_FAKE_MIG
cat > "$tmp/alike.py" <<'END'
import json, sys
live, model = (json.loads(open(f).read().splitlines()[-1]) for f in sys.argv[1:3])
a, b = live['verdict'], model['verdict']
print(a['kind'] == b['kind'], a['bound'] == b['bound'], (a['headroom'] is None) == (b['headroom'] is None))
why = [{k: v for k, v in w['why'].items() if v == 'divided'} for w in (live, model)]
print(why[0] == why[1], len(why[0]) > 15, live['metrics']['memory_busy'] is None)
cells = [[c for c in w['cells'] if c['scope'] == 'instance'][0]['values'] for w in (live, model)]
print([k for k in cells[1] if k != 'mig_processes' and any(abs(x - y) > 0.7 + 0.02 * y for x, y in zip(cells[0][k], cells[1][k]))])
END
alike="True True True
True True True
[]"
for load in fma launches upload idle; do
	card "h100,mig=421,load=$load"
	"$there" -J -n 3 -d 0.5 -D "sim:h100,mig=421,load=$load" --speed max > "$tmp/model" 2> /dev/null < /dev/null
	settles "$alike" "$python $tmp/alike.py $tmp/out $tmp/model" -d 0.5 -D nvidia0
	is "$(cat "$tmp/said")" "$alike" "a divided card with $load says what the simulated one says, and which of its values instances alone have"
done
# Roofs of the whole say that it is divided, and the answer and they name the instance that works most.
gives 0 "the roofline of a divided card" roofline -D sim:h100,mig=421,load=fma
is "$(grep -c 'the card is divided (MIG).*the busiest on the map is 0:4g.40gb' "$tmp/out"):$(grep -c 'is not known' "$tmp/out")" 6:0 "  ... says so, and names the busiest instance"
gives 0 "the answer of a divided card" -b -n 1 -d 0.5 --speed max -D sim:h100,mig=124,load=fma
says out 'DIVIDED: the busiest instance, 0:1g.10gb, 100 % busy, is limited by FP32 pipes, 9' "  ... names the busiest instance and its limit"
export ROOFTOP_FAKE_WHOLE=1
card h100,mig=421,load=fma
gives 0 "a divided card whose monitor tells means" -J -n 3 -d 0.5
is "$(tail -1 "$tmp/out" | "$python" -c 'import json, sys; w = json.loads(sys.stdin.read()); print(w["verdict"]["kind"], w["verdict"]["headroom"], w["metrics"]["pipe_fp32"] > 50, w["metrics"]["flop_sp_per_cycle"])')" \
	"no_counters None True None" "  ... has neither headroom nor a roof"
unset ROOFTOP_FAKE_WHOLE
# An instance is taken away: that is said.
card h100,load=fma
export ROOFTOP_FAKE_MIG=1:4:64:40448:20000:4g.40gb,2:2:32:20096:500:2g.20gb,3:1:16:9984:13:1g.10gb
export ROOFTOP_FAKE_MIG_MS=700
"$rooftop" -J -n 5 -d 0.5 > "$tmp/out" 2> "$tmp/err" < /dev/null
says err 'the GPU was divided anew (MIG)' "a card that is divided anew says so"
unset ROOFTOP_FAKE_MIG_MS
# The screen follows, whatever is made of the card.
export ROOFTOP_FAKE_MIG="$tmp/instances"
PYTHONUNBUFFERED=1 PYTHONPATH="$top_srcdir/tests/tty" "$python" -B "$top_srcdir/tests/fakenvml/divided.py" "$rooftop" "$tmp" "$ROOFTOP_FAKE_MIG" > "$tmp/points"
relay "$tmp/points"
is "$(wc -l < "$tmp/points")" 7 "all looks at a card that is divided anew"
unset ROOFTOP_FAKE_MIG
finish
