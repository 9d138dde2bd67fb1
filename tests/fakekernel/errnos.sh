# SPDX-License-Identifier: GPL-3.0-or-later
# The fake kernel refuses what Linux refuses, for the same reasons: the rows of errnos.py.
. "$top_srcdir/tests/fakekernel/lib.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

table=errnos.py

for model in hd620 tgl; do
	machine $model
	rows 42 "i915, $model" i915
	FAKEKERNEL_PERFMON=0 rows 22 "  ... without a right" i915 unprivileged
	rm -r "$metrics"
	rows 2 "  ... without metric sets" i915 without_metrics
done
machine dg2
FORMAT=12 rows 42 "i915, dg2" i915
machine lnl xe
echo 15 > "$root/i915/oa_capabilities"
export XE_FORMAT=65797 XE_UNIT=0
rows 49 "xe, lnl" xe
FAKEKERNEL_PERFMON=0 rows 22 "  ... without a right" xe unprivileged
rows 17 "EU stalls" stall
FAKEKERNEL_PERFMON=0 rows 1 "  ... without a right" stall unprivileged
machine tgl xe
NO_STALLS=1 rows 1 "  ... where there are none" stall
machine hd620
pmus cpu:intel i915 xe_0000_00_02.0 uncore_imc
rows 28 "perf events" perf
echo 1 > "$root/proc/sys/kernel/perf_event_paranoid"
FAKEKERNEL_PERFMON=0 rows 3 "  ... of CPUs without a right" perf unprivileged
echo 2 > "$root/proc/sys/kernel/perf_event_paranoid"
FAKEKERNEL_PERFMON=0 rows 3 "  ... of the kernel without a right" perf paranoid
finish
