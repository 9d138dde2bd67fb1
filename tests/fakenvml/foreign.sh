# SPDX-License-Identifier: GPL-3.0-or-later
# Unmodified nvtop and btop read the same library of ours as rooftop, and show the same numbers. $NVTOP and $BTOP name other programs than those
# of this system: btop shows GPUs from 1.3 on.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
NVTOP=${NVTOP:-$(command -v nvtop)}
BTOP=${BTOP:-$(command -v btop)}
# $BTOP --version is "btop version: 1.2.13", with colours between.
[ -z "$BTOP" ] || [ "$($BTOP --version | grep -o '[0-9]\{1,\}\.[0-9]\{1,\}\.[0-9]*' | head -1 | awk -F. '{ print ($1 > 1 || $2 >= 3) }')" = 1 ] || BTOP=
[ -n "$NVTOP$BTOP" ] || { echo "1..0 # SKIP neither nvtop nor btop"; exit 0; }
. "$top_srcdir/tests/fakenvml/lib.sh"
export ROOFTOP_FAKE_SINCE_NS
ROOFTOP_FAKE_SINCE_NS=$(python3 -c 'import time; print(time.monotonic_ns() - 10**9)')

# ours: "clock memory-clock busy temperature watts memory-per-cent" of the last window
ours()
{
	"$rooftop" -J -n 2 -d 0.5 2> "$tmp/err" < /dev/null | tail -1 | python3 -c "import json, sys
m = json.load(sys.stdin)['metrics']
print(round(m['clock_actual']), round(m['memory_clock']), round(m['gpu_busy']), round(m['temperature']), round(m['power_card']))"
}

for load in stream gemm launches; do
	card "h100,load=$load"
	ours > "$tmp/ours"
	if [ -n "$NVTOP" ]; then
		ROOFTOP_FAKE_GPU=$spec LD_LIBRARY_PATH=$top_builddir/tests/fakenvml $NVTOP -s > "$tmp/nvtop" 2> "$tmp/err" < /dev/null
		python3 - "$tmp/nvtop" "$tmp/ours" > "$tmp/out" <<'END'
import json, re, sys
ours = [int(w) for w in open(sys.argv[2]).read().split()]
try:
    card = [d for d in json.load(open(sys.argv[1])) if 'H100' in d['device_name']][0]
except Exception as e:
    sys.exit(f'nothing: {open(sys.argv[1]).read()[:200]} {e}')
number = lambda key: int(re.match(r'[0-9]+', card[key]).group())
theirs = [number(k) for k in ('gpu_clock', 'mem_clock', 'gpu_util', 'temp', 'power_draw')]
bad = [(a, b) for a, b in zip(ours, theirs) if abs(a - b) > 1]
print('same' if not bad else f'rooftop {ours}, nvtop {theirs}')
END
		is "$(cat "$tmp/out")" same "$load: nvtop and rooftop say the same ($(cat "$tmp/ours"))"
	fi
	[ -n "$BTOP" ] || continue
	mkdir -p "$tmp/config/btop"
	printf 'shown_boxes = "gpu0"\nupdate_ms = 500\n' > "$tmp/config/btop/btop.conf"
	ROOFTOP_FAKE_GPU=$spec XDG_CONFIG_HOME=$tmp/config LD_LIBRARY_PATH=$top_builddir/tests/fakenvml python3 - "$tmp/ours" $BTOP > "$tmp/out" 2>&1 <<'END'
import fcntl, os, pty, re, select, struct, sys, termios, time
ours = [int(w) for w in open(sys.argv[1]).read().split()]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 140, 0, 0))
    os.environ['TERM'] = 'xterm-256color'
    os.execvp(sys.argv[2], sys.argv[2:] + ['--utf-force'])
seen, until = b'', time.time() + 300     # against hanging only
def words():
    return re.sub(rb'\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()].', b' ', seen).decode(errors='replace')
def good():
    text = words()
    return all(re.search(p, text) for p in (rf'\b{ours[0]} Mhz', rf'\b{ours[1]} Mhz', rf'\b({ours[4]}|{ours[4] - 1}|{ours[4] + 1})\s*W\b'))
while time.time() < until and not good():
    if select.select([fd], [], [], 0.5)[0]:
        try:
            seen += os.read(fd, 65536)
        except OSError:
            break
        seen = seen[-400000:]
os.kill(pid, 15)
text = words()
if good():
    print('same')
elif 'Mhz' not in text:
    print('no gpu: ' + text[-200:])
else:
    print(f'rooftop {ours}, btop {re.findall("[0-9]+ Mhz|[0-9.]+W", text)[-6:]}')
END
	if grep -q '^no gpu' "$tmp/out"; then
		skip 1 "this btop shows no GPU"
	else
		is "$(cat "$tmp/out")" same "$load: btop and rooftop say the same"
	fi
done
[ $points -gt 0 ] || skip 1 "nothing could be compared"
finish
