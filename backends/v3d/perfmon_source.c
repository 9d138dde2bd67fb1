/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A performance monitor that is the global one counts the jobs of all clients (Linux
 * drivers/gpu/drm/v3d/v3d_perfmon.c). Up to Linux 7.2 the driver starts it with the next job, and
 * reading its sums stops it until another begins, so that the rest of a job that is running is
 * lost. Shares are quotients of counters that lost the same time.
 *
 * Sleep takes the registers their power. Up to 7.2 nobody takes what they held, and the monitor
 * counts nothing until it is read; later kernels take it and go on. Reading wakes no GPU, so a GPU
 * that sleeps is read as well: that is what starts the monitor again.
 *
 * The registers have 32 bits and turn over without a word, so they are read more often than windows
 * end. */
#include "config.h"

#include "backends/v3d/v3d_sources.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/card/drm_card.h"
#include "backends/card/drm_node.h"
#include "backends/common/stand_ins.h"
#include "backends/v3d/v3d_uapi.h"
#include "base/clock.h"
#include "base/mem.h"

/* Counter numbers have eight bits. */
#define NUMBERS 256
/* More than the V3D of any board is sold with: 1 GHz. */
#define MOST_CYCLES_PER_NS 1
#define NO_COUNTER (-1)

/* What is needed to open the source, also again. */
struct opening {
	const struct fsroot *fs;
	char card[32];
	/* the counters that the set asks for */
	struct counter_desc counters[V3D_MONITOR_COUNTERS];
	int n_counters;
	int qpus;
};

struct perfmon_source {
	struct source source;
	const struct fsroot *fs;
	struct drm_node node;
	uint32_t id;
	struct counter_desc counters[V3D_MONITOR_COUNTERS];
	uint8_t numbers[V3D_MONITOR_COUNTERS];	/* of the kernel's counters */
	uint8_t places[V3D_MONITOR_COUNTERS];	/* where the monitor's ith stands in counters */
	int n_counted;
	int cycles;			/* which of the monitor's is cycle_count, or NO_COUNTER */
	/* sums: of the last reading; before: when the window began */
	uint64_t sums[V3D_MONITOR_COUNTERS], before[V3D_MONITOR_COUNTERS];
	int64_t window_ns, read_ns;
	uint64_t most_counts;		/* of the fastest counter in a cycle: that of all QPUs */
	char asleep_path[96];
	uint64_t asleep_ms;		/* so far, at the last reading */
	/* at the last reading; and since the window began: it slept, its counts may be lost, a
	 * register may have turned over */
	bool asleep, slept, lost, turned_over;
};

void v3d_counter_name(const char *kernel_name, char *out, size_t size)
{
	static const char total[] = "total-";
	size_t n = 0;

	while (n + 1 < size && *kernel_name) {
		if (!strncmp(kernel_name, total, sizeof(total) - 1)) {
			kernel_name += sizeof(total) - 1;
			continue;
		}
		out[n++] = isalnum((unsigned char)*kernel_name) ? *kernel_name : '_';
		kernel_name++;
	}
	out[n] = '\0';
}

/* The kernel tells the name of each counter. Those that the set asks for get their numbers; the
 * others lose their names. */
static bool find_counters(struct perfmon_source *s, const struct opening *o, struct err *err)
{
	bool found[V3D_MONITOR_COUNTERS] = { false };

	for (int number = 0; number < NUMBERS; number++) {
		struct v3d_perfmon_counter c = { .counter = (uint8_t)number };
		char name[sizeof(s->counters[0].name)];

		if (node_ioctl(s->node.fd, V3D_PERFMON_GET_COUNTER, &c) != 0) {
			if (number && errno == EINVAL)
				break;	/* there are no more */
			if (errno == EOPNOTSUPP)
				return err_set(err, ERR_UNSUPPORTED,
					"%s: the driver knows no counters of this GPU", o->card);
			err_sys(err, "%s: the driver does not name its counters", o->card);
			return err_hint(err, "%s", "Linux does so since version 6.11");
		}
		c.name[sizeof(c.name) - 1] = '\0';
		v3d_counter_name((const char *)c.name, name, sizeof(name));
		for (int i = 0; i < o->n_counters; i++) {
			if (found[i] || strcmp(o->counters[i].name, name) != 0)
				continue;
			if (!strcmp(name, "cycle_count"))
				s->cycles = s->n_counted;
			found[i] = true;
			s->places[s->n_counted] = (uint8_t)i;
			s->numbers[s->n_counted++] = (uint8_t)number;
		}
	}
	for (int i = 0; i < o->n_counters; i++)
		if (!found[i])
			s->counters[i].name[0] = '\0';	/* nobody is offered a nameless counter */
	if (s->n_counted)
		return true;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: the driver has none of the counters that the set asks for", o->card);
}

static bool make_monitor(struct perfmon_source *s, const char *card, struct err *err)
{
	struct v3d_perfmon_create create = { .n_counters = (uint32_t)s->n_counted };
	struct v3d_perfmon_global global = { 0 };

	memcpy(create.counters, s->numbers, (size_t)s->n_counted);
	if (node_ioctl(s->node.fd, V3D_PERFMON_CREATE, &create) != 0)
		return err_sys(err, "%s: the driver makes no performance monitor", card);
	s->id = global.id = create.id;
	if (node_ioctl(s->node.fd, V3D_PERFMON_SET_GLOBAL, &global) == 0)
		return true;
	if (errno == EBUSY) {
		err_set(err, ERR_BUSY, "%s: another program has the GPU's only monitor", card);
		return err_hint(err, "%s", "end that program; rooftop tries again every few seconds");
	}
	err_sys(err, "%s: the driver has no monitor of everybody's jobs", card);
	return err_hint(err, "%s", "Linux has it since version 6.14");
}

/* Closing the node takes the monitor back. */
static void perfmon_close(struct source *src)
{
	struct perfmon_source *s = (struct perfmon_source *)src;

	if (s->source.fd >= 0)
		close(s->source.fd);
	drm_node_close(&s->node);
}

/* Wakes up the reader in half the time in which a register may turn over. */
static void arm(const struct perfmon_source *s)
{
	uint64_t ns = (UINT64_C(1) << 32) / MOST_CYCLES_PER_NS / s->most_counts / 2;

	clock_timer_set(s->source.fd, (int64_t)ns, 0);
}

/* What the sums of a reading say of those of the one before. */
static void judge(struct perfmon_source *s, const uint64_t *last, int64_t now_ns)
{
	uint64_t cycles = (uint64_t)(now_ns - s->read_ns) * MOST_CYCLES_PER_NS, asleep_ms = s->asleep_ms;
	bool was_asleep = s->asleep;

	/* That counter turns over long after the others. */
	if (s->cycles != NO_COUNTER && cycles < UINT32_MAX)
		cycles = s->sums[s->cycles] - last[s->cycles];
	if (cycles > UINT32_MAX / s->most_counts)
		s->turned_over = true;
	s->asleep = drm_card_is_asleep(s->fs, s->node.card);
	fsroot_read_u64(s->fs, s->asleep_path, &s->asleep_ms, NULL);
	if (!was_asleep && !s->asleep && asleep_ms == s->asleep_ms)
		return;
	s->slept = true;
	if (!(was_asleep && s->asleep) && !memcmp(s->sums, last, sizeof(s->sums)))
		s->lost = true;
}

static bool perfmon_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct perfmon_source *s = (struct perfmon_source *)src;
	struct v3d_perfmon_values v = { .id = s->id, .values_ptr = (uintptr_t)s->sums };
	uint64_t last[V3D_MONITOR_COUNTERS];

	if (drm_card_is_gone(s->fs, s->node.card, err))
		return false;
	memcpy(last, s->sums, sizeof(last));
	if (node_ioctl(s->node.fd, V3D_PERFMON_GET_VALUES, &v) != 0)
		return err_sys(err, "%s: the driver does not give its counters", s->node.card);
	judge(s, last, now_ns);
	s->read_ns = now_ns;
	arm(s);		/* and the timer is not over any more */
	return true;
}

static void perfmon_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct perfmon_source *s = (struct perfmon_source *)src;
	bool counted = memcmp(s->before, s->sums, sizeof(s->before)) != 0;

	source_window(out, &s->window_ns, now_ns);
	if (s->lost || (s->slept && !counted))
		out->why = WHY_ASLEEP;
	else if (s->turned_over)
		out->why = WHY_GAP;
	for (int i = 0; i < s->n_counted; i++)
		out->values[s->places[i]] = s->sums[i] - s->before[i];
	memcpy(s->before, s->sums, sizeof(s->before));
	s->slept = s->asleep;
	s->lost = s->turned_over = false;
}

static const struct source_ops perfmon_ops = {
	.size = sizeof(struct perfmon_source),
	.ready = perfmon_ready, .collect = perfmon_collect, .close = perfmon_close,
};

static struct source *open_monitor(void *ctx, int64_t now_ns, struct err *err)
{
	const struct opening *o = ctx;

	if (drm_card_is_asleep(o->fs, o->card)) {
		err_set(err, ERR_ASLEEP, "%s sleeps and is left asleep", o->card);
		return NULL;
	}
	struct perfmon_source *s = source_new(&perfmon_ops);
	s->source.fd = clock_timer_open();
	s->source.feed = (struct feed){ .name = "monitor", .how = "v3d performance monitor",
		.counters = s->counters, .n_counters = o->n_counters };
	s->fs = o->fs;
	s->window_ns = s->read_ns = now_ns;
	s->most_counts = (uint64_t)o->qpus;
	s->cycles = NO_COUNTER;
	snprintf(s->asleep_path, sizeof(s->asleep_path),
		"/sys/class/drm/%.31s/device/power/runtime_suspended_time", o->card);
	fsroot_read_u64(o->fs, s->asleep_path, &s->asleep_ms, NULL);
	memcpy(s->counters, o->counters, sizeof(s->counters));
	if (s->source.fd < 0) {
		err_sys(err, "%s: cannot make a timer for looks at its counters", o->card);
	} else if (drm_node_open(&s->node, o->fs, o->card, err) && find_counters(s, o, err) &&
		make_monitor(s, o->card, err)) {
		arm(s);
		return &s->source;
	}
	source_close(&s->source);
	return NULL;
}

/* What the set's lines "program NAME" ask for. */
static bool take_programs(struct opening *out, const struct metric_set *set, struct err *err)
{
	const struct set_directive *d;
	int pos = 0;

	while (set && (d = metric_set_directive(set, "program", &pos))) {
		if (out->n_counters == V3D_MONITOR_COUNTERS)
			return err_set(err, ERR_UNSUPPORTED,
				"set %s: a monitor of this GPU has %d counters at most", set->name,
				V3D_MONITOR_COUNTERS);
		struct counter_desc *c = &out->counters[out->n_counters++];
		*c = (struct counter_desc){ .unit = "number", .bits = 64, .kind = COUNTER_CUMULATIVE };
		snprintf(c->name, sizeof(c->name), "%s", d->args);
	}
	return true;
}

struct source *v3d_perfmon_open(
	const struct device *d, const struct open_options *o, struct err *err)
{
	static const struct source_opener opener = { .open = open_monitor, .release = free };
	const struct device_const *qpus = device_const(d, "qpu_count");
	struct opening *ctx = xcalloc(1, sizeof(*ctx));

	ctx->fs = o->fs;
	snprintf(ctx->card, sizeof(ctx->card), "%.31s", d->id);
	ctx->qpus = qpus && qpus->v >= 1 ? (int)qpus->v : 1;
	if (!take_programs(ctx, o->set, err) || !ctx->n_counters) {
		free(ctx);
		return NULL;
	}
	const struct feed missing = { .name = "monitor", .how = "v3d performance monitor",
		.counters = ctx->counters, .n_counters = ctx->n_counters };
	struct source *inner = open_monitor(ctx, o->now_ns, err);
	return reopening_source_open(&opener, ctx, inner, &missing, err);
}
