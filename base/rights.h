/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this process may do and what the kernel asks for. It also puts refusals into words: the
 * object, the rule, the command that helps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"

/* Bits of CapEff in /proc/self/status; numbers: linux/capability.h. */
enum right {
	RIGHT_DAC_OVERRIDE = 1,
	RIGHT_DAC_READ_SEARCH = 2,
	RIGHT_SYS_RAWIO = 17,
	RIGHT_SYS_PTRACE = 19,
	RIGHT_SYS_ADMIN = 21,
	RIGHT_PERFMON = 38,
};

/* Plain data. Empty strings mean unknown, or no sign of it. */
struct rights {
	bool caps_known;
	uint64_t caps;			/* effective */
	bool paranoid_known;
	int64_t perf_event_paranoid;	/* may be negative */
	char kernel[72];		/* release */
	char distribution[16];		/* whose kernel it is: "Debian", "Ubuntu" */
	char container[24];		/* "docker", "podman", ... */
	char lockdown[24];		/* "none", "integrity", "confidentiality" */
};

/* Reads /proc and /sys below the prefix; what cannot be read stays unknown. */
void rights_read(struct rights *r, const struct fsroot *fs);
/* Returns false also when the capabilities are not known. */
bool rights_has(const struct rights *r, enum right right);
/* Whether it has CAP_PERFMON or CAP_SYS_ADMIN: what the kernel calls perfmon_capable. */
bool rights_perfmon(const struct rights *r);
/* Whether every event needs more than CAP_PERFMON. Only kernels of Debian and Ubuntu ask for that,
 * when perf_event_paranoid is above 2. */
bool rights_needs_admin(const struct rights *r);
/* Writes "perfmon sys_admin", or "" when it has none of those that matter here. */
void rights_names(const struct rights *r, char *buf, size_t size);
/* Returns the path of this program, for commands. */
const char *rights_own_path(char *buf, size_t size);

/* Each fills err with code ERR_PERMISSION and returns false. object is what was refused ("card0",
 * "i915 PMU"). The hint has the ways out, with "; " between them, each as "for whom: command". */

/* perf_event_open() failed with EACCES or EPERM. */
bool rights_refuse_perf_event(const struct rights *r, const char *object, struct err *err);
/* A driver's stream of counters failed so; sysctl is "dev.i915.perf_stream_paranoid". */
bool rights_refuse_stream(const struct rights *r, const struct fsroot *fs, const char *object,
	const char *sysctl, struct err *err);
/* Opening a device node or a file failed so. */
bool rights_refuse_file(const struct rights *r, const struct fsroot *fs, const char *object,
	const char *path, struct err *err);
