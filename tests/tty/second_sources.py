# SPDX-License-Identifier: GPL-3.0-or-later
"""second_sources.py SOURCES ORACLE: TAP. Tables of the backends and, apart from them, those of the fakes, against tables that scripts have
made of public headers and databases (the oracle's folders amdgpu, nvml, adreno, v3d), row by row and in both directions, and structures
of the kernel against the headers of this system (linux-libc-dev, libdrm-dev), as far as it has them. Mali's tables are compared in
tests/unit/mali/valhall.c. Events of processors are compared with libpfm's tables, where it is installed (Debian 12: libpfm4 4.13.0), and
with Intel's own files where ROOFTOP_PERFMON names a folder with a copy of github.com/intel/perfmon (2026-08-13: all models agree).
What libpfm 4.13 lacks was compared by hand with Linux's tools/perf/pmu-events/arch on 2026-11-28: all rows of event 0x03 for Zen 1
(x86/amdzen1/floating-point.json, commit 41d91ec3), Zen 5 (x86/amdzen5, 67f8bc84) and Zen 6, which takes Zen 5's (x86/amdzen6, 2f42fb06),
and Arm's 0x80c0, 0x80c1 and 0x80c4 to 0x80c7 (arm64/fujitsu/a64fx): none differs. Headers of another system may lie in ROOFTOP_HEADERS: with those of Debian's linux-libc-dev 7.2.13 (2026-11-28)
none of the structures is skipped."""
import ctypes
import json
import os
import random
import re
import subprocess
import sys
import tempfile

top, oracle = sys.argv[1:3]
points = 0


def ok(bad, text):
    global points
    points += 1
    print(f'{"not " if bad else ""}ok {points} - {text}')
    for line in bad:
        print(f'# {line}')


def skip(reason):
    global points
    points += 1
    print(f'ok {points} # SKIP {reason}')


def source(path):
    return open(f'{top}/{path}').read()


def table(folder, name):
    path = f'{oracle}/{folder}/{name}'
    if not os.path.exists(path):
        skip(f'there is no {folder}/{name}: set ROOFTOP_ORACLE to the folder of the oracle')
        return None
    return open(path).read()


# --- amdgpu: offsets as a compiler has them ---
# Which fields of the header a number may come from.
amd_fields = {
    'TEMP_EDGE_MDEGC': ['temperature_edge', 'temperature_gfx'], 'TEMP_HOTSPOT_MDEGC': ['temperature_hotspot'],
    'TEMP_MEM_MDEGC': ['temperature_mem'], 'TEMP_SOC_MDEGC': ['temperature_vrsoc', 'temperature_soc'],
    'GFX_ACTIVITY': ['average_gfx_activity'], 'MEM_ACTIVITY': ['average_umc_activity'],
    'MEDIA_ACTIVITY': ['average_mm_activity', 'vcn_activity', 'average_vcn_activity'],
    'SOCKET_POWER_MW': ['average_socket_power', 'curr_socket_power'], 'CPU_POWER_MW': ['average_cpu_power', 'average_all_core_power'],
    'GFX_POWER_MW': ['average_gfx_power'], 'ENERGY': ['energy_accumulator'],
    'GFX_CLOCK_MHZ': ['current_gfxclk', 'average_gfxclk_frequency'], 'SOC_CLOCK_MHZ': ['current_socclk', 'average_socclk_frequency'],
    'MEM_CLOCK_MHZ': ['current_uclk', 'average_uclk_frequency'], 'FAN_RPM': ['current_fan_speed'],
    'PCIE_MB_S': ['pcie_bandwidth_inst'], 'PCIE_REPLAYS': ['pcie_replay_count_acc'], 'XGMI_READ_KB': ['xgmi_read_data_acc'],
    'XGMI_WRITE_KB': ['xgmi_write_data_acc'], 'ACCUMULATIONS': ['accumulation_counter'], 'HELD_PROCHOT': ['prochot_residency_acc'],
    'HELD_POWER': ['ppt_residency_acc'], 'HELD_SOCKET_HEAT': ['socket_thm_residency_acc'], 'HELD_REGULATOR_HEAT': ['vr_thm_residency_acc'],
    'HELD_MEMORY_HEAT': ['hbm_thm_residency_acc'], 'MEM_BANDWIDTH_MAX_MB_S': ['mem_max_bandwidth'],
    'DRAM_READ_MB_S': ['average_dram_reads'], 'DRAM_WRITE_MB_S': ['average_dram_writes'], 'GFX_CLOCK_MAX_MHZ': ['current_gfx_maxfreq'],
    'LOOKS_PROCHOT': ['throttle_residency_prochot'], 'LOOKS_POWER': ['throttle_residency_spl'], 'LOOKS_HEAT': ['throttle_residency_thm_core']}
# What is left out on purpose: numbers whose unit depends on firmware or that nobody says, and a gauge of the moment in place of a mean.
amd_left = {('1.0', 'energy_accumulator')} | {(f'2.{n}', f) for n in range(5) for f in ('average_gfx_activity', 'average_mm_activity')} | {
    ('3.0', 'average_gfx_activity'), ('2.0', 'average_uclk_frequency'), ('2.0', 'average_socclk_frequency')} | {
    (f'1.{n}', f) for n in range(4) for f in ('average_socclk_frequency', 'average_uclk_frequency')}


def amdgpu():
    text = table('amdgpu', 'gpu_metrics_layouts.json')
    if not text:
        return
    layouts = json.loads(text)
    c = source('backends/amdgpu/gpu_metrics.c')
    for name, head in re.findall(r'#define (HEAD_\w+) \\\n((?:.*\\\n)*.*)', c):
        c = c.replace(f'\t{name},', head)
    for name, sums in re.findall(r'#define (SUMS_\w+)\(at\) \\\n((?:.*\\\n)*.*)', c):
        c = re.sub(rf'\t{name}\((\d+)\),', lambda m: re.sub(r'\(?\bat\b\)?(?: \+ (\d+))?', lambda a: str(int(m[1]) + int(a[1] or 0)), sums), c)
    rows = {name: [(m, int(o), int(b), int(n)) for m, o, b, n in re.findall(r'\{ GPU_METRIC_(\w+), (\d+), (\d+), (\d+),', body)]
            for name, body in re.findall(r'struct field (v\d_\d)\[\] = \{(.*?)\n\};', c, re.S)}
    tables = {f'{f}.{n}': (int(size), name) for f, n, size, name in re.findall(r'TABLE\((\d), (\d), (\d+), (v\d_\d)\)', c)}
    bad = []
    for version, layout in layouts.items():
        if version not in tables:
            bad.append(f'{version} is not read')
            continue
        size, name = tables[version]
        if size != layout['*']:
            bad.append(f'{version}: {size} bytes, not {layout["*"]}')
        places = {place[0]: field for field, place in layout.items() if field != '*'}
        used = set()
        for metric, offset, bytes_, n in rows[name]:
            field = places.get(offset)
            allowed = amd_fields[metric]
            have = layout.get(field, [0, 0, 0])
            used.add(field)
            whole = have[1] * 3 if metric in ('LOOKS_POWER', 'LOOKS_HEAT') else have[2]     # three fields that follow each other
            if field not in allowed or have[1] != bytes_ or bytes_ * n > whole:
                bad.append(f'{version}: {metric} at {offset}, {n} of {bytes_} bytes, is {field} {have}')
        for field in layout:
            if any(field in f for f in amd_fields.values()) and field not in used and (version, field) not in amd_left:
                bad.append(f'{version}: {field} is not read')
    known = [v for v in tables if v in layouts]
    ok(bad, f'amdgpu: {len(known)} layouts of gpu_metrics are the compiler\'s, and every field that has a metric is read')
    bad = []
    fake = {}
    for line in source('tests/fakekernel/gpu_metrics_layout.txt').splitlines():
        if line[:1].isdigit():
            version, field, *numbers = line.split()
            fake.setdefault(version, {})[field] = [int(n) for n in numbers]
    for version, layout in layouts.items():
        for field, place in layout.items():
            want = [place] if field == '*' else [place[0], place[1], place[2] // place[1]]
            if field.startswith('padding') or 'xcp_stats' in field:
                continue
            if fake.get(version, {}).get(field) != want:
                bad.append(f'{version} {field}: {fake.get(version, {}).get(field)}, not {want}')
        # The oracle's tables end before a field at the end of newer headers.
        bad += [f'{version} {field}: only the fake has it' for field, place in fake.get(version, {}).items()
                if field not in layout and place[0] < max(p[0] for f, p in layout.items() if f != '*') and field != 'pcie_lc_perf_other_end_recovery']
    ok(bad, 'amdgpu: the fake\'s own layouts, too')


# --- NVML: numbers and layouts ---
nvml_fields = {'MEMORY_TEMPERATURE': 'MEMORY_TEMP', 'POLICY_POWER': 'PERF_POLICY_POWER', 'POLICY_HEAT': 'PERF_POLICY_THERMAL',
               'POLICY_BOARD': 'PERF_POLICY_BOARD_LIMIT', 'NVLINK_SENT': 'NVLINK_THROUGHPUT_DATA_TX',
               'NVLINK_RECEIVED': 'NVLINK_THROUGHPUT_DATA_RX', 'PCIE_SENT': 'PCIE_COUNT_TX_BYTES', 'PCIE_RECEIVED': 'PCIE_COUNT_RX_BYTES'}
nvml_gpm = {('GPM_GRAPHICS', 'GRAPHICS_UTIL', None), ('GPM_SM', 'SM_UTIL', 'SM_CYCLES_ACTIVE'), ('GPM_OCCUPANCY', 'SM_OCCUPANCY', None),
            ('GPM_INTEGER', 'INTEGER_UTIL', 'INTEGER_CYCLES_ACTIVE'), ('GPM_TENSOR', 'ANY_TENSOR_UTIL', 'MMA_CYCLES_ACTIVE'),
            ('GPM_TENSOR_FP64', 'DFMA_TENSOR_UTIL', 'DFMA_CYCLES_ACTIVE'), ('GPM_TENSOR_FP64', 'DMMA_TENSOR_UTIL', 'DMMA_CYCLES_ACTIVE'),
            ('GPM_TENSOR_HALF', 'HMMA_TENSOR_UTIL', 'HMMA_CYCLES_ACTIVE'),
            ('GPM_TENSOR_INTEGER', 'IMMA_TENSOR_UTIL', 'IMMA_CYCLES_ACTIVE'), ('GPM_DRAM', 'DRAM_BW_UTIL', None),
            ('GPM_FP64', 'FP64_UTIL', 'FP64_CYCLES_ACTIVE'), ('GPM_FP32', 'FP32_UTIL', 'FP32_CYCLES_ACTIVE'),
            ('GPM_FP16', 'FP16_UTIL', 'FP16_CYCLES_ACTIVE'), ('PCIE_SENT_RATE', 'PCIE_TX_PER_SEC', None),
            ('PCIE_RECEIVED_RATE', 'PCIE_RX_PER_SEC', None)}
nvml_reasons = {'HELD_SETTING': ['ApplicationsClocksSetting', 'SyncBoost', 'DisplayClockSetting'], 'HELD_POWER': ['SwPowerCap', 'HwPowerBrakeSlowdown'],
                'HELD_HEAT': ['SwThermalSlowdown', 'HwThermalSlowdown'], 'HELD_HARDWARE': ['HwSlowdown']}
nvml_codes = {'OK': 'SUCCESS', 'INVALID_ARGUMENT': 'ERROR_INVALID_ARGUMENT', 'NOT_SUPPORTED': 'ERROR_NOT_SUPPORTED',
              'NO_PERMISSION': 'ERROR_NO_PERMISSION', 'NOT_FOUND': 'ERROR_NOT_FOUND', 'INSUFFICIENT_SIZE': 'ERROR_INSUFFICIENT_SIZE',
              'DRIVER_NOT_LOADED': 'ERROR_DRIVER_NOT_LOADED', 'TIMEOUT': 'ERROR_TIMEOUT', 'LIBRARY_NOT_FOUND': 'ERROR_LIBRARY_NOT_FOUND',
              'FUNCTION_NOT_FOUND': 'ERROR_FUNCTION_NOT_FOUND', 'GPU_IS_LOST': 'ERROR_GPU_IS_LOST', 'RESET_REQUIRED': 'ERROR_RESET_REQUIRED',
              'OPERATING_SYSTEM': 'ERROR_OPERATING_SYSTEM', 'VERSION_MISMATCH': 'ERROR_LIB_RM_VERSION_MISMATCH', 'NO_DATA': 'ERROR_NO_DATA',
              'ARGUMENT_VERSION': 'ERROR_ARGUMENT_VERSION_MISMATCH', 'DEPRECATED': 'ERROR_DEPRECATED', 'NOT_READY': 'ERROR_NOT_READY',
              'GPU_NOT_FOUND': 'ERROR_GPU_NOT_FOUND'}
# The reader's structures, and those of the header; members in order, as offsets tell them.
nvml_structs = {'nvml_utilization': 'nvmlUtilization_st', 'nvml_memory': 'nvmlMemory_st', 'nvml_memory_v2': 'nvmlMemory_v2_st',
                'nvml_fan_speed': 'nvmlFanSpeedInfo_t', 'nvml_temperature': 'nvmlTemperature_t', 'nvml_process': 'nvmlProcessInfo_v2_st',
                'nvml_process_v1': 'nvmlProcessInfo_v1_st', 'nvml_process_sample': 'nvmlProcessUtilizationSample_st',
                'nvml_field': 'nvmlFieldValue_st', 'nvml_attributes': 'nvmlDeviceAttributes_st', 'nvml_gpm_metrics': 'nvmlGpmMetricsGet_t',
                'nvml_gpm_support': 'nvmlGpmSupport_t', 'nvml_event': 'nvmlEventData_st', 'nvml_gpm_metric': 'nvmlGpmMetric_t'}
# Where the reader splits or joins members of the header.
nvml_split = {'nvml_gpm_metric'}


def compile_and_run(lines, flags=()):
    compiler = os.environ.get('CC', 'cc').split()[-1]
    with tempfile.TemporaryDirectory() as folder:
        open(f'{folder}/x.c', 'w').write('\n'.join(lines))
        try:
            subprocess.run([compiler, '-w', f'-I{top}', *flags, '-o', f'{folder}/x', f'{folder}/x.c'], check=True, capture_output=True)
            return subprocess.run([f'{folder}/x'], check=True, capture_output=True, text=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return None


def members(body):
    """Names of the members of a struct, in order; what stands in braces is one member."""
    while '{' in body:
        body = re.sub(r'(struct|union) \{[^{}]*\}', 'int', body)
    body = re.sub(r'/\*.*?\*/', '', body, flags=re.S)
    return [n for part in body.split(';') for n in re.findall(r'(\w+)(?:\[\w+\])?\s*(?=,|$)', part.strip())]


def nvml():
    text = table('nvml', 'facts.json')
    if not text:
        return
    facts = json.loads(text)
    constants, structs = facts['constants'], facts['structs']
    read, proto = source('helpers/nvml_read.c'), source('backends/nvidia/nvml_proto.h')
    bad = []
    rows = dict(re.findall(r'\{ NVML_(\w+), (\d+), (?:0|UINT32_MAX), \d+, (?:true|false) \}', read))
    for value, name in nvml_fields.items():
        if int(rows.pop(value, -1)) != constants[f'NVML_FI_DEV_{name}']:
            bad.append(f'{value} is not field {name}')
    bad += [f'{value}: nobody says which field it is' for value in rows]
    number = {v: k.replace('NVML_GPM_METRIC_', '') for k, v in constants.items() if re.match(r'NVML_GPM_METRIC_[A-Z]', k)}
    have = {(v, number.get(int(s)), number.get(int(c)) if int(c) else None)
            for v, s, c in re.findall(r'\{ NVML_(\w+), (\d+), [^,]+, (\d+) \},', read)}
    bad += [f'GPM {row}' for row in have ^ nvml_gpm]
    if constants['NVML_GPM_METRIC_SM_CYCLES_ELAPSED'] != int(re.search(r'GPM_CYCLES_ELAPSED (\d+)', read)[1]):
        bad.append('SM_CYCLES_ELAPSED')
    for value, bits in re.findall(r'\{ NVML_(HELD_\w+), ([^}]*?) \}', read):
        want = sum(constants.get(f'nvmlClocksEventReason{n}', constants.get(f'nvmlClocksThrottleReason{n}', 0)) for n in nvml_reasons[value])
        if eval(bits) != want:
            bad.append(f'{value}: {bits}, not {want:#x}')
    codes = dict(re.findall(r'\tNVML_(\w+) = (\d+),', proto))
    bad += [f'NVML_{k} = {v}' for k, v in codes.items() if k not in nvml_codes or constants[f'NVML_{nvml_codes[k]}'] != int(v)]
    ok(bad, f'NVML: {len(nvml_fields)} fields, {len(nvml_gpm)} metrics, {len(codes)} results and the reasons have the numbers of nvml.h')

    api = source('helpers/nvml_api.h')
    bodies = dict(re.findall(r'struct (nvml_\w+) \{\n(.*?)\n\};', api, re.S))
    lines = ['#include <stddef.h>', '#include <stdio.h>', '#include "helpers/nvml_api.h"', 'int main(void) {']
    for name in nvml_structs:
        lines.append(f'printf("{name} * %zu 0\\n", sizeof(struct {name}));')
        lines += [f'printf("{name} {m} %zu %zu\\n", offsetof(struct {name}, {m}), sizeof(((struct {name} *)0)->{m}));' for m in members(bodies[name])]
    compare_structs(lines + ['}'], structs, nvml_structs, 'the reader')

    fake_structs = {'nvmlUtilization_t': 'nvmlUtilization_st', 'nvmlMemory_t': 'nvmlMemory_st', 'nvmlMemory_v2_t': 'nvmlMemory_v2_st',
                    'nvmlFieldValue_t': 'nvmlFieldValue_st', 'nvmlProcessInfo_t': 'nvmlProcessInfo_v2_st',
                    'nvmlProcessUtilizationSample_t': 'nvmlProcessUtilizationSample_st', 'nvmlEventData_t': 'nvmlEventData_st',
                    'nvmlDeviceAttributes_t': 'nvmlDeviceAttributes_st', 'nvmlPciInfo_t': 'nvmlPciInfo_st',
                    'nvmlGpmSupport_t': 'nvmlGpmSupport_t', 'nvmlGpmMetric_t': 'nvmlGpmMetric_t'}
    fake = source('tests/fakenvml/nvml.c') + source('tests/fakenvml/gpm.c')
    lines = ['#include <stddef.h>', '#include <stdio.h>', 'typedef int nvmlReturn_t; typedef void *nvmlDevice_t;']
    found = {name: body for body, name in re.findall(r'typedef struct \{\n((?:(?!typedef).)*?)\n\} (nvml\w+);', fake, re.S)}
    lines += [f'typedef struct {{ {found[name]} }} {name};' for name in fake_structs] + ['int main(void) {']
    for name in fake_structs:
        lines.append(f'printf("{name} * %zu 0\\n", sizeof({name}));')
        lines += [f'printf("{name} {m} %zu %zu\\n", offsetof({name}, {m}), sizeof((({name} *)0)->{m}));' for m in members(found[name])]
    compare_structs(lines + ['}'], structs, fake_structs, 'the fake')
    answers = {int(n) for n in re.findall(r'\tcase (\d+):', re.search(r'static void fill_field.*?\n\}', fake, re.S)[0])}
    names = list(nvml_fields.values()) + ['TOTAL_ENERGY_CONSUMPTION', 'ENERGY', 'NVLINK_SPEED_MBPS_COMMON', 'NVLINK_LINK_COUNT']
    want = {constants.get(f'NVML_FI_DEV_{n}', constants.get(f'NVML_FI_{n}')) for n in names} | {191}
    bad = [f'field {n}' for n in answers ^ (want - {None})]
    shares = {int(n) for n in re.findall(r'\tcase (\d+):', re.search(r'static int member_of.*?\n\}', fake, re.S)[0])} | {1, 5, 10, 20, 21, 248, 250}
    asked = {constants[f'NVML_GPM_METRIC_{n}'] for row in nvml_gpm for n in row[1:] if n} | {constants['NVML_GPM_METRIC_SM_CYCLES_ELAPSED']}
    bad += [f'metric {n}' for n in (shares ^ asked) - {8, 251}]     # of DMMA only what the environment says
    ok(bad, 'NVML: the fake answers what is asked, by the header\'s numbers')


def compare_structs(lines, structs, names, who):
    out = compile_and_run(lines)
    if out is None:
        skip(f'there is no compiler for the structures of {who}')
        return
    have = {}
    for line in out.splitlines():
        name, member, offset, size = line.split()
        have.setdefault(name, {})[member] = [int(offset), int(size)]
    bad = []
    for name, header in names.items():
        want, mine = structs[header], have[name]
        size = mine.pop('*')[0]
        if size != want['size']:
            bad.append(f'{name}: {size} bytes, not {want["size"]}')
        if name not in nvml_split and sorted(mine.values()) != sorted(want['members'].values()):
            bad.append(f'{name}: {sorted(mine.values())}, not {sorted(want["members"].values())}')
        bad += [f'{name}.{m}: {p}, not {want["members"][m]}' for m, p in mine.items() if m in want['members'] and want['members'][m] != p]
    ok(bad, f'NVML: {len(names)} structures of {who} lie as in nvml.h')


# --- Adreno: numbers of countables, generations, equations ---
adreno_names = {'CP_ALWAYS': 'CP_ALWAYS_COUNT', 'CP_BUSY': 'CP_BUSY_CYCLES', 'GPU_BUSY': 'RBBM_STATUS_MASKED', 'SP_BUSY': 'SP_BUSY_CYCLES',
                'SP_ALU': 'SP_ALU_WORKING_CYCLES', 'SP_EFU': 'SP_EFU_WORKING_CYCLES', 'SP_STALL_TP': 'SP_STALL_CYCLES_TP',
                'SP_STALL_UCHE': 'SP_STALL_CYCLES_UCHE', 'SP_NON_EXECUTION': 'SP_NON_EXECUTION_CYCLES', 'SP_ANY_EU': 'SP_ANY_EU_WORKING',
                'VS_FULL_ALU': 'SP_VS_STAGE_FULL_ALU_INSTRUCTIONS', 'FS_FULL_ALU': 'SP_FS_STAGE_FULL_ALU_INSTRUCTIONS',
                'FS_HALF_ALU': 'SP_FS_STAGE_HALF_ALU_INSTRUCTIONS', 'CS_INSTR': 'SP_CS_INSTRUCTIONS', 'MAD_FULL': 'SP_FULL_ALU_MAD_INSTRUCTIONS',
                'MAD_HALF': 'SP_HALF_ALU_MAD_INSTRUCTIONS', 'MUL_FULL': 'SP_FULL_ALU_MUL_INSTRUCTIONS', 'MUL_HALF': 'SP_HALF_ALU_MUL_INSTRUCTIONS',
                'ADD_FULL': 'SP_FULL_ALU_ADD_INSTRUCTIONS', 'ADD_HALF': 'SP_HALF_ALU_ADD_INSTRUCTIONS', 'TP_BUSY': 'TP_BUSY_CYCLES',
                'UCHE_READ0': 'UCHE_VBIF_READ_BEATS_CH0', 'UCHE_READ1': 'UCHE_VBIF_READ_BEATS_CH1', 'UCHE_WRITE0': 'UCHE_VBIF_WRITE_BEATS_CH0',
                'UCHE_WRITE1': 'UCHE_VBIF_WRITE_BEATS_CH1'}
# Countables that the table has and no set of that generation counts, for want of free counters or of use.
adreno_unused = {'CP_BUSY_GFX_CORE_IDLE', 'CP_NEVER_COUNT', 'UCHE_VBIF_READ_BEATS_TP', 'UCHE_VBIF_READ_BEATS_SP', 'SP_WORKING_EU'}
adreno_unused_of = {('a6xx', n) for n in ('RBBM_STATUS_MASKED', 'TP_BUSY_CYCLES', 'SP_NON_EXECUTION_CYCLES')} | {
    ('a7xx', n) for n in ('SP_VS_STAGE_FULL_ALU_INSTRUCTIONS', 'SP_FS_STAGE_FULL_ALU_INSTRUCTIONS', 'SP_FS_STAGE_HALF_ALU_INSTRUCTIONS')}


def metric_set(path, platform):
    """The lines of the set of that platform, with what it includes."""
    text = source(f'data/metrics/{path}')
    body = [part for part in re.split(r'\nset ', text) if re.search(rf'\tplatforms .*\b{platform}\b', part)][0]
    return body + '\n'.join(source(f'data/metrics/{f}') for f in re.findall(r'\tinclude (\S+)', body))


def evaluate(text, name, values):
    """A metric's value in its unit; lets and metrics are replaced by their equations."""
    lets = dict(re.findall(r'\nlet (\S+) = (.*)', text))
    found = {m: (u, v) for m, u, v in re.findall(r'\nmetric (\S+)\n(?:\t(?!unit).*\n)*?\tunit (\S+)\n(?:\t(?!value).*\n)*?\tvalue (.*)', text)}
    unit, e = found[name]

    def replace(match):
        word = match[0]
        if word in lets:
            return f'({re.sub(NAME, replace, lets[word])})'
        if word in found and word != name:
            return f'({re.sub(NAME, replace, found[word][1])})'
        return word
    NAME = r'[A-Za-z_][\w.]*'
    e = re.sub(NAME, replace, re.sub(r'\[[^\]]*\]', '', e))
    e = re.sub(r'rate\(', '1 / TIME * (', e)
    return eval(e, {'first': lambda *a: a[0], 'min': min, 'max': max}, values) * {'%': 100, 'GB/s': 1e-9, 'MHz': 1e-6}[unit]


def adreno():
    text = table('adreno', 'public.table')
    if not text:
        return
    rows = [line.split(None, 4) for line in text.splitlines() if line and line[0] != '#']
    chips = [(int(r[1], 16), r[2]) for r in rows if r[0] == 'chip']
    masks = [(int(m, 16), int(c, 16), p) for m, c, p in re.findall(r'\{ (0x\w+), (0x\w+), \d, "(\w+)" \}', source('backends/adreno/adreno_backend.c'))]
    bad = []
    for chip, generation in chips:
        got = next((p for m, c, p in masks if chip & m == c), None)
        if got != generation and got is not None:
            bad.append(f'chip {chip:08x} is {generation}, not {got}')
    ok(bad, f'Adreno: {len(chips)} chips have their generation')
    for generation in ('a6xx', 'a7xx', 'a8xx'):
        want = {r[4].strip(): (r[2], int(r[3])) for r in rows if r[0] == 'countable' and r[1] == generation}
        body = metric_set('adreno.metrics', generation)
        have = {n: (g, int(c)) for n, g, c in re.findall(r'\tprogram (\w+) (\w+) (\d+)', body)}
        bad = [f'{n}: {p}, not {want[adreno_names[n]]}' for n, p in have.items() if adreno_names[n] in want and want[adreno_names[n]] != p]
        used = {adreno_names[n] for n in have}
        bad += [f'{n} is not counted' for n in want if n not in used | adreno_unused and (generation, n) not in adreno_unused_of]
        fake = {(g, int(c)) for g, c in re.findall(r'(?m)^(\w+) (\d+) ', source(f'tests/fakekernel/msm_{generation}.txt'))}
        bad += [f'the fake has no {n} {p}' for n, p in have.items() if p not in fake]
        random.seed(generation)
        values = {n: random.randrange(10 ** 5, 10 ** 6) for n in have} | {'TIME': 0.5}
        theirs = {adreno_names[n]: v for n, v in values.items() if n != 'TIME'} | {'TIME': 0.5}
        n_equations = 0
        for _, of, name, _, *rest in [r for r in rows if r[0] == 'derived' and r[1] == generation]:
            right = eval(rest[0], {}, theirs)
            got = evaluate('\n' + body, name, values)
            n_equations += 1
            if abs(got - right) > 1e-9 * abs(right):
                bad.append(f'{name}: {got}, not {right}')
        ok(bad, f'Adreno: countables of {generation}, the fake\'s too, and {n_equations} equations')


# --- v3d: names by their number ---
def v3d():
    text = table('v3d', 'names.table')
    if not text:
        return
    names = {'v3d42': [], 'v3d71': []}
    for line in text.splitlines():
        if line.startswith('v3d'):
            version, *some = line.split()
            names[version] += [n.replace('-t-', '-total-') for n in some]
    for version, board in (('v3d42', 'pi4'), ('v3d71', 'pi5')):
        fake = [line.split()[0] for line in source(f'tests/fakekernel/v3d_{board}.txt').splitlines() if line and line[0] != '#']
        bad = [f'{i}: {a}, not {b}' for i, (a, b) in enumerate(zip(fake, names[version])) if a != b]
        if len(fake) != len(names[version]):
            bad.append(f'the fake has {len(fake)} counters, not {len(names[version])}')
        ours = {n.replace('-total-', '-').replace('-', '_') for n in names[version]}
        body = ''.join(part for part in re.split(r'\nset ', source('data/metrics/v3d.metrics')) if re.search(rf'\tplatforms .*\b{version}\b', part))
        programs = set(re.findall(r'\tprogram (\w+)', body))
        bad += [f'no counter is called {n}' for n in programs - ours]
        declared = set(re.findall(r'(?m)^counter (\w+)', source('data/metrics/v3d-counters.metrics')))
        bad += [f'{n} is not declared' for n in programs - declared]
        print(f'# {version}: {len(ours - programs)} counters are in no set')
        ok(bad, f'v3d: {len(fake)} counters of {version} have their names and places, and {len(programs)} of them are programmed')


# --- structures of the kernel ---
def kernel():
    others = os.environ.get('ROOFTOP_HEADERS')
    rows = [
        ('msm', 'msm_drm.h', 'backends/adreno/msm_uapi.h', [('offsetof(struct drm_msm_param, len)', 'offsetof(struct msm_param, len)'), ('struct drm_msm_param', 'struct msm_param'), ('DRM_IOCTL_MSM_GET_PARAM', 'MSM_GET_PARAM'),
                                                          ('MSM_PARAM_CHIP_ID', 'MSM_CHIP_ID'), ('MSM_PARAM_MAX_FREQ', 'MSM_MAX_FREQ'), ('MSM_PIPE_3D0', 'MSM_PIPE_3D')]),
        ('msm counters', 'msm_drm.h', 'backends/adreno/msm_uapi.h', [('struct drm_msm_perfcntr_group', 'struct msm_perfcntr_group'),
                                                                   ('struct drm_msm_perfcntr_config', 'struct msm_perfcntr_config'),
                                                                   ('DRM_IOCTL_MSM_PERFCNTR_CONFIG', 'MSM_PERFCNTR_CONFIG')]),
        ('v3d', 'v3d_drm.h', 'backends/v3d/v3d_uapi.h', [('struct drm_v3d_perfmon_create', 'struct v3d_perfmon_create'),
                                                        ('DRM_IOCTL_V3D_PERFMON_CREATE', 'V3D_PERFMON_CREATE'), ('DRM_IOCTL_V3D_GET_PARAM', 'V3D_GET_PARAM'),
                                                        ('DRM_IOCTL_V3D_PERFMON_GET_VALUES', 'V3D_PERFMON_GET_VALUES')]),
        ('v3d counters', 'v3d_drm.h', 'backends/v3d/v3d_uapi.h', [('struct drm_v3d_perfmon_get_counter', 'struct v3d_perfmon_counter'),
                                                                 ('DRM_IOCTL_V3D_PERFMON_GET_COUNTER', 'V3D_PERFMON_GET_COUNTER'),
                                                                 ('DRM_IOCTL_V3D_PERFMON_SET_GLOBAL', 'V3D_PERFMON_SET_GLOBAL')]),
        ('amdxdna', 'amdxdna_accel.h', 'backends/npu/xdna_uapi.h', [('struct amdxdna_drm_query_clock_metadata', 'struct xdna_clocks'),
                                                                   ('struct amdxdna_drm_query_sensor', 'struct xdna_sensor'),
                                                                   ('struct amdxdna_drm_query_aie_metadata', 'struct xdna_metadata'),
                                                                   ('struct amdxdna_drm_query_hwctx', 'struct xdna_context'),
                                                                   ('DRM_IOCTL_AMDXDNA_GET_INFO', 'XDNA_GET_INFO'),
                                                                   ('DRM_AMDXDNA_QUERY_SENSORS', 'XDNA_QUERY_SENSORS')]),
        ('panfrost', 'panfrost_drm.h', 'backends/mali/panfrost_uapi.h', [('DRM_IOCTL_PANFROST_PERFCNT_ENABLE', 'PANFROST_PERFCNT_ENABLE'),
                                                                        ('DRM_IOCTL_PANFROST_PERFCNT_DUMP', 'PANFROST_PERFCNT_DUMP'),
                                                                        ('DRM_IOCTL_PANFROST_GET_PARAM', 'PANFROST_GET_PARAM')])]
    for name, header, ours, pairs in rows:
        def number(word):
            return f'sizeof({word})' if word.startswith('struct') else word
        out = None
        for folder in ('drm', 'libdrm'):
            lines = ['#include <stdio.h>', '#include <stdint.h>', '#include <stddef.h>', f'#include <{folder}/{header}>', f'#include "{ours}"', 'int main(void) {']
            lines += [f'printf("%llx %llx\\n", (unsigned long long){number(a)}, (unsigned long long){number(b)});' for a, b in pairs]
            out = out or compile_and_run(lines + ['}'], ['-I/usr/include/libdrm', *(['-I' + others] if others else [])])
        if out is None:
            skip(f'the headers of this system do not have {header} with {pairs[-1][0]}')
            continue
        bad = [f'{b}: {got}' for (a, b), got in zip(pairs, out.splitlines()) if len(set(got.split())) != 1]
        ok(bad, f'{name}: sizes and numbers are those of {header}')


# The strict fakes' own structures (tests/fakekernel/boards/*_strict.c) and the header's.
strict_structs = {
    'msm': ('msm_drm.h', {'param_args': 'drm_msm_param', 'perfcntr_group': 'drm_msm_perfcntr_group', 'perfcntr_config': 'drm_msm_perfcntr_config'},
            {'GET_PARAM': 'DRM_IOCTL_MSM_GET_PARAM', 'PERFCNTR_CONFIG': 'DRM_IOCTL_MSM_PERFCNTR_CONFIG'}),
    'v3d': ('v3d_drm.h', {'get_param': 'drm_v3d_get_param', 'perfmon_create': 'drm_v3d_perfmon_create',
                          'perfmon_get_values': 'drm_v3d_perfmon_get_values', 'perfmon_get_counter': 'drm_v3d_perfmon_get_counter',
                          'perfmon_set_global': 'drm_v3d_perfmon_set_global'},
            {'GET_PARAM': 'DRM_IOCTL_V3D_GET_PARAM', 'PERFMON_CREATE': 'DRM_IOCTL_V3D_PERFMON_CREATE',
             'PERFMON_GET_VALUES': 'DRM_IOCTL_V3D_PERFMON_GET_VALUES', 'PERFMON_GET_COUNTER': 'DRM_IOCTL_V3D_PERFMON_GET_COUNTER',
             'PERFMON_SET_GLOBAL': 'DRM_IOCTL_V3D_PERFMON_SET_GLOBAL'}),
    'xdna': ('amdxdna_accel.h', {'get_info': 'amdxdna_drm_get_info', 'get_array': 'amdxdna_drm_get_array',
                                 'clock': 'amdxdna_drm_query_clock', 'clock_metadata': 'amdxdna_drm_query_clock_metadata',
                                 'sensor': 'amdxdna_drm_query_sensor', 'tile_metadata': 'amdxdna_drm_query_aie_tile_metadata',
                                 'aie_metadata': 'amdxdna_drm_query_aie_metadata', 'context': 'amdxdna_drm_hwctx_entry'},
             {'GET_INFO': 'DRM_IOCTL_AMDXDNA_GET_INFO', 'GET_ARRAY': 'DRM_IOCTL_AMDXDNA_GET_ARRAY'})}


def header_path(name):
    folders = [os.environ.get('ROOFTOP_HEADERS'), '/usr/include', '/usr/include/libdrm']
    for path in [f'{f}/drm/{name}' for f in folders if f] + [f'/usr/include/libdrm/{name}']:
        if os.path.exists(path):
            return path
    return None


def strict():
    for driver, (header, structs, numbers) in strict_structs.items():
        path = header_path(header)
        text = re.sub(r'/\*.*?\*/', '', open(path).read(), flags=re.S) if path else ''
        fake = source(f'tests/fakekernel/boards/{driver}_strict.c')
        theirs = {name: re.search(rf'struct {name} \{{\n(.*?)\n\}};', text, re.S) for name in structs.values()}
        if not all(theirs.values()):
            skip(f'the headers of this system do not have {header} with all structures of the strict fake')
            continue
        lines = ['#include <stddef.h>', '#include <stdint.h>', '#include <stdio.h>', '#include <sys/ioctl.h>', f'#include "{path}"']
        lines += re.findall(r'(?m)^#define (?:MOST|LARGEST)_.*$', fake)
        rows = []
        for name, their in structs.items():
            body = re.search(rf'(?m)^struct {name} \{{\n(.*?)\n\}};', fake, re.S)[1]
            lines.append('struct fake_%s {\n%s\n};' % (name, re.sub(r'\bstruct (\w+)', r'struct fake_\1', body)))
            rows.append((f'fake_{name}', body, their, theirs[their][1]))
        lines += ['int main(void) {']
        for name, body, their, their_body in rows:
            for struct, text_of in ((name, body), (their, their_body)):
                lines.append(f'printf("{struct} %zu", sizeof(struct {struct}));')
                lines += [f'printf(" %zu", offsetof(struct {struct}, {m}));' for m in members(text_of)] + ['printf("\\n");']
        for fake_name, their in numbers.items():
            value = re.search(rf'#define {fake_name} (.*)', fake)[1]
            lines.append(f'printf("{their} %lu %lu\\n", (unsigned long){re.sub(r"struct (?=[a-z])", "struct fake_", value)}, (unsigned long){their});')
        out = compile_and_run(lines + ['}'], ['-I' + os.path.dirname(os.path.dirname(path)), '-I/usr/include/libdrm'])
        if out is None:
            skip(f'{header} has other structures than the strict fake of {driver}, or there is no compiler')
            continue
        got = [line.split() for line in out.splitlines()]
        bad = []
        for a, b in zip(got[:2 * len(rows):2], got[1:2 * len(rows):2]):
            if a[1] != b[1] or not set(b) - {b[0]} <= set(a):     # the fake may name members of a member
                bad.append(f'{a} and {b}')
        bad += [f'{name}: {a}, not {b}' for name, a, b in got[2 * len(rows):] if a != b]
        ok(bad, f'{driver}: the strict fake has the structures and numbers of {header}')


# --- events of processors ---
# libpfm's names of processors, by the beginning of a platform, and of events.
pfm_pmus = {'cpu-arith': ['bdw', 'skl', 'skx', 'clx', 'icl', 'icx', 'spr'], 'cpu-arith512': ['skx', 'clx', 'icl', 'icx', 'spr'],
            'cpu-zen2': ['amd64_fam17h_zen2', 'amd64_fam19h_zen3'], 'cpu-zen4': ['amd64_fam19h_zen4'],
            'cpu-zen': ['amd64_fam17h_zen1', 'amd64_fam17h_zen2', 'amd64_fam19h_zen3', 'amd64_fam19h_zen4']}
pfm_names = {'ex_ret_instr': 'RETIRED_INSTRUCTIONS', 'ls_not_halted_cyc': 'CYCLES_NOT_IN_HALT',
             'fp_ret_sse_avx_ops.all': 'RETIRED_SSE_AVX_FLOPS:ANY'}
WIDTHS = {'SCALAR': 0, '128B_PACKED': 128, '256B_PACKED': 256, '512B_PACKED': 512}


def code_of(terms):
    numbers = {k: int(v, 16) for k, v in re.findall(r'(event|umask)=(0x\w+)', terms)}
    return numbers.get('event', 0) | numbers.get('umask', 0) << 8


def elements(width, precision):
    return WIDTHS[width] // (64 if precision == 'DOUBLE' else 32) or 1


def libpfm():
    """A function from a name to event and umask; None: there is no library."""
    os.environ['LIBPFM_ENCODE_INACTIVE'] = '1'
    try:
        lib = ctypes.CDLL('libpfm.so.4')
    except OSError:
        return None
    if lib.pfm_initialize() != 0:
        return None

    class Arg(ctypes.Structure):
        _fields_ = [('codes', ctypes.POINTER(ctypes.c_uint64)), ('fstr', ctypes.c_void_p), ('size', ctypes.c_size_t),
                    ('count', ctypes.c_int), ('idx', ctypes.c_int)]

    def encode(name):
        arg = Arg(size=ctypes.sizeof(Arg))
        if lib.pfm_get_os_event_encoding(name.encode(), 31, 0, ctypes.byref(arg)) != 0:
            return None
        return arg.codes[0] & 0xffff
    return encode


def program_bad(which, body, masks):
    """Programs of event 0xc7 against what each bit of its mask counts: masks is {bit: (elements, precision)}. Each bit is counted once."""
    bad, seen = [], 0
    for name, terms in re.findall(r'program (fp_\w+) (\S+)', body):
        event, umask = code_of(terms) & 0xff, code_of(terms) >> 8
        want = re.fullmatch(r'fp_(?:(sp|dp)_)?(\d+)', name)
        for bit in (1 << i for i in range(8) if umask >> i & 1):
            n, precision = masks.get(bit, (0, ''))
            if event != 0xc7 or n != int(want[2]) or (want[1] and (want[1] == 'dp') != (precision == 'DOUBLE')) or seen & bit:
                bad.append(f'{which}: {name} counts {n} {precision} with {terms}')
            seen |= bit
    if seen != sum(masks):
        bad.append(f'{which}: counts {seen:#x} of {sum(masks):#x}')
    return bad


def metric_sets(path):
    """(platforms, body) of each set."""
    for part in re.split(r'\nset ', source(f'data/metrics/{path}'))[1:]:
        yield re.search(r'\tplatforms (.*)', part)[1].split(), part


def known_events(encode):
    bad, compared = [], 0
    table = re.search(r'struct known_event known\[\] = \{(.*?)\n\};', source('backends/cpu/cpu_names.c'), re.S)[1]
    for name, platform, terms in re.findall(r'\{ "(\S+)", "(\S+)", "(event=\S+)" \}', table):
        theirs = pfm_names.get(name) or name.upper().replace('.', ':').replace('FP_RET_SSE_AVX_OPS', 'RETIRED_SSE_AVX_FLOPS')
        for pmu in pfm_pmus.get(platform, []):
            want = encode(f'{pmu}::{theirs}')
            compared += 1
            # Without a mask libpfm takes none for any.
            if want != code_of(terms):
                bad.append(f'{name}: {terms}, {pmu} has {want and hex(want)}')
    ok(bad, f'processors: {compared} names of events have the numbers of libpfm')
    masks = {}
    for width in WIDTHS:
        for precision in ('DOUBLE', 'SINGLE'):
            code = encode(f'skx::FP_ARITH_INST_RETIRED:{width}_{precision}')
            masks[code >> 8] = (elements(width, precision), precision)
    narrow = {bit: m for bit, m in masks.items() if bit < 0x40}
    bad, n = [], 0
    for platforms, body in metric_sets('cpu-intel.metrics'):
        for platform in platforms:
            if 'umask=0x' in body and 'cpu-atom' not in platforms:
                bad += program_bad(platform, body, masks if '512' in platform else narrow)
                n += 1
    ok(bad, f'  operations of {n} sets count each bit of the mask once, with the elements that libpfm names')


def intel_models():
    folder = os.environ.get('ROOFTOP_PERFMON')
    if not folder or not os.path.exists(f'{folder}/mapfile.csv'):
        skip('ROOFTOP_PERFMON names no folder with a copy of github.com/intel/perfmon')
        return
    rows = [(int(f, 0), int(a, 16), int(b, 16), p) for f, a, b, p in
            re.findall(r'\{ INTEL, (\w+), (0x\w+), (0x\w+), "[^"]+", "([^"]+)"', source('backends/cpu/cpu_info.c'))]
    found = {}
    for line in open(f'{folder}/mapfile.csv').read().splitlines()[1:]:
        word, _, path, kind, *_ = line.split(',')
        if kind not in ('core', 'hybridcore'):
            continue
        family, model = word.split('-')[1:3]
        events = json.load(open(folder + path))['Events']
        events = [e for e in events if re.fullmatch(r'0x\w+', e['EventCode'])]
        arith = {int(e['UMask'], 16) for e in events if int(e['EventCode'], 16) == 0xc7 and
                 re.fullmatch(r'FP_ARITH_(INST|OPS)_RETIRED\.(SCALAR|\d+B_PACKED)_(SINGLE|DOUBLE)', e['EventName'])}
        flops = any(e['EventName'] == 'FP_FLOPS_RETIRED.ALL' and int(e['EventCode'], 16) == 0xc8 and int(e['UMask'], 16) == 3
                    for e in events)
        found.setdefault((int(family), int(model, 16)), []).append((kind, sum(arith), flops))
    bad = []
    for (family, model), cores in found.items():
        platform = next((p for f, a, b, p in rows if f == family and a <= model <= b), None)
        arith, flops = max(c[1] for c in cores), any(c[2] for c in cores)
        hybrid = len([c for c in cores if c[0] == 'hybridcore']) > 1
        want = None
        if hybrid:
            want = 'cpu-hybrid512' if arith > 0x3f else 'cpu-hybrid-flops' if flops else 'cpu-hybrid'
        elif arith:
            want = 'cpu-arith512' if arith > 0x3f else 'cpu-arith'
        elif flops:
            want = 'cpu-atom'
        # Processors before Broadwell have a roof and no events; those of no row are told nothing of.
        have = platform and re.sub('-td$', '', platform)
        if have != want and not (want is None and have == 'cpu'):
            bad.append(f'{family}-{model:x}: {platform}, Intel has {want} (masks {arith:#x})')
    ok(bad, f'processors: {len(found)} models of Intel have the events that Intel lists')


def processors():
    encode = libpfm()
    if encode:
        known_events(encode)
    else:
        skip('there is no libpfm.so.4')
    intel_models()


amdgpu()
nvml()
adreno()
v3d()
kernel()
strict()
processors()
print(f'1..{points}')
