# SPDX-License-Identifier: GPL-3.0-or-later
# OA counters by registers on the fake GPU: values are the model's, every register is given back, and intel_reg reads the same.
. "$top_srcdir/tests/fakekernel/lib.sh"
compare=$top_srcdir/tests/fakekernel/compare.py
if [ "$(uname -m)" != x86_64 ]; then
	skip 1 "the fake registers single-step x86-64 code"
	finish
	exit 0
fi
if ! ldd "$program" | grep -q libpciaccess; then
	skip 1 "this build has no libpciaccess"
	finish
	exit 0
fi
resource=$root/sys/class/drm/card0/device/resource0
handle=$root/sys/kernel/debug/dri/0/i915_forcewake_user

# restored EVENTS [NAME]: what can be read back is as after reset: control registers 0, all event registers EVENTS, wells asleep
restored()
{
	is "$(python3 - "$resource" "$root/i915/registers" "$1" <<'END'
import struct, sys
with open(sys.argv[1], 'rb') as f:
	f.seek(0x2000)
	low = f.read(0x2000)
	f.seek(0xd900)
	high = f.read(0x300)
state = open(sys.argv[2], 'rb').read()
events = set(struct.unpack_from('<448I', state, 16))
print(any(low), any(high), events == {int(sys.argv[3], 0)}, struct.unpack_from('<2I', state, 16 + 448 * 4))
END
)" "False False True (0, 0)" "${2-  ... and gives every register back, forcewake too}"
}

# same MODEL SET EVENTS: three windows of registers against three of the simulated device
same()
{
	machine "$1"
	gives 0 "$1, $2: registers" --access mmio -J -n 3 -d 0.2 -m "$2"
	cp "$tmp/out" "$tmp/live"
	is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
	"$program" -D "sim:$1" --speed max -J -n 3 -d 0.2 -m "$2" > "$tmp/model" 2> "$tmp/err"
	good "  ... give what the model counted" python3 "$compare" "$tmp/live" "$tmp/model"
	restored "$3"
}

same hd620,load=private.mad.sp.x1 overview 0
same hd620,load=copy.sp.x4 memory 0
same chv,load=private.mad.sp.x1 overview 0
same chv,load=copy.sp.x1 ComputeBasic 0
same tgl,load=private.mad.sp.x4 overview 0xffffff
same tgl,load=copy.sp.x4 memory 0xffffff

# What the ways to counters say of each other.
machine hd620,load=private.mad.sp.x1
gives 0 "doctor" --access mmio doctor
is "$(grep -c -E '^  OA registers +ok' "$tmp/out")" 1 "  ... tries registers when told to"
is "$(grep -c -E '^  i915 perf +-- +not tried; --access perf asks for it' "$tmp/out")" 1 "  ... and nothing else"
gives 0 "doctor without --access" doctor
is "$(grep -c -E '^  OA registers +-- +not tried; --access mmio asks for it' "$tmp/out")" 1 "  ... says that registers could be read"

# Without anything to program: no writes at all where the kernel keeps the GPU awake.
mkdir -p "$(dirname "$handle")"
: > "$handle"
: > "$log"
gives 0 "a set that programs nothing" --access mmio -J -n 2 -d 0.2 -m fixed
is "$(grep -c '^WRITE' "$log") $(grep '^MAP' "$log")" "0 MAP resource0 2097152 bytes" "  ... maps for reading only, and writes nothing"
cp "$tmp/out" "$tmp/live"
"$program" -D sim:hd620,load=private.mad.sp.x1 --speed max -J -n 2 -d 0.2 -m fixed > "$tmp/model" 2> "$tmp/err"
is "$(python3 - "$tmp/live" "$tmp/model" <<'END'
import json, sys
live, model = [json.loads(open(f).readlines()[-1]) for f in sys.argv[1:]]
a, b = live['metrics']['cs_threads'], model['metrics']['cs_threads']
print(b > 100 and abs(a - b) < 0.02 * b, live['metrics']['gpu_busy'], live['why']['gpu_busy'])
END
)" "True None no_source" "  ... and has threads, which always count, and no more"
: > "$log"
gives 0 "one that programs, with the kernel's handle" --access mmio -J -n 1 -d 0.1 -m overview
is "$(grep -c '^WRITE 0xa' "$log")" 0 "  ... leaves forcewake to the kernel"
restored 0
rm "$handle"
: > "$log"
gives 0 "without the kernel's handle" --access mmio -J -n 1 -d 0.1 -m fixed
is "$(grep -c '^WRITE 0xa' "$log") $(grep -c '^WRITE 0x[^a]' "$log")" "4 0" "  ... writes forcewake, and gives it back"

# Killed at any moment.
machine hd620,load=private.mad.sp.x1
"$rooftop" --access mmio -J -d 0.05 -m memory -o "$tmp/killed" &
wait_for "$tmp/killed" 5000 $!
if command -v intel_reg > /dev/null; then
	good "intel_reg reads beside rooftop" "$on_fake" intel_reg read 0x2358 0x2910 0x2820 0x2b00
	cp "$tmp/good.out" "$tmp/first"
	sleep 0.3
	good "  ... and again" "$on_fake" intel_reg read 0x2358 0x2910 0x2820 0x2b00
	is "$(python3 - "$tmp/first" "$tmp/good.out" "$tmp/killed" <<'END'
import json, re, sys
first, second = [{k: int(v, 16) for k, v in re.findall(r'\((0x[0-9a-f]+)\): (0x[0-9a-f]+)', open(f).read())} for f in sys.argv[1:3]]
d = {k: (second[k] - first[k]) % 2**32 for k in first}
s = d['0x00002358'] / 12e6
m = json.loads(open(sys.argv[3]).read().split('\n')[-3])['metrics']
near = lambda a, b: abs(a - b) < 0.03 * b
print(near(d['0x00002910'] / s / 1e6, m['avg_gpu_core_frequency']), near(d['0x00002820'] / s / 1e3, m['cs_threads']), hex(first['0x00002b00']))
END
)" "True True 0x1" "  ... clock and threads as rooftop has them"
else
	skip 3 "no intel_reg"
fi
kill -KILL $!
wait $! 2> /dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(tail -1 "$log")" = 'WRITE 0xa278 = 0x20000' ] && break
	sleep 0.2
done
restored 0 "SIGKILL leaves no register behind"

# refused NAME TEXT WHY: registers are refused, and clocks remain
refused()
{
	gives 0 "$1" --access mmio -J -n 2 -d 0.05
	said "$2" "  ... has its sentence"
	is "$(python3 -c 'import json,sys; w = json.loads(open(sys.argv[1]).readlines()[-1]); print(w["metrics"]["clock_actual"], w["metrics"]["eu_active"], w["why"]["eu_active"])' "$tmp/out")" \
		"1050 None $3" "  ... and leaves the clocks"
}

# fails WORDS: the machine as new, with that scenario
fails()
{
	machine hd620,load=private.mad.sp.x1
	export FAKEKERNEL_FAIL="$1"
}

fails ''
printf 'none [integrity] confidentiality\n' > "$root/sys/kernel/security/lockdown"
: > "$log"
refused "lockdown" "the kernel is locked down, so nobody may map registers" permission
is "$(grep -c MAP "$log")" 0 "  ... is not tried against"
fails ''
rm "$resource"
refused "no registers" "cannot use /sys/bus/pci/devices/0000:00:02.0/resource0: No such file or directory" no_source
fails resource=EACCES
refused "no right to registers" "this process may not map the registers of PCI device 0000:00:02.0" permission
fails map=EINVAL
refused "registers that the driver keeps" "this kernel keeps the registers of PCI device 0000:00:02.0 to its driver" permission
fails forcewake=EIO
refused "a GPU that does not wake up" "the GPU's power well 'render' does not wake up" no_source
restored 0
unset FAKEKERNEL_FAIL

# One unit, two users.
machine hd620,load=private.mad.sp.x1
"$rooftop" -J -d 0.05 -o "$tmp/first" &
wait_for "$tmp/first" 3000 $!
refused "registers while a stream runs" "card0: another program controls its OA unit (OA control register 0x2b00 is 0x15)" no_source
kill -TERM $!
wait $! 2> /dev/null
"$rooftop" --access mmio -J -d 0.05 -n 60 -o "$tmp/first" 2> "$tmp/first.err" &
wait_for "$tmp/first" 3000 $!
gives 0 "a stream while registers are read" -J -n 1 -d 0.5
wait $! 2> /dev/null
is "$(grep -c 'card0: another program controls its OA unit' "$tmp/first.err")" 1 "  ... ends their use, with a sentence"

# What happens under way.
fails gone=ENODEV@3000
gives 1 "a GPU that goes away" --access mmio -J -n 60 -d 0.05
said "card0: the GPU is gone: its registers do not answer" "  ... has one sentence"
is "$(tail -1 "$tmp/out" | python3 -c 'import json,sys; w = json.load(sys.stdin); print(w["metrics"]["eu_active"], w["why"]["eu_active"])')" \
	"None stale" "  ... and no number"
fails slow@1000
gives 0 "a turn that is interrupted" --access mmio -J -n 6 -d 0.1
is "$(python3 - "$tmp/out" <<'END'
import json, sys
head, *windows = [json.loads(line) for line in open(sys.argv[1])]
print(sum(w['lost'] for w in windows), max(abs(w['metrics']['eu_active'] - windows[0]['metrics']['eu_active']) for w in windows) < 1)
END
)" "0 True" "  ... is read again"
fails context@20
gives 0 "a context with events of its own" --access mmio -J -n 6 -d 0.1
is "$(python3 - "$tmp/out" <<'END'
import json, sys
head, *windows = [json.loads(line) for line in open(sys.argv[1])]
print(sum(w['lost'] for w in windows), all(abs(w['metrics']['flop_sp_per_cycle_eu'] - 16) < 0.6 for w in windows))
END
)" "1 True" "  ... is one loss, and the numbers stay right"
fails ''
printf '1\n' > "$root/i915/stuck_subslice"
gives 0 "a subslice that takes no events" --access mmio doctor
is "$(grep -c 'subslice 1 of slice 0 does not hold the events' "$tmp/out")" 1 "  ... is told by name"
unset FAKEKERNEL_FAIL

# Recording.
machine hd620,load=private.mad.sp.x1
gives 0 "recording registers" --access mmio -J -n 5 -d 0.1 -m ComputeBasic -w "$tmp/live.i915perf"
"$program" -D sim:hd620,load=private.mad.sp.x1 --speed max -J -n 3 -d 0.1 -m ComputeBasic > "$tmp/model" 2> "$tmp/err"
"$program" -r "$tmp/live.i915perf" --speed max -d 0.1 -J > "$tmp/played" 2> "$tmp/err"
good "  ... plays with the same values" python3 "$compare" "$tmp/played" "$tmp/model"
finish
