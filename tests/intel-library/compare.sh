#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.sh LIBRARY XML: Intel's own library (intel/metrics-discovery, MIT) and rooftop beside each other on fake machines. LIBRARY is
# a checkout of it with a build in its folder dump, XML the folder of Intel's oa-*.xml.gz; it runs in the build folder, after make check has
# built the fake kernel. Not part of make check: the library is large, and the two read different files.
set -eu
library=$1
xml=$2
here=$(dirname "$0")
tests=$here/../fakekernel
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
so=$(find "$library/dump" -name libigdmd.so.1 | head -1)
c++ -O1 -I"$library/inc/common/instrumentation/api" "$here/library.cpp" -ldl -o "$tmp/library"
FAKEKERNEL_ROOT=$tmp/machine
LD_LIBRARY_PATH=$(dirname "$so")
export FAKEKERNEL_ROOT LD_LIBRARY_PATH
failed=0

# beside MACHINE DRIVER XML SET...: the sets, read by one and then by the other
beside()
{
	machine=$1 driver=$2 file=$3
	shift 3
	sh "$tests/maketree.sh" "$tmp/machine" "$machine" "$driver"
	for set; do
		LD_PRELOAD=tests/fakekernel/fakekernel.so "$tmp/library" "$set" 1000 > "$tmp/library.tsv" 2> "$tmp/library.err" ||
			{ cat "$tmp/library.err"; failed=1; continue; }
		LD_PRELOAD=tests/fakekernel/fakekernel.so ./rooftop -J -n 1 -d 1 --metrics-xml "$xml/oa-$file.xml.gz" -m "$set" \
			> "$tmp/rooftop.json" 2> "$tmp/rooftop.err" || { cat "$tmp/rooftop.err"; failed=1; continue; }
		python3 "$here/compare.py" "$machine $set" "$tmp/library.tsv" "$tmp/rooftop.json" || failed=1
	done
}

beside lnl,load=private.mad.sp.x4 xe lnl ComputeBasic TestOa RenderBasic
beside lnl,load=stream.sp.x4 xe lnl ComputeBasic
beside lnl,load=xmx xe lnl ComputeBasic
beside bmg,load=private.mad.sp.x4 xe bmg ComputeBasic
beside ptl,load=private.mad.sp.x4 xe ptl ComputeBasic
beside tgl,load=private.mad.sp.x4 i915 tglgt2 ComputeBasic RenderBasic
beside tgl,load=copy.sp.x4 i915 tglgt2 ComputeBasic
exit $failed
