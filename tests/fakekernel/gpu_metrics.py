# SPDX-License-Identifier: GPL-3.0-or-later
# gpu_metrics.py VERSION FIELD=VALUE[,VALUE]...: a table of amdgpu as its driver would write it, to standard output. Where a field lies is
# what a compiler said of the kernel's header (gpu_metrics_layout.txt); fields that are not named have all bits set, which means "none".
import os, struct, sys

layout = {}
for line in open(os.path.join(os.path.dirname(__file__), 'gpu_metrics_layout.txt')):
    if not line.startswith('#'):
        version, name, *numbers = line.split()
        layout.setdefault(version, {})[name] = [int(n) for n in numbers]

# Type and unit of each attribute of 1.9 (Linux pm/swsmu/smu13/smu_v13_0_6_ppt.h, SMU_13_0_6_METRICS_FIELDS): 2 is u16, 4 u32, 6 u64.
listed = {'temperature_hotspot': (2, 2), 'temperature_mem': (2, 2), 'temperature_vrsoc': (2, 2), 'curr_socket_power': (2, 3),
          'average_gfx_activity': (2, 10), 'average_umc_activity': (2, 10), 'mem_max_bandwidth': (6, 8), 'energy_accumulator': (6, 0),
          'system_clock_counter': (6, 4), 'accumulation_counter': (6, 0), 'prochot_residency_acc': (4, 0), 'ppt_residency_acc': (4, 0),
          'socket_thm_residency_acc': (4, 0), 'vr_thm_residency_acc': (4, 0), 'hbm_thm_residency_acc': (4, 0), 'pcie_bandwidth_acc': (6, 10),
          'pcie_bandwidth_inst': (6, 8), 'pcie_replay_count_acc': (6, 0), 'xgmi_read_data_acc': (6, 9), 'xgmi_write_data_acc': (6, 9),
          'xgmi_link_status': (2, 0), 'firmware_timestamp': (6, 5), 'current_gfxclk': (2, 1), 'current_socclk': (2, 1), 'current_uclk': (2, 1)}


def table(version, fields):
    places = layout[version]
    data = bytearray(b'\xff' * places['*'][0])
    format, content = map(int, version.split('.'))
    struct.pack_into('<HBB', data, 0, len(data), format, content)
    for name, values in fields.items():
        offset, size, count = places[name]
        assert len(values) <= count, name
        for i, value in enumerate(values):
            data[offset + i * size:offset + (i + 1) * size] = value.to_bytes(size, 'little')
    return data


def listing(fields, content=9):
    body = b''
    for name, values in fields.items():
        type, unit = listed[name]
        body += struct.pack('<Q', unit << 24 | type << 20 | layout['attribute'][name][0] << 10 | len(values))
        body += b''.join(v.to_bytes(1 << type // 2, 'little') for v in values)
    return struct.pack('<HBBi', 8 + len(body), 1, content, len(fields)) + body


def made(version, fields):
    return listing(fields, int(version[2:])) if version.startswith('1.') and int(version[2:]) >= 9 else table(version, fields)


if __name__ == '__main__':
    pairs = (word.split('=') for word in sys.argv[2:])
    sys.stdout.buffer.write(made(sys.argv[1], {name: [int(v) for v in values.split(',')] for name, values in pairs}))
