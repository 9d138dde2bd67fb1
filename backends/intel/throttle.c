/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throttle reasons are momentary, so they are sampled several times in a window. */
#include "config.h"

#include "backends/intel/throttle.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* The names of Linux i915 (gt/intel_gt_sysfs_pm.c) and xe (xe_gt_throttle.c). */
static const struct {
	const char *reason;
	enum throttle_kind kind;
} kinds[] = {
	{ "thermal", THROTTLE_HEAT }, { "prochot", THROTTLE_HEAT }, { "ratl", THROTTLE_HEAT },
	{ "vr_thermalert", THROTTLE_HEAT }, { "vr_thermal", THROTTLE_HEAT },
	{ "soc_thermal", THROTTLE_HEAT }, { "soc_avg_thermal", THROTTLE_HEAT },
	{ "mem_thermal", THROTTLE_HEAT }, { "pl1", THROTTLE_POWER }, { "pl2", THROTTLE_POWER },
	{ "psys_pl1", THROTTLE_POWER }, { "psys_pl2", THROTTLE_POWER },
	{ "psys_crit", THROTTLE_POWER }, { "pl4", THROTTLE_CURRENT },
	{ "vr_tdc", THROTTLE_CURRENT }, { "iccmax", THROTTLE_CURRENT },
};

/* Returns the kind of a reason by its name behind the prefix: "pl1" is THROTTLE_POWER. */
static enum throttle_kind throttle_kind_of(const char *reason)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (!strcmp(kinds[i].reason, reason))
			return kinds[i].kind;
	return THROTTLE_OTHER;
}

/* Kernels add reasons, so every file with the prefix is one. */
static bool add_reason(void *ctx, const char *name)
{
	struct throttle *t = ctx;
	size_t len = strlen(t->prefix);

	if (strncmp(name, t->prefix, len) != 0 || t->n == THROTTLE_MAX_REASONS)
		return true;
	if (strcmp(name + len, "status") != 0)
		snprintf(t->reasons[t->n++], sizeof(t->reasons[0]), "%.31s", name + len);
	return true;
}

bool throttle_find(struct throttle *t, const struct fsroot *fs, const char *card)
{
	/* Each driver has, below the card, the folder of the reasons, their prefix, the status and
	 * the clock. */
	static const struct { const char *folder, *prefix, *status, *clock; } drivers[] = {
		{ "gt/gt0", "throttle_reason_", "throttle_reason_status", "gt/gt0/rps_act_freq_mhz" },
		{ "gt/gt0", "throttle_reason_", "throttle_reason_status", "gt_act_freq_mhz" },
		{ "device/tile0/gt0/freq0/throttle", "reason_", "status", "device/tile0/gt0/freq0/act_freq" },
	};

	for (size_t i = 0; i < ARRAY_LEN(drivers); i++) {
		*t = (struct throttle){ .fs = fs };
		snprintf(t->prefix, sizeof(t->prefix), "%s", drivers[i].prefix);
		snprintf(t->folder, sizeof(t->folder), "/sys/class/drm/%.31s/%s", card,
			drivers[i].folder);
		snprintf(t->clock, sizeof(t->clock), "/sys/class/drm/%.31s/%s", card,
			drivers[i].clock);
		snprintf(t->status, sizeof(t->status), "%s/%s", t->folder, drivers[i].status);
		if (!fsroot_exists(fs, t->status))
			t->status[0] = '\0';
		fsroot_each(fs, t->folder, add_reason, t, NULL);
		if (t->n && fsroot_exists(fs, t->clock))
			return true;
	}
	return false;
}

static bool is_set(const struct throttle *t, const char *path)
{
	uint64_t v;

	return fsroot_read_u64(t->fs, path, &v, NULL) && v;
}

void throttle_sample(struct throttle *t)
{
	bool seen[THROTTLE_KINDS] = { false }, any = false;
	char path[192];

	if (!is_set(t, t->clock))
		return;
	t->counts[THROTTLE_SAMPLES]++;
	if (t->status[0] && !is_set(t, t->status))
		return;
	for (int i = 0; i < t->n; i++) {
		snprintf(path, sizeof(path), "%s/%s%s", t->folder, t->prefix, t->reasons[i]);
		if (is_set(t, path))
			any = seen[throttle_kind_of(t->reasons[i])] = true;
	}
	seen[THROTTLE_OTHER] |= t->status[0] && !any;
	for (int k = THROTTLE_HEAT; k < THROTTLE_KINDS; k++)
		t->counts[k] += seen[k];
}
