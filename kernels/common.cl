/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Before every body. TYPE, UINT (its bits as an unsigned integer) and WIDTH come from the compiler's options; the others from here.
 * vec, uvec: WIDTH elements. arg: what constants are passed as, since not every device takes a half as an argument. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if WIDTH == 1
#define vec TYPE
#define uvec UINT
#else
#define vec JOIN(TYPE, WIDTH)
#define uvec JOIN(UINT, WIDTH)
#endif
#define as_vec JOIN(as_, vec)
#define as_uvec JOIN(as_, uvec)
#if TYPE_BYTES == 8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define arg double
#else
#define arg float
#endif
#if TYPE_BYTES == 2
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

/* x OP a and x OP b by turns, so that no chain leaves its range and nothing can be folded; mad has no turns. */
#if defined(OP_MAD) && defined(QUADRATIC)
#define EVEN(x) MULTIPLY_ADD(x, x, b)
#define ODD(x) EVEN(x)
#elif defined(OP_MAD)
#define EVEN(x) MULTIPLY_ADD(x, a, b)
#define ODD(x) EVEN(x)
#elif defined(OP_ADD)
#define EVEN(x) ((x) + a)
#define ODD(x) ((x) + b)
#elif defined(OP_SUB)
#define EVEN(x) ((x) - a)
#define ODD(x) ((x) - b)
#elif defined(OP_MUL)
#define EVEN(x) ((x) * a)
#define ODD(x) ((x) * b)
#elif defined(OP_DIV)
#define EVEN(x) ((x) / a)
#define ODD(x) ((x) / b)
#endif
#ifdef USE_FMA
#define MULTIPLY_ADD(x, y, z) fma(x, y, z)
#else
#define MULTIPLY_ADD(x, y, z) ((x) * (y) + (z))
#endif

/* f for each of ACCUMULATORS variables x0, x1, ... */
#define EACH_1(f) f(0)
#define EACH_2(f) EACH_1(f) f(1)
#define EACH_3(f) EACH_2(f) f(2)
#define EACH_4(f) EACH_3(f) f(3)
#define EACH_6(f) EACH_4(f) f(4) f(5)
#define EACH_8(f) EACH_6(f) f(6) f(7)
#define EACH_10(f) EACH_8(f) f(8) f(9)
#define EACH_12(f) EACH_10(f) f(10) f(11)
#define EACH_16(f) EACH_12(f) f(12) f(13) f(14) f(15)
#define EACH(f) JOIN(EACH_, ACCUMULATORS)(f)
