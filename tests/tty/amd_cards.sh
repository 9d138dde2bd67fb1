# SPDX-License-Identifier: GPL-3.0-or-later
# AMD cards of real machines, as users of LACT recorded their files: what the driver's binary table says agrees with the files beside it,
# which the kernel has scaled itself.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
cards=$top_srcdir/tests/fakekernel/lact_amd.txt
root=$tmp/machine
runs_on "$root"

# recorded MACHINE: its files below /sys, with the links that LACT did not record
recorded()
{
	rm -rf "$root"
	python3 - "$cards" "$1" "$root" > "$tmp/card" <<'END'
import base64, os, sys
rows = [line.rstrip('\n').split(' ', 3) for line in open(sys.argv[1]) if line.startswith(sys.argv[2] + ' ')]
root, card = sys.argv[3], rows[0][1]
files = {path[len('device/'):]: value for _, _, path, value in rows}
pairs = dict(p.split('=', 1) for p in files.get('uevent', '').split('/') if '=' in p)
slot = pairs.get('PCI_SLOT_NAME', '0000:03:00.0')
pci = f'{root}/sys/devices/pci0000:00/{slot}'
vendor, device = pairs.get('PCI_ID', '1002:73BF').split(':')
files.setdefault('vendor', '0x' + vendor)
files.setdefault('device', '0x' + device)
for path, value in files.items():
    os.makedirs(os.path.dirname(f'{pci}/{path}'), exist_ok=True)
    binary = value.startswith('base64:')
    with open(f'{pci}/{path}', 'wb') as f:
        f.write(base64.b64decode(value[7:]) if binary else (value.replace('/', '\n') if path != 'uevent' and 'pp_dpm' not in path and ' ' not in value
                else '\n'.join(value.split('/')) if path == 'uevent' or 'pp_dpm' in path else value).encode() + b'\n')
os.makedirs(f'{pci}/drm/{card}')
os.makedirs(f'{pci}/drm/renderD128')
os.makedirs(f'{root}/sys/class/drm')
os.makedirs(f'{root}/proc')
os.symlink(f'../../../{slot}', f'{pci}/drm/{card}/device')
os.symlink(f'../../devices/pci0000:00/{slot}/drm/{card}', f'{root}/sys/class/drm/{card}')
os.symlink('/sys/bus/pci/drivers/amdgpu', f'{pci}/driver')
print(card)
END
	card=$(cat "$tmp/card")
}

# card MACHINE NAME WANT...: it is listed by that, opens by itself, and its last window has these expressions
card()
{
	recorded "$1"
	known=$2
	gives 0 "$1" -L
	is "$(grep -c "^$card .*$known.* amdgpu .*ready" "$tmp/out")" 1 "  ... is listed as $known"
	gives 0 "  ... opens" -J -n 2 -d 0.1
	shift 2
	for want; do
		is "$(tail -1 "$tmp/out" | python3 -c "import json, sys
w = json.load(sys.stdin)
m, why, v = w['metrics'], w['why'], w['verdict']
print($want)")" True "  ... $want"
	done
}

# The table has whole watts and degrees on cards; hwmon may have been read a moment earlier.
alike="abs(m['power_socket'] - m['power_card']) <= max(1, 0.12 * m['power_card'])"
card rx6900xt "1002:73bf" "$alike" "m['temperature'] == 56" "abs(m['temperature_hot'] - 59) <= 1" "m['clock_gfx'] == m['clock_actual'] == 500" \
	"m['power_energy'] is None" "m['local_memory_used'] > 0.5"
card rx7600s "1002:7480" "$alike" "m['temperature_soc'] is None" "m['link_lanes_now'] == 8"
card rx7800xt "1002:747e" "$alike" "m['clock_gfx'] == m['clock_actual'] == 2011" "m['fan'] == 868" "m['gpu_busy'] == 2"
card rx9070 "1002:7550" "$alike" "m['clock_gfx'] == m['clock_actual'] == 900" "v['kind'] == 'partly_idle'" "m['power_energy'] is None"
# Processors: milliwatts and hundredths of a degree.
card phoenix "1002:15bf.*gfx11.0.1" "m['media_engines'] == 0" "$alike" "0 < m['power_gfx'] < m['power_socket']" "abs(m['temperature_soc'] - m['temperature']) < 5"
card strixpoint "1002:150e.*gfx11.5.0" "$alike" "0 < m['power_gfx'] < m['power_socket']" "abs(m['clock_gfx'] - m['clock_actual']) <= 2" \
	"m['clock_limit'] == 2900" "m['table_dram_read'] == 2.504 and 'table_dram_read' in w['estimated']"
# Parts without a table.
card vega56 "1002:687f" "m['temperature'] > 0" "m['power_socket'] is None"
card hd7870 "1002:6818" "m['temperature'] == 27"
card rx580 "1002:67df" "m['clock_actual'] is not None"

# MangoHud's tests say what it takes from these tables: power, clock, temperatures.
card mangohud "1002:744c" "m['power_socket'] == 33" "m['clock_gfx'] == 2165" "m['power_energy'] is None"
card mangohud-apu "1002:163f" "round(m['power_gfx'], 3) == 6.161" "round(m['power_cpu'], 3) == 9.235" "m['clock_gfx'] == 1040" "71 <= m['temperature_soc'] < 72"
recorded mangohud-invalid
gives 0 "a table that MangoHud calls invalid" doctor
is "$(grep -c "gpu_metrics  *[-N].*" "$tmp/out")" 1 "  ... is refused"

# A table that is cut, of another kind, or says something else of itself, costs its own numbers only.
recorded rx7800xt
table=$(find "$root/sys/devices" -name gpu_metrics)
cp "$table" "$tmp/table"
broken()
{
	gives 0 "$1" -J -n 2 -d 0.1
	is "$(tail -1 "$tmp/out" | python3 -c "import json, sys
m = json.load(sys.stdin)['metrics']
print(m['power_card'], m['power_socket'])")" "32 None" "  ... costs its own numbers only"
	gives 0 "  ... doctor" doctor
	is "$(grep -c "gpu_metrics  *[-N].*$2" "$tmp/out")" 1 "  ... says $2"
}
head -c 60 "$tmp/table" > "$table"
broken "half a table" "has 120 bytes, and has 60"
printf '\170\000\011\001' > "$table"
tail -c +5 "$tmp/table" >> "$table"
broken "a table of a format nobody knows" "unknown version 9.1"
printf '\020\000\001\003' > "$table"
tail -c +5 "$tmp/table" >> "$table"
broken "a table that is too small for its format" "1.3 has 16 bytes"
: > "$table"
broken "an empty table" "no header"
finish
