# SPDX-License-Identifier: GPL-3.0-or-later
# Why each report was made: recordings of the simulated device, whose report ids are changed from outside.
. "$top_srcdir/tests/tty/tap.sh"

cat > "$tmp/reasons.py" <<'END'
import csv, struct, sys
# Bits of report ids: reasons from 19 on (i915_perf.c), 17 and 18 on Gen12 (Tiger Lake's manual, report format).
bits = {'timer': 19, 'trigger1': 20, 'trigger2': 21, 'context-switch': 22, 'go-transition': 23,
        'clock-ratio-change': 24, 'mmio-trigger': 25, 'threshold': 17, 'started': 18}
wanted = sys.argv[3].split(',')
if sys.argv[1] == 'write':
    data, at, n = bytearray(open(sys.argv[2], 'rb').read()), 0, 0
    while at < len(data):
        kind, _, size = struct.unpack_from('<IHH', data, at)
        if kind == 1:
            id, = struct.unpack_from('<I', data, at + 8)
            for bit in bits.values():
                id &= ~(1 << bit)
            for word in wanted[n % len(wanted)].split():
                id |= 1 << bits[word]
            struct.pack_into('<I', data, at + 8, id)
            n += 1
        at += size
    open(sys.argv[2], 'wb').write(data)
else:
    rows = list(csv.DictReader(open(sys.argv[2])))
    assert len(rows) > len(wanted), len(rows)
    for i, row in enumerate(rows[:-1]):
        # The window ends with its second report.
        assert row['report'] == wanted[(i + 1) % len(wanted)], (i, row['report'])
END
reasons()
{
	gives 0 "$1: a recording" -D "sim:$1" --speed max -c -n 3 -d 0.1 -w "$tmp/$1.i915perf"
	check "  ... whose reports are made for: $2" python3 "$tmp/reasons.py" write "$tmp/$1.i915perf" "$2"
	gives 0 "  ... report by report" -r "$tmp/$1.i915perf" --per-report -c
	check "  ... says so" python3 "$tmp/reasons.py" read "$tmp/out" "$2"
	gives 0 "  ... in JSON" -r "$tmp/$1.i915perf" --per-report -J -n 1
	is "$(grep -c '"report":"' "$tmp/out")" 1 "  ... as well"
	gives 0 "  ... in windows of time" -r "$tmp/$1.i915perf" --speed max -J -n 1
	is "$(grep -c '"report":' "$tmp/out")" 0 "  ... which are no pairs of reports, it is not"
}
check()
{
	good "$@"
}
reasons tgl "timer,timer trigger1,trigger2,timer trigger1 threshold,trigger2 threshold started,context-switch,mmio-trigger,go-transition"
reasons chv "timer,trigger1,trigger2,timer context-switch"
finish
