/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers of the fake GPU. Addresses are written out here and not taken from rooftop's tables, so that each checks the other:
 * PRM Observability CHV 2015, PRM TGL vol. 13 (forcewake, steering, OAG), Linux 6.12 i915_perf_oa_regs.h, intel_uncore.c, and Mesa's
 * intel_perf_regs.h.
 *
 * A read takes 100 ns of the GPU's time, however long this process was kept from running meanwhile, so that a loaded machine that runs
 * the tests does not come into the values. The control register, at which a reader looks first, brings the real time in again.
 *
 * What lies in a sleeping power well reads as 0 and takes no writes. Everything not named here is memory.
 * Own files of the tree: i915/registers (state), i915/stuck_subslice (number of a subslice that takes no events). Words of
 * $FAKEKERNEL_FAIL: "forcewake=EIO" (never acknowledged), "gone=ENODEV@N" (from the Nth read on nobody answers), "context@N" (before
 * the Nth read of the control register a context with events of its own is switched in), "gated@N" (before it subslices were without
 * power: their event registers are as after reset), "slow@N" (20 ms pass before the Nth read), "steer@N" (the kernel steers elsewhere,
 * for good, before the Nth read of the steering register), "astray@N" (the same before the Nth write of an event register).
 *
 * From Gen11 on a write of an event register reaches the one subslice that steering names while the multicast bit is clear (PRM TGL vol.
 * 13), and is lost when that one is fused off; each subslice adds to the counters what its own events ask for.
 *
 * ROW_INSTDONE has a bit for each EU of the subslice that steering names, by the model's load; a subslice that is fused off reads as
 * zeros (Mesa genxml; PRM TGL vol. 13). A program that ends with steering, or with the events of a subslice, as nobody but it has set
 * them is ended by SIGABRT: Linux relies on the one, contexts without events of their own on the others. */
#include "config.h"

#include "tests/fakekernel/registers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backends/sim/model/oa_unit.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"

enum well { WELL_NONE, WELL_RENDER = 1 << 0, WELL_GT = 1 << 1 };

#define FORCEWAKE_HANDLE "/sys/kernel/debug/dri/0/i915_forcewake_user"
#define TIMESTAMP_LOW 0x2358
#define TIMESTAMP_HIGH 0x235c
#define STEERING 0xfdc
#define MULTICAST (1u << 31)	/* from Gen11 on */
#define ROW_INSTDONE 0xe164
#define RESET_EVENTS 0xffffffu	/* off, from Gen12 on */
#define READ_NS 100
#define SLOW_NS (20 * NS_PER_MS)

static uint32_t *memory;
static struct fake_reg_state *state;
static struct fake_oa oa;
static uint32_t built;		/* generation of oa; 0: nothing */

static bool is_new(void)
{
	return fake_machine()->graphics_ver >= 12;
}

/* --- power wells --- */

struct well_range {
	uint32_t first, last;
	enum well well;
};

static enum well well_of(uint32_t a)
{
	static const struct well_range gen8[] = { { 0x0000, 0x3ffff, WELL_RENDER } };
	static const struct well_range gen9[] = { { 0x2000, 0x26ff, WELL_RENDER },
		{ 0x2700, 0x2fff, WELL_GT }, { 0x3000, 0x3fff, WELL_RENDER },
		{ 0x8000, 0x9fff, WELL_GT }, { 0xe000, 0xe8ff, WELL_RENDER } };
	static const struct well_range gen12[] = { { 0x2000, 0x26ff, WELL_RENDER },
		{ 0x2700, 0x27ff, WELL_GT }, { 0x2800, 0x2aff, WELL_RENDER },
		{ 0x2b00, 0x2fff, WELL_GT }, { 0x3000, 0x3fff, WELL_RENDER },
		{ 0x9000, 0x9fff, WELL_GT }, { 0xd900, 0xdbff, WELL_GT },
		{ 0xdc00, 0xefff, WELL_RENDER } };
	int ver = fake_machine()->graphics_ver;
	const struct well_range *r = ver == 8 ? gen8 : ver < 12 ? gen9 : gen12;
	size_t n = ver == 8 ? ARRAY_LEN(gen8) : ver < 12 ? ARRAY_LEN(gen9) : ARRAY_LEN(gen12);

	if (a == STEERING || (a >= 0xa000 && a <= 0xafff) || (a >= 0xd80 && a <= 0xdff))
		return WELL_NONE;	/* outside of what sleeps */
	for (size_t i = 0; i < n; i++)
		if (a >= r[i].first && a <= r[i].last)
			return r[i].well;
	return WELL_NONE;
}

/* Somebody has the kernel's handle open, whose descriptor holds a lock, or a stream. */
static bool kernel_holds_awake(void)
{
	char path[PATH_MAX];
	int fd, lock = fake_lock("oa.lock");
	bool held = lock < 0;

	if (lock >= 0)
		real_close(lock);
	fake_tree_path(path, FORCEWAKE_HANDLE, "");
	fd = held ? -1 : real_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd >= 0) {
		held = flock(fd, LOCK_EX | LOCK_NB) < 0;
		real_close(fd);
	}
	return held;
}

static bool is_awake(enum well w)
{
	return w == WELL_NONE || state->wells[w == WELL_GT] != 0 || kernel_holds_awake();
}

/* Index of the well whose request or acknowledgement register this is; -1: none. */
static int well_register(uint32_t a, bool acknowledgement)
{
	static const uint32_t chv[2][2] = { { 0x1300b0, 0x1300b4 }, { 0, 0 } };
	static const uint32_t gen8[2][2] = { { 0xa188, 0x130044 }, { 0, 0 } };
	static const uint32_t gen9[2][2] = { { 0xa278, 0x0d84 }, { 0xa188, 0x130044 } };
	const uint32_t(*t)[2] = !strcmp(fake_machine()->device.platform, "chv") ? chv
		: fake_machine()->graphics_ver == 8				? gen8
										: gen9;

	for (int i = 0; i < 2; i++)
		if (t[i][acknowledgement] && t[i][acknowledgement] == a)
			return i;
	return -1;
}

/* --- the OA unit --- */

static uint32_t control_address(void)
{
	return is_new() ? 0xdaf4 : 0x2b00;
}

static uint32_t run_address(void)
{
	return is_new() ? 0x2b28 : 0x2360;
}

static bool is_oa_register(uint32_t a)
{
	return is_new() ? (a >= 0xd900 && a < 0xd980) || (a >= 0xdc00 && a <= 0xdc44)
			: a >= 0x2710 && a <= 0x27ac;
}

static bool is_noa_register(uint32_t a)
{
	return (a >= 0x9800 && a <= 0x9888) || (a >= 0x0d00 && a <= 0x0d2c) ||
		(a >= 0x182300 && a <= 0x1823a4);
}

/* The signal network holds what was written last: of all writes to it, the shortest end that means
 * something. */
static size_t noa_start(const struct fake_regs *all)
{
	static struct fake_regs end;
	size_t best = 0;

	for (size_t from = all->n; from-- > 0;) {
		struct oa_unit u = { .c.graphics_ver = fake_machine()->graphics_ver };

		end.n = all->n - from;
		memcpy(end.r, all->r + from, end.n * sizeof(end.r[0]));
		oa_unit_program(&u, end.r, end.n);
		if (u.gti_reads | u.gti_writes)
			best = from;
		if (best)
			break;
	}
	return best;
}

static const uint32_t flex_addresses[7] = { 0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c,
	0xe65c };

/* What the unit is programmed with now. */
static void current_regs(struct fake_regs *out)
{
	static struct fake_regs all;
	size_t from;

	all.n = out->n = 0;
	for (uint32_t i = 0; i < state->n_writes; i++)
		all.r[all.n++] = (struct oa_reg){ (enum oa_reg_kind)state->writes[i].kind,
			state->writes[i].address, state->writes[i].value };
	from = noa_start(&all);
	for (size_t i = 0; i < all.n; i++)
		if (all.r[i].kind == OA_REG_OA || i >= from)
			out->r[out->n++] = all.r[i];
	for (int i = 0; i < 7; i++)
		out->r[out->n++] = (struct oa_reg){ OA_REG_FLEX, flex_addresses[i],
			state->flex[0][i] };
}

/* Whether the subslices that are there hold other events than the first one. */
static bool subslices_differ(void)
{
	uint64_t mask = fake_machine()->device.topology.subslice_mask;
	int first = -1;

	for (int s = 0; s < FAKE_MAX_SUBSLICES; s++) {
		if (!(mask >> s & 1))
			continue;
		if (first < 0)
			first = s;
		if (memcmp(state->flex[s], state->flex[first], sizeof(state->flex[s])) != 0)
			return true;
	}
	return false;
}

/* The model's unit as the registers say; other processes may have written them. */
static const struct oa_unit *oa_unit_now(void)
{
	static struct fake_regs regs;

	if (built == state->generation)
		return &oa.unit;
	current_regs(&regs);
	oa.flex = subslices_differ() ? (const uint32_t(*)[OA_FLEX_REGS])state->flex : NULL;
	if (!fake_oa_program(&oa, &regs))
		abort();
	if (state->enabled_ns)
		oa_unit_enable(&oa.unit, state->enabled_ns, 5, 0);
	built = state->generation;
	return &oa.unit;
}

static void changed(void)
{
	state->generation++;
	if (!state->generation)
		state->generation++;
}

/* The unit counts while it is enabled and told to run. */
static void switch_unit(void)
{
	bool on = (memory[control_address() / 4] & 1) && (memory[run_address() / 4] & 1);

	if (on == (state->enabled_ns != 0))
		return;
	state->enabled_ns = on ? fake_model_ns() : 0;
	changed();
}

static void remember(enum oa_reg_kind kind, uint32_t address, uint32_t value)
{
	if (state->n_writes == ARRAY_LEN(state->writes)) {
		state->n_writes /= 2;
		memmove(state->writes, state->writes + state->n_writes,
			state->n_writes * sizeof(state->writes[0]));
	}
	state->writes[state->n_writes].kind = kind;
	state->writes[state->n_writes].address = address;
	state->writes[state->n_writes++].value = value;
	changed();
}

/* --- counters --- */

static int64_t read_ns;		/* the GPU's time of the read at hand */

static void advance_time(uint32_t a)
{
	bool slow = fake_fails("slow");

	if (slow)
		nanosleep(&(struct timespec){ .tv_nsec = SLOW_NS }, NULL);
	read_ns += READ_NS;
	/* where reads take no time by the virtual clock, they have come further than it */
	if ((slow || a == control_address() || a == STEERING || read_ns == READ_NS) && fake_model_ns() > read_ns)
		read_ns = fake_model_ns();
}

/* Counters at an address: number first of a quantity, n of them, stride bytes apart. */
struct counter_range {
	uint32_t low;
	int quantity, n, stride;
};

static const struct counter_range ranges8[] = { { 0x2800, Q_A, 32, 8 }, { 0x2900, Q_A + 32, 4, 4 },
	{ 0x2910, Q_TICKS, 1, 4 }, { 0x2920, Q_B, 8, 4 }, { 0x2940, Q_C, 8, 4 },
	{ 0x2960, Q_A + 4, 1, 8 }, { 0x2968, Q_A + 6, 1, 8 }, { 0x2970, Q_A + 19, 1, 8 },
	{ 0x2978, Q_A + 20, 1, 8 } };
static const struct counter_range ranges12[] = { { 0xd980, Q_A, 32, 8 }, { 0xda80, Q_A + 32, 4, 4 },
	{ 0xda90, Q_TICKS, 1, 4 }, { 0xda94, Q_B, 8, 4 }, { 0xdab4, Q_C, 8, 4 } };

static bool read_counter(uint32_t a, uint32_t *value)
{
	const struct counter_range *r = is_new() ? ranges12 : ranges8;
	size_t n = is_new() ? ARRAY_LEN(ranges12) : ARRAY_LEN(ranges8);

	for (; n > 0; n--, r++) {
		uint32_t at = a - r->low;
		uint64_t v;

		if (a < r->low || at >= (uint32_t)(r->n * r->stride))
			continue;
		v = oa_unit_counter(
			oa_unit_now(), (enum quantity)(r->quantity + (int)at / r->stride), read_ns);
		*value = at % (uint32_t)r->stride == 4 ? (uint32_t)(v >> 32) & 0xff : (uint32_t)v;
		return true;
	}
	return false;
}

static uint64_t timestamp(void)
{
	const struct fake_machine *m = fake_machine();
	int64_t t = read_ns;
	uint64_t v = m->timestamp_base + (uint64_t)(t / NS_PER_S) * m->device.timestamp_hz +
		(uint64_t)(t % NS_PER_S) * m->device.timestamp_hz / NS_PER_S;

	return v & ((UINT64_C(1) << 36) - 1);
}

/* --- events of each subslice --- */

static int flex_index(uint32_t a)
{
	for (int i = 0; i < 7; i++)
		if (flex_addresses[i] == a)
			return i;
	return -1;
}

/* Whom a read of a replicated register is steered to, as a bit of the topology's mask; -1: nobody
 * is there. */
static int steered_subslice(void)
{
	const struct topology *t = &fake_machine()->device.topology;
	bool wide = fake_machine()->graphics_ver >= 11;
	uint32_t v = memory[STEERING / 4], slice = wide ? v >> 27 & 0xf : v >> 26 & 0x3,
		 subslice = wide ? v >> 24 & 7 : v >> 24 & 3;
	int bit = (int)slice * t->subslice_mask_stride + (int)subslice;

	return bit < FAKE_MAX_SUBSLICES && (t->subslice_mask >> bit & 1) ? bit : -1;
}

static void write_events(int i, uint32_t value)
{
	long stuck = fake_tree_number("/i915/stuck_subslice", -1);

	for (int s = 0; s < FAKE_MAX_SUBSLICES; s++)
		if (s != stuck && state->flex[s][i] != value) {
			state->flex[s][i] = value;
			changed();
		}
}

/* Events of the subslices that are there, when this process first wrote one. */
static uint32_t events_before[FAKE_MAX_SUBSLICES][7];
static bool events_written;
static bool events_brought;	/* another context was switched in, whose events are 0 */

/* A program writes an event register: while the multicast bit is clear, that of the one subslice that
 * steering names. What is written to one that is fused off is lost. */
static void steered_write(int i, uint32_t value)
{
	bool alone = fake_machine()->graphics_ver >= 11 && !(memory[STEERING / 4] & MULTICAST);
	int s = steered_subslice();

	if (!events_written)
		memcpy(events_before, state->flex, sizeof(events_before));
	events_written = true;
	if (!alone) {
		write_events(i, value);
	} else if (s < 0) {
		fake_log("LOST %#x\n", value);
	} else if (s != fake_tree_number("/i915/stuck_subslice", -1)) {
		state->flex[s][i] = value;
		changed();
	}
}

/* --- EUs of each subslice --- */

/* The place of a subslice among those that are there, in which order the model deals groups. */
static int rank_of(int bit)
{
	uint64_t before = fake_machine()->device.topology.subslice_mask &
		((UINT64_C(1) << bit) - 1);

	return __builtin_popcountll(before);
}

/* The units that are done: the pixels' always, the dispatcher and the instruction cache without threads, and EUs by their row, from
 * Gen12 on in two halves. */
static uint32_t row_instdone(void)
{
	static const int firsts[4] = { 16, 21, 7, 27 };
	int bit = steered_subslice(), halves = is_new() ? 4 : 2;
	uint32_t done = 0x3f;
	struct course_state now;

	if (bit < 0)
		return 0;
	course_at(&oa.course, read_ns, &now);
	uint32_t loaded = now.loaded_eus[rank_of(bit) >= now.n_first];
	if (!loaded)
		done |= 1u << 6 | 1u << 12;
	for (int eu = 0; eu < 4 * halves; eu++)
		done |= (uint32_t)!(loaded >> eu & 1) << (firsts[eu / 4] + eu % 4);
	return done;
}

static bool steered;	/* this process has */

/* The kernel has steered to another subslice, 1 or 2, for a purpose of its own, and leaves it so. */
static void steer_elsewhere(void)
{
	bool is_steered_write = fake_machine()->graphics_ver >= 11;
	uint32_t now = memory[STEERING / 4], field = is_steered_write ? 7 : 3,
		 other = (now >> 24 & field) == 1 ? 2 : 1;

	memory[STEERING / 4] = (now & ~(field << 24)) | other << 24;
	if (is_steered_write)
		memory[STEERING / 4] |= MULTICAST;
	state->steering = memory[STEERING / 4];
}

__attribute__((destructor)) static void check_steering(void)
{
	if (!steered || memory[STEERING / 4] == state->steering)
		return;
	fake_log("STEERING LEFT %#x, was %#x\n", memory[STEERING / 4], state->steering);
	abort();
}

__attribute__((destructor)) static void check_events(void)
{
	uint64_t mask = events_written ? fake_machine()->device.topology.subslice_mask : 0;

	for (int s = 0; s < FAKE_MAX_SUBSLICES; s++) {
		static const uint32_t brought[7];
		const uint32_t *now = state->flex[s];

		if (!(mask >> s & 1) || !memcmp(now, events_before[s], sizeof(brought)) ||
			(events_brought && !memcmp(now, brought, sizeof(brought))))
			continue;
		fake_log("EVENTS LEFT in subslice %d: %#x, was %#x\n", s, now[0],
			events_before[s][0]);
		abort();
	}
}

/* A context of another program, with no events and a stopped unit in its image. */
static void switch_context(void)
{
	for (int i = 0; i < 7; i++)
		write_events(i, 0);
	events_brought = true;
	memory[run_address() / 4] &= ~1u;
	changed();
}

/* Subslices were without power for a moment: their event registers are as after reset. */
static void gate_subslices(void)
{
	for (int i = 0; i < 7; i++)
		write_events(i, is_new() ? RESET_EVENTS : 0);
	changed();
}

/* --- access --- */

/* A file of the tree, shared by all that map it. */
static void *map_file(const char *folder, const char *name, size_t bytes)
{
	char path[PATH_MAX];
	void *p;
	int fd;

	fake_tree_path(path, folder, name);
	fd = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0)
		return MAP_FAILED;
	p = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
	real_close(fd);
	return p;
}

bool fake_registers_open(void)
{
	if (state)
		return true;
	memory = map_file("/sys/class/drm/card0/device/", "resource0", FAKE_BAR_BYTES);
	if (memory == MAP_FAILED)
		return false;
	state = map_file("/i915/", "registers", sizeof(*state));
	if (state == MAP_FAILED) {
		state = NULL;
		return false;
	}
	if (!state->initialised) {
		state->initialised = true;
		state->generation = 1;
		memory[STEERING / 4] = fake_machine()->graphics_ver >= 11 ? MULTICAST : 0;
		state->steering = memory[STEERING / 4];
		for (int i = 0; i < 7 && is_new(); i++)
			write_events(i, RESET_EVENTS);
	}
	return true;
}

/* Somebody else's stream has the unit. */
static bool is_kernels(void)
{
	int lock = fake_lock("oa.lock");

	if (lock >= 0)
		real_close(lock);
	return lock < 0;
}

uint32_t fake_register_read(uint32_t a, bool before_write)
{
	uint32_t value = memory[a / 4];
	int well = well_register(a, true), flex = flex_index(a), subslice;

	advance_time(a);
	if (fake_fails("gone"))
		return UINT32_MAX;
	if (well >= 0)
		return fake_fails("forcewake")
			? 0
			: state->wells[well] | (kernel_holds_awake() ? 1u : 0);
	if (!is_awake(well_of(a)))
		return 0;
	if (a == control_address()) {
		if (fake_fails("context"))
			switch_context();
		if (fake_fails("gated"))
			gate_subslices();
		return is_kernels() ? 5u << 2 | 1 : value;
	}
	if (a == STEERING && !before_write && fake_fails("steer")) {
		steer_elsewhere();
		return memory[STEERING / 4];
	}
	if (a == ROW_INSTDONE) {
		oa_unit_now();
		return row_instdone();
	}
	if (a == TIMESTAMP_LOW)
		return (uint32_t)timestamp();
	if (a == TIMESTAMP_HIGH)
		return (uint32_t)(timestamp() >> 32);
	if (flex >= 0) {
		subslice = steered_subslice();
		return subslice < 0 ? 0 : state->flex[subslice][flex];
	}
	read_counter(a, &value);
	return value;
}

void fake_register_write(uint32_t a, uint32_t value)
{
	int well = well_register(a, false), flex = flex_index(a);

	fake_log("WRITE %#x = %#x\n", a, value);
	if (!is_awake(well_of(a)))
		return;
	if (well >= 0) {
		state->wells[well] = (state->wells[well] & ~(value >> 16)) | (value & value >> 16);
		return;
	}
	if (flex >= 0) {
		if (fake_fails("astray"))
			steer_elsewhere();
		steered_write(flex, value & 0x3ffffff);
		return;
	}
	steered = steered || a == STEERING;
	memory[a / 4] = value;
	if (is_oa_register(a) || is_noa_register(a))
		remember(is_oa_register(a) ? OA_REG_OA : OA_REG_NOA, a, value);
	switch_unit();
}
