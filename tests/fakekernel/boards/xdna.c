/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake amdxdna: the answers of GET_INFO. Structures and sizes: Linux include/uapi/drm/amdxdna_accel.h.
 *
 * Own files of the tree, below xdna/: columns; clocks: "CONTROLLER_MHZ ARRAY_MHZ"; sensors: "TYPE EXPONENT
 * INPUT UNIT" each; contexts: "ID FIRST COLUMNS PID COMMANDS_PER_SECOND UNFINISHED" each. A query whose file is not
 * there is one that the driver does not know. An answer to a card that sleeps is "woken" in the log. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/npu/xdna_uapi.h"
#include "tests/fakekernel/boards/board_files.h"
#include "tests/fakekernel/fake.h"

/* Each returns the bytes of its answer; 0: the driver does not know the query. */
static size_t metadata(uint8_t *out)
{
	struct xdna_metadata m = { .column_bytes = 0x2000, .columns = (uint16_t)fake_tree_number("/xdna/columns", 0),
		.rows = 6, .version_major = 1 };

	memcpy(out, &m, sizeof(m));
	return m.columns ? sizeof(m) : 0;
}

static size_t clocks(uint8_t *out)
{
	struct xdna_clocks c = { .controller.name = "MP-NPU Clock", .array.name = "H Clock" };
	FILE *f = board_file("/xdna/clocks");
	bool good = f && fscanf(f, "%u %u", &c.controller.mhz, &c.array.mhz) == 2;

	if (f)
		fclose(f);
	memcpy(out, &c, sizeof(c));
	return good ? sizeof(c) : 0;
}

static size_t sensors(uint8_t *out)
{
	FILE *f = board_file("/xdna/sensors");
	char line[96], unit[16];
	int type, exponent;
	unsigned input;
	size_t n = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%d %d %u %15s", &type, &exponent, &input, unit) == 4) {
			struct xdna_sensor s = { .label = "sensor", .input = input,
				.exponent = (int8_t)exponent, .type = (uint8_t)type };

			memcpy(s.units, unit, strlen(unit));
			memcpy(out + n, &s, sizeof(s));
			n += sizeof(s);
		}
	if (f)
		fclose(f);
	return n;
}

static size_t contexts(uint8_t *out, bool *known)
{
	FILE *f = board_file("/xdna/contexts");
	char line[96];
	struct xdna_context c = { 0 };
	long long pid;
	double per_s;
	unsigned unfinished;
	size_t n = 0;

	*known = f != NULL;
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%u %u %u %lld %lf %u", &c.id, &c.first_column, &c.columns, &pid, &per_s,
			    &unfinished) == 6) {
			c.pid = pid;
			c.completions = (uint64_t)(board_now_s() * per_s);
			c.submissions = c.completions + unfinished;
			memcpy(out + n, &c, sizeof(c));
			n += sizeof(c);
		}
	if (f)
		fclose(f);
	return n;
}

static int get_info(struct xdna_get_info *q)
{
	uint8_t answer[8192];
	bool known = true;
	char status[32];
	size_t n = 0;

	if (fake_tree_read("/sys/class/accel/accel0/device/power/runtime_status", status, sizeof(status)) &&
		!strcmp(status, "suspended"))
		fake_log("xdna woken\n");
	fake_log("xdna query %u\n", q->query);
	switch (q->query) {
	case XDNA_QUERY_METADATA:
		n = metadata(answer);
		known = n > 0;
		break;
	case XDNA_QUERY_CLOCKS:
		n = clocks(answer);
		known = n > 0;
		break;
	case XDNA_QUERY_SENSORS:
		n = sensors(answer);
		known = n > 0;
		break;
	case XDNA_QUERY_CONTEXTS:
		n = contexts(answer, &known);
		break;
	default:
		known = false;
	}
	if (!known)
		return board_fail(EOPNOTSUPP);
	if (q->size < n) {
		q->size = (uint32_t)n;
		return board_fail(ENOSPC);
	}
	memcpy((void *)(uintptr_t)q->buffer, answer, n);
	/* As the driver does it: what is left of contexts, what was written of sensors, and nothing of the rest. */
	if (q->query == XDNA_QUERY_CONTEXTS)
		q->size -= (uint32_t)n;
	if (q->query == XDNA_QUERY_SENSORS)
		q->size = (uint32_t)n;
	return 0;
}

static int node_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	(void)f, (void)fd;
	fake_log("xdna %lx\n", request);
	return request == XDNA_GET_INFO ? get_info((struct xdna_get_info *)arg) : board_fail(EINVAL);
}

static const struct fake_driver node_driver = { .name = "amdxdna", .ioctl = node_ioctl };

static bool on_open(const char *path, int flags, int *fd)
{
	char full[PATH_MAX];

	if (strcmp(path, "/dev/accel/accel0") != 0)
		return false;
	snprintf(full, sizeof(full), "%s%s", fake_root(), path);
	*fd = real_open(full, flags, 0);
	if (fake_fd(*fd))
		*fake_fd(*fd) = (struct fake_fd){ .driver = &node_driver, .minor = -1 };
	return true;
}

static const char *const folders[] = { "/sys", "/dev/accel", NULL };
const struct fake_driver fake_xdna = { .name = "amdxdna", .folders = folders, .open = on_open };
