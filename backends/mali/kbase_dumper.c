/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of kbase's two interfaces for counters a driver is asked through. */
#include "config.h"

#include "backends/mali/kbase.h"

/* kinstr_prfcnt exists from 11.37 on, vinstr up to 11.39 (libGPUCounters, backend_type.cpp). */
#define VINSTR_LAST_MAJOR 11
#define VINSTR_LAST_MINOR 39

struct mali_dumper *mali_kbase_dumper(
	const struct fsroot *fs, const char *name, const struct mali_layout *l, struct err *err)
{
	struct kbase_node n;

	if (!kbase_open(&n, fs, name, err))
		return NULL;
	bool has_vinstr = n.version.major < VINSTR_LAST_MAJOR ||
		(n.version.major == VINSTR_LAST_MAJOR && n.version.minor <= VINSTR_LAST_MINOR);
	kbase_close(&n);
	if (has_vinstr)
		return mali_vinstr_dumper(fs, name, l);
	return mali_kinstr_dumper(fs, name, l);
}
