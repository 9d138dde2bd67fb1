#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop-worker from outside: what it is without a parent, on a machine without OpenCL, with wrong results, and that it never
# outlives whoever started it.
. "$top_srcdir/tests/tty/tap.sh"

drive=$top_builddir/tests/kernels/drive
worker=$top_builddir/rooftop-worker
XDG_CACHE_HOME=$tmp/cache XDG_STATE_HOME=$tmp/state POCL_CACHE_DIR=$tmp/pocl
export XDG_CACHE_HOME XDG_STATE_HOME POCL_CACHE_DIR
mkdir "$tmp/pocl" "$tmp/empty"
# Only this driver: others load libraries in a way that does not go with the address sanitizer.
OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
[ -e "$OCL_ICD_VENDORS" ] || OCL_ICD_VENDORS=$tmp/empty
export OCL_ICD_VENDORS
if [ ! -x "$worker" ]; then
	echo "1..0 # SKIP this build has no OpenCL"
	exit 0
fi

# check STATUS NAME: as point, and shows what was printed
check()
{
	point "$1" "$2"
	[ "$1" -eq 0 ] || sed 's/^/#   /' "$tmp/out" | tail -n 20
}

"$worker" </dev/null >"$tmp/out" 2>&1
test $? -eq 2 && grep -q 'is started by rooftop' "$tmp/out"
point $? "by hand it says who starts it"
"$worker" --parent 1 3<&- >"$tmp/out" 2>&1
test $? -eq 2
point $? "without its socket as well"

OCL_ICD_VENDORS=$tmp/empty "$drive" "$worker" flops.private.mad.sp.x4 >"$tmp/out" 2>&1
grep -q 'failed: there is no OpenCL platform: CL_PLATFORM_NOT_FOUND_KHR (-1001) (install' "$tmp/out"
point $? "without a platform the job fails with a reason and a way out"

"$drive" "$worker" flops.private.mad.sp.x4 groups=2 group_size=4 repeat=64 launches=8 limit_ms=60000 >"$tmp/out" 2>&1
status=$?
if grep -q 'failed: .*CL_PLATFORM_NOT_FOUND\|failed: .*CL_DEVICE_NOT_FOUND' "$tmp/out"; then
	for what in runs shape device tuner cache damaged wrong kill; do
		points=$((points + 1))
		echo "ok $points - $what # SKIP there is no OpenCL device"
	done
	finish
	exit
fi
test $status -eq 0 && grep -q 'done .* launches 8 .* wrong 0' "$tmp/out"
check $? "eight launches run and are right"

"$drive" "$worker" flops.private.mad.sp.x4 groups=2 group_size=1000000 limit_ms=60000 >"$tmp/out" 2>&1
grep -q 'failed: groups of 1000000 items are too large .*the limit is' "$tmp/out"
point $? "a group that is too large is refused with the limit"
"$drive" "$worker" mem.stream.sp.x4 groups=8388607 group_size=256 repeat=2147483647 limit_ms=60000 >"$tmp/out" 2>&1
grep -q 'failed: a launch of that size is more than can be counted' "$tmp/out"
check $? "arrays whose size does not fit into a number are refused"
"$drive" "$worker" flops.private.mad.sp.x4 repeat=4294967295 limit_ms=60000 >"$tmp/out" 2>&1
grep -q 'failed: a launch of that size takes [0-9]* s' "$tmp/out"
check $? "a loop that would take minutes is refused"
"$drive" "$worker" flops.private.mad.sp.x4 device=nothing >"$tmp/out" 2>&1
grep -q "failed: no OpenCL device is 'nothing' (there are: 0:0 " "$tmp/out"
point $? "an unknown device is refused with those that there are"

mkdir -p "$tmp/state/rooftop"
echo nonsense >"$tmp/state/rooftop/tuned"
"$drive" "$worker" flops.private.mad.sp.x4 groups=2 group_size=4 repeat=64 launches=2 limit_ms=60000 >"$tmp/out" 2>&1
test $? -eq 0 && grep -q 'log: .*tuned:1: not of the form' "$tmp/out"
check $? "a damaged file of the tuner is told and does no harm"

tuned=$tmp/state/rooftop/tuned
rm -f "$tuned"
"$drive" "$worker" atomic.same tune=1 launches=2 limit_ms=60000 >"$tmp/out" 2>&1
test $? -eq 0 && grep -q 'atomic.same=.* disturbed=[01]' "$tuned"
check $? "a tuned shape is remembered, and how disturbed the tuner was"
sed -i 's/$/ again=1/' "$tuned"
"$drive" "$worker" atomic.same groups=1 launches=2 limit_ms=60000 >"$tmp/out" 2>&1
test $? -eq 0 && ! grep -q tuning "$tmp/out" && grep -q again=1 "$tuned"
check $? "  ... one that no longer reaches what it did is left alone by a run that has its own"
"$drive" "$worker" atomic.same launches=2 limit_ms=60000 >"$tmp/out" 2>&1
test $? -eq 0 && grep -q tuning "$tmp/out" && ! grep -q again=1 "$tuned"
check $? "  ... and looked for again by the next one"

ls "$tmp"/cache/rooftop/cl/*.bin >/dev/null 2>&1
point $? "compiled kernels are kept"
for file in "$tmp"/cache/rooftop/cl/*.bin; do
	printf 'XXXXXXXX' | dd of="$file" bs=1 seek=2000 conv=notrunc 2>/dev/null
done
"$drive" "$worker" flops.private.mad.sp.x4 groups=2 group_size=4 repeat=64 launches=2 limit_ms=60000 >"$tmp/out" 2>&1
check $? "damaged ones are compiled again"

# A device that computes wrongly: one bit of what it returns is another, for the worker only.
if grep -q __asan_init "$worker"; then
	skip 4 "preloading does not go with the address sanitizer"
else
	cat >"$tmp/flip" <<END
#!/bin/sh
LD_PRELOAD=$top_builddir/tests/kernels/flip.so exec $worker "\$@"
END
	chmod +x "$tmp/flip"
	"$drive" "$tmp/flip" flops.private.mad.sp.x4 groups=2 group_size=4 repeat=64 launches=4 limit_ms=60000 >"$tmp/out" 2>&1
	test $? -eq 1 && grep -q 'done .* wrong [1-9]' "$tmp/out"
	point $? "wrong results are counted" || sed 's/^/# /' "$tmp/out"
	# ... stand still, are microseconds, are a tenth of picoseconds: what a busy machine waits is less than a launch by them.
	for thousandths in 0 1 10000000; do
		FLIP_TIMES=$thousandths "$drive" "$tmp/flip" flops.private.mad.sp.x4 limit_ms=60000 >"$tmp/out" 2>&1
		test $? -ne 0 && grep -q "the driver's time stamps are no nanoseconds: [0-9.e+]* ms of a launch are [0-9.e+-]* by them" "$tmp/out"
		point $? "a driver whose clock tells $thousandths thousandths of the time is refused" || sed 's/^/# /' "$tmp/out"
	done
fi

# However the parent ends, the load ends.
"$drive" "$worker" flops.private.mad.sp.x4 limit_ms=0 >"$tmp/out" 2>&1 &
parent=$!
patient $parent grep -q running "$tmp/out"
child=$(cat "/proc/$parent/task/$parent/children")
test -n "$child" && kill -0 $child
point $? "a load runs"
kill -9 $parent
wait $parent 2>/dev/null
patient $$ gone $child
point $? "it ends with its parent, killed or not"
finish
