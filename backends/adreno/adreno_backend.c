/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names Adreno GPUs and opens them: what every card has, and the driver's stream of counters. */
#include "config.h"

#include "backends/common/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/adreno/msm_uapi.h"
#include "backends/card/drm_card.h"
#include "backends/card/drm_node.h"
#include "base/mem.h"
#include "backends/common/stand_ins.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "base/minmax.h"
#include "base/parse.h"
#include "base/rights.h"
#include "backends/adreno/stream_samples.h"

/* --- the source of counters --- */

#define GROUPS_MAX 12
/* Room for a minute of the shortest periods. */
#define BUFFER_SHIFT 20
#define PERIOD_MIN_NS (5 * NS_PER_MS)
#define PERIOD_MAX_NS (100 * NS_PER_MS)

struct group {
	char name[16];
	uint32_t countables[ADRENO_COUNTERS_MAX];
	int places[ADRENO_COUNTERS_MAX];	/* where each stands among the source's counters */
	int n;
};

/* What is needed to open the stream, also again. */
struct opening {
	const struct fsroot *fs;
	char card[32];
	int64_t period_ns;
	struct group groups[GROUPS_MAX];
	int n_groups;
	struct counter_desc counters[ADRENO_COUNTERS_MAX];
	int n_counters;
};

struct stream_source {
	struct source source;
	const struct opening *opening;
	struct drm_node node;
	struct adreno_sums sums;
	int order[ADRENO_COUNTERS_MAX];	/* where the ith register of a sample stands */
	int64_t window_ns;
	bool asleep;
};

static bool refuse_permission(const char *card, struct err *err)
{
	char path[256];

	err_set(err, ERR_PERMISSION, "%s: counters of everybody need CAP_PERFMON", card);
	return err_hint(err, "root, or for all users: sudo setcap cap_perfmon+ep %s",
		rights_own_path(path, sizeof(path)));
}

/* Says which group lacks counters: the driver has written how many are free. */
static bool refuse_counters(const struct opening *o, const struct msm_perfcntr_group *groups,
	struct err *err)
{
	for (int i = 0; i < o->n_groups; i++) {
		if (groups[i].n_countables >= (uint32_t)o->groups[i].n)
			continue;
		err_set(err, ERR_BUSY, "%s: of the %d counters that the set needs in group %s, %u are free",
			o->card, o->groups[i].n, o->groups[i].name, groups[i].n_countables);
		return err_hint(err, "%s", "other programs have reserved them; end those, or choose another set");
	}
	return err_set(err, ERR_BUSY, "%s: not enough counters are free", o->card);
}

static bool refuse(const struct opening *o, const struct msm_perfcntr_group *groups, struct err *err)
{
	switch (errno) {
	case EPERM:
	case EACCES:
		return refuse_permission(o->card, err);
	case EBUSY:
		err_set(err, ERR_BUSY, "%s: another program has the GPU's only stream of counters", o->card);
		return err_hint(err, "%s", "end that program; rooftop tries again every few seconds");
	case E2BIG:
		return refuse_counters(o, groups, err);
	case ENXIO:
		return err_set(err, ERR_UNSUPPORTED,
			"%s: the driver knows no counters of this GPU", o->card);
	default:
		err_sys(err, "%s: the driver opens no stream of counters", o->card);
		return err_hint(err, "%s", "it needs a kernel whose msm has PERFCNTR_CONFIG: Linux 7.2 has it");
	}
}

static int ask_stream(const struct stream_source *s, struct err *err)
{
	const struct opening *o = s->opening;
	struct msm_perfcntr_group groups[GROUPS_MAX] = { 0 };
	struct msm_perfcntr_config config = { .flags = MSM_PERFCNTR_STREAM | MSM_PERFCNTR_UPDATE,
		.n_groups = (uint32_t)o->n_groups,
		.groups = (uintptr_t)groups,
		.period_ns = (uint64_t)o->period_ns,
		.buffer_shift = BUFFER_SHIFT,
		.group_stride = sizeof(groups[0]) };

	for (int i = 0; i < o->n_groups; i++) {
		memcpy(groups[i].name, o->groups[i].name, sizeof(groups[i].name));
		groups[i].n_countables = (uint32_t)o->groups[i].n;
		groups[i].countables = (uintptr_t)o->groups[i].countables;
	}
	int fd = node_ioctl(s->node.fd, MSM_PERFCNTR_CONFIG, &config);
	if (fd < 0)
		refuse(o, groups, err);
	else
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return fd;
}

static void stream_close(struct source *src)
{
	struct stream_source *s = (struct stream_source *)src;

	driver_close(s->source.fd);
	drm_node_close(&s->node);
}

static bool stream_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct stream_source *s = (struct stream_source *)src;
	uint8_t bytes[4096];
	ssize_t n;

	(void)now_ns;
	s->asleep = drm_card_is_asleep(s->opening->fs, s->opening->card);
	while ((n = driver_read(s->source.fd, bytes, sizeof(bytes))) > 0)
		adreno_sums_feed(&s->sums, bytes, (size_t)n);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return err_sys(err, "%s: the stream of counters cannot be read", s->opening->card);
	return !drm_card_is_gone(s->opening->fs, s->opening->card, err);
}

static void stream_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct stream_source *s = (struct stream_source *)src;
	const struct adreno_sums *sums = &s->sums;

	source_window(out, &s->window_ns, now_ns);
	out->reports = sums->samples;
	if (sums->breaks)
		out->quality |= SAMPLE_PARTIAL;
	if (!sums->ticks)
		out->why = s->asleep ? WHY_ASLEEP : WHY_NOT_YET;
	else
		out->window_ns = (int64_t)((double)sums->ticks * 1e9 / MSM_TICKS_HZ);
	for (int i = 0; i < sums->n; i++)
		out->values[s->order[i]] = sums->sums[i];
	adreno_sums_clear(&s->sums);
}

static const struct source_ops stream_ops = {
	.size = sizeof(struct stream_source),
	.ready = stream_ready, .collect = stream_collect, .close = stream_close,
};

static struct source *open_stream(void *ctx, int64_t now_ns, struct err *err)
{
	const struct opening *o = ctx;
	struct stream_source *s = source_new(&stream_ops);

	s->source.feed = (struct feed){ .name = "counters", .how = "msm stream of counters",
		.counters = o->counters, .n_counters = o->n_counters };
	s->opening = o;
	s->window_ns = now_ns;
	s->sums.n = o->n_counters;
	for (int i = 0, k = 0; i < o->n_groups; i++)
		for (int j = 0; j < o->groups[i].n; j++)
			s->order[k++] = o->groups[i].places[j];
	if (drm_node_open(&s->node, o->fs, o->card, err))
		s->source.fd = ask_stream(s, err);
	if (s->source.fd >= 0)
		return &s->source;
	source_close(&s->source);
	return NULL;
}

static struct group *group_of(struct opening *o, const char *name)
{
	for (int i = 0; i < o->n_groups; i++)
		if (!strcmp(o->groups[i].name, name))
			return &o->groups[i];
	if (o->n_groups == GROUPS_MAX)
		return NULL;
	struct group *g = &o->groups[o->n_groups++];
	snprintf(g->name, sizeof(g->name), "%s", name);
	return g;
}

/* Takes "NAME GROUP COUNTABLE". */
static bool take_program(struct opening *o, const char *args)
{
	struct counter_desc c = { .unit = "number", .bits = 64, .kind = COUNTER_CUMULATIVE };
	char group[16], number[16];
	uint64_t countable;

	if (!parse_until(&args, ' ', c.name, sizeof(c.name)) ||
		!parse_until(&args, ' ', group, sizeof(group)) ||
		!parse_until(&args, ' ', number, sizeof(number)) ||
		!parse_u64_range(number, 0, UINT32_MAX, &countable))
		return false;
	struct group *g = group_of(o, group);
	if (!g || o->n_counters == ADRENO_COUNTERS_MAX)
		return false;
	g->places[g->n] = o->n_counters;
	g->countables[g->n++] = (uint32_t)countable;
	o->counters[o->n_counters++] = c;
	return true;
}

static bool take_programs(struct opening *out, const struct metric_set *set, struct err *err)
{
	const struct set_directive *d;
	int pos = 0;

	while (set && (d = metric_set_directive(set, "program", &pos)))
		if (!take_program(out, d->args))
			return err_set(err, ERR_PARSE,
				"%s:%d: 'program %s' is not \"NAME GROUP COUNTABLE\", or too much for a stream",
				d->file, d->line, d->args);
	return true;
}

/* Several samples in a window, so that a run that begins anew costs a part of it only. */
static bool set_period(void *ctx, int64_t window_ns)
{
	struct opening *o = ctx;
	int64_t before_ns = o->period_ns;

	o->period_ns = max_i64(min_i64(window_ns / 5, PERIOD_MAX_NS), PERIOD_MIN_NS);
	return o->period_ns != before_ns;
}

/* Counts what the lines "program NAME GROUP COUNTABLE" of o->set ask for; COUNTABLE is the number
 * in the register. Where the stream is refused, err says why, and the source tries again. Returns
 * NULL when the set asks for nothing, or for what no stream can have, which err then says. */
static struct source *adreno_stream_open(
	const struct device *d, const struct open_options *o, struct err *err)
{
	static const struct source_opener opener = {
		.open = open_stream, .release = free, .retime = set_period
	};
	struct opening *ctx = xcalloc(1, sizeof(*ctx));

	ctx->fs = o->fs;
	snprintf(ctx->card, sizeof(ctx->card), "%.31s", d->id);
	set_period(ctx, o->delay_ns);
	if (!take_programs(ctx, o->set, err) || !ctx->n_counters) {
		free(ctx);
		return NULL;
	}
	const struct feed missing = { .name = "counters", .how = "msm stream of counters",
		.counters = ctx->counters, .n_counters = ctx->n_counters };
	struct source *inner = open_stream(ctx, o->now_ns, err);
	return reopening_source_open(&opener, ctx, inner, &missing, err);
}

static const struct card_claim cards[] = { { .driver = "msm" } };

/* The bits of the chip's id that tell its generation (Mesa
 * src/freedreno/common/freedreno_devices.py): the upper byte, until parts of the seventh had
 * numbers of another kind. The A702 is of the sixth, whatever its number says. The first row that
 * fits counts. */
static const struct generation {
	uint32_t mask, chip;
	uint8_t number;
	const char *platform;
} generations[] = {
	{ 0xffff0000, 0x07000000, 6, "a6xx" },
	{ 0xff000000, 0x06000000, 6, "a6xx" },
	{ 0xff000000, 0x07000000, 7, "a7xx" },
	{ 0xff000000, 0x43000000, 7, "a7xx" },
	{ 0xff000000, 0x44000000, 8, "a8xx" },
};

/* Asking for what the driver has cached switches no GPU on; the first opening of the node does, to
 * load it (Linux msm_drv.c, load_gpu()). */
static bool ask(const struct fsroot *fs, const char *card, enum msm_param_id param, uint64_t *value,
	struct err *err)
{
	struct msm_param p = { .pipe = MSM_PIPE_3D, .param = param };
	struct drm_node node;

	if (!drm_node_open(&node, fs, card, err))
		return false;
	bool good = node_ioctl(node.fd, MSM_GET_PARAM, &p) == 0;
	if (!good)
		err_sys(err, "%s: its driver does not tell parameter %d", card, param);
	drm_node_close(&node);
	*value = p.value;
	return good;
}

static const struct generation *generation_of(uint32_t chip)
{
	for (size_t i = 0; i < ARRAY_LEN(generations); i++)
		if (generations[i].chip == (chip & generations[i].mask))
			return &generations[i];
	return NULL;
}

/* The chip that a device tree names, as the driver reads it there (Linux adreno_device.c, find_chipid()); 0: none. */
static uint32_t chip_of(const char *compatible)
{
	unsigned number, patch;
	uint32_t chip;

	if (sscanf(compatible, "qcom,adreno-%u.%u", &number, &patch) == 2)
		return (number / 100) << 24 | (number / 10 % 10) << 16 | (number % 10) << 8 | (patch & 0xff);
	return sscanf(compatible, "qcom,adreno-%8" SCNx32, &chip) == 1 ? chip : 0;
}

static bool is_gpu(void *ctx, const char *name)
{
	size_t len = strlen(name);

	if (len > 4 && len < 64 && !strcmp(name + len - 4, ".gpu"))
		snprintf(ctx, 64, "%s", name);
	return true;
}

/* Finds the chip of a GPU that sleeps. The card may be the display's, whose GPU is a device of its
 * own. Returns false where it is awake, or where nothing but its node says what it is. */
static bool sleeping_chip(const struct drm_card *card, const struct fsroot *fs, uint64_t *chip)
{
	char gpu[64] = "", folder[128], compatible[sizeof(card->compatible)];

	fsroot_each(fs, "/sys/bus/platform/drivers/adreno", is_gpu, gpu, NULL);
	snprintf(folder, sizeof(folder), "/sys/bus/platform/drivers/adreno/%s", gpu);
	if (*gpu)
		drm_device_compatible(fs, folder, compatible, sizeof(compatible));
	if (*gpu && drm_device_is_asleep(fs, folder))
		*chip = chip_of(compatible);
	else if (card->asleep)
		*chip = chip_of(card->compatible);
	return *chip != 0;
}

static void name_chip(struct device_entry *e, uint32_t chip)
{
	const struct generation *g = generation_of(chip);
	struct device *d = &e->device;

	snprintf(d->name, sizeof(d->name), "Qualcomm Adreno, chip %08x", chip);
	if (!g) {
		drm_card_refuse(e, "counters of the chip %08x are not known to this program", chip);
		return;
	}
	snprintf(d->generation, sizeof(d->generation), "a%dxx", g->number);
	snprintf(d->counters, sizeof(d->counters), "msm");
	drm_card_use(e, g->platform);
	e->refusal = (struct err){ 0 };
}

/* A part that is not known, or a node that cannot be opened, leaves a card without counters. */
static void identify(struct device_entry *e, const struct drm_card *card, const struct fsroot *fs)
{
	uint64_t chip = 0;
	struct err why = { 0 };

	e->device.shares_memory = true;
	snprintf(e->device.name, sizeof(e->device.name), "%s", "Qualcomm Adreno GPU");
	if (sleeping_chip(card, fs, &chip) || ask(fs, card->name, MSM_CHIP_ID, &chip, &why))
		name_chip(e, (uint32_t)chip);
	else
		drm_card_refuse(e, "%s", why.msg);
}

static bool open_card(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct err why = { 0 };
	uint64_t max_hz = 0;

	if (!drm_card_open(e, o, dev, err))
		return false;
	if (ask(o->fs, e->device.id, MSM_MAX_FREQ, &max_hz, NULL) && max_hz)
		device_set_roof(&dev->device, "max_clock_hz", (double)max_hz, ROOF_READ, false,
			"msm, MSM_PARAM_MAX_FREQ");
	struct source *s = adreno_stream_open(&dev->device, o, &why);
	if (s)
		dev->sources[dev->n_sources++] = s;
	open_device_tried(dev, "counters", "stream",
		"counters of the GPU, of everybody's work", &why);
	return true;
}

const struct backend adreno_backend = {
	.name = "adreno",
	.description = "Qualcomm Adreno GPUs (a6xx to a8xx): the stream of counters of msm",
	.counts_clients = true,
	.cards = cards,
	.n_cards = ARRAY_LEN(cards),
	.identify = identify,
	.open = open_card,
};
