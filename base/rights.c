/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads capabilities, sysctls and signs of containers, and explains refusals by them. */
#include "config.h"

#include "base/rights.h"

#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"

#define STATUS "/proc/self/status"
#define PERF_EVENT "/proc/sys/kernel/perf_event_paranoid"

/* The status file has many lines. The tree of a test has its own file, which then counts for the
 * process. */
static void read_caps(struct rights *r, const struct fsroot *fs)
{
	char path[PATH_MAX], line[256];

	if (!fsroot_exists(fs, STATUS) || !fsroot_path(fs, path, sizeof(path), STATUS))
		snprintf(path, sizeof(path), STATUS);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		uint64_t caps;

		/* What is permitted comes into force where it is needed (privilege.h). */
		if ((!strncmp(line, "CapEff:\t", 8) || !strncmp(line, "CapPrm:\t", 8)) &&
			parse_hex(line + 8, &caps)) {
			r->caps |= caps;
			r->caps_known = true;
		}
	}
	if (f)
		fclose(f);
}

/* The files that the usual container programs leave behind; they are only a hint. systemd's file
 * names the program. */
static void read_container(struct rights *r, const struct fsroot *fs)
{
	const char *name = getenv("container");

	if (fsroot_read_line(
		    fs, "/run/systemd/container", r->container, sizeof(r->container), NULL) &&
		r->container[0])
		return;
	if (fsroot_exists(fs, "/.dockerenv"))
		name = "docker";
	else if (fsroot_exists(fs, "/run/.containerenv"))
		name = "podman";
	else if (!name)
		return;
	snprintf(r->container, sizeof(r->container), "%.20s", name);
}

void rights_read(struct rights *r, const struct fsroot *fs)
{
	static const char *const names[] = { "Debian", "Ubuntu" };
	char line[256], *end, *open = NULL;

	*r = (struct rights){ 0 };
	read_caps(r, fs);
	if (fsroot_read_line(fs, PERF_EVENT, line, sizeof(line), NULL)) {
		r->perf_event_paranoid = strtoll(line, &end, 10);
		r->paranoid_known = end != line && !*end;
	}
	if (!fsroot_read_line(fs, "/proc/sys/kernel/osrelease", r->kernel, sizeof(r->kernel), NULL))
		r->kernel[0] = '\0';
	/* Debian: "#1 SMP PREEMPT_DYNAMIC Debian 6.1.176-1 (2026-06-02)"; Ubuntu: "#44-Ubuntu SMP
	 * ...". */
	if (!fsroot_read_line(fs, "/proc/sys/kernel/version", line, sizeof(line), NULL))
		line[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strstr(line, names[i]))
			snprintf(r->distribution, sizeof(r->distribution), "%s", names[i]);
	read_container(r, fs);
	/* In "none [integrity] confidentiality" the word in brackets is in force. */
	if (fsroot_read_line(fs, "/sys/kernel/security/lockdown", line, sizeof(line), NULL))
		open = strchr(line, '[');
	if (open)
		snprintf(r->lockdown, sizeof(r->lockdown), "%.*s", (int)strcspn(open + 1, "]"),
			open + 1);
}

bool rights_has(const struct rights *r, enum right right)
{
	return r->caps_known && (r->caps >> right & 1);
}

bool rights_perfmon(const struct rights *r)
{
	return rights_has(r, RIGHT_PERFMON) || rights_has(r, RIGHT_SYS_ADMIN);
}

/* Debian's patch "security,perf: Allow further restriction of perf_event_open"; other kernels treat
 * 3 and more as 2. */
bool rights_needs_admin(const struct rights *r)
{
	return r->paranoid_known && r->perf_event_paranoid > 2 && r->distribution[0];
}

void rights_names(const struct rights *r, char *buf, size_t size)
{
	static const struct { enum right right; const char *name; } names[] = {
		{ RIGHT_PERFMON, "perfmon" }, { RIGHT_SYS_ADMIN, "sys_admin" }, { RIGHT_SYS_PTRACE, "sys_ptrace" },
		{ RIGHT_SYS_RAWIO, "sys_rawio" }, { RIGHT_DAC_OVERRIDE, "dac_override" },
		{ RIGHT_DAC_READ_SEARCH, "dac_read_search" },
	};
	size_t len = 0;

	if (size)
		buf[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(names) && len < size; i++)
		if (rights_has(r, names[i].right))
			len += (size_t)snprintf(
				buf + len, size - len, "%s%s", len ? " " : "", names[i].name);
}

const char *rights_own_path(char *buf, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", buf, size - 1);

	if (len > 0)
		buf[len] = '\0';
	else
		snprintf(buf, size, "rooftop");
	return buf;
}

/* --- refusals --- */

static void append(char *text, size_t size, const char *more)
{
	size_t len = strlen(text);

	snprintf(text + len, size - len, "%s", more);
}

/* Adds a way out of the container, if we are in one. */
static bool add_container(const struct rights *r, const char *way, struct err *err)
{
	char note[160];

	if (!err || !r->container[0])
		return false;
	snprintf(note, sizeof(note), " (inside a container: %s)", r->container);
	append(err->msg, sizeof(err->msg), note);
	snprintf(note, sizeof(note), "%s%s", err->hint[0] ? "; " : "", way);
	append(err->hint, sizeof(err->hint), note);
	return false;
}

/* A container keeps rights from its root, and its sysctls are the host's. */
static bool note_container(const struct rights *r, struct err *err)
{
	return add_container(r,
		"for this container: start it with --cap-add=PERFMON (sysctls are those of its "
		"host)",
		err);
}

/* The process has the right, but the kernel refused all the same. */
static bool refuse_otherwise(
	const struct rights *r, const char *object, const char *rule, struct err *err)
{
	err_set(err, ERR_PERMISSION,
		"%s: refused although %s: a seccomp filter or a security module forbids it",
		object, rule);
	err_hint(err, "%s", "for the reason: sudo dmesg | grep -i -e audit -e lockdown");
	return note_container(r, err);
}

bool rights_refuse_perf_event(const struct rights *r, const char *object, struct err *err)
{
	long long value = (long long)r->perf_event_paranoid;
	char exe[200];

	if (rights_has(r, RIGHT_SYS_ADMIN))
		return refuse_otherwise(r, object, "this process has CAP_SYS_ADMIN", err);
	if (!r->paranoid_known) {
		err_set(err, ERR_PERMISSION,
			"%s: refused, and kernel.perf_event_paranoid cannot be read", object);
		return note_container(r, err);
	}
	if (rights_needs_admin(r)) {
		err_set(err, ERR_PERMISSION,
			"%s: kernel.perf_event_paranoid is %lld (%s): it needs CAP_SYS_ADMIN, "
			"CAP_PERFMON is not enough here",
			object, value, r->distribution);
		err_hint(err, "%s",
			"until reboot: sudo sysctl kernel.perf_event_paranoid=0 (lets every user "
			"count everything)");
		return note_container(r, err);
	}
	if (value <= 0)
		return refuse_otherwise(r, object, "kernel.perf_event_paranoid allows it", err);
	if (rights_perfmon(r))
		return refuse_otherwise(r, object, "this process has CAP_PERFMON", err);
	err_set(err, ERR_PERMISSION,
		"%s: kernel.perf_event_paranoid is %lld, it needs 0 or CAP_PERFMON, which this "
		"process has not",
		object, value);
	err_hint(err,
		"for this program: sudo setcap cap_perfmon+ep %s; "
		"until reboot: sudo sysctl kernel.perf_event_paranoid=0 (lets every user count "
		"everything)",
		rights_own_path(exe, sizeof(exe)));
	return note_container(r, err);
}

bool rights_refuse_stream(const struct rights *r, const struct fsroot *fs, const char *object,
	const char *sysctl, struct err *err)
{
	char exe[200], rule[120], path[160];
	uint64_t value = 1;

	/* "dev.i915.perf_stream_paranoid" is a file below /proc/sys. */
	snprintf(path, sizeof(path), "/proc/sys/%s", sysctl);
	for (char *p = path + strlen("/proc/sys/"); *p; p++)
		if (*p == '.')
			*p = '/';
	bool known = fsroot_read_u64(fs, path, &value, NULL);
	if (rights_perfmon(r))
		return refuse_otherwise(r, object, "this process has CAP_PERFMON", err);
	if (known && value == 0) {
		snprintf(rule, sizeof(rule), "%s is 0", sysctl);
		return refuse_otherwise(r, object, rule, err);
	}
	if (known)
		err_set(err, ERR_PERMISSION,
			"%s: %s is %llu and this process has no CAP_PERFMON", object, sysctl,
			(unsigned long long)value);
	else
		err_set(err, ERR_PERMISSION,
			"%s: %s cannot be read and this process has no CAP_PERFMON", object,
			sysctl);
	err_hint(err,
		"for this program: sudo setcap cap_perfmon+ep %s; until reboot: sudo sysctl %s=0 "
		"(for everybody)",
		rights_own_path(exe, sizeof(exe)), sysctl);
	return note_container(r, err);
}

/* It reads only the file: other name services may ask a network, and a caller that tries again
 * every few seconds must not wait for that. */
static bool group_name(const struct fsroot *fs, gid_t gid, char *buf, size_t size)
{
	char path[PATH_MAX];
	struct group *g;
	bool found = false;
	FILE *f = NULL;

	if (fsroot_path(fs, path, sizeof(path), "/etc/group"))
		f = fopen(path, "re");
	while (f && !found && (g = fgetgrent(f))) {
		found = g->gr_gid == gid;
		if (found)
			snprintf(buf, size, "%s", g->gr_name);
	}
	if (f)
		fclose(f);
	return found;
}

bool rights_refuse_file(const struct rights *r, const struct fsroot *fs, const char *object,
	const char *path, struct err *err)
{
	char full[PATH_MAX], way[140], group[64] = "";
	struct stat st;
	bool seen = fsroot_path(fs, full, sizeof(full), "%s", path) && stat(full, &st) == 0;

	err_set(err, ERR_PERMISSION, "%s: this process may not open %s", object, path);
	/* A container's groups are not the host's, so the number counts. */
	if (r->container[0] && seen && (st.st_mode & S_IRGRP) && st.st_gid != 0) {
		snprintf(way, sizeof(way),
			"for this container: start it with --device=%s --group-add=%u", path,
			(unsigned)st.st_gid);
		return add_container(r, way, err);
	}
	if (seen && (st.st_mode & S_IRGRP) && st.st_gid != 0)
		group_name(fs, st.st_gid, group, sizeof(group));
	if (group[0] || !strncmp(path, "/dev/dri/", 9))
		err_hint(err,
			"for this user: sudo usermod -aG %.60s \"$USER\", then log in again",
			text_or(group, "render"));
	else if (seen && !(st.st_mode & (S_IRGRP | S_IROTH)))
		err_hint(err,
			"until reboot, for everybody: sudo chmod a+r %s (its mode is %04o)",
			path, st.st_mode & 07777u);
	snprintf(way, sizeof(way), "for this container: start it with --device=%s", path);
	return add_container(r, way, err);
}
