# SPDX-License-Identifier: GPL-3.0-or-later
# Every Mali product behind a fake kbase whose words are made up by their place alone, so that it knows no table of the program: what arrives
# is what Arm's database computes of such blocks (tests/unit/mali/valhall_vectors.py), blocks of 128 words too. With the oracle all products,
# else one of each layout. A core is missing in the middle; drivers count those that are there, and every other one here gives their bits, as
# early ones did.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
unset FAKEKERNEL_FAIL
table=${ROOFTOP_ORACLE-}/mali-layouts/arm.table
vectors=$top_srcdir/tests/unit/mali/valhall_vectors.txt
if [ -r "$table" ]; then
	python3 -B "$top_srcdir/tests/unit/mali/valhall_vectors.py" "$table" all > "$tmp/vectors"
	vectors=$tmp/vectors
else
	skip 1 "there is no mali-layouts/arm.table: set ROOFTOP_ORACLE to the folder of the oracle"
fi
cat > "$tmp/compare.py" <<'END'
import json, sys
want, at = {}, None
words = 0
for line in open(sys.argv[1]):
    first, *rest = line.split()
    if first == 'gpu':
        at = rest[1] == sys.argv[2]
    elif at and first == 'word':
        words += 1
    elif at:
        want[first] = rest[0]
windows = [json.loads(line) for line in open(sys.argv[3])][1:]
bad = []
# A window may hold several dumps, which all are the same: one with a single dump is compared.
one = [w for w in windows if w['metrics'].get('MaliGPUActiveCy') is not None and
       abs(w['metrics']['MaliGPUActiveCy'] - float(want['MaliGPUActiveCy'])) < 1]
if not one:
    bad.append(f"no window with one dump: {[w['metrics'].get('MaliGPUActiveCy') for w in windows]}, {want['MaliGPUActiveCy']} expected")
for name, value in want.items():
    if not one:
        break
    got, why = one[0]['metrics'].get(name), one[0]['why'].get(name)
    if value == '-':
        if why != 'div_zero' and why != 'none_counted':
            bad.append(f'{name}: {got} ({why}) where the divisor is 0')
    elif got is None:
        # A made-up share may pass its ceiling, which no real one does.
        if why != 'out_of_range':
            bad.append(f'{name}: none ({why}), not {value}')
    elif abs(got - float(value)) > 2e-6 * max(abs(float(value)), 1e-3) + 1e-6:
        bad.append(f'{name}: {got}, not {value}')
more = [n for n in (one[0]['metrics'] if one else ()) if n.startswith('Mali') and n not in want]
excess = sum(one[0]['why'].get(n) == 'out_of_range' for n in want) if one else 0
if excess * 10 > len(want):
    bad.append(f'{excess} of {len(want)} pass their ceilings')
print('; '.join(bad[:6] + [f'{n} is not in the database' for n in more[:6]]) or f'{len(want)} agree')
print(f'# {len(want) - excess} of {len(want)} compared', file=sys.stderr)
END
sed -n 's/^gpu \([^ ]*\) \([^ ]*\) \([^ ]*\) \([^ ]*\)$/\1 \2 \3 \4/p' "$vectors" > "$tmp/gpus"
bits=1
while read -r name id slices cores; do
	board g710,load=memory kbase 'csf 1.21'
	case $id in
	[b-f]*) words=128 ;;
	[6-9]*) words=64; printf '11.40\n' > "$root/mali/version" ;;
	*) words=64 ;;
	esac
	printf '%s %s %s %s\n' "$id" "$slices" "$cores" $words > "$root/mali/made"
	bits=$((1 - bits))
	printf '%s\n' $bits > "$root/mali/core_bits"
	"$rooftop" -J -n 3 -d 0.1 -m libGPUCounters -D mali0 > "$tmp/out" 2> "$tmp/err" < /dev/null
	is "$(python3 -B "$tmp/compare.py" "$vectors" "$id" "$tmp/out" | sed 's/^[0-9]* agree$/agrees/')" agrees "$name has what Arm's database computes$([ $bits -eq 0 ] || echo ", with cores by their bits")"
done < "$tmp/gpus"
finish
