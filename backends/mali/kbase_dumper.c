/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of kbase's two interfaces for counters a driver is asked through. */
#include "config.h"

#include "backends/mali/kbase.h"

/* The last interfaces with vinstr (libGPUCounters, backend_type.cpp). kinstr_prfcnt exists from
 * 11.37 and 1.17 on. */
static const struct kbase_version last_vinstr = { 11, 39 }, last_vinstr_streams = { 1, 20 };
static const struct kbase_version first_kinstr_streams = { 1, 17 };

static bool is_after(struct kbase_version v, struct kbase_version last)
{
	return v.major > last.major || (v.major == last.major && v.minor > last.minor);
}

struct mali_dumper *mali_kbase_dumper(
	const struct fsroot *fs, const char *name, const struct mali_layout *l, struct err *err)
{
	struct kbase_node n;

	if (!kbase_open(&n, fs, name, err))
		return NULL;
	kbase_close(&n);
	/* Dumps of vinstr have 64 words in a block. */
	if (l->words == MALI_BLOCK_WORDS &&
		!is_after(n.version, n.has_streams ? last_vinstr_streams : last_vinstr))
		return mali_vinstr_dumper(fs, name, l);
	if (!n.has_streams || !is_after(first_kinstr_streams, n.version))
		return mali_kinstr_dumper(fs, name, l);
	err_set(err, ERR_UNSUPPORTED, "%s: its driver's interface %u.%u has no way to blocks of %d words",
		name, n.version.major, n.version.minor, l->words);
	err_hint(err, "%s", "a newer Mali driver");
	return NULL;
}
