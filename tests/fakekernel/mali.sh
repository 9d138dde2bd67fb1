# SPDX-License-Identifier: GPL-3.0-or-later
# Mali GPUs behind a fake panfrost and a fake kbase: what the model counted arrives through each interface, and clocks from who tells them.
. "$top_srcdir/tests/fakekernel/lib.sh"
compare=$top_srcdir/tests/fakekernel/mali.py
unset FAKEKERNEL_FAIL

# live MODEL DRIVER SET HOW [VERSION]: windows of a live device against those of the simulated one
live()
{
	board "$1" "$2" ${5+"$5"}
	"$program" -D "sim:$1" --speed max -J -n 1 -d 0.1 -m "$3" > "$tmp/model" 2> "$tmp/model.err" &
	gives 0 "$1 behind $2${5+ }${5-}, $3: live" -J -n 3 -d 0.1 -m "$3"
	wait $!
	is "$(cat "$tmp/err" "$tmp/model.err" | wc -c)" 0 "  ... without a word on standard error"
	good "  ... gives what the model counted" python3 "$compare" "$tmp/out" "$tmp/model"
	is "$(windows "head['source'], head['sim']")" "$4 False" "  ... through $4"
}

live g72,load=memory panfrost overview 'panfrost counters'
becomes "$root/sys/class/drm/card0/device/profiling" 0 "  ... and the times of clients are switched off again"
live g52,load=overdraw panfrost latency 'panfrost counters'
live g72,load=geometry kbase overview 'kbase vinstr'
live g52,load=compute kbase libGPUCounters 'kbase vinstr' 11.39
live g72,load=overdraw kbase overview 'kbase kinstr_prfcnt' 11.40
live g52,load=memory kbase latency 'kbase kinstr_prfcnt' 12.1
# A GPU with command streams says another word in the handshake.
live g710,load=overdraw kbase overview 'kbase vinstr' 'csf 1.20'
live g710,load=compute kbase libGPUCounters 'kbase kinstr_prfcnt' 'csf 1.21'
live g710,load=filters kbase latency 'kbase kinstr_prfcnt' 'csf 2.0'

# A GPU that sleeps is listed by what its device tree says, for closing its node would wake it. It is asked when it is opened.
board g72,load=memory panfrost
printf 'suspended\n' > "$root/sys/devices/platform/fde60000.gpu/power/runtime_status"
: > "$log"
gives 0 "a GPU that sleeps" -L
is "$(grep -c '^card0 .*Arm Mali GPU (arm,mali-bifrost)' "$tmp/out")" 1 "  ... is listed"
is "$(grep -c 'woken' "$log")" 0 "  ... and not woken"
gives 0 "  ... and opened" -J -n 1 -d 0.1 -D card0
is "$(windows "head['name']")" "Arm Mali-G72 MP12" "  ... as what it is"

# Which clock is used: counted by kbase, else told by fdinfo, else by devfreq, else none.
# clock WANT NAME: MHz of the first window that a dump came in time for, and reasons
clock()
{
	is "$(windows "[(round(w['metrics']['gpu_clock'] or 0), *map(w['why'].get, ('gpu_clock', 'JM.GPU_UTILIZATION', 'JM.JS0_UTILIZATION')))
		for w in windows if w['metrics']['JM.JS0_UTILIZATION'] is not None][0]")" "$1" "$2"
}

board g72,load=memory panfrost
rm -r "$root/sys/devices/platform/fde60000.gpu/devfreq"
gives 0 "without devfreq" -J -n 4 -d 0.2
clock "(746, None, None, None)" "  ... fdinfo tells the clock"
board g72,load=memory panfrost
printf '1\n' > "$root/mali/quiet"
printf '800000000\n' > "$root/sys/devices/platform/fde60000.gpu/devfreq/fde60000.gpu/cur_freq"
gives 0 "without clocks in fdinfo" -J -n 4 -d 0.2
clock "(800, None, None, None)" "  ... devfreq tells it"
rm -r "$root/sys/devices/platform/fde60000.gpu/devfreq"
gives 0 "without both" -J -n 4 -d 0.2
clock "(0, 'no_source', 'no_source', None)" "  ... there is none, and no utilization, but everything else"
gives 0 "doctor" doctor
is "$(grep -c 'neither its driver nor devfreq' "$tmp/out")" 1 "  ... says so"

# A hot board: what is allowed now is no highest clock.
board g72,load=memory kbase
for file in max_freq cur_freq target_freq; do
	echo 300000000 > "$root/sys/devices/platform/fde60000.gpu/devfreq/fde60000.gpu/$file"
done
echo $(seq 300000000 1000000 600000000) 850000000 > "$root/sys/devices/platform/fde60000.gpu/devfreq/fde60000.gpu/available_frequencies"
printf 'size 120x40\nwait 2\nsave-screen %s\nquit\n' "$tmp/hot.txt" > "$tmp/hot.script"
gives 0 "a board that was hot from the start" -d 0.1 -U --script "$tmp/hot.script"
is "$(grep -c 'clock *[0-9]* of 850 MHz' "$tmp/hot.txt")" 1 "  ... has the highest clock of its list"

# Somebody else's reader on the same node: the example of Arm's library, where it was built. Two of 100 primitives are culled there.
hwcpipe=${ROOFTOP_HWCPIPE-$(command -v api-example)}
for reads in 'g72 11.13' 'g72 11.40' 'g710 csf 1.20' 'g710 csf 1.21'; do
	if [ -x "$hwcpipe" ]; then
		board "${reads%% *},load=memory" kbase "${reads#* }"
		good "libGPUCounters reads kbase of $reads" "$on_fake" "$hwcpipe"
		is "$(grep -c 'Geometry Sample Cull Rate \[\(2\]\|2\.0\|1\.9\)' "$tmp/good.out")" 10 "  ... and gets what the model counted"
	else
		skip 2 "no example of libGPUCounters (ROOFTOP_HWCPIPE)"
	fi
done
finish
