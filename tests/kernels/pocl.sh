#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels on real OpenCL: the processor through PoCL, with a compiler's cache of its own. ROOFTOP_ALL_VARIANTS=1 runs every kernel.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# CI keeps what PoCL has compiled for the next build: the kernels are the same.
POCL_CACHE_DIR=${ROOFTOP_POCL_CACHE:-$scratch}/pocl
mkdir -p "$POCL_CACHE_DIR"
XDG_CACHE_HOME=$scratch
export POCL_CACHE_DIR XDG_CACHE_HOME
if [ ! -x "$top_builddir/tests/kernels/variants" ]; then
	echo "1..0 # SKIP this build has no OpenCL"
	exit 0
fi
# Only this driver: others load libraries in a way that does not go with the address sanitizer.
OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
if [ ! -e "$OCL_ICD_VENDORS" ]; then
	echo "1..0 # SKIP PoCL is not installed"
	exit 0
fi
export OCL_ICD_VENDORS
"$top_builddir/tests/kernels/variants"
