/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of forcewake's registers, and the two ways to ask for it. */
#include "config.h"

#include "backends/intel/i915/mmio.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "base/call_watch.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/privilege.h"

/* Bit 0 is the kernel's, bit 1 is for programs (Linux intel_uncore.c, FORCEWAKE_USER). The upper
 * half of the register is a mask of the bits that a write changes. */
#define USER_BIT (1u << 1)
#define MASKED(bit) ((bit) << 16)
#define ACK_TRIES 50
#define ACK_WAIT_NS NS_PER_MS

/* Rows are searched in order; a NULL platform stands for every platform of these versions. */
static const struct forcewake_row {
	const char *platform;
	uint8_t first_ver, last_ver;
	struct forcewake_domain domains[FORCEWAKE_DOMAINS + 1];
	const char *source;
} rows[] = {
	{ "chv", 8, 8, { { "render", 0x1300b0, 0x1300b4 } }, "Linux intel_uncore.c, FORCEWAKE_VLV" },
	{ NULL, 8, 8, { { "GT", 0xa188, 0x130044 } }, "Linux intel_uncore.c, FORCEWAKE_MT" },
	{ NULL, 9, 12, { { "render", 0xa278, 0x0d84 }, { "GT", 0xa188, 0x130044 } },
		"Linux intel_uncore.c, FORCEWAKE_RENDER_GEN9, FORCEWAKE_GT_GEN9; PRM TGL vol. 13" },
};

const struct forcewake_domain *forcewake_domains(const struct intel_platform *p)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (p->graphics_ver >= rows[i].first_ver && p->graphics_ver <= rows[i].last_ver &&
		    (!rows[i].platform || !strcmp(rows[i].platform, p->name)))
			return rows[i].domains;
	return NULL;
}

int forcewake_open_handle(const struct fsroot *fs, const char *card)
{
	char path[PATH_MAX];

	if (!fsroot_path(fs, path, sizeof(path), "/sys/kernel/debug/dri/%s/i915_forcewake_user",
		    card + strlen("card")))
		return -1;
	privilege_raise();
	int fd = driver_open(path, O_RDONLY);
	privilege_lower();
	return fd;
}

static bool is_awake(const struct mmio *m, const struct forcewake_domain *d)
{
	const struct timespec wait = { .tv_nsec = ACK_WAIT_NS };

	for (int i = 0; i < ACK_TRIES; i++) {
		if (mmio_read(m, d->ack) & USER_BIT)
			return true;
		nanosleep(&wait, NULL);
	}
	return false;
}

bool forcewake_request(struct mmio *m, const struct forcewake_domain *domains, struct err *err)
{
	struct mmio_guard *g = mmio_awake(m, err);

	if (!g)
		return false;
	for (const struct forcewake_domain *d = domains; d->name; d++) {
		if (mmio_read(m, d->ack) & USER_BIT)
			continue;	/* another program set it and drops it */
		mmio_guard_at_end(g, d->request, MASKED(USER_BIT));
		mmio_write(m, d->request, MASKED(USER_BIT) | USER_BIT);
		if (is_awake(m, d))
			continue;
		err_set(err, ERR_SYS,
			"the GPU's power well '%s' does not wake up (register %#x, "
			"acknowledgement %#x)",
			d->name, d->request, d->ack);
		return err_hint(err,
			"sudo dmesg | grep i915 tells whether the driver has trouble as well; "
			"--access perf leaves this to the kernel");
	}
	return true;
}
