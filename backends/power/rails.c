/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy of boards and machines by their own sensors (/sys/class/hwmon): counters of energy where
 * there are some, else watts times the time for which they were read. Rails are told by their
 * names. Linux Documentation/hwmon/sysfs-interface.rst, ina2xx.rst, ina3221.rst,
 * acpi_power_meter.rst. */
#include "config.h"

#include "backends/power/energy.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "core/value/accum.h"

#define HWMON "/sys/class/hwmon"
#define BOARD "/sys/firmware/devicetree/base/compatible"
#define RAILS_MAX 32
#define CURRENT_CHANNELS 3	/* of an INA3221; what comes behind them are sums of shunts */
/* Sensors average for as long as their files say; for this long where these say nothing. */
#define PACE_NS (20 * NS_PER_MS)
#define PACE_LONGEST_NS NS_PER_S
#define UW_MAX 1e11

/* Files of a rail, the best first: a counter in uJ, watts in uW, millivolts beside milliamperes. */
enum rail_kind { RAIL_ENERGY, RAIL_POWER, RAIL_CURRENT };

struct rail {
	enum rail_kind kind;
	enum energy_plane plane;
	char name[40];
	char path[112];			/* of the counter, the watts or the current */
	char volts[112];		/* of the voltage beside a current */
	int64_t pace_ns;		/* files are not read more often */
	int64_t read_ns;		/* when they were; 0: not yet */
	int64_t summed_ns;		/* up to when watts are in sum_uj */
	double uw;
	uint64_t first_uj;		/* of a counter */
	double sum_uj;			/* of watts */
};

struct rails_reader {
	struct energy_reader reader;
	const struct fsroot *fs;
	struct rail rails[RAILS_MAX];
	int n;
};

/* --- reading --- */

static bool read_number(const struct fsroot *fs, const char *path, double *v, struct err *err)
{
	char line[64];

	if (!fsroot_read_line(fs, path, line, sizeof(line), err))
		return false;
	return parse_double(line, v) ||
		err_set(err, ERR_PARSE, "'%s' holds '%s', which is not a number", path, line);
}

/* Sensors of currents around 0 may tell negative ones, which is no power. */
static bool read_uw(const struct fsroot *fs, struct rail *r, struct err *err)
{
	double uw, mv = 1;

	if (!read_number(fs, r->path, &uw, err) ||
		(r->kind == RAIL_CURRENT && !read_number(fs, r->volts, &mv, err)))
		return false;
	uw *= mv;
	if (uw > UW_MAX)
		return err_set(err, ERR_PARSE, "'%s' tells %.3g W, which no machine takes",
			r->path, uw / 1e6);
	r->uw = uw;
	if (uw < 0)
		r->uw = 0;
	return true;
}

/* A reading is the mean of the time before it. Between two readings the last one holds, so that the
 * sum never goes back. */
static bool read_watts(const struct fsroot *fs, struct rail *r, int64_t now_ns, struct err *err)
{
	bool is_due = !r->read_ns || now_ns - r->read_ns >= r->pace_ns;

	if (is_due && !read_uw(fs, r, err)) {
		r->read_ns = r->summed_ns = 0;	/* what it took meanwhile is not known */
		return false;
	}
	if (is_due)
		r->read_ns = now_ns;
	if (r->summed_ns)
		r->sum_uj += r->uw * (double)(now_ns - r->summed_ns) / NS_PER_S;
	r->summed_ns = now_ns;
	return true;
}

static bool read_rail(
	const struct fsroot *fs, struct rail *r, int64_t now_ns, uint64_t *uj, struct err *err)
{
	uint64_t count;

	if (r->kind != RAIL_ENERGY) {
		if (!read_watts(fs, r, now_ns, err))
			return false;
		*uj = (uint64_t)r->sum_uj;
		return true;
	}
	if (!fsroot_read_u64(fs, r->path, &count, err))
		return false;
	*uj = accum_delta(r->first_uj, count, 64);
	return true;
}

/* A rail that cannot be read takes its plane with it, and leaves the others. */
static bool read_rails(
	struct energy_reader *reader, int64_t now_ns, struct energy_reading *out, struct err *err)
{
	struct rails_reader *r = (struct rails_reader *)reader;
	uint64_t uj, sums[ENERGY_PLANES] = { 0 };
	unsigned good = reader->planes;

	for (int i = 0; i < r->n; i++) {
		struct rail *rail = &r->rails[i];

		if (read_rail(r->fs, rail, now_ns, &uj, err))
			sums[rail->plane] += uj;
		else
			good &= ~(1u << rail->plane);
	}
	if (!good)
		return false;
	err_clear(err);
	for (int p = 0; p < ENERGY_PLANES; p++)
		if (good >> p & 1)
			out->uj[p] = sums[p];
	out->planes |= good;
	out->t_ns = now_ns;
	return true;
}

static const struct energy_reader_ops ops = {
	.size = sizeof(struct rails_reader), .read = read_rails
};

/* --- finding --- */

struct search {
	struct rails_reader *r;
	unsigned wanted;
	char folder[64], chip[32];
	int64_t pace_ns;
	bool has_watts;			/* the chip has files of power or energy */
	int n_nameless;			/* rails whose names tell no plane */
	struct err err;			/* of the first rail that could not be read */
};

static bool number_of(const struct fsroot *fs, const char *folder, const char *file, double *v)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return read_number(fs, path, v, NULL);
}

static void pace_of(struct search *s, const char *folder)
{
	double ms;

	if (!number_of(s->r->fs, folder, "power1_average_interval", &ms) &&
		!number_of(s->r->fs, folder, "update_interval", &ms))
		return;
	if (ms > PACE_LONGEST_NS / NS_PER_MS)
		s->pace_ns = PACE_LONGEST_NS;
	else if (ms > PACE_NS / NS_PER_MS)
		s->pace_ns = (int64_t)(ms * NS_PER_MS);
}

/* A name that cannot be read is not the same as none. What no terminal should get becomes a '?'. */
static bool read_name(const struct search *s, const char *file, char *buf, size_t size)
{
	char path[128], line[128];

	snprintf(path, sizeof(path), "%s/%s", s->folder, file);
	*buf = '\0';
	if (!fsroot_exists(s->r->fs, path))
		return false;
	if (!fsroot_read_line(s->r->fs, path, line, sizeof(line), NULL))
		snprintf(line, sizeof(line), "?");
	snprintf(buf, size, "%.*s", (int)size - 1, line);
	for (char *c = buf; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	return *buf != '\0';
}

static void name_by_place(const struct search *s, char *buf, size_t size)
{
	char path[96], device[32], boards[256];
	const char *name = NULL;
	size_t len = 0;

	snprintf(path, sizeof(path), "%s/device", s->folder);
	if (fsroot_link_name(s->r->fs, path, device, sizeof(device)) &&
		fsroot_read_bytes(s->r->fs, BOARD, boards, sizeof(boards), &len, NULL))
		name = rail_name_at(boards, len, device);
	if (name)
		snprintf(buf, size, "%s", name);
}

/* Firmware names a channel (label), ACPI in a file of its own, a board's device tree the whole
 * chip; of some boards only the place is known. */
static void name_rail(const struct search *s, const char *type, int channel, char *buf, size_t size)
{
	char label[32], info[32];

	snprintf(label, sizeof(label), "%s%d_label", type, channel);
	snprintf(info, sizeof(info), "%s%d_oem_info", type, channel);
	if (!read_name(s, label, buf, size) && !read_name(s, info, buf, size) &&
		!read_name(s, "label", buf, size))
		name_by_place(s, buf, size);
}

static bool try_rail(struct search *s, struct rail *rail)
{
	uint64_t uj;

	if (rail->kind == RAIL_ENERGY)
		return fsroot_read_u64(s->r->fs, rail->path, &rail->first_uj, &s->err);
	return read_rail(s->r->fs, rail, 1, &uj, &s->err);
}

static void add_rail(struct search *s, enum rail_kind kind, const char *file, int channel)
{
	static const char *const named_by[] = { "energy", "power", "in" };
	struct rails_reader *r = s->r;
	struct rail rail = { .kind = kind, .pace_ns = s->pace_ns };

	name_rail(s, named_by[kind], channel, rail.name, sizeof(rail.name));
	rail.plane = rail_plane(s->chip, rail.name);
	if (rail.plane == ENERGY_PLANES)
		s->n_nameless++;
	if (r->n == RAILS_MAX || rail.plane == ENERGY_PLANES || !(s->wanted >> rail.plane & 1))
		return;
	snprintf(rail.path, sizeof(rail.path), "%s/%.40s", s->folder, file);
	snprintf(rail.volts, sizeof(rail.volts), "%s/in%d_input", s->folder, channel);
	if (!try_rail(s, &rail))
		return;
	rail.read_ns = rail.summed_ns = 0;
	if (!*rail.name)
		snprintf(rail.name, sizeof(rail.name), "%s", s->chip);
	r->rails[r->n++] = rail;
	r->reader.planes |= 1u << rail.plane;
}

/* "power1_average", "power1_input", "energy2_input". */
static bool look_at_watts(void *ctx, const char *file)
{
	struct search *s = ctx;
	char end[16];
	int channel;

	if (sscanf(file, "power%d_%15s", &channel, end) == 2 &&
		(!strcmp(end, "average") ||
			(!strcmp(end, "input") &&
				!fsroot_has(s->r->fs, "%s/power%d_average", s->folder, channel)))) {
		s->has_watts = true;
		add_rail(s, RAIL_POWER, file, channel);
	} else if (sscanf(file, "energy%d_%15s", &channel, end) == 2 && !strcmp(end, "input")) {
		s->has_watts = true;
		add_rail(s, RAIL_ENERGY, file, channel);
	}
	return true;
}

/* Of a chip that tells only volts and amperes. */
static bool look_at_current(void *ctx, const char *file)
{
	struct search *s = ctx;
	char end[16];
	int channel;

	if (sscanf(file, "curr%d_%15s", &channel, end) == 2 && !strcmp(end, "input") &&
		channel <= CURRENT_CHANNELS)
		add_rail(s, RAIL_CURRENT, file, channel);
	return true;
}

/* Until Linux 6.18 ACPI's meters have their files in the folder of the device, and only the link to
 * it in that of hwmon. */
static bool look_at_chip(void *ctx, const char *entry)
{
	static const char *const ways[] = { "", "/device" };
	struct search *s = ctx;

	s->chip[0] = '\0';
	if (!fsroot_line(s->r->fs, s->chip, sizeof(s->chip), HWMON "/%s/name", entry))
		fsroot_line(s->r->fs, s->chip, sizeof(s->chip), HWMON "/%s/device/name", entry);
	s->has_watts = false;
	s->pace_ns = PACE_NS;
	for (size_t i = 0; i < ARRAY_LEN(ways) && rail_chip_is_known(s->chip) && !s->has_watts; i++) {
		snprintf(s->folder, sizeof(s->folder), HWMON "/%.24s%s", entry, ways[i]);
		pace_of(s, s->folder);
		fsroot_each(s->r->fs, s->folder, look_at_watts, s, NULL);
	}
	if (!rail_chip_is_known(s->chip) || s->has_watts)
		return true;
	snprintf(s->folder, sizeof(s->folder), HWMON "/%.24s", entry);
	fsroot_each(s->r->fs, s->folder, look_at_current, s, NULL);
	return true;
}

/* --- what remains --- */

static bool has_counter(const struct rails_reader *r, enum energy_plane plane)
{
	for (int i = 0; i < r->n; i++)
		if (r->rails[i].plane == plane && r->rails[i].kind == RAIL_ENERGY)
			return true;
	return false;
}

/* A plane that has counters is not counted a second time in watts. */
static void keep_best(struct rails_reader *r)
{
	int n = 0;

	for (int i = 0; i < r->n; i++)
		if (r->rails[i].kind == RAIL_ENERGY || !has_counter(r, r->rails[i].plane))
			r->rails[n++] = r->rails[i];
	r->n = n;
}

/* Several rails of a plane are named by the first of them and their number. */
static void name_planes(struct rails_reader *r)
{
	for (int p = 0; p < ENERGY_PLANES; p++) {
		char *name = r->reader.rails[p];
		int more = -1;

		for (int i = r->n - 1; i >= 0; i--) {
			if (r->rails[i].plane != (enum energy_plane)p)
				continue;
			snprintf(name, sizeof(r->reader.rails[p]), "%s", r->rails[i].name);
			more++;
		}
		if (more > 0) {
			size_t len = strlen(name);

			snprintf(name + len, sizeof(r->reader.rails[p]) - len, " +%d", more);
		}
	}
}

static void explain(const struct energy_target *t, const struct search *s, struct err *err)
{
	if (s->err.code)
		*err = s->err;
	else if (s->n_nameless)
		err_set(err, ERR_UNSUPPORTED,
			"no power sensor of the board has a name that tells what it measures (%d have "
			"others)",
			s->n_nameless);
	else if (fsroot_exists(t->fs, HWMON))
		err_set(err, ERR_UNSUPPORTED, "no power sensor of the board lies in %s", HWMON);
	else
		err_set(err, ERR_UNSUPPORTED, "the kernel has no sensors (%s)", HWMON);
}

static bool open_rails(struct energy_reader *reader, const struct energy_target *t,
	unsigned wanted, struct err *err)
{
	struct rails_reader *r = (struct rails_reader *)reader;
	struct search s = { .r = r, .wanted = wanted & ~(1u << ENERGY_CARD) };

	r->fs = t->fs;
	fsroot_each(t->fs, HWMON, look_at_chip, &s, NULL);
	if (!r->n) {
		explain(t, &s, err);
		return false;
	}
	keep_best(r);
	name_planes(r);
	reader->sums_watts = true;
	for (int i = 0; i < r->n; i++)
		reader->sums_watts &= r->rails[i].kind != RAIL_ENERGY;
	return true;
}

const struct energy_route energy_rails = {
	.name = "sensors", .how = "board sensors", .ops = &ops, .open = open_rails
};
