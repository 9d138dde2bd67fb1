# SPDX-License-Identifier: GPL-3.0-or-later
# gpu_metrics_layout.py HEADER: what a compiler makes of the tables in Linux drivers/gpu/drm/amd/include/kgd_pp_interface.h, in the form of
# gpu_metrics_layout.txt: VERSION FIELD OFFSET BYTES COUNT, VERSION * SIZE, and of the list of attributes: attribute NAME NUMBER.
import os, re, subprocess, sys, tempfile

header = os.path.abspath(sys.argv[1])
text = re.sub(r'/\*.*?\*/|//[^\n]*', '', open(header).read(), flags=re.S)
tables = re.findall(r'\nstruct gpu_metrics_v(\d)_(\d) \{(.*?)\n\};', text, re.S)
lines = ['#include <stddef.h>', '#include <stdint.h>', '#include <stdio.h>', '#include <stdbool.h>', '#include <sys/types.h>',
         'typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;', f'#include "{header}"', 'int main(void) {']
for format, content, body in tables:
    version, struct = f'{format}.{content}', f'struct gpu_metrics_v{format}_{content}'
    if 'metrics_attr' in body:
        continue
    lines.append(f'printf("{version} * %zu\\n", sizeof({struct}));')
    for name, count in re.findall(r'\w+\s+(\w+)(?:\[(\w+)\])?;', body):
        if name.startswith(('padding', 'common_header', 'xcp_stats')):
            continue
        whole = f'sizeof((({struct} *)0)->{name})'
        one = f'sizeof((({struct} *)0)->{name}[0])' if count else whole
        lines.append(f'printf("{version} {name} %zu %zu %zu\\n", offsetof({struct}, {name}), {one}, {whole} / {one});')
for name in re.findall(r'AMDGPU_METRICS_ATTR_ID_(\w+)', text):
    if name == 'LABEL_VERSION':     # what comes from here on is in no table of a GPU
        break
    if name not in ('MASK', 'SHIFT'):
        lines.append(f'printf("attribute {name.lower()} %d\\n", AMDGPU_METRICS_ATTR_ID_{name});')
lines.append('}')
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(folder + '/linux')
    open(folder + '/linux/units.h', 'w').close()
    with open(folder + '/layout.c', 'w') as f:
        f.write('\n'.join(lines))
    subprocess.check_call([os.environ.get('CC', 'cc').split()[-1], '-w', '-I', folder, '-o', folder + '/layout', folder + '/layout.c'])
    # REUSE-IgnoreStart
    print('# SPDX-License-Identifier: GPL-3.0-or-later\n# What gpu_metrics_layout.py says of Linux 7.2.13 on x86-64: VERSION FIELD OFFSET '
          'BYTES COUNT, VERSION * SIZE, attribute NAME NUMBER.')
    # REUSE-IgnoreEnd
    print(subprocess.check_output([folder + '/layout'], text=True), end='')
