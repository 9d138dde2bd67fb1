/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model's dumps go through the decoder that reads those of real GPUs. Its clock is a source
 * beside them. */
#include "config.h"

#include "backends/sim/sim_vendors.h"

#include <stdio.h>
#include <string.h>

#include "backends/mali/dump_sources.h"
#include "backends/sim/spec.h"

bool sim_mali_knows(const char *spec)
{
	return mali_machine_by_name(spec);
}

/* Makes the machine and the load that a spec tells. */
static bool read_spec(
	const char *spec, struct mali_machine *m, struct sim_spec *s, struct err *err)
{
	if (!sim_spec_other(spec, " id mhz ", s, err))
		return false;
	*m = *mali_machine_by_name(spec);
	if (s->machine.pci_device)
		m->id.gpu_id = (uint32_t)s->machine.pci_device << 16;
	if (s->machine.max_mhz)
		m->max_mhz = s->machine.max_mhz;
	m->id.max_hz = m->max_mhz * UINT64_C(1000000);
	return true;
}

bool sim_mali_device(const struct mali_machine *m, struct device *d, struct err *err)
{
	*d = (struct device){ .simulated = true, .shares_memory = true, .min_hz = m->min_mhz * UINT64_C(1000000) };
	snprintf(d->id, sizeof(d->id), "sim:%s", m->name);
	snprintf(d->driver, sizeof(d->driver), "sim");
	return mali_device_fill(d, &m->id, err);
}

bool sim_mali_resolve(const char *spec, struct device *d, struct err *err)
{
	struct mali_machine m;
	struct sim_spec s;
	struct mali_gpu *g = read_spec(spec, &m, &s, err) ? mali_gpu_new(&m, s.load.load, err) : NULL;

	mali_gpu_free(g);
	return g && sim_mali_device(&m, d, err);
}

void sim_mali_help(struct strbuf *out)
{
	strbuf_addf(out, "\n%s\n", "sim:NAME[,load=LOAD][,id=...][,mhz=...] is a simulated Arm Mali GPU. Names:");
	for (int i = 0; i < mali_machine_count; i++)
		strbuf_addf(out, "  %-18s  %s\n", mali_machines[i].name, mali_machines[i].source);
	strbuf_addf(out, "\n%s\n", "Loads:");
	strbuf_addf(out, "  %-18s  %s\n", "tour", "the first six of them, ten seconds each");
	for (int i = 0; i < mali_load_count; i++) {
		struct mali_load l = mali_load_nth(i);

		strbuf_addf(out, "  %-18s  %s\n", l.name, l.text);
	}
}

/* --- the model as a dumper, and its clock --- */

struct model_dumper {
	struct mali_dumper dumper;
	struct mali_gpu *gpu;
	int64_t opened_ns, dumped_ns;
	struct mali_sums before, now;
	uint8_t dump[MALI_MAX_BLOCKS * MALI_BLOCK_BYTES];
};

static bool model_start(struct mali_dumper *d, int64_t now_ns, struct err *err)
{
	struct model_dumper *m = (struct model_dumper *)d;

	(void)err;
	m->dumped_ns = now_ns - m->opened_ns;
	mali_gpu_totals(m->gpu, m->dumped_ns, &m->before);
	return true;
}

static bool model_dump(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums,
	int64_t *window_ns, struct err *err)
{
	struct model_dumper *m = (struct model_dumper *)d;
	const struct mali_layout *l = mali_gpu_layout(m->gpu);
	int64_t t_ns = now_ns - m->opened_ns;

	mali_gpu_totals(m->gpu, t_ns, &m->now);
	/* From G715 on samples have wide counters, and there are no dumps. */
	bool is_wide = l->words > MALI_BLOCK_WORDS;
	if (is_wide)
		mali_gpu_sample(m->gpu, &m->before, &m->now, sums);
	else
		mali_gpu_dump(m->gpu, &m->before, &m->now, t_ns, m->dump);
	sums->cycles += m->now.cycles - m->before.cycles;
	*window_ns += t_ns - m->dumped_ns;
	m->before = m->now;
	m->dumped_ns = t_ns;
	return is_wide || mali_sums_add_dump(sums, l, m->dump, l->bytes, err);
}

static void model_status(struct mali_dumper *d, int64_t t_ns, char *buf, size_t size)
{
	const struct model_dumper *m = (const struct model_dumper *)d;

	snprintf(buf, size, "%s", mali_gpu_load(m->gpu, t_ns - m->opened_ns)->text);
}

static void model_close(struct mali_dumper *d)
{
	mali_gpu_free(((struct model_dumper *)d)->gpu);
}

static const struct mali_dumper_ops model_ops = {
	.size = sizeof(struct model_dumper),
	.start = model_start, .dump = model_dump, .status = model_status, .close = model_close,
};

struct model_clock {
	struct mali_clock_reader reader;
	struct mali_gpu *gpu;
	int64_t opened_ns;
};

static bool read_clock(struct mali_clock_reader *r, int64_t now_ns, uint64_t *now_hz,
	uint64_t *target_hz, struct err *err)
{
	const struct model_clock *c = (const struct model_clock *)r;

	(void)err;
	*now_hz = *target_hz = mali_gpu_clock_hz(c->gpu, now_ns - c->opened_ns);
	return true;
}

static void close_clock(struct mali_clock_reader *r)
{
	mali_gpu_free(((struct model_clock *)r)->gpu);
}

static const struct mali_clock_ops clock_ops = {
	.size = sizeof(struct model_clock), .read = read_clock, .close = close_clock
};

static void add_clock(struct open_device *dev, struct mali_gpu *gpu, int64_t now_ns)
{
	struct model_clock *c = mali_clock_new(&clock_ops);

	snprintf(c->reader.how, sizeof(c->reader.how), "simulated clock");
	c->reader.has_target = true;
	c->gpu = mali_gpu_share(gpu);
	c->opened_ns = now_ns;
	mali_clock_open(dev, &c->reader, now_ns);
}

bool sim_mali_open(
	const char *spec, const struct open_options *o, struct open_device *dev, struct err *err)
{
	struct mali_gpu *gpu = NULL;
	struct mali_machine machine;
	struct sim_spec s;

	*dev = (struct open_device){ 0 };
	if (read_spec(spec, &machine, &s, err) && sim_mali_device(&machine, &dev->device, err))
		gpu = mali_gpu_new(&machine, s.load.load, err);
	if (!gpu)
		return false;
	struct model_dumper *m = mali_dumper_new(&model_ops, "simulated counter blocks");
	m->gpu = gpu;
	m->opened_ns = o->now_ns;
	m->dumper.has_cycles = m->dumper.is_narrow = true;
	open_device_tried(dev, "", "simulated counter blocks",
		"job manager, tiler, L2 slices, shader cores", NULL);
	if (!mali_dump_sources_open(dev, mali_gpu_layout(m->gpu), &m->dumper, o->now_ns, err))
		return false;
	add_clock(dev, m->gpu, o->now_ns);
	open_device_tried(dev, "", "simulated clock",
		"the clock and what the governor asked for", NULL);
	return true;
}
