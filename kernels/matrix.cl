/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of small matrices on the matrix engines, ACCUMULATORS independent chains an item: C += A * B, where a sub-group of SUB_GROUP
 * items holds A (8 x K), B (K x SUB_GROUP) and C (8 x SUB_GROUP), K by the type (cl_intel_subgroup_matrix_multiply_accumulate).
 * Parameters: as private.cl, a vec is 8 uints. FLOP an item: turns * UNROLL * ACCUMULATORS * 8 * K * 2. Floating point numbers are 1 and
 * -1, and every second product is taken away again: all sums are exact, in whatever order the engine adds. Integers wrap. */
#if defined(MATRIX_FP16)
#define NAME intel_sub_group_f16_f16_matrix_mad_k16
#define VALUES(w) (((w) & 0x80008000U) | 0x3c003c00U)
#define NEGATED(w) ((w) ^ 0x80008000U)
#define PER_WORD 2
#define ELEMENT(word, i) vload_half(i, (const __private half *)&(word))
#elif defined(MATRIX_BF16)
#define NAME intel_sub_group_bf16_bf16_matrix_mad_k16
#define VALUES(w) (((w) & 0x80008000U) | 0x3f803f80U)
#define NEGATED(w) ((w) ^ 0x80008000U)
#define PER_WORD 2
#define ELEMENT(word, i) as_float((uint)(word) >> 16 * (i) << 16)
#elif defined(MATRIX_INT8)
#define NAME intel_sub_group_i8_i8_matrix_mad_k32
#define VALUES(w) (w)
#define NEGATED(w) (w)
#define PER_WORD 4
#define ELEMENT(word, i) ((int)(char)((word) >> 8 * (i)))
#else
#define NAME intel_sub_group_i4_i4_matrix_mad_k64
#define VALUES(w) (w)
#define NEGATED(w) (w)
#define PER_WORD 8
#define ELEMENT(word, i) ((word) << (28 - 4 * (i)) >> 28)
#endif

#if defined(MATRIX_FP16) || defined(MATRIX_BF16)
#define SUM float8
#define TERM float
#define SUM_BITS(x) as_uint8(x)
#else
#define SUM int8
#define TERM int
#define SUM_BITS(x) as_uint8(x)
#endif

/* An item of a sub-group of 8 holds words of A, one of 16 half words. */
#if SUB_GROUP == 8
#define ROWS int8
#define AS_ROWS(w) as_int8(w)
#define PER_ROW PER_WORD
#else
#define ROWS short8
#define AS_ROWS(w) as_short16(w).s02468ace
#define PER_ROW (PER_WORD / 2)
#endif

#ifdef EMULATED
/* The same product in plain C, with the same name and layout, for devices without the engine; rows is shared by the work-group and has a vec for each
 * item (PoCL 3.1 would let groups share one that the kernel declares). */
static SUM NAME(ROWS a, int8 b, SUM c, __local int *rows)
{
	const uint item = get_local_id(0), first = item / SUB_GROUP * SUB_GROUP;
	const int own[8] = { a.s0, a.s1, a.s2, a.s3, a.s4, a.s5, a.s6, a.s7 };
	const int column[8] = { b.s0, b.s1, b.s2, b.s3, b.s4, b.s5, b.s6, b.s7 };
	TERM sums[8] = { c.s0, c.s1, c.s2, c.s3, c.s4, c.s5, c.s6, c.s7 };

	for (int m = 0; m < 8; m++)
		rows[item * 8 + m] = own[m];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int m = 0; m < 8; m++)
		for (int k = 0; k < 8 * PER_WORD; k++) {
			const int left = rows[(first + k / PER_ROW) * 8 + m], right = column[k / PER_WORD];

			sums[m] += ELEMENT(left, k % PER_ROW) * ELEMENT(right, k % PER_WORD);
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	return (SUM)(sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]);
}
#define PRODUCT(a, b, c) NAME(a, b, c, rows)
#define SUB_GROUP_ATTRIBUTE
#define ROWS_ARGUMENT , __local int *rows
#else
#define PRODUCT(a, b, c) NAME(a, b, c)
#define SUB_GROUP_ATTRIBUTE __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))
#define ROWS_ARGUMENT
#endif

/* The chains multiply by columns of their own. */
#define COLUMN(j) as_int8(VALUES(rotate(v.s76543210, (uvec)(UINT)(3 * (j) + 5))))
#define START(j) SUM x##j = (SUM)0;
#define STEP(j) x##j = PRODUCT(a, COLUMN(j), x##j);
#define STEP_BACK(j) x##j = PRODUCT(back, COLUMN(j), x##j);
#define FOLD(j) bits = rotate(bits, (uvec)(UINT)7) ^ SUM_BITS(x##j);

SUB_GROUP_ATTRIBUTE
__kernel void rt_matrix(__global uvec *out, __global const vec *in, __global const vec *unused, arg constant_a,
	arg constant_b, uint turns, ulong base ROWS_ARGUMENT)
{
	const uvec v = in[get_global_id(0)];
	const ROWS a = AS_ROWS(VALUES(v)), back = AS_ROWS(NEGATED(VALUES(v)));
	uvec bits = (uvec)(UINT)0;

	EACH(START)
	for (uint n = 0; n < turns; n++) {
		EACH(STEP)
		EACH(STEP_BACK)
		EACH(STEP)
		EACH(STEP_BACK)
	}
	/* One more, which nothing takes away. */
	EACH(STEP)
	EACH(FOLD)
	out[get_global_id(0)] = bits;
}
