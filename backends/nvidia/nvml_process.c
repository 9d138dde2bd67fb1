/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program that loads NVIDIA's library, as a feeder of lines. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/nvidia/nvidia_files.h"
#include "backends/nvidia/nvml_feeder.h"
#include "backends/nvidia/nvml_proto.h"
#include "base/clock.h"
#include "base/helper.h"
#include "base/mem.h"

struct nvml_process_feeder {
	struct nvml_feeder feeder;
	struct helper helper;
	char library[PATH_MAX], address[16], period[16];
};

static bool process_start(struct nvml_feeder *f, struct err *err)
{
	struct nvml_process_feeder *p = (struct nvml_process_feeder *)f;
	char *argv[] = { (char *)NVML_PROGRAM, p->library, p->address, p->period, NULL };

	if (helper_open(&p->helper, err) && helper_start(&p->helper, argv, err))
		return true;
	helper_close(&p->helper);
	return false;
}

static bool process_lines(struct nvml_feeder *f, int64_t now_ns, nvml_take_fn *take, void *ctx,
	const char **said)
{
	struct nvml_process_feeder *p = (struct nvml_process_feeder *)f;

	(void)now_ns;
	bool good = helper_lines(&p->helper, take, ctx);
	*said = p->helper.said;
	return good;
}

static int process_fd(const struct nvml_feeder *f)
{
	return ((const struct nvml_process_feeder *)f)->helper.output;
}

static void process_set_period(struct nvml_feeder *f, int64_t period_ns)
{
	struct nvml_process_feeder *p = (struct nvml_process_feeder *)f;
	int period_ms = (int)(period_ns / NS_PER_MS);

	snprintf(p->period, sizeof(p->period), "%d", period_ms);
	helper_set_period(&p->helper, period_ms);
}

static void process_stop(struct nvml_feeder *f)
{
	helper_close(&((struct nvml_process_feeder *)f)->helper);
}

static const struct nvml_feeder_ops ops = {
	.size = sizeof(struct nvml_process_feeder),
	.start = process_start,
	.lines = process_lines,
	.fd = process_fd,
	.set_period = process_set_period,
	.stop = process_stop,
};

void *nvml_feeder_new(const struct nvml_feeder_ops *kind, const char *how)
{
	struct nvml_feeder *f = xcalloc(1, kind->size);

	f->ops = kind;
	f->how = how;
	return f;
}

void nvml_feeder_stop(struct nvml_feeder *f)
{
	if (f->ops->stop)
		f->ops->stop(f);
}

void nvml_feeder_close(struct nvml_feeder *f)
{
	if (f->ops->close)
		f->ops->close(f);
	nvml_feeder_stop(f);
	free(f);
}

struct nvml_feeder *nvml_process_new(const struct fsroot *fs, const struct device *d)
{
	struct nvml_process_feeder *p = nvml_feeder_new(&ops, "NVML");

	p->helper.output = p->helper.write_end = p->helper.input = p->helper.error = -1;
	nvidia_library(fs, p->library, sizeof(p->library));
	memcpy(p->address, d->pci_address, sizeof(p->address));
	return &p->feeder;
}
