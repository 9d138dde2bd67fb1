/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times loops whose length in cycles is known by the clock of the thread. */
#include "config.h"

#include "kernels/worker/cpu.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/minmax.h"

#define CHAIN_STEPS 65536
#define FMA_TURNS 4096
#define FMA_CHAINS 12
#define ROUNDS 7
/* Vectors that any CPU can begin in a cycle. */
#define MAX_UNITS 8

static double thread_time_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The exclusive or of registers takes one cycle on every CPU. Unlike the addition of constants it
 * is never folded when instructions are renamed (Intel's Golden Cove does that), and the barrier
 * keeps the compiler from folding it. */
static double chain_s(void)
{
	uintptr_t x = 1, y = 2;
	double start = thread_time_s();

	for (int i = 0; i < CHAIN_STEPS / 8; i++) {
#define STEP x ^= y; __asm__ volatile("" : "+r"(x), "+r"(y));
		STEP STEP STEP STEP STEP STEP STEP STEP
#undef STEP
	}
	return thread_time_s() - start;
}

/* The middle counts: neighbours on the core make a loop longer, and virtual machines sometimes
 * forget time. */
double cpu_clock_hz(void)
{
	double s[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		s[i] = chain_s();
	double middle = sort_median(s, ROUNDS);
	return middle > 0 ? CHAIN_STEPS / middle : NAN;
}

/* A loop of FMA_CHAINS independent multiply-adds on vectors of BYTES, which compilers contract by
 * default. */
#define FMA_LOOP(NAME, BYTES, TARGET) \
	typedef float NAME##_vector __attribute__((vector_size(BYTES))); \
	TARGET static double NAME(void) \
	{ \
		NAME##_vector x[FMA_CHAINS], a = { 0 }, b = { 0 }; \
		double start; \
		\
		a += 0.5f; \
		b += 1.0f; \
		x[0] = b; \
		for (int j = 1; j < FMA_CHAINS; j++) \
			x[j] = x[j - 1] + 1.0f; \
		__asm__ volatile("" : "+m"(a), "+m"(b)); \
		start = thread_time_s(); \
		for (int i = 0; i < FMA_TURNS; i++) { \
			_Pragma("GCC unroll 12") \
			for (int j = 0; j < FMA_CHAINS; j++) \
				x[j] = x[j] * a + b; \
		} \
		for (int j = 0; j < FMA_CHAINS; j++) \
			__asm__ volatile("" : "+m"(x[j])); \
		return thread_time_s() - start; \
	}

#if defined(__x86_64__)
FMA_LOOP(fma_64, 64, __attribute__((target("avx512f"))))
FMA_LOOP(fma_32, 32, __attribute__((target("avx2,fma"))))
#endif
FMA_LOOP(fma_16, 16, )

/* The widest loop that this CPU can run and the size of its vectors. */
static double (*choose_loop(int *bytes))(void)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f")) {
		*bytes = 64;
		return fma_64;
	}
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
		*bytes = 32;
		return fma_32;
	}
#endif
	*bytes = 16;
	return fma_16;
}

double cpu_flop_per_cycle(void)
{
	double vectors[ROUNDS], middle;
	int bytes;
	double (*loop)(void) = choose_loop(&bytes);

	for (int i = 0; i < ROUNDS; i++) {
		double s = loop();

		vectors[i] = FMA_TURNS * FMA_CHAINS / (s * cpu_clock_hz());
	}
	/* A whole number of vectors leaves the units in a cycle, and the loop reaches most of
	 * them. */
	middle = ceil(sort_median(vectors, ROUNDS) - 0.2);
	if (middle > 0 && middle <= MAX_UNITS)
		return middle * bytes / sizeof(float) * 2;
	return NAN;
}

static bool read_cpu_file(char *buf, size_t size, int cpu, const char *file)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/%s", cpu, file);
	f = fopen(path, "re");
	bool good = f && fgets(buf, (int)size, f);
	if (f)
		fclose(f);
	return good;
}

/* The first CPU of a list such as "0,64" or "0-1" stands for it. */
static bool is_first(int cpu, const char *file)
{
	char list[4096];

	return !read_cpu_file(list, sizeof(list), cpu, file) || atoi(list) == cpu;
}

int cpu_core_count(void)
{
	cpu_set_t set;
	char list[4096];
	int firsts[CPU_SETSIZE], n = 0;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	for (int i = 0; i < CPU_SETSIZE; i++) {
		int k = 0;

		if (!CPU_ISSET(i, &set))
			continue;
		firsts[n] = i;
		if (read_cpu_file(list, sizeof(list), i, "topology/thread_siblings_list"))
			firsts[n] = atoi(list);
		while (firsts[k] != firsts[n])
			k++;
		n += k == n;
	}
	return n;
}

bool cpu_has_kinds(void)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	char first[32] = "", capacity[32];

	/* Intel's have events of their own. */
	if (access("/sys/devices/cpu_atom", F_OK) == 0)
		return true;
	for (int i = 0; i < cpus; i++) {
		if (!read_cpu_file(capacity, sizeof(capacity), i, "cpu_capacity"))
			continue;
		if (*first && strcmp(first, capacity) != 0)
			return true;
		memcpy(first, capacity, sizeof(first));
	}
	return false;
}

uint64_t cpu_last_caches_bytes(void)
{
	uint64_t sum = 0;
	char size[32];
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	for (int i = 0; i < cpus; i++) {
		if (is_first(i, "cache/index3/shared_cpu_list") &&
			read_cpu_file(size, sizeof(size), i, "cache/index3/size"))
			sum += strtoull(size, NULL, 10) << 10;
	}
	return sum;
}
