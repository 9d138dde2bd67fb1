# SPDX-License-Identifier: GPL-3.0-or-later
# Mali GPUs behind a fake panfrost and a fake kbase: what the model counted arrives through each interface, and what is refused ends in a
# sentence, a way out, an exit status, and numbers where there still are some.
. "$top_srcdir/tests/fakekernel/lib.sh"
compare=$top_srcdir/tests/fakekernel/mali.py
unset FAKEKERNEL_FAIL

# board MODEL DRIVER [VERSION]
board()
{
	sh "$top_srcdir/tests/fakekernel/malitree.sh" "$root" "$1" "$2"
	[ $# -lt 3 ] || printf '%s\n' "$3" > "$root/mali/version"
	rm -f "$log"
}

# live MODEL DRIVER SET HOW [VERSION]: windows of a live device against those of the simulated one
live()
{
	board "$1" "$2" ${5+"$5"}
	gives 0 "$1 behind $2${5+ }${5-}, $3: live" -J -n 2 -d 0.15 -m "$3"
	cp "$tmp/out" "$tmp/live"
	is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
	"$program" -D "sim:$1" --speed max -J -n 1 -d 0.15 -m "$3" > "$tmp/model" 2> "$tmp/err"
	good "  ... gives what the model counted" python3 "$compare" "$tmp/live" "$tmp/model"
	is "$(head -1 "$tmp/live" | python3 -c 'import json,sys; h = json.load(sys.stdin); print(h["source"], h["sim"])')" "$4 False" \
		"  ... through $4"
}

live g72,load=memory panfrost overview 'panfrost counters'
is "$(cat "$root/sys/class/drm/card0/device/profiling")" 0 "  ... and the times of clients are switched off again"
live g52,load=overdraw panfrost latency 'panfrost counters'
live g72,load=geometry kbase overview 'kbase vinstr'
live g52,load=compute kbase libGPUCounters 'kbase vinstr' 11.39
live g72,load=overdraw kbase overview 'kbase kinstr_prfcnt' 11.40
live g52,load=memory kbase latency 'kbase kinstr_prfcnt' 12.1

# Which clock is used: counted by kbase, else told by fdinfo, else by devfreq, else none.
# clock WANT NAME: MHz of the last window, and the reason
clock()
{
	is "$(tail -1 "$tmp/out" | python3 -c '
import json, sys
w = json.load(sys.stdin)
m, why = w["metrics"], w["why"]
print(round(m["gpu_clock"] or 0), why.get("gpu_clock"), why.get("JM.GPU_UTILIZATION"), why.get("JM.JS0_UTILIZATION"))')" "$1" "$2"
}

board g72,load=memory panfrost
rm -r "$root/sys/devices/platform/fde60000.gpu/devfreq"
gives 0 "without devfreq" -J -n 1 -d 0.1
clock "746 None None None" "  ... fdinfo tells the clock"
board g72,load=memory panfrost
printf '1\n' > "$root/mali/quiet"
printf '500000000\n' > "$root/sys/devices/platform/fde60000.gpu/devfreq/fde60000.gpu/cur_freq"
gives 0 "without clocks in fdinfo" -J -n 1 -d 0.1
clock "500 None None None" "  ... devfreq tells it"
rm -r "$root/sys/devices/platform/fde60000.gpu/devfreq"
gives 0 "without both" -J -n 1 -d 0.1
clock "0 no_source no_source None" "  ... there is none, and no utilization, but everything else"
gives 0 "doctor" doctor
is "$(grep -c 'neither its driver nor devfreq' "$tmp/out")" 1 "  ... says so"

# refused STATUS NAME TEXT HINT WHY: no counters, but the clock
refused()
{
	gives "$1" "$2" -J -n 2 -d 0.05
	said "$3" "  ... has its sentence"
	is "$(grep -c -F -e "$4" "$tmp/err")" 1 "  ... and a way out"
	is "$(tail -1 "$tmp/out" | python3 -c '
import json, sys
w = json.load(sys.stdin)
print(w["why"]["JM.JS0_UTILIZATION"], w["metrics"]["gpu_clock"], w["metrics"]["gpu_clock_target"])')" "$5 746 746" \
		"  ... and leaves the clock"
}

board g72,load=memory panfrost
printf 'N\n' > "$root/sys/module/panfrost/parameters/unstable_ioctls"
refused 0 "unstable_ioctls off" "card0: panfrost keeps its counters switched off" \
	"as root: echo Y > /sys/module/panfrost/parameters/unstable_ioctls" permission
gives 4 "  ... and doctor" doctor
is "$(grep -c 'echo Y > ' "$tmp/out")" 1 "  ... tells it as well"
rm -r "$root/sys/devices/platform/fde60000.gpu/devfreq"
printf '1\n' > "$root/mali/quiet"
printf 'N\n' > "$root/sys/module/panfrost/parameters/unstable_ioctls"
gives 4 "  ... and without a clock" -J -n 1 -d 0.05
is "$(wc -c < "$tmp/out")" 0 "  ... there is no window"
board g72,load=memory panfrost
"$rooftop" -J -d 0.05 -o "$tmp/first" &
wait_for "$tmp/first" 3000 $!
refused 0 "a second rooftop" "card0: another program holds its counters" "sudo fuser -v /dev/dri/renderD128" busy
kill -KILL $!
wait $! 2> /dev/null
gives 0 "the counters are free after SIGKILL" -J -n 1 -d 0.05
clock "746 None None None" "  ... with all values"
export FAKEKERNEL_FAIL=enable=EINVAL
gives 0 "a kernel without counters" -J -n 1 -d 0.05
said "card0: this kernel's panfrost has no counters" "  ... has its sentence"

# unusable STATUS NAME TEXT: the device cannot be opened at all
unusable()
{
	gives "$1" "$2" -D "${4-card0}" -J -n 1 -d 0.05
	is "$(grep -c -F -e "$3" "$tmp/err")" 1 "  ... has its sentence"
	is "$(wc -c < "$tmp/out")" 0 "  ... and no window"
}

export FAKEKERNEL_FAIL=node=EACCES
unusable 4 "no right to the node" "card0: this process may not open /dev/dri/renderD128"
export FAKEKERNEL_FAIL=param=EIO
unusable 1 "a driver that tells nothing" "card0: its driver does not tell parameter 0"
unset FAKEKERNEL_FAIL
board g72,load=memory panthor
unusable 3 "panthor" "panthor drives GPUs with command streams"
gives 0 "-L" -L
is "$(grep -c '^card0 .*panthor .*not supported' "$tmp/out")" 1 "  ... lists it once, with its reason"

# died NAME TEXT: counting ends while it goes on, and comes back when it can
died()
{
	gives 1 "$1" -J -n 3 -d 0.05
	said "$2" "  ... has one sentence"
	is "$(tail -1 "$tmp/out" | python3 -c 'import json,sys; w = json.load(sys.stdin); print(w["metrics"]["SC.EE_UTILIZATION"], w["why"]["SC.EE_UTILIZATION"])')" \
		"None stale" "  ... and no number"
}

board g72,load=memory panfrost
export FAKEKERNEL_FAIL=dump=ENODEV@4
died "a GPU that goes away" "card0: the GPU is gone"
export FAKEKERNEL_FAIL=dump=ETIMEDOUT@4
died "a GPU that does not answer" "card0: the GPU did not hand over its counters within a second"
export FAKEKERNEL_FAIL=dump=EINVAL@4
died "a GPU that was reset" "card0: its counters were switched off"
unset FAKEKERNEL_FAIL

# --- kbase ---
board g72,load=memory kbase 'old 10.6'
unusable 3 "a driver from before r21" "interface 10.6, from before r21" mali0
board g72,load=memory kbase 'csf 1.20'
unusable 3 "a GPU with command streams" "a GPU with command streams (interface 1.20)" mali0
board g72,load=memory kbase '0.0'
unusable 3 "a handshake without a result" "agrees on no interface" mali0
board g72,load=memory kbase
export FAKEKERNEL_FAIL=mali=EACCES
unusable 4 "no right to /dev/mali0" "mali0: this process may not open /dev/mali0" mali0
export FAKEKERNEL_FAIL=props=EIO
unusable 1 "no properties" "mali0: its driver refuses GET_GPUPROPS" mali0
export FAKEKERNEL_FAIL=reader=EBUSY
refused 0 "vinstr in use" "mali0: another program holds its counters" "sudo fuser -v /dev/mali0" busy
unset FAKEKERNEL_FAIL
printf '512\n' > "$root/mali/bytes"
gives 0 "dumps that are too short" -J -n 1 -d 0.05
said "mali0: its dumps have 512 bytes, the blocks of this GPU need 4096" "  ... have their sentence"
for version in 11.13 11.40; do
	board g72,load=memory kbase $version
	export FAKEKERNEL_FAIL=dump=ENODEV@4
	died "kbase $version: a GPU that goes away" "mali0: the GPU is gone"
	export FAKEKERNEL_FAIL=odd@4
	gives 1 "kbase $version: a dump that breaks the rules" -J -n 3 -d 0.05
	is "$(grep -c -E 'does not follow the format|names dump 16 of 16' "$tmp/err")" 1 "  ... has its sentence"
	unset FAKEKERNEL_FAIL
done

# Somebody else's reader on the same node: the example of Arm's library, where it was built. Two of 100 primitives are culled there.
hwcpipe=${ROOFTOP_HWCPIPE-$(command -v api-example)}
for version in 11.13 11.40; do
	if [ -x "$hwcpipe" ]; then
		board g72,load=memory kbase $version
		good "libGPUCounters reads kbase $version" "$on_fake" "$hwcpipe"
		is "$(grep -c 'Geometry Sample Cull Rate \[\(2\.0\|1\.9\)' "$tmp/good.out")" 10 "  ... and gets what the model counted"
	else
		skip 2 "no example of libGPUCounters (ROOFTOP_HWCPIPE)"
	fi
done
finish
