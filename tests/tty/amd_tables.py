# SPDX-License-Identifier: GPL-3.0-or-later
"""Every version of amdgpu's table, written by what a compiler makes of the kernel's header: each field arrives in its unit. TAP on standard
output."""
import json
import os
import subprocess
import sys

from tap import ROOFTOP, finish, home, ok

top = os.environ['top_srcdir']
fakes = os.path.join(top, 'tests/fakekernel')
sys.path.insert(0, fakes)
import gpu_metrics      # noqa: E402

root = os.path.join(home, 'machine')
pci = os.path.join(root, 'sys/devices/pci0000:00/0000:03:00.0')
core = os.path.join(pci, 'ip_discovery/die/0/11/0')


def write(path, data):
    """In one step: the program never sees half of it."""
    with open(path + '.new', 'wb') as f:
        f.write(data)
    os.replace(path + '.new', path)


def make_machine():
    for path in (os.path.join(pci, 'drm/card0'), os.path.join(root, 'sys/class/drm'), os.path.join(root, 'proc'), core):
        os.makedirs(path)
    os.symlink('../../../0000:03:00.0', os.path.join(pci, 'drm/card0/device'))
    os.symlink('../../devices/pci0000:00/0000:03:00.0/drm/card0', os.path.join(root, 'sys/class/drm/card0'))
    os.symlink('/sys/bus/pci/drivers/amdgpu', os.path.join(pci, 'driver'))
    write(os.path.join(pci, 'vendor'), b'0x1002\n')
    for name, number in (('major', 9), ('minor', 4), ('revision', 3)):      # MI300, whose energy has a known unit
        write(os.path.join(core, name), b'%d\n' % number)


def table(version, fields, change=None):
    """It is the card's. change: what is done to its bytes."""
    data = bytearray(gpu_metrics.made(version, {n: v if isinstance(v, list) else [v] for n, v in fields.items()}))
    write(os.path.join(pci, 'gpu_metrics'), change(data) if change else data)


def said(*words):
    run = subprocess.run([ROOFTOP, '--fsroot', root, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def last(name):
    """The last of two windows."""
    status, out, err = said('-J', '-n', '2', '-d', '0.1')
    ok(status == 0, name, err)
    return json.loads(out.splitlines()[-1])['metrics'] if status == 0 else {}


def same(got, want, name):
    ok(got == want, name, 'got %s, want %s' % (got, want))


WORDS = ('temperature_soc', 'clock_gfx', 'clock_soc', 'power_socket', 'media_busy')


def gives(version, want, **fields):
    """The table has these fields, and the program says hottest place, clocks, power and media."""
    table(version, fields)
    m = last('a table ' + version)
    same([m.get(n) for n in WORDS], want, '  ... arrives')


def moves(version, first, second):
    """Two sets of fields, each there for two windows at least, and all windows. What accumulates is a difference over that
    window in which the table changed."""
    table(version, first)
    p = subprocess.Popen([ROOFTOP, '--fsroot', root, '-J', '-d', '0.2'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    lines = [p.stdout.readline() for _ in range(2)]
    table(version, second)
    lines += [p.stdout.readline() for _ in range(2)]
    p.terminate()
    lines += p.stdout.read().splitlines()
    p.wait()
    return [json.loads(line) for line in lines[1:] if line.strip()]


def highest(windows, name):
    return max(w['metrics'][name] or 0 for w in windows)


make_machine()
cards = {'temperature_vrsoc': 61, 'average_gfx_activity': 97}
for version in ('1.0', '1.1', '1.2', '1.3'):
    gives(version, [61, 2044, 1200, 203, 12], **cards, average_socket_power=203, current_gfxclk=2044, current_socclk=1200, average_mm_activity=12)
for version in ('1.4', '1.5'):
    gives(version, [61, 2100, 1201, 550, 40], **cards, curr_socket_power=550, current_gfxclk=[1900, 2100, 1950], current_socclk=[1201, 1100],
          vcn_activity=[3, 40])
for version in ('1.6', '1.7', '1.8', '1.9'):
    gives(version, [61, 2100, 1201, 550, None], **cards, curr_socket_power=550, current_gfxclk=[1900, 2100, 1950], current_socclk=[1201, 1100])
for version in ('2.0', '2.1', '2.2', '2.3', '2.4'):
    gives(version, [61.5, 2044, 1200, 15.25, None], temperature_soc=6150, average_socket_power=15250, current_gfxclk=2044, current_socclk=1200)
    table(version, {'average_gfxclk_frequency': 800, 'average_gfx_power': 585})
    m = last('  ... without clocks of the moment')
    same((m.get('clock_gfx'), m.get('power_gfx')), (800, 0.585), '  ... tells the mean')
gives('3.0', [61.5, 2044, 1200, 75.25, 0.5], temperature_soc=6150, average_socket_power=75250, average_gfxclk_frequency=2044,
      average_socclk_frequency=1200, average_vcn_activity=50)

common = {'temperature_hotspot': 50, 'energy_accumulator': 1000000, 'xgmi_read_data_acc': [10, 20, 30], 'xgmi_write_data_acc': 0,
          'pcie_replay_count_acc': 5}
later = {'temperature_hotspot': 50, 'energy_accumulator': 4276800, 'xgmi_read_data_acc': [10000010, 20, 20000030], 'xgmi_write_data_acc': 1000,
         'pcie_replay_count_acc': 5}
held = {'accumulation_counter': 1000, 'prochot_residency_acc': 0, 'ppt_residency_acc': 100, 'socket_thm_residency_acc': 7,
        'vr_thm_residency_acc': 0, 'hbm_thm_residency_acc': 0}
held_later = {**held, 'accumulation_counter': 1100, 'ppt_residency_acc': 125, 'socket_thm_residency_acc': 17}
for version in ('1.4', '1.5', '1.6', '1.7', '1.8', '1.9', '1.9 in parts'):
    number, _, parts = version.partition(' ')
    has_held = number not in ('1.4', '1.5')
    first, second = {**common, **(held if has_held else {})}, {**later, **(held_later if has_held else {})}
    if parts:       # what accumulates is the sum of the places that tell it
        first['energy_accumulator'], second['energy_accumulator'] = [600000, 400000], [2276800, 2000000]
    windows = moves(number, {**first, 'pcie_bandwidth_inst': 3}, {**second, 'pcie_bandwidth_inst': 12})
    # 50 J and 30 GB in a window of 0.2 s, or a longer one on a busy machine: their ratio is the same.
    energy, read = highest(windows, 'power_energy'), highest(windows, 'xgmi_read')
    ok(energy > 0 and 0.599 < read / energy < 0.601, version + ': energy and bytes over XGMI are those of one window', '%s %s' % (energy, read))
    same([windows[-1]['metrics'][n] for n in ('pcie_traffic', 'link_replays')], [12, 0], '  ... PCIe and its replays')
    if has_held:
        shares = [highest(windows, n) for n in ('throttle_power', 'throttle_heat')]
        ok(abs(shares[0] - 25) < 0.01 and abs(shares[1] - 10) < 0.01, '  ... shares of throttling', str(shares))
windows = moves('1.6', {**held, 'accumulation_counter': 3000000000}, held)
same({w['metrics']['throttle_heat'] for w in windows}, {None}, 'a card that was reset after five weeks tells nothing of that window')
# The socket has 99 W: an energy that counts thousandths of what is known, or thousands, is in another unit.
for joules, name in ((1001297, 'a thousandth of'), (3277800000, 'a thousand times')):
    windows = moves('1.6', {'curr_socket_power': 99, 'energy_accumulator': 1000000}, {'curr_socket_power': 99, 'energy_accumulator': joules})
    same((sum(w['why'].get('power_energy') == 'disagrees' for w in windows), highest(windows, 'power_energy')), (1, 0),
         'an energy of %s the power over the window is not shown' % name)
apu = {'throttle_residency_' + n: v for n, v in (('spl', 10), ('fppt', 0), ('sppt', 5), ('thm_gfx', 0), ('thm_core', 4), ('thm_soc', 0),
                                                ('prochot', 1))}
windows = moves('3.0', apu, {**apu, 'throttle_residency_spl': 20, 'throttle_residency_fppt': 10})
ok(highest(windows, 'throttle_power_looks') > 0 and highest(windows, 'throttle_heat_looks') == 0, '3.0: what held the clock of an APU down')
table('1.8', {'mem_max_bandwidth': 5300, 'temperature_hotspot': 50})
status, out, err = said('doctor')
ok(status == 0 and any('memory roof ' in line and '5300.0 GB/s: gpu_metrics' in line for line in out.splitlines()),
   "the memory's bandwidth is its roof", out)
table('1.8', {'mem_max_bandwidth': 0, 'temperature_hotspot': 50})
status, out, err = said('doctor')
ok(status == 0 and not any('memory roof ' in line and ' ok ' in line for line in out.splitlines()), '  ... none where it is 0', out)

# What is newer than this program.
table('1.12', {'curr_socket_power': 550})
same(last('a list that is newer').get('power_socket'), 550, '  ... is read')
status, out, err = said('doctor')
ok(status == 0 and '1.12 is newer than this program' in out, '  ... doctor says so', out)
table('3.0', {'average_socket_power': 9000}, lambda data: data[:3] + b'\x03' + data[4:] + b'more')
same(last("an APU's table that is newer").get('power_socket'), 9, '  ... is read as far as it is known')

# Lists that do not end where they say.
for wrong in (b'\x10', b'\xff'):
    table('1.9', {'curr_socket_power': 550, 'average_gfx_activity': 1}, lambda data: data[:4] + wrong + data[5:])
    status, out, err = said('doctor')
    ok(status == 0 and '1.9 is no list of attributes' in out, 'a list with another number of attributes is refused', out)

header = os.path.join(os.environ.get('ROOFTOP_LINUX', '/usr/src/linux'), 'drivers/gpu/drm/amd/include/kgd_pp_interface.h')
if os.access(header, os.R_OK):
    known = open(os.path.join(fakes, 'gpu_metrics_layout.txt')).read().splitlines()
    told = subprocess.run([sys.executable, '-B', os.path.join(fakes, 'gpu_metrics_layout.py'), header], stdout=subprocess.PIPE).stdout.decode()
    same([line for line in told.splitlines() if not line.startswith('#') and line not in known], [],
         "a compiler says of the kernel's header what is known here")
else:
    ok(True, "a compiler says of the kernel's header what is known here # SKIP no %s (ROOFTOP_LINUX names the kernel's source)" % header)
finish()
