# SPDX-License-Identifier: GPL-3.0-or-later
# Loads on an OpenCL device, whatever it is: one kernel verified, ends by signals, and no load that outlives the program.
. "$top_srcdir/tests/tty/tap.sh"

if [ ! -x "$top_builddir/rooftop-worker" ]; then
	echo "1..0 # SKIP this build has no worker"
	exit 0
fi
# CI keeps what PoCL has compiled for the next build: the kernels are the same.
POCL_CACHE_DIR="${ROOFTOP_POCL_CACHE:-$tmp}/opencl"
mkdir -p "$POCL_CACHE_DIR"
export POCL_CACHE_DIR
"$rooftop" stress help -c > "$tmp/list" 2> "$tmp/err"
# Intel's driver opens libraries with RTLD_DEEPBIND, which ends every program that has a sanitizer. The other drivers work there.
if grep -q 'worker ended with status 99' "$tmp/list"; then
	mkdir "$tmp/vendors"
	for icd in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; do
		OCL_ICD_VENDORS=$icd "$rooftop" stress help -c > "$tmp/list" 2> "$tmp/err"
		grep -q 'worker ended with status 99' "$tmp/list" || cp "$icd" "$tmp/vendors"
	done
	OCL_ICD_VENDORS=$tmp/vendors
	export OCL_ICD_VENDORS
	"$rooftop" stress help -c > "$tmp/list" 2> "$tmp/err"
fi
if ! grep -q '^flops.private.mad.sp.x4,.*,1,' "$tmp/list"; then
	echo "1..0 # SKIP no OpenCL device: $(head -1 "$tmp/err")"
	exit 0
fi

# column NAME: of the first row of the CSV in $tmp/out
column()
{
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' "$tmp/out"
}

gives 0 "a kernel runs and its results are checked" stress -c --quiet -o "$tmp/out" --validate --time 0.3 flops.private.mad.sp.x4
"$rooftop" stress -c --validate --time 0.3 flops.private.mad.sp.x4 > "$tmp/out" 2> "$tmp/err"
is "$(column check) $(column mismatches)" "ok 0" "it says so"
is "$(awk -v f="$(column gflops)" 'BEGIN { print (f > 0) }') $(grep -c simulated "$tmp/out")" "1 0" "with GFLOP/s that are nobody's model"
if grep -q 'on the CPU' "$tmp/out"; then
	"$rooftop" stress --where --blocks 4 flops.private.mad.sp.x4 > "$tmp/where" 2> "$tmp/err"
	is "$(($? != 0)) $(grep -c "is not known: .*only Intel's compiler for GPUs has functions for it" "$tmp/err")" "1 1" \
		"where groups run on a processor is not known, and why"
fi
# The device that will run the kernels is the one that is asked which it can run, and one name is not two devices.
gives 3 "the device that is named is asked" stress --cl-device nonsense --time 0.1 'flops.private.mad.sp.*'
is "$(grep -c "no OpenCL device is 'nonsense'" "$tmp/err")" 1 "  ... and when it is none, that is what is wrong"
two=$(POCL_DEVICES='pthread basic' "$rooftop" stress --cl-device help 2> /dev/null | grep -c '^0:[01] .*basic\|^0:[01] .*pthread')
if [ "$two" -eq 2 ]; then
	word=$("$rooftop" stress --cl-device help | sed -n '1s/^[0-9:]* *[a-z]*-\([a-z0-9]*\).*/\1/p')
	POCL_DEVICES='pthread basic' "$rooftop" stress --cl-device "$word" --time 0.1 flops.private.mad.sp.x1 > "$tmp/out" 2> "$tmp/err"
	is "$? $(grep -c "is in the names of 2 OpenCL devices" "$tmp/err")" "3 1" "two devices are told apart by their places"
fi
# Kernels of work-groups and of memory, in sizes that are no powers of two.
"$rooftop" stress -c --validate --time 0.1 --tpb 24 slm.reduce slm.reduce-all slm.reduce-chain slm.broadcast slm.barrier flow.diverge.w4 mem.stride.s8 lat.walkers.16k > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c ',ok,' "$tmp/out")" "0 8" "reductions, broadcasts, barriers, divergence, strides and walkers are right"
if grep -q 'on the CPU' "$tmp/out"; then
	"$rooftop" stress -c --time 0.7 lat.chase.16k --beside flops.private.mad.sp.x4 > "$tmp/out" 2> "$tmp/err"
	is "$? $(column beside)" "0 flops.private.mad.sp.x4" "a kernel runs beside another one"
	"$rooftop" stress -c --time 0.7 flops.private.mad.sp.x4 --beside lat.chase.64k > "$tmp/out" 2> "$tmp/err"
	is "$(awk -v g="$(column beside_gops)" 'BEGIN { print (g > 0) }')" 1 "and says how fast it is"
	"$rooftop" stress -c --time 0.7 lat.chase.16k --beside no.kernel > "$tmp/out" 2> "$tmp/err"
	is "$? $(grep -c "'no.kernel'" "$tmp/err")" "2 1" "an unknown one is named"
	"$rooftop" sweep --over tpb --time 0.1 --blocks 4 --loop 64 -o "$tmp/tpb.csv" slm.reduce > "$tmp/out" 2> "$tmp/err"
	is "$? $(grep -c '^slm.reduce' "$tmp/tpb.csv")" "0 8" "and sizes of groups are gone over"
fi
gives 2 "an unknown kernel" stress flops.private.mad.sp.x3
gives 2 "no work-items" stress --tpb 0 flops.private.mad.sp.x4
"$rooftop" stress --cl-device nowhere --time 0.3 flops.private.mad.sp.x4 > "$tmp/out" 2> "$tmp/err"
is "$(($? != 0)) $(grep -c nowhere "$tmp/err")" "1 1" "an OpenCL device that does not exist is named"
mkdir "$tmp/binaries"
gives 0 "the compiled kernel" stress --quiet --dump-binary "$tmp/binaries" --time 0.1 flops.private.mad.sp.x4
is "$(ls "$tmp/binaries") $([ "$(wc -c < "$tmp/binaries/flops.private.mad.sp.x4.bin")" -gt 1000 ] && echo large)" "flops.private.mad.sp.x4.bin large" "is written under its name"
gives 1 "a folder that is not there" stress --quiet --dump-binary "$tmp/nowhere" --time 0.1 flops.private.mad.sp.x4
is "$(grep -c "cannot write to the folder '$tmp/nowhere'" "$tmp/err")" 1 "is named"
"$rooftop" stress -c --time 0.1 flops.private.mad.sp.x4 > "$tmp/out" 2> /dev/null
made=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print ($at["simd"] != "" || $at["made_why"] != "") }' "$tmp/out")
is "$made" 1 "SIMD is known, or there is a reason"
gives 0 "the OpenCL devices are listed" stress --cl-device help
is "$(grep -c -v '^[0-9]*:[0-9]*  .*, ' "$tmp/out") $(wc -c < "$tmp/err")" "0 0" "with place, name and driver, a line each"
cp "$tmp/out" "$tmp/devices"
for command in sweep calibrate; do
	gives 0 "$command lists them, too" $command --cl-device help
	is "$(cat "$tmp/out")" "$(cat "$tmp/devices")" "  ... the same ones"
done
gives 0 "a list for a file" sweep --cl-device help -o "$tmp/one"
is "$(cat "$tmp/one") $(wc -c < "$tmp/out")" "$(cat "$tmp/devices") 0" "  ... goes there"
place=$(sed -n 's/^\([0-9]*:[0-9]*\) .*/\1/p;q' "$tmp/devices")
gives 0 "a place from the list" stress --cl-device "$place" --quiet -o "$tmp/one" --time 0.1 flops.private.mad.sp.x4
OCL_ICD_VENDORS="$tmp/none/" "$rooftop" stress --cl-device help > "$tmp/out" 2> "$tmp/err"
is "$? $(wc -c < "$tmp/out") $(grep -c "no OpenCL platform" "$tmp/err")" "3 0 1" "without any OpenCL there is nothing to list"
OCL_ICD_VENDORS="$tmp/none/" "$rooftop" stress --time 0.3 flops.private.mad.sp.x4 > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c "no OpenCL platform" "$tmp/err")" "3 1" "without any OpenCL the reason is told"

python3 -B "$top_srcdir/tests/stress/asked.py" > "$tmp/points"
is "$?" 0 "loads are started from the screen"
relay "$tmp/points"

# has_child PROCESS: it has started one; $worker is the first
has_child()
{
	worker=$(cut -d' ' -f1 "/proc/$1/task/$1/children" 2> /dev/null)
	[ -n "$worker" ]
}

for signal in KILL TERM INT; do
	case $signal in KILL) want_status=137 ;; TERM) want_status=143 ;; INT) want_status=130 ;; esac
	# What a shell starts beside itself is told to ignore SIGINT.
	command python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$rooftop" stress --time 3600 flops.private.mad.sp.x4 > "$tmp/out" 2> "$tmp/err" &
	parent=$!
	patient $parent has_child $parent
	kill -$signal "$parent"
	wait "$parent" 2> /dev/null
	ended=$?
	[ -n "$worker" ] && patient $$ gone "$worker"
	point $? "no load outlives SIG$signal"
	is "$ended" "$want_status" "which ended the program"
done
finish
