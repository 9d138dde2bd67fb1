/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the firmware by its property channel, /dev/vcio, which the kernels of Raspberry Pi OS have
 * (tags: the firmware's wiki, "Mailbox property interface"; bits: Raspberry Pi documentation,
 * vcgencmd get_throttled). Mainline kernels have the temperature as a thermal zone, and an alarm of
 * the supply (Documentation/hwmon/raspberrypi-hwmon.rst). Neither wakes the GPU. */
#include "config.h"

#include "backends/v3d/v3d_sources.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "backends/card/drm_node.h"
#include "base/call_watch.h"
#include "base/rights.h"

#define VCIO "/dev/vcio"
#define VCIO_PROPERTY _IOWR(100, 0, char *)

#define TAG_MAX_CLOCK 0x00030004
#define TAG_TEMPERATURE 0x00030006
#define TAG_THROTTLED 0x00030046
#define TAG_CLOCK_MEASURED 0x00030047
#define CLOCK_V3D 5
#define ANSWERED 0x80000000

/* Bits of what is so right now; those from 16 on say what was so since the machine started. */
#define THROTTLED_SUPPLY 0x1
#define THROTTLED_CLOCK 0x4
#define THROTTLED_SOFT_HEAT 0x8

enum { CLOCK, TEMPERATURE, LOW_SUPPLY, HELD_HEAT, HELD, COUNTERS };

/* The last three are 0 or 1000 at the moment of a look, so that their means are shares. */
static const struct counter_desc counters[COUNTERS] = {
	[CLOCK] = { "v3d_clock_hz", "Hz", 64, COUNTER_GAUGE },
	[TEMPERATURE] = { "chip_mdegc", "mdegC", 32, COUNTER_GAUGE },
	[LOW_SUPPLY] = { "supply_low_permille", "number", 10, COUNTER_GAUGE },
	[HELD_HEAT] = { "held_heat_permille", "number", 10, COUNTER_GAUGE },
	[HELD] = { "held_clock_permille", "number", 10, COUNTER_GAUGE },
};

struct firmware_source {
	struct source source;
	const struct fsroot *fs;
	int vcio;			/* -1: the kernel's files are read */
	char zone_path[96], alarm_path[96];	/* empty: there is none */
	struct counter_desc counters[COUNTERS];
	uint64_t values[COUNTERS];
	enum why whys[COUNTERS];
	int64_t window_ns;
};

/* One tag with two words; the second one of the answer is the number. Tags without an id have it in
 * the first. */
static bool ask(int vcio, uint32_t tag, uint32_t id, uint32_t answer[2])
{
	uint32_t q[8] = { sizeof(q), 0, tag, 2 * sizeof(uint32_t), 0, id, 0, 0 };

	if (node_ioctl(vcio, VCIO_PROPERTY, q) < 0)
		return false;
	node_answered(vcio, VCIO_PROPERTY, q, sizeof(q));
	if (q[1] != ANSWERED || !(q[4] & ANSWERED))
		return false;
	answer[0] = q[5];
	answer[1] = q[6];
	return true;
}

static void put(struct firmware_source *s, int counter, bool good, uint64_t value)
{
	s->whys[counter] = good ? WHY_OK : WHY_STALE;
	s->values[counter] = value;
}

static void put_bit(struct firmware_source *s, int counter, bool good, bool is_so)
{
	put(s, counter, good, is_so ? 1000 : 0);
}

static void ask_firmware(struct firmware_source *s)
{
	uint32_t a[2] = { 0 };
	bool good = ask(s->vcio, TAG_CLOCK_MEASURED, CLOCK_V3D, a);

	put(s, CLOCK, good, a[1]);
	good = ask(s->vcio, TAG_TEMPERATURE, 0, a);
	put(s, TEMPERATURE, good, a[1]);
	good = ask(s->vcio, TAG_THROTTLED, 0, a);
	put_bit(s, LOW_SUPPLY, good, a[0] & THROTTLED_SUPPLY);
	put_bit(s, HELD, good, a[0] & THROTTLED_CLOCK);
	/* What lowers clocks is heat or the supply. */
	put_bit(s, HELD_HEAT, good,
		(a[0] & THROTTLED_SOFT_HEAT) || (a[0] & (THROTTLED_CLOCK | THROTTLED_SUPPLY)) == THROTTLED_CLOCK);
}

static void read_files(struct firmware_source *s)
{
	uint64_t v = 0;
	bool good;

	if (s->zone_path[0]) {
		good = fsroot_read_u64(s->fs, s->zone_path, &v, NULL);
		put(s, TEMPERATURE, good, v);
	}
	if (s->alarm_path[0]) {
		good = fsroot_read_u64(s->fs, s->alarm_path, &v, NULL);
		put_bit(s, LOW_SUPPLY, good, v != 0);
	}
}

static bool firmware_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct firmware_source *s = (struct firmware_source *)src;

	(void)now_ns, (void)err;
	if (s->vcio >= 0)
		ask_firmware(s);
	else
		read_files(s);
	return true;
}

static void firmware_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct firmware_source *s = (struct firmware_source *)src;

	source_window(out, &s->window_ns, now_ns);
	memcpy(out->values, s->values, sizeof(s->values));
	out->whys = s->whys;
}

static void firmware_close(struct source *src)
{
	struct firmware_source *s = (struct firmware_source *)src;

	driver_close(s->vcio);
}

static const struct source_ops firmware_ops = {
	.size = sizeof(struct firmware_source),
	.ready = firmware_ready, .collect = firmware_collect, .close = firmware_close,
};

static int open_vcio(const struct fsroot *fs, struct err *err)
{
	struct rights rights;
	char path[PATH_MAX];
	uint32_t a[2];
	int fd = -1;

	if (!fsroot_exists(fs, VCIO)) {
		err_set(err, ERR_UNSUPPORTED, "there is no %s", VCIO);
		err_hint(err, "%s", "the kernel of Raspberry Pi OS has it");
		return -1;
	}
	if (fsroot_path(fs, path, sizeof(path), "%s", VCIO))
		fd = driver_open(path, O_RDWR);
	if (fd < 0) {
		rights_read(&rights, fs);
		rights_refuse_file(&rights, fs, VCIO, VCIO, err);
		return -1;
	}
	if (ask(fd, TAG_TEMPERATURE, 0, a))
		return fd;
	driver_close(fd);
	err_set(err, ERR_UNSUPPORTED, "%s: the firmware does not answer", VCIO);
	return -1;
}

struct search {
	const struct fsroot *fs;
	const char *folder, *file, *wanted, *value;
	char *path;
	size_t size;
};

/* Stops at the entry of the folder whose file says what is wanted. */
static bool look(void *ctx, const char *name)
{
	const struct search *q = ctx;
	char path[128], line[32];

	if (!fsroot_line(q->fs, line, sizeof(line), "%s/%s/%s", q->folder, name, q->file) ||
		strcmp(line, q->wanted) != 0)
		return true;
	snprintf(path, sizeof(path), "%s/%.40s/%s", q->folder, name, q->value);
	if (!fsroot_exists(q->fs, path))
		return true;
	snprintf(q->path, q->size, "%s", path);
	return false;
}

static void find_files(struct firmware_source *s)
{
	struct search zone = { s->fs, "/sys/class/thermal", "type", "cpu-thermal", "temp", s->zone_path,
		sizeof(s->zone_path) };
	struct search alarm = { s->fs, "/sys/class/hwmon", "name", "rpi_volt", "in0_lcrit_alarm",
		s->alarm_path, sizeof(s->alarm_path) };

	fsroot_each(s->fs, zone.folder, look, &zone, NULL);
	fsroot_each(s->fs, alarm.folder, look, &alarm, NULL);
}

static void offer_files(struct firmware_source *s)
{
	s->counters[CLOCK].name[0] = '\0';	/* nobody is offered a nameless counter */
	s->counters[HELD].name[0] = '\0';
	s->counters[HELD_HEAT].name[0] = '\0';
	if (!s->zone_path[0])
		s->counters[TEMPERATURE].name[0] = '\0';
	if (!s->alarm_path[0])
		s->counters[LOW_SUPPLY].name[0] = '\0';
}

void v3d_firmware_open(struct open_device *dev, const struct open_options *o)
{
	struct firmware_source *s = source_new(&firmware_ops);
	struct err why = { 0 };
	uint32_t a[2];

	s->source.look_often = true;
	s->source.feed = (struct feed){ .name = "firmware", .how = "the firmware's properties",
		.counters = s->counters, .n_counters = COUNTERS };
	s->fs = o->fs;
	s->window_ns = o->now_ns;
	memcpy(s->counters, counters, sizeof(counters));
	s->vcio = open_vcio(o->fs, &why);
	open_device_tried(dev, s->vcio >= 0 ? "firmware" : "", VCIO,
		"clock of the GPU, temperature, throttling", &why);
	dev->sources[dev->n_sources++] = &s->source;
	if (s->vcio >= 0) {
		if (ask(s->vcio, TAG_MAX_CLOCK, CLOCK_V3D, a) && a[1])
			device_set_roof(&dev->device, "max_clock_hz", a[1], ROOF_READ, false,
				"the firmware's property 0x00030004");
		return;
	}
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", "thermal zone, rpi_volt");
	find_files(s);
	offer_files(s);
	err_set(&why, ERR_UNSUPPORTED, "%s", "no thermal zone named cpu-thermal and no sensor rpi_volt");
	open_device_tried(dev, "firmware", "sysfs", "temperature, and an alarm of the supply",
		s->zone_path[0] || s->alarm_path[0] ? NULL : &why);
}
