/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Capabilities that a program is lent: which ones are given up for good, and which ones stay. */
#include "config.h"

#include "base/privilege.h"

#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/tap.h"

/* linux/capability.h; older headers lack its name. */
#define PERFMON 38
#define NOBODY 65534

static const int lent[] = { PERFMON, CAP_SYS_PTRACE, CAP_SYS_ADMIN };

static uint64_t word(const char *name)
{
	FILE *f = fopen("/proc/self/status", "re");
	unsigned long long found = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			sscanf(line + strlen(name), ": %llx", &found);
	if (f)
		fclose(f);
	return found;
}

static bool has(const char *name, int capability)
{
	return word(name) >> capability & 1;
}

/* Becomes nobody with those capabilities, and runs this program again. */
static void lend(char **argv)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { { 0 } };
	char lent_word[] = "lent", *again[] = { argv[0], lent_word, NULL };

	for (int i = 0; i < 3; i++)
		data[CAP_TO_INDEX(lent[i])].inheritable |= CAP_TO_MASK(lent[i]);
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		data[i].permitted = data[i].effective = data[i].inheritable;
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0 ||
		syscall(SYS_capset, &head, data) < 0)
		return;
	for (int i = 0; i < 3; i++)
		if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, lent[i], 0, 0) < 0)
			return;
	execv("/proc/self/exe", again);
}

static void test_lent(void)
{
	privilege_drop();
	ok(has("CapPrm", PERFMON) && !word("CapEff"), "what is lent is put out of force");
	privilege_leave_processes();
	ok(!has("CapPrm", CAP_SYS_PTRACE), "the right to look into processes is given up");
	for (int i = 0; i < 3; i++)
		if (lent[i] != CAP_SYS_PTRACE)
			ok(has("CapPrm", lent[i]), "  ... and no other: %d stays", lent[i]);
	privilege_raise();
	ok(has("CapEff", PERFMON) && !has("CapEff", CAP_SYS_PTRACE), "  ... in force too");
	privilege_lower();
	privilege_forget();
	privilege_raise();
	ok(!word("CapPrm") && !word("CapEff"), "all is given up");
	privilege_lower();
}

int main(int argc, char **argv)
{
	if (argc < 2)
		lend(argv);
	if (argc < 2)
		skip_all("needs root, who lends cap_perfmon, cap_sys_ptrace and cap_sys_admin");
	test_lent();
	return done_testing();
}
