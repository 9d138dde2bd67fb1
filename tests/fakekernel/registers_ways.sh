# SPDX-License-Identifier: GPL-3.0-or-later
# What is mapped and written, and what is left when rooftop is killed; intel_reg reads the same registers beside it.
. "$top_srcdir/tests/fakekernel/registers_lib.sh"

# What the ways to counters say of each other.
machine $model
gives 0 "doctor" $way doctor
is "$(grep -c -E '^  OA registers +ok' "$tmp/out")" 1 "  ... tries registers when told to"
is "$(grep -c -E '^  i915 perf +-- +not tried; --access perf asks for it' "$tmp/out")" 1 "  ... and nothing else"
gives 0 "doctor without --access" doctor
is "$(grep -c -E '^  OA registers +-- +not tried; --access mmio asks for it' "$tmp/out")" 1 "  ... says that registers could be read"

# Without anything to program: no writes at all where the kernel keeps the GPU awake.
mkdir -p "$(dirname "$handle")"
: > "$handle"
: > "$log"
gives 0 "a set that programs nothing" $way -J -n 2 -d 0.2 -m fixed
is "$(grep -c '^WRITE' "$log") $(grep '^MAP' "$log")" "0 MAP resource0 2097152 bytes, writable" "  ... writes nothing"
cp "$tmp/out" "$tmp/live"
"$program" -D sim:$model --speed max -J -n 2 -d 0.2 -m fixed > "$tmp/model" 2> "$tmp/err"
is "$(python3 - "$tmp/live" "$tmp/model" <<'END'
import json, sys
live, model = [json.loads(open(f).readlines()[-1]) for f in sys.argv[1:]]
a, b = live['metrics']['cs_threads'], model['metrics']['cs_threads']
print(b > 100 and abs(a - b) < 0.02 * b, live['metrics']['gpu_busy'], live['why']['gpu_busy'])
END
)" "True None no_source" "  ... and has threads, which always count, and no more"
# Two sources of one set map the same registers, of which one writes.
cat > "$tmp/mine.metrics" <<'END'
include counters.metrics
set mine "Threads, and EUs by looks"
	platforms kblgt2
	let L3.shader = A30 + A31 + A32
	include body-fixed.metrics
	include map-loaded.metrics
END
gives 0 "a set that programs nothing and looks at EUs" $way -J -n 2 -d 0.5 --metrics "$tmp/mine.metrics" -m mine
is "$(windows "windows[-1]['metrics']['eu_loaded_share'] is not None and windows[-1]['metrics']['cs_threads'] > 100")" True "  ... has both"
: > "$log"
gives 0 "one that programs, with the kernel's handle" $way -J -n 1 -d 0.1 -m overview
is "$(grep -c '^WRITE 0xa' "$log")" 0 "  ... leaves forcewake to the kernel"
restored 0
rm "$handle"
: > "$log"
gives 0 "without the kernel's handle" $way -J -n 1 -d 0.1 -m fixed
is "$(grep -c '^WRITE 0xa' "$log") $(grep -c '^WRITE 0x[^a]' "$log")" "4 0" "  ... writes forcewake, and gives it back"

# Another user of the bit for programs drops it: it is asked for again, by registers and by looks.
for set in overview euload; do
	rm -f "$tmp/out"
	"$lasting" $way -J -d 0.2 -m $set -o "$tmp/out" 2> "$tmp/err" &
	wait_for "$tmp/out" 3000 $!
	printf '\0\0\0\0\0\0\0\0' | dd of="$root/i915/registers" bs=1 seek=$((16 + 448 * 4)) conv=notrunc 2> /dev/null
	wait_for "$tmp/out" $(($(wc -c < "$tmp/out") + 9000)) $!
	kill -TERM $!
	wait $! 2> /dev/null
	is "$(window "m['eu_loaded_share' if '$set' == 'euload' else 'gpu_busy'] is not None")" True \
		"$set goes on where another program drops forcewake"
	restored 0
done

# OAR stands where Gen8 has its free counters: those addresses are not read on Gen12.
machine tgl,load=private.mad.sp.x4
: > "$log"
gives 0 "Gen12, a set that programs nothing" $way -J -n 1 -d 0.1 -m fixed
is "$(grep -c "counters that run without being programmed are not documented for" "$tmp/err") $(grep -c '0x29[67]' "$log")" "1 0" \
	"  ... is refused with the reason, and OAR is left alone"
gives 0 "Gen12, a set that programs" $way -J -n 1 -d 0.1 -m overview

# Killed at any moment.
machine $model
machine $model
"$lasting" $way -J -d 0.05 -m memory -o "$tmp/killed" &
wait_for "$tmp/killed" 5000 $!
if command -v intel_reg > /dev/null; then
	good "intel_reg reads beside rooftop" "$on_fake" intel_reg read 0x2358 0x2910 0x2820 0x2b00
	cp "$tmp/good.out" "$tmp/first"
	wait_for "$tmp/killed" $(($(wc -c < "$tmp/killed") + 10000)) $!	# windows between both
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
patient $$ eval "[ \"\$(tail -1 '$log')\" = 'WRITE 0xa278 = 0x20000' ]"
restored 0 "SIGKILL leaves no register behind"

# The kernel's handle would let the GPU sleep when rooftop is gone, and what sleeps takes no writes.
machine $model
mkdir -p "$(dirname "$handle")"
: > "$handle"
rm -f "$tmp/killed"
"$lasting" $way -J -d 0.05 -m overview -o "$tmp/killed" &
wait_for "$tmp/killed" 5000 $!
kill -KILL $!
wait $! 2> /dev/null
flock -w 300 "$handle" true	# against hanging only
is "$(grep -c '^WRITE 0xa' "$log")" 0 "killed while the kernel keeps the GPU awake"
restored 0 "  ... it sleeps only when the registers are given back"
finish
