/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy through PAPI, which lives in a process of its own: started at the first reading, which is
 * after the first frame. */
#include "config.h"

#include "backends/power/energy.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu_info.h"
#include "backends/perf/perf_event.h"
#include "backends/power/papi_proto.h"
#include "base/clock.h"
#include "base/helper.h"
#include "base/minmax.h"
#include "base/parse.h"

#ifdef HAVE_PAPI

#define MSR "/dev/cpu/0/msr"
#define PERIOD_MIN_NS (20 * NS_PER_MS)
#define READINGS_PER_WINDOW 4
#define ASK_TURN_MS 20
#define ASK_TURNS 100

enum papi_state { PAPI_NEW, PAPI_STARTED, PAPI_ENDED };

struct papi_reader {
	struct energy_reader reader;
	enum papi_state state;
	struct helper helper;
	char cpus[64];
	enum energy_plane order[ENERGY_PLANES];
	int n_order;
	struct energy_reading last;
	char said[160];		/* what it said before it ended */
};

/* --- what it writes --- */

static void read_planes(struct papi_reader *r, const char *names)
{
	const char *word;
	size_t len;

	r->n_order = 0;
	while (parse_word(&names, &word, &len)) {
		for (int p = 0; p < ENERGY_PLANES && r->n_order < ENERGY_PLANES; p++) {
			if (strlen(energy_plane_names[p]) == len &&
				!memcmp(energy_plane_names[p], word, len))
				r->order[r->n_order++] = (enum energy_plane)p;
		}
	}
}

static void read_values(struct papi_reader *r, const char *numbers)
{
	char *end;
	struct energy_reading reading = { .t_ns = strtoll(numbers, &end, 10) };

	for (int i = 0; i < r->n_order; i++) {
		const char *from = end;

		reading.uj[r->order[i]] = strtoull(from, &end, 10);
		if (end == from)
			return;
		reading.planes |= 1u << r->order[i];
	}
	r->last = reading;
}

static void take_line(void *ctx, const char *line)
{
	struct papi_reader *r = ctx;

	if (!strncmp(line, "planes ", 7))
		read_planes(r, line + 7);
	else if (!strncmp(line, "at ", 3))
		read_values(r, line + 3);
	else if (!strncmp(line, "error ", 6))
		snprintf(r->said, sizeof(r->said), "%s", line + 6);
}

/* --- the process --- */

static bool start(struct papi_reader *r, struct err *err)
{
	char period[16];
	char *argv[] = { (char *)PAPI_PROGRAM, period, r->cpus, NULL };

	snprintf(period, sizeof(period), "%d", (int)(r->reader.update_ns / NS_PER_MS));
	r->state = PAPI_STARTED;
	if (helper_start(&r->helper, argv, err))
		return true;
	r->state = PAPI_ENDED;
	return err_hint(err, "install the whole of rooftop, or choose another way with --power");
}

static bool ended(struct papi_reader *r, struct err *err)
{
	r->state = PAPI_ENDED;
	if (!r->said[0])
		snprintf(r->said, sizeof(r->said), "%s", r->helper.said);
	if (!r->said[0])
		snprintf(r->said, sizeof(r->said), "%s", "it said nothing");
	err_set(err, ERR_UNSUPPORTED, "%s has ended: %s", PAPI_PROGRAM, r->said);
	return err_hint(err,
		"choose another way with --power; papi_component_avail tells what this PAPI can "
		"do");
}

static bool read_papi(
	struct energy_reader *reader, int64_t now_ns, struct energy_reading *out, struct err *err)
{
	struct papi_reader *r = (struct papi_reader *)reader;

	(void)now_ns;
	if (r->state == PAPI_NEW && !start(r, err))
		return false;
	if (r->state == PAPI_ENDED)
		return ended(r, err);
	if (!helper_lines(&r->helper, take_line, r))
		return ended(r, err);
	if (!r->last.planes)
		return true;	/* it has not answered yet */
	for (int p = 0; p < ENERGY_PLANES; p++) {
		if (r->last.planes >> p & 1)
			out->uj[p] = r->last.uj[p];
	}
	out->planes |= r->last.planes;
	out->t_ns = r->last.t_ns;
	return true;
}

static void close_papi(struct energy_reader *reader)
{
	struct papi_reader *r = (struct papi_reader *)reader;

	helper_close(&r->helper);
}

static void retime_papi(struct energy_reader *reader, int64_t window_ns)
{
	reader->update_ns = max_i64(window_ns / READINGS_PER_WINDOW, PERIOD_MIN_NS);
	helper_set_period(
		&((struct papi_reader *)reader)->helper, (int)(reader->update_ns / NS_PER_MS));
}

static const struct energy_reader_ops ops = {
	.size = sizeof(struct papi_reader),
	.read = read_papi,
	.retime = retime_papi,
	.close = close_papi,
};

/* Lists a CPU of each package as the kernel's PMU does; without that PMU, the first CPU. */
static void package_cpus(const struct fsroot *fs, char *buf, size_t size)
{
	struct perf_pmu pmu;
	size_t len = 0;

	snprintf(buf, size, "0");
	if (!perf_pmu_find(fs, "power", &pmu, NULL))
		return;
	for (int i = 0; i < pmu.n_cpus && len + 8 < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%d", i ? "," : "", pmu.cpus[i]);
}

/* Where the kernel offers nothing, PAPI can still read the registers itself. */
static bool may_help(const struct energy_target *t, struct err *err)
{
	if (t->fs->prefix[0])
		return err_set(err, ERR_UNSUPPORTED, "PAPI reads this machine, not '%s'",
			t->fs->prefix);
	if (t->named || access(MSR, R_OK) == 0)
		return true;
	if (!cpu_is_x86(t->fs))
		return err_set(err, ERR_UNSUPPORTED,
			"PAPI knows energy counters of x86 processors only");
	err_set(err, ERR_UNSUPPORTED,
		"PAPI would have to read %s, which is not there or may not be read", MSR);
	return err_hint(err, "--power papi tries it all the same");
}

static bool open_papi(struct energy_reader *reader, const struct energy_target *t,
	unsigned wanted, struct err *err)
{
	struct papi_reader *r = (struct papi_reader *)reader;

	if (!may_help(t, err) || !helper_open(&r->helper, err))
		return false;
	reader->fd = r->helper.output;
	reader->planes = wanted & ~(1u << ENERGY_CARD);
	retime_papi(reader, t->delay_ns);
	package_cpus(t->fs, r->cpus, sizeof(r->cpus));
	return true;
}

bool energy_papi_ask(const struct fsroot *fs, struct err *err)
{
	const struct energy_target t = { .fs = fs, .delay_ns = NS_PER_S, .named = true };
	struct energy_reader *r = energy_reader_open(&energy_papi, &t, ENERGY_ALL, err);
	struct energy_reading reading = { 0 };
	bool good = r != NULL;

	for (int i = 0; good && !reading.planes && i < ASK_TURNS; i++) {
		good = r->ops->read(r, 0, &reading, err);
		if (good && !reading.planes)
			poll(&(struct pollfd){ .fd = r->fd, .events = POLLIN }, 1, ASK_TURN_MS);
	}
	if (good && !reading.planes)
		good = err_set(err, ERR_SYS, "%s does not answer", PAPI_PROGRAM);
	energy_reader_close(r);
	return good;
}

#else

bool energy_papi_ask(const struct fsroot *fs, struct err *err)
{
	(void)fs;
	return err_set(err, ERR_UNSUPPORTED, "this rooftop was built without PAPI");
}

static const struct energy_reader_ops ops = { .size = sizeof(struct energy_reader) };

static bool open_papi(struct energy_reader *reader, const struct energy_target *t,
	unsigned wanted, struct err *err)
{
	(void)reader;
	(void)wanted;
	return energy_papi_ask(t->fs, err);
}

#endif

const struct energy_route energy_papi = {
	.name = "papi", .how = "PAPI", .ops = &ops, .open = open_papi
};
