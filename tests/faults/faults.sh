# SPDX-License-Identifier: GPL-3.0-or-later
# System calls and allocations that fail, one after the other: rooftop goes on, or ends with a sentence; it never crashes, hangs, or leaves
# half a file. ROOFTOP_FAULTS=N tries N calls of a kind in each scenario instead of 4, and ROOFTOP_ALL_FAULTS=1 each of them.
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
so=$top_builddir/tests/faults/faults.so
[ -e "$so" ] || { echo "1..0 # SKIP no faults.so"; exit 0; }
# A sanitizer's runtime that is a shared library wants to be the first one.
runtime=$(ldd "$rooftop" | awk '/lib(a|t|ub)san/ { print $3; exit }')
is_sanitized=$(grep -c -a __asan_init "$rooftop")
most=${ROOFTOP_FAULTS-4}
[ -z "${ROOFTOP_ALL_FAULTS-}" ] || most=1000000000
python3 -B "$top_srcdir/tests/faults/faults.py" "$rooftop" "$tmp" "${runtime:+$runtime }$so" "$is_sanitized" "$most" > "$tmp/points"
relay "$tmp/points"
[ "$(wc -l < "$tmp/points")" -ge 10 ]
point $? "all calls were tried"

# A wall clock that jumps by a day at each second look: windows go by the other clock.
FAULTS=clock:back:/2 LD_PRELOAD="${runtime:+$runtime }$so" "$rooftop" -D sim:hd620 -d 0.05 -n 6 -J > "$tmp/out" 2> "$tmp/err"
point $? "a wall clock that jumps"
is "$(python3 -c 'import json, sys
w = [json.loads(line) for line in open(sys.argv[1])][1:]
print(len({x["t"][:10] for x in w}), sum(0 < x["window_ms"] < 3.6e6 for x in w), sorted(x["mono_ns"] for x in w) == [x["mono_ns"] for x in w])' "$tmp/out")" \
	"2 6 True" "  ... changes the dates alone"

# Few descriptors, little memory: a sentence or a result. A sanitizer's look for leaks wants a descriptor of its own.
for n in 5 6 7 8 10 12; do
	(ulimit -n $n && ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 exec "$rooftop" -D sim:hd620 --speed max -n 2 -J -w "$tmp/few.i915perf" --overwrite) > "$tmp/out" 2> "$tmp/err" < /dev/null
	status=$?
	[ $status -eq 0 ] || { [ $status -eq 1 ] && [ -s "$tmp/err" ]; }
	point $? "with $n descriptors"
done
if [ "$is_sanitized" -gt 0 ]; then
	skip 4 "a sanitizer needs the address space"
else
	for kib in 20000 40000 60000 80000; do
		(ulimit -v $kib && ulimit -c 0 && exec "$rooftop" -D sim:hd620 --speed max -n 2 -J) > "$tmp/out" 2> "$tmp/err" < /dev/null
		status=$?
		[ $status -eq 0 ] || { [ -s "$tmp/err" ] && { [ $status -eq 1 ] || [ $status -eq 127 ] || [ $status -eq 134 ]; }; }
		point $? "with $kib KiB of address space"
	done
fi
finish
