#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Intel's offline compiler on the kernels of the arithmetic peak: the loop is multiply-adds, and no register is spilled to memory.
set -u

if ! command -v ocloc >/dev/null; then
	echo "1..0 # SKIP ocloc is not installed"
	exit 0
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
source()
{
	cat "$top_srcdir/kernels/common.cl" "$top_srcdir/kernels/$1" >"$scratch/k.cl"
}
source private.cl
# The disassembler looks for a name that Debian's package of the library does not have.
for library in /usr/lib/*/libiga64.so.1; do
	ln -s "$library" "$scratch/libiga64.so"
done
LD_LIBRARY_PATH=$scratch
export LD_LIBRARY_PATH
n=0
failed=0

point()
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		failed=1
	fi
}

# compile DEVICE KERNEL ACCUMULATORS [SUB_GROUP [OPTION]]: assembly into $scratch/asm; fails when the device cannot
compile()
{
	options="$("$top_builddir/tests/kernels/options" "$2" "$3" ${4:-}) ${5:-}" || return 1
	rm -rf "$scratch/out" "$scratch/dump" "$scratch/asm"
	ocloc compile -file "$scratch/k.cl" -device "$1" -options "$options" -out_dir "$scratch/out" >"$scratch/log" 2>&1 || return 1
	ocloc disasm -file "$scratch"/out/*.bin -device "$1" -dump "$scratch/dump" >"$scratch/log" 2>&1
	mv "$scratch"/dump/*KernelHeap.asm "$scratch/asm" 2>/dev/null
}

# The loop is from a label to the jump back to it.
share()
{
	awk '
	/^L[0-9]+:/ { label[substr($1, 1, length($1) - 1)] = instructions; next }
	NF { mads += / mad /; total[++instructions] = mads }
	/ (jmpi|goto|while)/ {
		target = $0
		sub(/ *(\/\/.*|\{.*)?$/, "", target)
		sub(/.* /, "", target)
		if (target in label && instructions - label[target] > 8)
			share = (mads - total[label[target]]) / (instructions - label[target])
	}
	END { printf "%.3f\n", share }' "$scratch/asm"
}

# device kernel accumulators: shapes that the tuner begins with on GPUs, and one of the thesis
while read -r device kernel accumulators; do
	if ! compile "$device" "$kernel" "$accumulators"; then
		point 1 "$kernel with $accumulators chains for $device compiles"
		sed 's/^/#   /' "$scratch/log"
		continue
	fi
	part=$(share)
	awk -v part="$part" 'BEGIN { exit !(part >= 0.9) }'
	point $? "$kernel with $accumulators chains for $device: $part of its loop are multiply-adds"
	! grep -qi scratch "$scratch/asm"
	point $? "$kernel with $accumulators chains for $device: nothing is spilled"
done <<END
skl flops.private.mad.sp.x1 8
skl flops.private.mad.sp.x4 2
skl flops.private.mad.dp.x4 4
kbl flops.private.mad.sp.x4 4
kbl flops.private.mad.sp.x16 1
kbl flops.private.mad.dp.x4 4
kbl flops.private.mad.hp.x4 4
tgllp flops.private.mad.sp.x4 2
tgllp flops.private.mad.sp.x4 4
dg2 flops.private.mad.sp.x4 4
dg2 flops.private.mad.hp.x4 4
END

# The matrix engine: its builtins in sub-groups of both sizes become its instructions. This version of the compiler has the builtins for these
# devices, but its headers leave them out unless the extension's name is defined. It has no Xe2.
source matrix.cl
for kernel in xmx.fp16 xmx.bf16 xmx.int8 xmx.int4; do
	for device in acm-g10:8 pvc:16; do
		compile "${device%:*}" $kernel 4 "${device#*:}" -Dcl_intel_subgroup_matrix_multiply_accumulate=1
		point $? "$kernel for ${device%:*} compiles in sub-groups of ${device#*:}"
		good=1
		[ "$(grep -c dpas "$scratch/asm")" -ge 16 ] && good=0
		point $good "  ... to $(grep -c dpas "$scratch/asm") instructions of the matrix engine"
	done
done
source private.cl

# Where groups run: the bits of the state register for slice, subslice and EU, and on Gen12 those of the dual subslice and its half
# (intel-graphics-compiler, RTBuilder.cpp; PRM, state register sr0.0).
source place.cl
while read -r device dual masks; do
	rm -rf "$scratch/out" "$scratch/dump" "$scratch/asm"
	ocloc compile -file "$scratch/k.cl" -device "$device" -options "-D TYPE=float -D UINT=uint -D TYPE_BYTES=4 -D WIDTH=1 $dual" \
		-out_dir "$scratch/out" > "$scratch/log" 2>&1
	ocloc disasm -file "$scratch"/out/*.bin -device "$device" -dump "$scratch/dump" > "$scratch/log" 2>&1
	got=$(grep -o 'sr0.0<0;1,0>:ud *0x[0-9A-F]*' "$scratch"/dump/*KernelHeap.asm | sed 's/.*0x//' | sort | tr '\n' ' ')
	good=1
	[ "$got" = "$masks " ] && good=0
	point $good "where groups run on $device: bits $got of the state register"
done <<END
bdw -DNONE 3000 C000 F00
kbl -DNONE 3000 C000 F00
icllp -DDUAL 100 7000 E00 F0
tgllp -DDUAL 100 7000 E00 F0
END
source private.cl

# Double precision does not exist there: the compiler must say so, and not compile something else.
if compile tgllp flops.private.mad.dp.x4 4; then
	point 1 "double precision is refused for tgllp"
else
	grep -q fp64 "$scratch/log"
	point $? "double precision is refused for tgllp"
fi
echo "1..$n"
exit $failed
