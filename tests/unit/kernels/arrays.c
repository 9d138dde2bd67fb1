/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of kernels that stream are larger than the caches of today's parts, or it is said that they are not. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "kernels/worker/worker.h"
#include "tests/tap.h"

#define MIB (1ULL << 20)
#define GIB (1ULL << 30)

enum kind { CARD, SHARED, PROCESSOR };

/* The largest of each family: what stands before its memory by its maker's data sheet, what its OpenCL calls the cache (NVIDIA and AMD
 * count the L1, Intel the L3; a processor's are those that Linux lists), and its memory. */
static const struct {
	const char *name;
	enum kind kind;
	uint64_t cache, told, memory;
} parts[] = {
	{ "GeForce RTX 4090", CARD, 72 * MIB, 3 * MIB, 24 * GIB },
	{ "GeForce RTX 5090", CARD, 96 * MIB, 4 * MIB, 32 * GIB },
	{ "A100", CARD, 40 * MIB, 3 * MIB, 40 * GIB },
	{ "H100", CARD, 50 * MIB, 4 * MIB, 80 * GIB },
	{ "H100, a seventh of it", CARD, 50 * MIB, 1 * MIB, 10 * GIB },
	{ "B200", CARD, 126 * MIB, 4 * MIB, 180 * GIB },
	{ "Radeon RX 6400", CARD, 16 * MIB, MIB / 64, 4 * GIB },
	{ "Radeon RX 6900 XT", CARD, 128 * MIB, MIB / 64, 16 * GIB },
	{ "Radeon RX 7900 XTX", CARD, 96 * MIB, MIB / 32, 24 * GIB },
	{ "Radeon RX 9070 XT", CARD, 64 * MIB, MIB / 32, 16 * GIB },
	{ "Instinct MI300X", CARD, 256 * MIB, MIB / 32, 192 * GIB },
	{ "Arc A770", CARD, 16 * MIB, 16 * MIB, 16 * GIB },
	{ "Arc B580", CARD, 18 * MIB, 18 * MIB, 12 * GIB },
	{ "Data Center GPU Max 1550", CARD, 408 * MIB, 408 * MIB, 128 * GIB },
	{ "Iris Pro 6200", SHARED, 128 * MIB, MIB, 8 * GIB },
	{ "Iris Pro 580", SHARED, 128 * MIB, 3 * MIB / 2, 16 * GIB },
	{ "UHD 770 of a Core i9-14900K", SHARED, 36 * MIB, 2 * MIB, 16 * GIB },
	{ "Arc 140V", SHARED, 8 * MIB, 8 * MIB, 32 * GIB },
	{ "Radeon 8060S", SHARED, 32 * MIB, MIB / 32, 64 * GIB },
	{ "Mali-G720", SHARED, 8 * MIB, 2 * MIB, 8 * GIB },
	{ "Mali-G52 of a board", SHARED, MIB / 2, MIB / 2, 2 * GIB },
	{ "Core i9-14900K", PROCESSOR, 36 * MIB, 36 * MIB, 64 * GIB },
	{ "Ryzen 9 9950X3D", PROCESSOR, 128 * MIB, 128 * MIB, 64 * GIB },
	{ "EPYC 9965", PROCESSOR, 384 * MIB, 384 * MIB, 768 * GIB },
	{ "Xeon 6980P, two sockets", PROCESSOR, 1008 * MIB, 1008 * MIB, 1536 * GIB },
	{ "EPYC 9684X", PROCESSOR, 1152 * MIB, 1152 * MIB, 768 * GIB },
	{ "EPYC 9684X, two sockets", PROCESSOR, 2304 * MIB, 2304 * MIB, 1536 * GIB },
	{ "EPYC 9684X in a machine of 8 GiB", PROCESSOR, 1152 * MIB, 1152 * MIB, 8 * GIB },
	{ "Data Center GPU Max 1550 that gives 1 GiB", CARD, 408 * MIB, 408 * MIB, 8 * GIB },
};

static int said_fd;

/* How large arrays are, and what is said of them. */
static uint64_t asked(const struct device_facts *d, char *said, size_t size)
{
	int kept = dup(STDERR_FILENO);
	uint64_t bytes;
	ssize_t n;

	if (ftruncate(said_fd, 0) < 0 || lseek(said_fd, 0, SEEK_SET) < 0)
		return 0;
	dup2(said_fd, STDERR_FILENO);
	bytes = load_array_bytes(d);
	dup2(kept, STDERR_FILENO);
	close(kept);
	n = pread(said_fd, said, size - 1, 0);
	said[max_i64(n, 0)] = '\0';
	return bytes;
}

int main(void)
{
	char said[256], want[128];

	said_fd = memfd_create("said", MFD_CLOEXEC);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct device_facts d = { .cpu = parts[i].kind == PROCESSOR,
			.own_memory = parts[i].kind == CARD,
			.cache_bytes = parts[i].told,
			.global_bytes = parts[i].memory,
			.max_alloc_bytes = parts[i].memory / 4 };
		uint64_t bytes = asked(&d, said, sizeof(said));
		uint64_t whole = min_u64(bytes, 4 * parts[i].told);

		ok(bytes >= 2 * parts[i].cache || *said, "%s: arrays of %llu MiB are twice its %llu MiB, or it is said that they are not",
			parts[i].name, (unsigned long long)(bytes / MIB), (unsigned long long)(parts[i].cache / MIB));
		snprintf(want, sizeof(want), "arrays of %llu MiB are less than 4 times the %llu MiB", (unsigned long long)(bytes / MIB),
			(unsigned long long)(parts[i].told / MIB));
		ok(whole == 4 * parts[i].told ? !*said : strstr(said, want) != NULL, "  ... what is known of its cache decides whether");
		ok(3 * bytes <= parts[i].memory / 2, "  ... and three of them leave most of its memory");
	}
	return done_testing();
}
