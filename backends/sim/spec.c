/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the simulated machines in a table, and reads specs. */
#include "config.h"

#include "backends/sim/spec.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/platform/platform.h"
#include "backends/sim/model/kernel.h"
#include "backends/sim/model/turns.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"

#define DEFAULT_ITEMS 256
#define MAX_JITTER_PCT 40
#define L3_LATENCY_CYCLES 200
#define L3_BANKS 0xff		/* a mask, of those that count for themselves */
#define DRAM_LATENCY_NS 150
#define LLC_LATENCY_NS 60
/* Requests under way on an HD 620, for its memory's 34.1 GB/s. */
#define REQUESTS (100 / 34.1e9)
#define MOST_OF_OTHERS 0.8	/* of what the memory delivers */
#define SLOW_MEMORY 0.6		/* of its peak */
#define HOT 0.66		/* of the highest clock */

/* The last numbers of a row are the share that the memory delivers, and before it the L3's part for
 * data (Gen9: Junkins 2015; Gen7.5, Gen8, Gen12: Intel's architecture documents of these; DG2 and
 * Xe2: the device's L2) and the cache behind it. The arguments of POWER are the limit, the volts at
 * the lowest and the highest clock, the static W of GPU, rest and DRAM, and the nJ of a cycle, EU,
 * FPU, FPU in double precision, send, line, GTI line and DRAM line. The two clocks are filled in
 * later. */
#define POWER(limit, v0, v1, gpu, rest, dram, cycle, eu, fpu, dp, send, line, gti, dramline) \
	{ limit, v0, v1, 0, 0, gpu, rest, dram, cycle, eu, fpu, dp, send, line, gti, dramline, false }

/* clang-format off */
const struct sim_machine sim_machines[] = {
	{ "hd620", 0x5916, 300, 1050, 34.1e9, 64, 0, 0, 16384, POWER(15, 0.65, 1.05, 1.1, 1.6, 0.5, 0.8, 0.03, 0.135, 0.28, 0.02, 0.5, 1.5, 6), 0.6, 7.5,
	  "i7-7500U: 15 W, two channels of DDR4-2133 (ark.intel.com)", false, 512, 4096, 1 },
	{ "chv", 0x22b1, 300, 700, 25.6e9, 64, 0, 0, 31250, POWER(6, 0.6, 0.95, 0.4, 0.7, 0.3, 0.6, 0.03, 0.1, 0.2, 0.02, 0.4, 1.2, 6), 0.3, 3.4,
	  "Pentium N3700: 6 W, two channels of DDR3L-1600 (ark.intel.com)", false, 384, 0, 1 },
	{ "tgl", 0x9a49, 300, 1300, 68.3e9, 64, 0, 0, 16384, POWER(28, 0.6, 1.0, 1.4, 1.4, 0.6, 1.4, 0.02, 0.14, 0.28, 0.02, 0.4, 1.2, 4), 0.8, 14,
	  "i7-1165G7: 28 W, LPDDR4x-4267 on 128 bits (ark.intel.com)", false, 3840, 12288, 1 },
	{ "dg2", 0x56a0, 300, 2400, 560e9, 64, 0, 0, 16384, POWER(225, 0.65, 1.05, 10, 4, 6, 6, 0.02, 0.10, 0.20, 0.02, 0.3, 1.0, 2), 0, 0,
	  "Arc A770: 225 W, GDDR6 at 17.5 GT/s on 256 bits (ark.intel.com)", false, 16384, 0, 1 },
	{ "lnl", 0x64a0, 300, 1950, 136.5e9, 64, 128, 19200000, 16384, POWER(30, 0.55, 0.95, 1.0, 1.2, 0.5, 1.2, 0.02, 0.2, 0.4, 0.02, 0.3, 1.0, 3), 0.5, 10,
	  "Core Ultra 7 258V: 30 W, LPDDR5X-8533 on 128 bits (ark.intel.com); time stamps at half of the 38.4 MHz crystal", false, 8192, 8192, 1 },
	{ "mtl", 0x7d45, 300, 1950, 119.5e9, 64, 128, 0, 16384, POWER(15, 0.55, 0.95, 1.0, 1.4, 0.5, 1.2, 0.02, 0.14, 0.28, 0.02, 0.35, 1.1, 3.5), 0.5, 8,
	  "Core Ultra 7 155U: 15 W, LPDDR5X-7467 on 128 bits (ark.intel.com)", false, 4096, 0, 1 },
	{ "hsw", 0x0412, 350, 1200, 25.6e9, 64, 0, 0, 16384, POWER(84, 0.6, 1.1, 1.5, 4, 0.8, 0.9, 0.04, 0.14, 0.28, 0.03, 0.6, 1.8, 7), 2.5, 40,
	  "i7-4770: 84 W, two channels of DDR3-1600 (ark.intel.com)", false, 256, 8192, 1 },
};
/* clang-format on */

const int sim_machine_count = (int)ARRAY_LEN(sim_machines);

/* Sets a width of the model. Where it is 0 the one that the platform's table gives stays. */
static void set_model_width(struct device *d, const char *name, double bytes_per_cycle)
{
	const struct device_const *c = device_const(d, name);

	if (c && !(bytes_per_cycle > 0))
		bytes_per_cycle = c->v;
	if (bytes_per_cycle > 0)
		device_set_roof(d, name, bytes_per_cycle, ROOF_COMPUTED, false, "width of the model");
}

bool sim_device(const struct sim_machine *m, struct device *out, struct err *err)
{
	struct device d = { .pci_vendor = 0x8086,
		.pci_device = m->pci_device,
		.pci_revision = 2,
		.simulated = true,
		.timestamp_hz = m->timestamp_hz,
		.min_hz = m->min_mhz * UINT64_C(1000000),
		.max_hz = m->max_mhz * UINT64_C(1000000) };

	if (!intel_device_identify(&d, err))
		return false;
	if (!d.topology.eus || !intel_platform_by_name(d.platform)->sp_flop_per_cycle_eu)
		return err_set(err, ERR_UNSUPPORTED,
			"how many EUs %s has, and what they do, is not known", d.name);
	snprintf(d.id, sizeof(d.id), "sim:%s", m->name);
	snprintf(d.driver, sizeof(d.driver), "sim");
	d.shares_memory = !intel_platform_is_card(d.platform);
	/* The model is exact about its own widths, whatever is doubtful about those of hardware. */
	set_model_width(&d, "l3_bytes_per_cycle_subslice", m->l3_bytes_per_cycle_subslice);
	set_model_width(&d, "gti_write_bytes_per_cycle", 0);
	if (!m->hides_roof)
		device_set_roof(&d, "dram_bytes_per_s", m->dram_bytes_per_s, ROOF_DATA_SHEET, false,
			m->source);
	device_set_roof(&d, d.shares_memory ? "package_power_limit_w" : "card_power_limit_w",
		m->power.limit_w, ROOF_DATA_SHEET, false, m->source);
	device_set_const(&d, "compute_engine_count", 1);
	intel_device_set_units(&d, L3_BANKS, d.topology.max_subslices);
	device_set_const(&d, "l3_bank_count", __builtin_popcount(L3_BANKS));
	*out = d;
	return true;
}

/* Takes over a width of the platform: the device knows how many slices it is for. */
static void take_width(const struct device *d, const char *name, double *bytes_per_cycle)
{
	const struct device_const *c = device_const(d, name);

	if (c)
		*bytes_per_cycle = c->v;
}

struct workload_hardware sim_hardware(const struct sim_machine *m, const struct device *d)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	const struct memory_config memory = {
		.l3_bytes_per_cycle_subslice = m->l3_bytes_per_cycle_subslice,
		.slm_bytes_per_cycle_subslice = m->l3_bytes_per_cycle_subslice,
		.gti_read_bytes_per_cycle = m->gti_bytes_per_cycle,
		.gti_write_bytes_per_cycle = m->gti_bytes_per_cycle,
		.dram_bytes_per_s = m->dram_bytes_per_s * m->memory_share,
		.l3_latency_cycles = L3_LATENCY_CYCLES,
		.dram_latency_ns = DRAM_LATENCY_NS,
		.llc_latency_ns = LLC_LATENCY_NS,
		.l3_bytes = 1024.0 * m->l3_kib,
		/* a card of another id has no part in the processor's cache */
		.llc_bytes = d->shares_memory ? 1024.0 * m->llc_kib : 0,
		.requests = REQUESTS * m->dram_bytes_per_s,
	};
	struct workload_hardware hw = {
		.power = m->power, .cores_idle_w = m->cores_idle_w, .cores_busy_w = m->cores_busy_w
	};

	hw.power.min_hz = (double)d->min_hz;
	hw.power.max_hz = (double)d->max_hz;
	hw.power.is_card = !d->shares_memory;
	hw.eu = (struct eu_config){
		.subslices = d->topology.subslices,
		.eus_per_subslice = d->topology.eus / d->topology.subslices,
		.threads_per_eu = d->topology.threads_per_eu,
		.lanes = (int)(p->sp_flop_per_cycle_eu / 4),
		.dual = true,
		.dp_lanes = p->dp_flop_per_cycle_eu / 2,
		.simd = 32,
		.min_cycles = 2,
		.memory = memory,
	};
	/* One pipe does ordinary arithmetic, and is twice as wide as each of the two before. */
	if (p->graphics_ver >= 12) {
		hw.eu.lanes = (int)(p->sp_flop_per_cycle_eu / 2);
		hw.eu.dual = false;
		hw.eu.simd = 2 * hw.eu.lanes;
		hw.eu.min_cycles = 1;
	}
	/* DG2 and Xe2 have matrix engines. */
	hw.eu.has_xmx = p->graphics_verx10 == 125 || p->graphics_verx10 >= 200;
	if (p->slm_bytes_per_cycle_subslice > 0)
		hw.eu.memory.slm_bytes_per_cycle_subslice = p->slm_bytes_per_cycle_subslice;
	take_width(d, "gti_read_bytes_per_cycle", &hw.eu.memory.gti_read_bytes_per_cycle);
	take_width(d, "gti_write_bytes_per_cycle", &hw.eu.memory.gti_write_bytes_per_cycle);
	return hw;
}

/* --- words --- */

enum number_type { WHOLE_16, WHOLE_32, WHOLE_64, REAL };

struct number_word {
	const char *name;
	uint64_t min, max;
	enum number_type type;
	size_t offset;		/* of the member of struct sim_spec */
	uint32_t scale;		/* what the member counts is so many times finer */
	enum clock_reason reason;	/* of a cap of the clock */
	const char *help;
};

static void take_number(struct sim_spec *s, const struct number_word *w, uint64_t v)
{
	void *member = (char *)s + w->offset;

	if (w->type == REAL)
		*(double *)member = (double)v * w->scale;
	else if (w->type == WHOLE_64)
		*(int64_t *)member = (int64_t)v * w->scale;
	else if (w->type == WHOLE_32)
		*(uint32_t *)member = (uint32_t)v;
	else
		*(uint16_t *)member = (uint16_t)v;
	if (w->reason)
		s->load.cap_reason = w->reason;
}

static const struct {
	const char *word, *help;
} sim_flaw_words[] = {
#define X(id, word, help) [SIM_FLAW_##id] = { word, help },
	SIM_FLAW_LIST(X)
#undef X
};

static bool set_flaw(struct sim_spec *s, const char *word, struct err *err)
{
	struct strbuf known = { 0 };

	for (unsigned i = 0; i < ARRAY_LEN(sim_flaw_words); i++) {
		strbuf_add_word(&known, ", ", sim_flaw_words[i].word);
		if (!strcmp(word, sim_flaw_words[i].word)) {
			s->flaws.broken |= 1u << i;
			strbuf_release(&known);
			return true;
		}
	}
	err_set(err, ERR_USAGE, "the simulated device knows no flaw '%s'", word);
	err_hint(err, "allowed: %s", strbuf_str(&known));
	strbuf_release(&known);
	return false;
}

/* Lets the machine be as its flaws say. The others are looked at where they act. */
static void break_machine(struct sim_spec *s)
{
	if (s->delivers_pct > 0)
		s->machine.memory_share = s->delivers_pct / 100;
	if (sim_has_flaw(s, SIM_FLAW_SLOW_MEMORY))
		s->machine.memory_share = SLOW_MEMORY;
	if (!sim_has_flaw(s, SIM_FLAW_HOT))
		return;
	s->load.cap_hz = floor(HOT * s->machine.max_mhz) * 1e6;
	s->load.cap_reason = CLOCK_BY_HEAT;
}

#define MEMBER(type, member, scale) type, offsetof(struct sim_spec, member), scale, CLOCK_FREE
#define CAP(reason) REAL, offsetof(struct sim_spec, load.cap_hz), 1000000, reason

static const struct number_word number_words[] = {
	{ "groups", 1, WORKLOAD_MAX_GROUPS, MEMBER(WHOLE_32, load.groups, 1),
		"work groups of a kernel" },
	{ "items", 1, WORKLOAD_MAX_ITEMS, MEMBER(WHOLE_32, load.items, 1),
		"work items of a group" },
	{ "n", 1, WORKLOAD_MAX_N, MEMBER(WHOLE_32, load.n, 1), "trips of the kernel's loop" },
	{ "lost", 1, UINT32_MAX, MEMBER(WHOLE_32, flaws.lost_every, 1),
		"every Nth read finds that a report was lost" },
	{ "late", 1, 60000, MEMBER(WHOLE_64, flaws.late_ns, NS_PER_MS),
		"reports come so many milliseconds late" },
	{ "jitter", 1, MAX_JITTER_PCT, MEMBER(WHOLE_32, flaws.jitter_pct, 1),
		"the load varies by so many percent" },
	{ "stamp", 900, 1100, MEMBER(WHOLE_32, flaws.stamp_permille, 1),
		"the time stamp runs at so many thousandths of its rate" },
	{ "seed", 0, UINT64_MAX, MEMBER(WHOLE_64, load.seed, 1), "of what is random" },
	{ "span-offset", 1, 1000000, MEMBER(WHOLE_64, spans.offset_ns, NS_PER_MS),
		"the clock of spans is so many milliseconds ahead" },
	{ "span-apart", 1, 1000, MEMBER(WHOLE_64, spans.apart_ns, 1000),
		"starts and ends of spans are so many microseconds late" },
	{ "span-drift", 1, 200, MEMBER(WHOLE_32, spans.drift_ppm, 1),
		"the clock of spans gains so many microseconds in a second" },
	{ "span-jitter", 1, 1000, MEMBER(WHOLE_64, spans.jitter_ns, 1000),
		"times of spans are up to so many microseconds late" },
	{ "span-lost", 1, UINT32_MAX, MEMBER(WHOLE_32, spans.lost_every, 1),
		"every Nth span is not told" },
	{ "span-unseen", 1, 8, MEMBER(WHOLE_32, spans.unseen, 1),
		"nobody sees the launches of that queue" },
	{ "span-overlap", 1, 1000000, MEMBER(WHOLE_64, spans.overlap_ns, 1000),
		"launches are told to end so many microseconds late, beside others" },
	{ "span-others", 1, 100, MEMBER(WHOLE_32, spans.others_pct, 1),
		"others have so many per cent of the busy time" },
	{ "span-copy", 1, 100, MEMBER(WHOLE_32, spans.copy_pct, 1),
		"an engine for copies works for so many per cent of the time" },
	{ "pause", 1, 1000000, MEMBER(REAL, load.pause_ns, 1000),
		"so many microseconds pass between two launches" },
	{ "cores", 1, 1000, MEMBER(REAL, load.cores_w, 1),
		"the cores of the processor take so many watts" },
	{ "heat", 1, 10000, CAP(CLOCK_BY_HEAT), "the temperature holds the clock at so many MHz" },
	{ "current", 1, 10000, CAP(CLOCK_BY_CURRENT),
		"the current holds the clock at so many MHz" },
	{ "setting", 1, 10000, CAP(CLOCK_BY_SETTING), "the user holds the clock at so many MHz" },
	{ "id", 1, UINT16_MAX, MEMBER(WHOLE_16, machine.pci_device, 1),
		"the GPU is the one of this PCI id, beside the rest of NAME" },
	{ "mhz", 400, 10000, MEMBER(WHOLE_16, machine.max_mhz, 1), "the highest clock" },
	{ "watts", 1, 1000, MEMBER(REAL, machine.power.limit_w, 1), "the power limit" },
	{ "dram", 1, 10000, MEMBER(REAL, machine.dram_bytes_per_s, 1000000000),
		"the memory has so many GB/s at most" },
	{ "l3", 16, 1048576, MEMBER(WHOLE_32, machine.l3_kib, 1), "the L3 has so many KiB for data" },
	{ "delivers", 10, 100, MEMBER(REAL, delivers_pct, 1),
		"the memory delivers so many per cent of that" },
	{ "mig", 1, 4444444, MEMBER(WHOLE_32, mig, 1),
		"an NVIDIA GPU is divided into instances of so many slices, a digit each" },
	{ "others", 1, 10000, MEMBER(REAL, load.others_bytes_per_s, 1000000000),
		"the processor moves so many GB/s through the same memory" },
};

#define FLAG(member) offsetof(struct sim_spec, member)

static const struct {
	const char *word;
	size_t offset;		/* of the bool in struct sim_spec */
	const char *help;
} flag_words[] = {
	{ "spans", FLAG(spans.on), "launches are told, as by a layer under their programs" },
	{ "span-clock=reports", FLAG(spans.by_reports), "the clock of spans is that of reports" },
	{ "sizes", FLAG(load.sizes), "the second context launches twice the groups, and so on" },
	{ "resumes", FLAG(load.resumes), "the last context is the first one, which goes on" },
	{ "wrap", FLAG(flaws.wrap), "all counters turn over within the first moments" },
	{ "freq=walk", FLAG(load.walk), "the clock changes twice a second" },
	{ "rc6", FLAG(load.rc6), "the GPU may power down in pauses" },
	{ "noroof", FLAG(machine.hides_roof), "nothing is known of the memory's bandwidth" },
};

void sim_spec_help(struct strbuf *out)
{
	static const struct {
		const char *word, *help;
	} loads[] = {
		{ "tour", "memory-bound, compute-bound, power-limited and idle, five seconds each" },
		{ "idle", "nothing is submitted" },
		{ "desktop", "60 frames a second" },
		{ "samples", "pixel shaders that the samplers hold up" },
		{ "triangles", "small triangles: the rasterizer holds up the pixel shaders" },
		{ "private.mad.sp.x4", "a kernel; one word of each part:" },
	};
	char word[64];

	strbuf_addf(out, "%s\n", "sim:NAME[,OPTION...] is a simulated Intel GPU. Names:");
	for (int i = 0; i < sim_machine_count; i++)
		strbuf_addf(out, "  %-18s  %s\n", sim_machines[i].name, sim_machines[i].source);
	strbuf_addf(out, "\n%s\n", "Options:");
	strbuf_addf(out, "  %-18s  %s\n", "load=LOAD", "what it does; without it the tour");
	for (size_t i = 0; i < ARRAY_LEN(number_words); i++) {
		const struct number_word *w = &number_words[i];

		snprintf(word, sizeof(word), "%s=%llu...", w->name, (unsigned long long)w->min);
		strbuf_addf(out, "  %-18s  %s\n", word, w->help);
	}
	for (size_t i = 0; i < ARRAY_LEN(flag_words); i++)
		strbuf_addf(out, "  %-18s  %s\n", flag_words[i].word, flag_words[i].help);
	for (size_t i = 0; i < ARRAY_LEN(sim_flaw_words); i++) {
		snprintf(word, sizeof(word), "flaw=%s", sim_flaw_words[i].word);
		strbuf_addf(out, "  %-18s  %s\n", word, sim_flaw_words[i].help);
	}
	strbuf_addf(out, "\n%s\n", "Loads:");
	for (size_t i = 0; i < ARRAY_LEN(loads); i++)
		strbuf_addf(out, "  %-18s  %s\n", loads[i].word, loads[i].help);
	strbuf_addf(out, "  %-18s  %s\n", "", kernel_names());
	strbuf_addf(out, "  %-18s  %s\n", "private.div.sp.x1+stream.sp.x4",
		"kernels that are launched in turns");
	strbuf_addf(out, "  %-18s  %s\n", "private.div.sp.x1/stream.sp.x4",
		"the same in two contexts, between which the GPU switches");
}

static bool fail_word(const char *word, struct err *err)
{
	err_set(err, ERR_USAGE, "unknown word '%s' for the simulated device", word);
	return err_hint(err,
		"words are NAME=VALUE, such as load=tour, or flags; 'rooftop -D sim:help' lists them");
}

static bool set_number(
	const struct number_word *w, const char *value, struct sim_spec *s, struct err *err)
{
	uint64_t v;

	if (!parse_u64_range(value, w->min, w->max, &v)) {
		err_set(err, ERR_USAGE, "'%s' is no good value for %s of the simulated device",
			value, w->name);
		return err_hint(err, "a whole number from %llu to %llu",
			(unsigned long long)w->min, (unsigned long long)w->max);
	}
	take_number(s, w, v);
	return true;
}

static bool set_word(char *word, struct sim_spec *s, struct err *err)
{
	char *value = strchr(word, '=');

	for (size_t i = 0; i < ARRAY_LEN(flag_words); i++)
		if (!strcmp(word, flag_words[i].word))
			return *(bool *)((char *)s + flag_words[i].offset) = true;
	if (!value)
		return fail_word(word, err);
	if (strncmp(word, "flaw=", 5) == 0)
		return set_flaw(s, value + 1, err);
	if (strncmp(word, "load=", 5) == 0) {
		if (strlen(value + 1) >= sizeof(s->load.load))
			return fail_word(word, err);
		snprintf(s->load.load, sizeof(s->load.load), "%s", value + 1);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(number_words); i++)
		if (strlen(number_words[i].name) == (size_t)(value - word) &&
			!strncmp(number_words[i].name, word, (size_t)(value - word)))
			return set_number(&number_words[i], value + 1, s, err);
	return fail_word(word, err);
}

bool sim_spec_other(const char *text, const char *numbers, struct sim_spec *out, struct err *err)
{
	char *copy = xstrdup(text), *rest = copy, key[24];
	bool good = true;

	*out = (struct sim_spec){ .load = { .load = "tour" } };
	for (strsep(&rest, ","); good && rest;) {
		char *word = strsep(&rest, ",");

		snprintf(key, sizeof(key), " %.*s ", (int)strcspn(word, "="), word);
		if (!strcmp(key, " load ") || strstr(numbers, key))
			good = set_word(word, out, err);
		else
			good = fail_word(word, err);
	}
	free(copy);
	return good;
}

/* Returns NULL when no machine is called so. */
static const struct sim_machine *find_machine(const char *text)
{
	for (int i = 0; i < sim_machine_count; i++) {
		/* The word "sim" alone means the first machine. */
		if (!*text || *text == ',' || spec_is_of(text, sim_machines[i].name))
			return &sim_machines[i];
	}
	return NULL;
}

bool sim_spec_knows(const char *text)
{
	return find_machine(text);
}

static bool set_machine(const char *name, struct sim_spec *s, struct err *err)
{
	const struct sim_machine *m = find_machine(name);

	if (!m)
		return err_set(err, ERR_USAGE, "no simulated Intel GPU is called '%s'", name);
	s->machine = *m;
	return true;
}

static void select_nothing(void *ctx, const struct phase *p, double hz, double q[Q_COUNT])
{
	(void)ctx;
	(void)p;
	(void)hz;
	(void)q;
}

/* Tells whether the load exists and fits, by the same walk that opening will do. */
static bool try_load(const struct sim_spec *s, struct err *err)
{
	struct course cs = { 0 };
	struct device d;

	if (!sim_device(&s->machine, &d, err))
		return false;
	struct workload_hardware hw = sim_hardware(&s->machine, &d);
	bool good = workload_build(&cs, &hw, &s->load, select_nothing, NULL, err);
	course_release(&cs);
	return good;
}

/* The processor leaves something to the GPU. */
static bool leaves_memory(const struct sim_spec *s, struct err *err)
{
	double most = s->machine.dram_bytes_per_s * s->machine.memory_share * MOST_OF_OTHERS;

	if (s->load.others_bytes_per_s <= most)
		return true;
	err_set(err, ERR_USAGE, "others=%.0f leaves no memory to the simulated GPU",
		s->load.others_bytes_per_s / 1e9);
	return err_hint(err, "at most %.0f GB/s of this memory are for others", floor(most / 1e9));
}

/* A GPU in a processor has no link that could have fewer lanes. */
static bool has_link(const struct sim_spec *s, struct err *err)
{
	bool is_card = s->machine.cores_busy_w == 0;

	if (s->mig)
		return fail_word("mig", err);
	if (!sim_has_flaw(s, SIM_FLAW_HALF_LINK) || is_card)
		return true;
	err_set(err, ERR_USAGE,
		"%s is a part of its processor and has no link: flaw=half-link is for cards",
		s->machine.name);
	return err_hint(err, "sim:dg2,flaw=half-link has one");
}

bool sim_spec_parse(const char *text, struct sim_spec *out, struct err *err)
{
	struct sim_spec s = { .load = { .load = "tour",
				      .items = DEFAULT_ITEMS,
				      .n = KERNEL_DEFAULT_TRIPS,
				      .seed = 1 } };
	char *copy = xstrdup(text), *rest = copy, *word = strsep(&rest, ",");
	bool good = set_machine(word, &s, err);

	while (good && rest) {
		word = strsep(&rest, ",");
		good = set_word(word, &s, err);
	}
	free(copy);
	good = good && has_link(&s, err);
	break_machine(&s);
	good = good && leaves_memory(&s, err);
	/* The tour fits every machine. */
	if (!good || (strchr(text, ',') && !try_load(&s, err)))
		return false;
	*out = s;
	return true;
}
