/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict fake of amdxdna (tests/fakekernel/strict.h): Linux drivers/accel/amdxdna/amdxdna_pci_drv.c,
 * aie2_pci.c, amdxdna_pm.c.
 *
 * Each question wakes the device. What is said of a buffer's size differs from question to question: of
 * contexts it is what is left of it, of sensors what was written, of clocks nothing. Numbers of contexts
 * begin with 1 in each process, contexts may share columns, and one that is closed takes its counts along.
 *
 * Of the tree: strict/columns, strict/clocks (MP_NPU_MHZ H_MHZ), strict/power_mw (none: a kernel without
 * AMD's PMF), strict/column_busy (per cent of each), strict/contexts (PID ID START COLUMNS COMPLETED
 * PER_SECOND FROM_MS TO_MS: there are such contexts between those moments of the machine), strict/aie4
 * (the part is one whose driver tells its columns and nothing else), power/runtime_status of the
 * device. */
#include "config.h"

#include "tests/fakekernel/strict.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define DEVICE "/sys/class/accel/accel0/device"
#define MOST_CONTEXTS 1024
#define MOST_ELEMENTS 1024
#define LARGEST_ELEMENT 4096

enum info {
	AIE_METADATA = 1,
	AIE_VERSION = 2,
	CLOCK_METADATA = 3,
	SENSORS = 4,
	HW_CONTEXTS = 5,
	FIRMWARE_VERSION = 8,
	POWER_MODE = 9,
	RESOURCE_INFO = 12
};

struct get_info {
	uint32_t param, buffer_size;
	uint64_t buffer;
};

struct get_array {
	uint32_t param, element_size, num_element, pad;
	uint64_t buffer;
};

struct clock {
	char name[16];
	uint32_t freq_mhz, pad;
};

struct clock_metadata {
	struct clock mp_npu, h;
};

struct sensor {
	char label[64];
	uint32_t input, max, average, highest;
	char status[64], units[16];
	int8_t unitm;
	uint8_t type, pad[6];
};

struct tile_metadata {
	uint16_t row_count, row_start, dma_channel_count, lock_count, event_reg_count, pad[3];
};

struct aie_metadata {
	uint32_t col_size;
	uint16_t cols, rows;
	uint32_t major, minor;
	struct tile_metadata core, mem, shim;
};

/* The array's element. The first 64 bytes are what GET_INFO has of a context. */
struct context {
	uint32_t context_id, start_col, num_col, hwctx_id;
	int64_t pid;
	uint64_t command_submissions, command_completions, migrations, preemptions, errors;
	uint64_t priority, heap_usage, suspensions;
	uint32_t state, pasid, gops, fps, dma_bandwidth, latency, frame_exec_time, txn_op_idx, ctx_pc;
	uint32_t fatal_error_type, fatal_error_exception_type, fatal_error_exception_pc;
	uint32_t fatal_error_app_module, pad;
};

#define CONTEXT_IN_INFO 64

#define GET_INFO _IOWR('d', 0x47, struct get_info)
#define GET_ARRAY _IOWR('d', 0x4a, struct get_array)

/* As include/uapi/drm/amdxdna_accel.h of Linux 7.2 compiles. */
_Static_assert(GET_INFO == 0xc0106447 && GET_ARRAY == 0xc018644a, "numbers of the uAPI");
_Static_assert(sizeof(struct sensor) == 168 && offsetof(struct sensor, unitm) == 160, "sizes of the uAPI");
_Static_assert(sizeof(struct clock_metadata) == 48 && sizeof(struct aie_metadata) == 64,
	"sizes of the uAPI");
_Static_assert(offsetof(struct context, priority) == CONTEXT_IN_INFO && sizeof(struct context) == 144,
	"sizes of the uAPI");

/* amdxdna_pm_resume_get(): the device is awake from then on. */
static void wake(void)
{
	char status[16] = "", path[PATH_MAX];
	int fd;

	if (!fake_tree_read(DEVICE "/power/runtime_status", status, sizeof(status)) ||
		strcmp(status, "suspended") != 0)
		return;
	fake_log("xdna woken\n");
	snprintf(path, sizeof(path), "%s" DEVICE "/power/runtime_status", fake_root());
	fd = real_open(path, O_WRONLY | O_TRUNC | O_CLOEXEC, 0);
	if (fd >= 0 && dprintf(fd, "active\n") > 0)
		real_close(fd);
}

/* What is there of a buffer, as copy_to_user() with min(). */
static int copy_out(const struct get_info *g, const void *what, size_t bytes)
{
	if (!g->buffer && g->buffer_size)
		return -EFAULT;
	memcpy((void *)(uintptr_t)g->buffer, what, bytes < g->buffer_size ? bytes : g->buffer_size);
	return 0;
}

static int clocks(struct get_info *g)
{
	struct clock_metadata c = { .mp_npu.name = "MP-NPU Clock", .h.name = "H Clock" };
	FILE *f = strict_file("clocks");

	if (f) {
		if (fscanf(f, "%u %u", &c.mp_npu.freq_mhz, &c.h.freq_mhz) != 2)
			c.h.freq_mhz = 0;
		fclose(f);
	}
	return copy_out(g, &c, sizeof(c));	/* buffer_size stays as it was */
}

/* The nth, or false when there is no more. */
static bool nth_sensor(unsigned n, struct sensor *s)
{
	unsigned busy = 0;
	FILE *f;

	*s = (struct sensor){ .unitm = 0 };
	if (!n) {
		s->input = (uint32_t)fake_tree_number("/strict/power_mw", 0);
		s->unitm = -3;
		strcpy(s->label, "Total Power");
		strcpy(s->units, "mW");
		return true;
	}
	f = strict_file("column_busy");
	for (unsigned i = 0; f && i < n; i++)
		if (fscanf(f, "%u", &busy) != 1) {
			fclose(f);
			return false;
		}
	if (!f)
		return false;
	fclose(f);
	s->input = busy;
	s->type = 1;
	snprintf(s->label, sizeof(s->label), "Column %u Utilization", n - 1);
	strcpy(s->units, "%");
	return true;
}

static int sensors(struct get_info *g)
{
	struct sensor s;
	uint32_t written = 0;

	if (strict_kernel() < 7000 || fake_tree_number("/strict/power_mw", -1) < 0)
		return -EOPNOTSUPP;
	for (unsigned i = 0; nth_sensor(i, &s) && written + sizeof(s) <= g->buffer_size; i++) {
		memcpy((char *)(uintptr_t)g->buffer + written, &s, sizeof(s));
		written += sizeof(s);
	}
	g->buffer_size = written;
	return 0;
}

static unsigned read_contexts(struct context *c)
{
	double now_ms = (double)(strict_now_ns() - strict_begin_ns()) / 1e6, per_s, from_ms, to_ms;
	FILE *f = strict_file("contexts");
	unsigned long completed;
	long pid;
	unsigned n = 0;

	while (f && n < MOST_CONTEXTS) {
		c[n] = (struct context){ .priority = 0x200 };
		if (fscanf(f, "%ld %u %u %u %lu %lf %lf %lf", &pid, &c[n].context_id, &c[n].start_col,
			    &c[n].num_col, &completed, &per_s, &from_ms, &to_ms) != 8)
			break;
		if (now_ms < from_ms || now_ms >= to_ms)
			continue;
		c[n].pid = pid;
		c[n].command_completions = completed + (uint64_t)((now_ms - from_ms) / 1e3 * per_s);
		c[n].command_submissions = c[n].command_completions + 2;
		c[n].state = 1;
		n++;
	}
	if (f)
		fclose(f);
	return n;
}

/* As many as there is room for; each takes element bytes. The number written. */
static unsigned put_contexts(char *to, size_t element, size_t room)
{
	static struct context all[MOST_CONTEXTS];
	unsigned n = read_contexts(all), put = n < room ? n : (unsigned)room;

	for (unsigned i = 0; i < put; i++)
		memcpy(to + i * element, &all[i], element);
	return put;
}

static int contexts(struct get_info *g)
{
	unsigned n = put_contexts((char *)(uintptr_t)g->buffer, CONTEXT_IN_INFO,
		g->buffer_size / CONTEXT_IN_INFO);

	g->buffer_size -= n * CONTEXT_IN_INFO;	/* what is left, not what was written */
	return 0;
}

static int metadata(struct get_info *g)
{
	struct aie_metadata m = { .cols = (uint16_t)fake_tree_number("/strict/columns", 8), .rows = 6 };

	return copy_out(g, &m, sizeof(m));
}

static int get_info(struct fake_fd *f, void *data)
{
	struct get_info *g = data;
	uint64_t nothing[5] = { 0 };

	(void)f;
	fake_log("xdna info %u size %u\n", g->param, g->buffer_size);
	if (fake_tree_number("/strict/aie4", 0))
		return g->param == AIE_METADATA ? metadata(g) : -EOPNOTSUPP;
	wake();
	switch (g->param) {
	case AIE_METADATA:
		return metadata(g);
	case CLOCK_METADATA:
		return clocks(g);
	case SENSORS:
		return sensors(g);
	case HW_CONTEXTS:
		return contexts(g);
	case AIE_VERSION:
		return copy_out(g, nothing, 8);
	case FIRMWARE_VERSION:
		return copy_out(g, nothing, 16);
	case POWER_MODE:
		return copy_out(g, nothing, 8);
	case RESOURCE_INFO:
		return strict_kernel() >= 6019 ? copy_out(g, nothing, 40) : -EOPNOTSUPP;
	default:
		return -EOPNOTSUPP;
	}
}

static int get_array(struct fake_fd *f, void *data)
{
	struct get_array *a = data;
	size_t element, room;

	(void)f;
	if (strict_kernel() < 6018)
		return -EINVAL;
	if (fake_tree_number("/strict/aie4", 0))
		return -EOPNOTSUPP;
	fake_log("xdna array %u element %u of %u\n", a->param, a->num_element, a->element_size);
	if (a->pad || !a->num_element || !a->element_size)
		return -EINVAL;
	wake();
	if (a->param)
		return -EOPNOTSUPP;
	if (a->element_size > LARGEST_ELEMENT || a->num_element > MOST_ELEMENTS)
		return -EINVAL;
	/* Elements stand one behind the other in the size that both know. */
	element = a->element_size < sizeof(struct context) ? a->element_size : sizeof(struct context);
	room = (size_t)a->num_element * a->element_size / element;
	if (!a->buffer)
		return -EFAULT;
	a->num_element = put_contexts((char *)(uintptr_t)a->buffer, element, room);
	a->element_size = (uint32_t)element;
	return 0;
}

static bool on_open(const char *path, int flags, int *fd)
{
	char full[PATH_MAX], there[8];

	if (strcmp(path, "/dev/accel/accel0") || !fake_tree_read("/strict/columns", there, sizeof(there)))
		return false;
	snprintf(full, sizeof(full), "%s%s", fake_root(), path);
	*fd = real_open(full, flags, 0);
	if (fake_fd(*fd))
		*fake_fd(*fd) = (struct fake_fd){ .driver = &fake_xdna_strict, .minor = -1 };
	return true;
}

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	static const struct strict_call calls[] = {
		{ GET_INFO, get_info },
		{ GET_ARRAY, get_array },
	};
	static const struct strict_driver driver = { .name = "amdxdna_accel_driver",
		.date = "0",
		.desc = "AMD XDNA DRM implementation",
		.minor = 7,
		.calls = calls,
		.n_calls = sizeof(calls) / sizeof(calls[0]) };

	(void)fd;
	return strict_ioctl(&driver, f, request, arg);
}

static const char *const folders[] = { "/sys", "/dev/accel", NULL };
const struct fake_driver fake_xdna_strict = { .name = "amdxdna",
	.folders = folders,
	.is_strict = true,
	.open = on_open,
	.ioctl = on_ioctl };
