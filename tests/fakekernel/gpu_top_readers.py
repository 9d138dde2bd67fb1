# SPDX-License-Identifier: GPL-3.0-or-later
"""What programs that run "intel_gpu_top -J" take from its output, by the rules of each.

gpu_top_readers.py THEIRS OURS [READER...]: takes the same from both files and compares. A line "STATUS NAME" for each program, 0 is good.
READER is a program that reads such output and writes lines "NAME VALUE"."""
import json
import os
import re
import subprocess
import sys


def number(v):
    return float(str(v).strip('" ,'))


def netdata(text):
    """go.d.plugin, collector/intelgpu (exec.go, collect.go): an object begins with a line "{" and ends with a line that begins with "}"."""
    found, lines = {}, []
    for line in text.split('\n'):
        if not line or (not lines and line != '{'):
            continue
        lines.append('}' if line == '},' else line)
        if line[0] != '}':
            continue
        try:
            window = json.loads('\n'.join(lines))
        except json.JSONDecodeError:
            continue    # the end of a program that was told to end: "}]"
        lines = []
        power = {k.lower(): v for k, v in window.get('power', {}).items()}
        found = {'actual': window['frequency']['actual'], 'gpu': power['gpu'], 'package': power['package']}
        found |= {f'busy {name}': e['busy'] for name, e in window['engines'].items()}
    return found


def mangohud(text):
    """MangoHud until the end of 2023, src/intel.cpp: a short line without brace and comma, as that of the last member, ends a window; the line
    behind it is passed over. What cannot be parsed ends the program."""
    found, gathered, lines = {}, '', 0
    paths = ('engines', 'Render/3D/0', 'busy'), ('frequency', 'actual'), ('power', 'GPU'), ('power', 'Package')
    for i, line in enumerate(text.splitlines(keepends=True)):
        gathered += line if lines else ''
        lines += 1
        if len(line) >= 4 or '{' in line or ',' in line:
            continue
        if i > 0:
            window = json.loads(('' if gathered.startswith('{') else '{') + gathered + '}')
            for path in paths:
                at = window
                for key in path:
                    at = at.get(key, {})
                if at != {}:
                    found['/'.join(path)] = at
        gathered, lines = '', 0
    return found


def frigate(text):
    """Frigate until 0.16, frigate/util/services.py: by regular expressions in what is left without blanks, as the output is cut off."""
    text, found = ''.join(text.split()), {}
    for pattern, cut in ((r'"Render/3D/0":{[a-z":\d.,%]+}', 14), (r'"Video/\d":{[a-z":\d.,%]+}', 10)):
        values = [json.loads(m[cut:])['busy'] for m in re.findall(pattern, text)]
        if values:
            found[pattern[1:6]] = values[-1]
    return found


def windows_of(text):
    at, decoder, found = 0, json.JSONDecoder(), []
    while (at := text.find('{', at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            break
        found.append(value)
    return found


def exporter(text):
    """clambin/intel-gpu-exporter, intel-gpu-top/reader.go: a stream of objects, all of whose members have a type."""
    last, found = windows_of(text)[-1], {}
    for group in ('period', 'interrupts', 'rc6', 'frequency', 'power', 'imc-bandwidth'):
        for key, v in last[group].items():
            assert isinstance(v, str if key == 'unit' else float), (group, key, v)
            if group != 'period':
                found[f'{group} {key}'] = v
    for name, e in last['engines'].items():
        found |= {f'{name} {key}': v for key, v in e.items()}
    for client in last['clients'].values():
        if client['name'] == 'rooftop':
            continue
        assert all(isinstance(client[key], str) for key in ('name', 'pid')), client
        found[f'client {client["pid"]}'] = client['name']
        for name, e in client.get('engine-classes', {}).items():
            found[f'client {client["pid"]} {name}'] = float(e['busy']) > 1
            assert e['unit'] == '%', client
        for name, region in client.get('memory', {}).items():
            found |= {f'client {client["pid"]} {name} {key}': number(region[key]) for key in ('total', 'resident')}
    return found


def telegraf(text):
    """intel-retail/automated-self-checkout, get_intel_gpu_status.sh: the line behind the name. Its relatives look for the class."""
    lines, found = text.splitlines(), {}
    for name in ('Render/3D/0', '"Render/3D":', '"Video":'):
        for i, line in enumerate(lines):
            if name in line and 'busy' in lines[i + 1] and 'engine-classes' not in lines[i - 1]:
                found[name] = number(lines[i + 1].split(':')[1])
    return found


def first_busy(text):
    """Scripts that take the first number behind the first "busy"."""
    return {'first': re.search(r'"busy":\s*([\d.]+)', text).group(1)}


def program(path):
    """A reader of its own, whose output has a name and a number in each line."""
    def reader(text):
        lines = subprocess.run([path], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
        assert lines, 'it says nothing'
        return dict(line.rsplit(' ', 1) for line in lines)
    reader.__name__ = f'{os.path.basename(path)} itself'
    return reader


def same(a, b):
    if isinstance(a, str) and not re.fullmatch(r'[\d.]+', a) or isinstance(a, bool):
        return a == b
    return abs(number(a) - number(b)) <= max(1, 0.1 * abs(number(a)))


def main():
    theirs, ours = (open(name).read() for name in sys.argv[1:3])
    readers = [netdata, mangohud, frigate, exporter, telegraf, first_busy]
    for reader in readers + [program(path) for path in sys.argv[3:]]:
        try:
            try:
                a = reader(theirs)
            except (subprocess.CalledProcessError, json.JSONDecodeError):
                print(0, f'{reader.__name__} cannot read this version of intel_gpu_top: nothing is compared')
                continue
            b = reader(ours)
            # Version 1.27 tells no memory.
            if not any('system' in k for k in a):
                b = {k: v for k, v in b.items() if ' system ' not in k}
            bad = {k: (a.get(k), b.get(k)) for k in a.keys() | b.keys() if k not in a or k not in b or not same(a[k], b[k])}
            print(int(bool(bad)), f'{reader.__name__} takes the same from both: {bad or f"{len(a)} numbers"}')
        except Exception as e:
            print(1, f'{reader.__name__}: {type(e).__name__} {e}')


main()
