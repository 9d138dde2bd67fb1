/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names Adreno GPUs and opens them: what every card has, and the driver's stream of counters. */
#include "config.h"

#include "backends/common/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backends/adreno/counter_stream.h"
#include "backends/adreno/msm_uapi.h"
#include "backends/card/drm_backend.h"
#include "backends/card/drm_card.h"
#include "backends/card/drm_node.h"
#include "base/mem.h"

static const struct card_claim cards[] = { { .driver = "msm" } };

/* The bits of the chip's id that tell its generation (Mesa src/freedreno/common/freedreno_devices.py): the
 * upper byte, until parts of the seventh had numbers of another kind. The A702 is of the sixth, whatever its
 * number says. The first row that fits counts. */
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

/* Asking for what the driver has cached switches no GPU on; the first opening of the node does, to load it (Linux
 * msm_drv.c, load_gpu()). */
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

/* Finds the chip of a GPU that sleeps. The card may be the display's, whose GPU is a device of its own. Returns
 * false where it is awake, or where nothing but its node says what it is. */
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
		"counters of the GPU, of everybody's work", why.code == ERR_NONE ? NULL : &why);
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
