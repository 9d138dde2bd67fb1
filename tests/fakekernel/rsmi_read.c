/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What AMD's own library (ROCm SMI, librocm_smi64) tells of the first card and of the processes that compute on
 * it, as lines "NAME NUMBER...". Declarations after rocm_smi.h of version 6.1. Status 77: there is no library. */
#include "config.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct process {
	uint32_t pid, pasid;
	uint64_t vram_bytes, sdma_us;
	uint32_t cu_pct;
};

static void *library;

/* A function of the library; nobody calls one that is not there. */
static void find(void *function, const char *name)
{
	void *p = dlsym(library, name);

	memcpy(function, &p, sizeof(p));
}

static void tell_sensors(void)
{
	int (*power)(uint32_t card, uint32_t sensor, uint64_t *uw);
	int (*energy)(uint32_t card, uint64_t *count, float *uj, uint64_t *ns);
	uint64_t v = 0, ns;
	float uj = 0;

	find(&power, "rsmi_dev_power_ave_get");
	if (power && power(0, 0, &v) == 0)
		printf("power_w %" PRIu64 "\n", v / 1000000);
	find(&energy, "rsmi_dev_energy_count_get");
	if (energy && energy(0, &v, &uj, &ns) == 0)
		printf("energy_unit_nj %.0f\n", (double)uj * 1000);
}

/* The library gives a table of its own, which begins as version 1.3 of the driver's does. */
static void tell_table(void)
{
	static const struct { const char *name; size_t at; } fields[] = {
		{ "hotspot_degc", 6 }, { "memory_degc", 8 }, { "media_pct", 20 }, { "socket_w", 22 },
	};
	int (*table)(uint32_t card, void *out);
	uint8_t data[8192] = { 0 };

	find(&table, "rsmi_dev_gpu_metrics_info_get");
	if (!table || table(0, data) != 0)
		return;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		uint16_t v;

		memcpy(&v, data + fields[i].at, sizeof(v));
		printf("%s %u\n", fields[i].name, v);
	}
}

static void tell_processes(void)
{
	int (*processes)(struct process *out, uint32_t *n);
	int (*on_card)(uint32_t pid, uint32_t card, struct process *out);
	struct process p[64] = { 0 };
	uint32_t n = 64;

	find(&processes, "rsmi_compute_process_info_get");
	find(&on_card, "rsmi_compute_process_info_by_device_get");
	if (!processes || !on_card || processes(p, &n) != 0)
		return;
	for (uint32_t i = 0; i < n; i++) {
		struct process on = { 0 };

		if (on_card(p[i].pid, 0, &on) == 0)
			printf("process %u %" PRIu64 " %u\n", p[i].pid, on.vram_bytes, on.cu_pct);
	}
}

int main(void)
{
	int (*init)(uint64_t flags);

	library = dlopen("librocm_smi64.so.1.0", RTLD_NOW);
	if (!library)
		library = dlopen("librocm_smi64.so.1", RTLD_NOW);
	if (!library)
		return 77;
	find(&init, "rsmi_init");
	if (!init || init(0) != 0)
		return 1;
	tell_sensors();
	tell_table();
	tell_processes();
	return 0;
}
