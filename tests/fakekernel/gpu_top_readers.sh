# SPDX-License-Identifier: GPL-3.0-or-later
# What programs take from the output of "intel_gpu_top -J" they take from that of rooftop. $INTEL_GPU_TOP names another intel_gpu_top than that
# of this system, and $ROOFTOP_READERS a folder of programs that read such output and write lines "NAME VALUE".
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
readers=$top_srcdir/tests/fakekernel/gpu_top_readers.py
gpu_top=${INTEL_GPU_TOP:-$(command -v intel_gpu_top)}
[ -n "$gpu_top" ] || { echo "1..0 # SKIP no intel_gpu_top"; exit 0; }

machine hd620,load=private.mad.sp.x1
pmus i915 power:intel uncore_imc
rate i915 rcs0-busy 700000000
rate i915 rcs0-sema 50000000
rate i915 vcs0-busy 300000000
rate i915 interrupts 2500
mkdir "$root/clients"
echo 700 > "$root/clients/maker"
sleeper "$tmp/maker"
sh -c 'exec "$0" 300 8< "$1" 9< "$1"' "$tmp/maker" "$root/dev/dri/renderD128" &
maker=$!
patient $maker grep -q -x -F maker "/proc/$maker/comm"
point $? "a process with two clients"

gpu_top_json "$tmp/theirs" -s 300
classes=
grep -q '"Render/3D/0"' "$tmp/theirs" || classes=--intel-gpu-top-classes
"$rooftop" --intel-gpu-top-json $classes -n 4 -d 0.3 > "$tmp/ours" 2> "$tmp/err" < /dev/null
python3 -B "$readers" "$tmp/theirs" "$tmp/ours" ${ROOFTOP_READERS:+"$ROOFTOP_READERS"/*} > "$tmp/relay"
relay "$tmp/relay"
is "$(awk '/takes the same/ { n++ } /cannot read this version/ { old++ } END { print (n + old >= 6 && n >= 5) }' "$tmp/relay")" 1 "all readers have read"
kill $maker
wait $maker 2> /dev/null
finish
