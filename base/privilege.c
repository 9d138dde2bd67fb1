/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts capabilities in force and out of force. */
#include "config.h"

#include "base/privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's calls and no library: they are two, and loading libcap costs each start eight system
 * calls more. Capabilities belong to the process, so this is its only state. */
static struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3];
static bool holds;
static int depth;

static void put_in_force(bool on)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	int error = errno;

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i] = held[i];
		data[i].effective = on ? held[i].permitted : 0;
	}
	/* To use what is permitted never fails, nor does to give it up. */
	syscall(SYS_capset, &head, data);
	errno = error;
}

void privilege_drop(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };

	if (getauxval(AT_EUID) == 0 || syscall(SYS_capget, &head, held) < 0)
		return;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		holds |= held[i].permitted != 0;
	if (holds)
		put_in_force(false);
}

void privilege_raise(void)
{
	if (holds && depth++ == 0)
		put_in_force(true);
}

void privilege_lower(void)
{
	if (holds && --depth == 0)
		put_in_force(false);
}

static void give_up(void)
{
	if (holds)
		put_in_force(depth > 0);
}

void privilege_forget(void)
{
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		held[i].permitted = 0;
	give_up();
	holds = false;
}

void privilege_forget_thread(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (getauxval(AT_EUID) != 0)
		syscall(SYS_capset, &head, none);
}

bool privilege_sees_processes(void)
{
	return held[CAP_TO_INDEX(CAP_SYS_PTRACE)].permitted & CAP_TO_MASK(CAP_SYS_PTRACE);
}

void privilege_leave_processes(void)
{
	held[CAP_TO_INDEX(CAP_SYS_PTRACE)].permitted &= ~CAP_TO_MASK(CAP_SYS_PTRACE);
	give_up();
}
