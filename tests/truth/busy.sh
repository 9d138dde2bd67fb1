# SPDX-License-Identifier: GPL-3.0-or-later
# What "busy" means, on every simulated device and in each of its sets: under a load that never pauses it is all of the time, and without one
# it is none.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"

# with DEVICE SET LOAD: a window as JSON, after their names
with()
{
	printf '%s %s %s\t' "$1" "$2" "$3" >> "$tmp/windows"
	"$rooftop" -D "sim:$1,load=$3" -m "$2" -J -n 2 -d 0.1 --speed max 2> "$tmp/err" < /dev/null | tail -n 1 >> "$tmp/windows"
}

"$rooftop" -D sim:help > "$tmp/help"
: > "$tmp/windows"
for device in $(sed -n '/Names:$/,/^$/s/^  \([a-z0-9]*\) .*/\1/p' "$tmp/help"); do
	gives 0 "$device: its sets" -m help -D "sim:$device"
	case $device in
	g[0-9]*) load=memory ;;
	h100 | rtx*) load=fma ;;
	rx* | mi* | strix) load=compute ;;
	*) load=private.mad.sp.x4 ;;
	esac
	for set in $(sed -n '2,$s/^\([^ ]*\)  *[0-9][0-9]* .*/\1/p' "$tmp/out"); do
		with "$device" "$set" $load
		with "$device" "$set" idle
	done
done
# Of the tour that sim:help tells of first, the middle of each five seconds.
"$rooftop" -D sim:hd620,load=tour -J -n 20 -d 1 --speed max > "$tmp/tour" 2> "$tmp/err" < /dev/null
is "$(sed -n 's/^  tour  *\(.*\), five seconds each$/\1/p' "$tmp/help" | head -1) $(sed -n '2,$s/.*"verdict":{"kind":"\([a-z_]*\)".*/\1/p' "$tmp/tour" |
	sed -n '3p; 8p; 13p; 18p' | tr '\n' ' ')" "memory-bound, compute-bound, power-limited and idle bandwidth pipe power idle " \
	"the tour has the phases that it names"
python3 -B - "$tmp/windows" > "$tmp/points" <<'END'
import json, sys
found, devices = {'idle': [], 'busy': []}, {}
for line in open(sys.argv[1]):
    name, _, text = line.partition('\t')
    device, set_name, load = name.split()
    metrics = json.loads(text)['metrics']
    busy = [metrics[n] for n in ('gpu_busy', 'JM.GPU_UTILIZATION') if metrics.get(n) is not None]
    devices[device] = devices.get(device, 0) + len(busy)
    want = 0 if load == 'idle' else 100
    found['busy' if want else 'idle'] += ['%s: %s' % (name, b) for b in busy if abs(b - want) > 1.5]
for word, wrong in found.items():
    print(int(bool(wrong)), word, 'is', word, 'in each set' + ''.join('; ' + w for w in wrong[:9]))
for device, n in devices.items():
    print(int(n < 2), '%s: %d windows tell it' % (device, n))
END
point $? "all windows are read"
relay "$tmp/points"
finish
