/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BAR 0 of the fake GPU: resource0 of the tree, mapped without any right, so that each access is seen. A fault tells address and
 * direction; the page is opened, the one instruction runs alone (trap flag), and the page is closed again: whatever instruction it is,
 * the register is read or written at that moment, and by any process that maps the file. What compilers make of nearly each access, a plain
 * move of a word, is carried out here instead: a step takes a virtual machine a hundred times as long.
 *
 * Words of $FAKEKERNEL_FAIL: "resource=ERRNO" (opening resource0), "map=ERRNO" (mapping it). Lockdown and the kernel's forcewake
 * handle are files of the tree; an open handle holds a lock on it. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/registers.h"

#if defined(__x86_64__)

#define PAGE 4096u
#define WRITE_FAULT 2		/* of the error code (Intel SDM vol. 3, page-fault exception) */
#define TRAP_FLAG 0x100
#define MAX_VIEWS 8
#define RESOURCE "/sys/bus/pci/devices/0000:00:02.0/resource0"
#define FORCEWAKE_HANDLE "/sys/kernel/debug/dri/0/i915_forcewake_user"

/* A mapping that a program made: private memory that only carries the value of the access at
 * hand. */
struct view {
	uint8_t *at;
	size_t length;
	uint32_t offset;
	int prot;
};

static struct view views[MAX_VIEWS];
static int n_views;
static struct sigaction before_fault, before_step;
static bool armed;

/* The access that is being carried out. */
static struct {
	uint8_t *page;		/* NULL: none */
	volatile uint32_t *word;
	uint32_t address;
	bool writes;
} step;

/* The newest one counts: an older one may have been given back and its place taken again. */
static const struct view *view_of(const uint8_t *p)
{
	for (int i = n_views; i-- > 0;)
		if (p >= views[i].at && p < views[i].at + views[i].length)
			return &views[i];
	return NULL;
}

static int real_sigaction(int signo, const struct sigaction *action, struct sigaction *old)
{
	static int (*next)(int, const struct sigaction *, struct sigaction *);

	if (!next)
		next = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(
			RTLD_NEXT, "sigaction");
	return next(signo, action, old);
}

/* A program's own handlers come behind ours. */
__attribute__((visibility("default"))) int sigaction(
	int signo, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction *its = !armed ? NULL
		: signo == SIGSEGV     ? &before_fault
		: signo == SIGTRAP     ? &before_step
				       : NULL;

	if (!its)
		return real_sigaction(signo, action, old);
	if (old)
		*old = *its;
	if (action)
		*its = *action;
	return 0;
}

/* The device was removed: its pages are taken away, and each access ends in SIGBUS (Linux fs/kernfs/file.c, kernfs_drain_open_files(),
 * kernfs_vma_fault()). An empty file behaves so. */
static bool is_taken_away(const struct view *v)
{
	if (!v || !fake_tree_number("/vanished", 0))
		return false;
	int fd = (int)syscall(SYS_memfd_create, "vanished", 0);
	syscall(SYS_mmap, v->at, v->length, v->prot, MAP_SHARED | MAP_FIXED, fd, 0L);
	fake_log("VANISHED\n");
	return true;
}

/* The bytes of a MOV between memory and a register of 32 bits, and which register that is; 0: another instruction (Intel SDM vol. 2, MOV,
 * tables 2-2 and 2-3). */
static int plain_move(const uint8_t *code, bool writes, int *reg)
{
	int at = (code[0] & 0xf8) == 0x40, mod = code[at + 1] >> 6, rm = code[at + 1] & 7;
	bool has_sib = rm == 4;
	int base = has_sib ? code[at + 2] & 7 : rm;

	if (code[at] != (writes ? 0x89 : 0x8b) || mod == 3)
		return 0;
	*reg = (code[at + 1] >> 3 & 7) | (at && code[0] & 4 ? 8 : 0);
	return at + 2 + has_sib + (mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0);
}

/* Carries such a move out, and goes on behind it. */
static bool move_word(greg_t *registers, uint32_t address, bool writes)
{
	static const int order[] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10,
		REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
	int reg, length = plain_move((const uint8_t *)registers[REG_RIP], writes, &reg);
	uint32_t value;

	if (!length)
		return false;
	value = fake_register_read(address, writes);
	if (writes)
		fake_register_write(address, (uint32_t)registers[order[reg]]);
	else
		registers[order[reg]] = value;
	registers[REG_RIP] += length;
	return true;
}

static void on_fault(int signo, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	uint8_t *p = info->si_addr;
	const struct view *v = view_of(p);
	bool writes = u->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT;

	if (!step.page && is_taken_away(v))
		return;
	if (!v || step.page || (writes && !(v->prot & PROT_WRITE))) {
		real_sigaction(signo, &before_fault, NULL);	/* as if we were not here */
		return;
	}
	if (!((uintptr_t)p & 3) && move_word(u->uc_mcontext.gregs, (uint32_t)(p - v->at) + v->offset, writes))
		return;
	step.page = (uint8_t *)((uintptr_t)p & ~(uintptr_t)(PAGE - 1));
	step.word = (uint32_t *)((uintptr_t)p & ~(uintptr_t)3);
	step.address = ((uint32_t)(p - v->at) + v->offset) & ~3u;
	step.writes = writes;
	mprotect(step.page, PAGE, PROT_READ | PROT_WRITE);
	*step.word = fake_register_read(step.address, writes);
	u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_step(int signo, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	(void)info;
	if (!step.page) {
		real_sigaction(signo, &before_step, NULL);
		return;
	}
	u->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	if (step.writes)
		fake_register_write(step.address, *step.word);
	mprotect(step.page, PAGE, PROT_NONE);
	step.page = NULL;
}

static bool prepare(void)
{
	struct sigaction fault = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	struct sigaction trap = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };

	armed = armed ||
		(fake_registers_open() && real_sigaction(SIGSEGV, &fault, &before_fault) == 0 &&
			real_sigaction(SIGTRAP, &trap, &before_step) == 0);
	return armed;
}

static bool is_locked_down(void)
{
	char line[64];

	return fake_tree_read("/sys/kernel/security/lockdown", line, sizeof(line)) &&
		!strstr(line, "[none]");
}

static void *map(
	struct fake_fd *f, int fd, void *addr, size_t length, int prot, int flags, off_t offset)
{
	int error = fake_fails("map");
	struct view v = { .length = length, .offset = (uint32_t)offset, .prot = prot };

	(void)f;
	(void)fd;
	(void)addr;
	(void)flags;
	fake_log("MAP resource0 %zu bytes%s\n", length, prot & PROT_WRITE ? ", writable" : "");
	if (!error && is_locked_down())
		error = EPERM;
	if (!error && !prepare())
		error = ENOMEM;
	if (error) {
		errno = error;
		return MAP_FAILED;
	}
	v.at = (uint8_t *)syscall(SYS_mmap, NULL, length, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
	if (v.at == MAP_FAILED)
		return MAP_FAILED;
	if (n_views == MAX_VIEWS)
		memmove(views, views + 1, --n_views * sizeof(views[0]));
	views[n_views++] = v;
	return v.at;
}

static int open_resource(int flags)
{
	char path[PATH_MAX];
	int error = fake_fails("resource"), fd;

	if (error)
		return fake_fail(error);
	fake_tree_path(path, RESOURCE, "");
	fd = real_open(path, flags, 0);
	if (fake_fd(fd))
		*fake_fd(fd) = (struct fake_fd){ .driver = &fake_bar, .minor = -1 };
	return fd;
}

static int open_forcewake(void)
{
	char path[PATH_MAX];
	int fd;

	fake_tree_path(path, FORCEWAKE_HANDLE, "");
	fd = real_open(path, O_RDWR | O_CLOEXEC, 0);
	if (fd >= 0)
		flock(fd, LOCK_SH);
	return fd;
}

static bool bar_open(const char *path, int flags, int *fd)
{
	if (!strcmp(path, RESOURCE))
		*fd = open_resource(flags);
	else if (!strcmp(path, FORCEWAKE_HANDLE))
		*fd = open_forcewake();
	else
		return false;
	return true;
}

static const char *const folders[] = { "/sys/kernel/debug/dri", "/sys/kernel/security", NULL };
const struct fake_driver fake_bar = {
	.name = "bar", .folders = folders, .open = bar_open, .mmap = map
};

#else

const struct fake_driver fake_bar = { .name = "bar" };

#endif
