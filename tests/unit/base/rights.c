/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refusals name the rule that holds here and a command that would help under it. */
#include "config.h"

#include "base/rights.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/tap.h"

#define PERFMON (UINT64_C(1) << RIGHT_PERFMON)
#define ADMIN (UINT64_C(1) << RIGHT_SYS_ADMIN)

static void test_perf_event(void)
{
	static const struct {
		uint64_t caps;
		int64_t paranoid;
		const char *distribution, *container, *msg, *hint;
	} rows[] = {
		{ 0, 3, "Debian", "", "is 3 (Debian): it needs CAP_SYS_ADMIN", "sudo sysctl kernel.perf_event_paranoid=0" },
		{ PERFMON, 3, "Debian", "", "CAP_PERFMON is not enough", "sudo sysctl kernel.perf_event_paranoid=0" },
		{ 0, 4, "Ubuntu", "", "is 4 (Ubuntu)", "sudo sysctl kernel.perf_event_paranoid=0" },
		{ 0, 3, "", "", "needs 0 or CAP_PERFMON", "sudo setcap cap_perfmon+ep " },
		{ 0, 2, "Debian", "", "needs 0 or CAP_PERFMON", "sudo setcap cap_perfmon+ep " },
		{ 0, 2, "", "docker", "(inside a container: docker)", "--cap-add=PERFMON" },
		{ PERFMON, 2, "", "", "although this process has CAP_PERFMON", "sudo dmesg" },
		{ ADMIN, 3, "Debian", "", "although this process has CAP_SYS_ADMIN", "sudo dmesg" },
		{ 0, -1, "", "", "although kernel.perf_event_paranoid allows it", "sudo dmesg" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct rights r = { .caps_known = true,
			.caps = rows[i].caps,
			.paranoid_known = true,
			.perf_event_paranoid = rows[i].paranoid };
		struct err err = { 0 };

		snprintf(r.distribution, sizeof(r.distribution), "%s", rows[i].distribution);
		snprintf(r.container, sizeof(r.container), "%s", rows[i].container);
		ok(!rights_refuse_perf_event(&r, "i915 PMU", &err) && err.code == ERR_PERMISSION,
			"perf events, row %zu", i);
		ok(!strncmp(err.msg, "i915 PMU: ", 10), "  ... names the object");
		ok(strstr(err.msg, rows[i].msg) != NULL, "  ... says why: %s", err.msg);
		ok(strstr(err.hint, rows[i].hint) != NULL, "  ... and what helps: %s", err.hint);
	}
}

/* A tree with these texts; NULL: no such file. */
static void tree(struct fsroot *fs, const char *file, const char *text)
{
	char command[1200];

	if (text)
		snprintf(command, sizeof(command),
			"mkdir -p \"$(dirname '%s%s')\" && printf '%%s\\n' '%s' > '%s%s'",
			fs->prefix, file, text, fs->prefix, file);
	else
		snprintf(command, sizeof(command), "rm -f '%s%s'", fs->prefix, file);
	if (system(command) != 0)
		exit(1);
}

static void test_read(struct fsroot *fs)
{
	struct rights r;
	struct err err = { 0 };
	char names[100];

	tree(fs, "/proc/self/status",
		"CapPrm:\t0000000000000000\nCapEff:\t0000004000080000\nCapBnd:\t000001ffffffffff");
	tree(fs, "/proc/sys/kernel/perf_event_paranoid", "3");
	tree(fs, "/proc/sys/kernel/osrelease", "6.1.0-44-amd64");
	tree(fs, "/proc/sys/kernel/version",
		"#1 SMP PREEMPT_DYNAMIC Debian 6.1.176-1 (2026-06-02)");
	tree(fs, "/sys/kernel/security/lockdown", "none [integrity] confidentiality");
	tree(fs, "/run/systemd/container", "lxc");
	rights_read(&r, fs);
	rights_names(&r, names, sizeof(names));
	is_str(names, "perfmon sys_ptrace", "capabilities");
	is_int(r.perf_event_paranoid, 3, "sysctl");
	is_str(r.kernel, "6.1.0-44-amd64", "kernel");
	is_str(r.distribution, "Debian", "whose kernel");
	is_str(r.lockdown, "integrity", "lockdown");
	is_str(r.container, "lxc", "container");
	ok(rights_needs_admin(&r), "Debian asks for more at 3");
	tree(fs, "/proc/sys/kernel/perf_event_paranoid", "-1");
	rights_read(&r, fs);
	ok(r.paranoid_known && r.perf_event_paranoid == -1, "a negative sysctl");
	tree(fs, "/proc/sys/kernel/perf_event_paranoid", "often");
	rights_read(&r, fs);
	ok(!r.paranoid_known && !rights_needs_admin(&r), "one that is no number");
	ok(!rights_refuse_perf_event(&r, "x", &err) && strstr(err.msg, "cannot be read"),
		"  ... is said to be so");
}

/* The file's group, by the tree's own /etc/group. */
static void test_group(struct fsroot *fs, const struct rights *r)
{
	gid_t gid = getegid() ? getegid() : 4242;
	struct err err = { 0 };
	char line[48], full[256];

	snprintf(line, sizeof(line), "other:x:1:\nmeters:x:%u:", (unsigned)gid);
	tree(fs, "/etc/group", line);
	tree(fs, "/dev/mali0", "");
	if (!fsroot_path(fs, full, sizeof(full), "/dev/mali0") || chown(full, (uid_t)-1, gid) < 0 ||
		chmod(full, 0640) < 0) {
		skip(1, "this user may not give a file to a group");
		return;
	}
	rights_refuse_file(r, fs, "mali0", "/dev/mali0", &err);
	ok(strstr(err.hint, "sudo usermod -aG meters \"$USER\"") != NULL, "the group of a file: %s",
		err.hint);
}

/* Its users and groups are not those of the machine, and no capability opens a node. */
static void test_container(struct fsroot *fs)
{
	struct rights r = { .caps_known = true, .container = "docker" };
	gid_t gid = getegid() ? getegid() : 4242;
	struct err err = { 0 };
	char full[256], want[80];

	tree(fs, "/dev/mali1", "");
	if (!fsroot_path(fs, full, sizeof(full), "/dev/mali1") || chown(full, (uid_t)-1, gid) < 0 ||
		chmod(full, 0660) < 0) {
		skip(2, "this user may not give a file to a group");
		return;
	}
	rights_refuse_file(&r, fs, "mali1", "/dev/mali1", &err);
	snprintf(want, sizeof(want),
		"for this container: start it with --device=/dev/mali1 --group-add=%u",
		(unsigned)gid);
	is_str(err.hint, want, "a node in a container: its group by number");
	ok(strstr(err.msg, "(inside a container: docker)") != NULL, "  ... and that it is one: %s",
		err.msg);
}

static void test_stream(struct fsroot *fs)
{
	struct rights r = { .caps_known = true };
	struct err err = { 0 };

	tree(fs, "/proc/sys/dev/i915/perf_stream_paranoid", "1");
	rights_refuse_stream(&r, fs, "card0", "dev.i915.perf_stream_paranoid", &err);
	is_str(err.msg,
		"card0: dev.i915.perf_stream_paranoid is 1 and this process has no CAP_PERFMON",
		"a stream");
	ok(strstr(err.hint, "sudo sysctl dev.i915.perf_stream_paranoid=0") &&
			strstr(err.hint, "sudo setcap cap_perfmon+ep /"),
		"  ... both ways out, with our path");
	tree(fs, "/proc/sys/dev/i915/perf_stream_paranoid", "0");
	rights_refuse_stream(&r, fs, "card0", "dev.i915.perf_stream_paranoid", &err);
	ok(strstr(err.msg, "although dev.i915.perf_stream_paranoid is 0") != NULL,
		"another rule: %s", err.msg);
	rights_refuse_stream(&r, fs, "card0", "dev.xe.observation_paranoid", &err);
	ok(strstr(err.msg, "dev.xe.observation_paranoid cannot be read") != NULL, "no such sysctl");
	rights_refuse_file(&r, fs, "card0", "/dev/dri/renderD128", &err);
	ok(strstr(err.hint, "sudo usermod -aG render \"$USER\", then log in again") != NULL,
		"a node: its group");
	test_group(fs, &r);
	test_container(fs);
	tree(fs, "/sys/energy", "1");
	rights_refuse_file(&r, fs, "power", "/sys/energy", &err);
	ok(err.code == ERR_PERMISSION && strstr(err.msg, "may not open /sys/energy"), "a file");
}

int main(void)
{
	char folder[] = "/tmp/rooftop-rights-XXXXXX", command[100];
	struct fsroot fs = { 0 };

	if (!mkdtemp(folder))
		return 1;
	snprintf(fs.prefix, sizeof(fs.prefix), "%s", folder);
	unsetenv("container");
	test_perf_event();
	test_read(&fs);
	test_stream(&fs);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command) != 0 ? 1 : done_testing();
}
