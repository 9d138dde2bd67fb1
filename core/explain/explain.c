/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explanation of one metric as lines of text. */
#include "config.h"

#include "core/explain/explain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"
#include "core/metric/metric.h"
#include "core/snapshot/code_lines.h"

/* --- words --- */

struct explain_advice {
	const char *names;		/* of metrics, between blanks */
	const char *means, *helps;	/* untranslated sentences */
};

static const struct explain_advice advices[] = {
	{ "gpu_busy JM.GPU_UTILIZATION engine_busy engines_busy cpu_busy",
		N_("The share of time in which there was work. It says nothing about how well the "
		   "work ran."),
		N_("If it is low, look at what the program waits for: larger batches, fewer "
		   "launches, work that is queued ahead.") },
	{ "eu_active SC.EXEC_CORE_UTILIZATION",
		N_("The cores execute instructions in this share of the time: the part that does "
		   "the work."),
		N_("If it is near 100 %, only fewer or cheaper instructions make the program "
		   "faster; if it is low, see what the rest of the time is.") },
	{ "eu_stall",
		N_("Threads are there, and all of them wait, mostly for memory, for other units or "
		   "for barriers."),
		N_("More independent loads in a thread, better locality, fewer barriers; see which "
		   "level of memory is near its roof.") },
	{ "eu_idle",
		N_("The cores had no thread at all: too little work, or it comes too slowly."),
		N_("More and larger work-groups; merge short launches.") },
	{ "eu_thread_occupancy",
		N_("How many of the slots for threads are filled. Many threads hide the time of "
		   "memory accesses."),
		N_("If it is low while the cores wait: more work-groups, less local memory and "
		   "fewer registers for each.") },
	{ "thread_life",
		N_("How long a thread lives. Below some microseconds the time to start it counts."),
		N_("Let each thread do more, and merge launches.") },
	{ "fpu0_active fpu1_active eu_fpu_both_active fpu_utilization xmx_active",
		N_("An arithmetic pipe is filled in this share of the time; the fullest single "
		   "pipe limits arithmetic."),
		N_("If one is full and its neighbour is not, use operations or types that the "
		   "other one can do; else fewer or cheaper instructions: multiply-add, half "
		   "precision, no division.") },
	{ "eu_send_active",
		N_("The pipe that sends messages to memory and other units: many small accesses "
		   "fill it."),
		N_("Fewer and wider loads and stores; neighbouring items should access "
		   "neighbouring addresses.") },
	{ "flop_sp_per_cycle flop_sp_per_cycle_eu flop_dp_per_cycle gflops_sp gflops_dp "
	  "gflops_most cpu_gflops cpu_flop_per_cycle",
		N_("Arithmetic per time. It is an upper bound where the counters cannot tell which "
		   "lanes are on."),
		N_("Compare it with what is reachable at this FLOP/B, not with the peak alone.") },
	{ "ai_l3 ai_gti cpu_ai",
		N_("Operations for each byte that passes this level: below the ridge memory is the "
		   "roof, above it arithmetic."),
		N_("More work on data that are there already: tiling, fused kernels, smaller "
		   "types.") },
	{ "roof_reachable roof_gti",
		N_("What the roofs allow at this FLOP/B: the program cannot be faster than this "
		   "without other traffic."),
		N_("Raise the operations for each byte, or live with this roof.") },
	{ "l3_shader_throughput gti_throughput gti_read_throughput gti_write_throughput "
	  "dram_throughput_most dram_read dram_write dram_total dram_gpu slm_throughput "
	  "slm_bytes_read slm_bytes_written",
		N_("Bytes per second at one level of memory. Near its roof this level limits "
		   "everything behind it."),
		N_("Move fewer bytes for each operation: tiling, fused kernels, local memory, "
		   "smaller types; read each byte once.") },
	{ "shader_atomics shader_barriers",
		N_("Threads agree with each other: on one address, or on one point of the program. "
		   "Each costs waiting."),
		N_("Reduce inside a work-group first, and spread what is counted over several "
		   "addresses.") },
	{ "power_package power_card power_gpu power_cores power_dram power_psys energy_package "
	  "energy_gpu",
		N_("What the part takes. At its limit the clock goes down, which shows in the "
		   "clock, not here."),
		N_("Watts alone are no limit; if the clock is below its maximum beside them, a "
		   "higher limit or a cooler program helps.") },
	{ "gflops_per_watt_gpu gflops_per_watt_package cpu_gflops_per_watt energy_per_flop_gpu "
	  "energy_per_flop_package",
		N_("How much arithmetic each watt gives. Waiting costs power, too."),
		N_("The fastest variant that does not wait is most often also the most frugal "
		   "one.") },
	{ "avg_gpu_core_frequency clock_actual clock_requested gpu_clock_limit gpu_clock "
	  "core_clock",
		N_("Everything that follows this clock slows down with it: pipes, caches, local "
		   "memory; DRAM does not."),
		N_("If it is below its maximum under load, look at throttle, power and "
		   "temperature.") },
	{ "rc6", N_("The share of time in which the GPU slept, to save power."),
		N_("Nothing needs to be done: the next work wakes it.") },
	{ "clock_throttled throttled_by_pl1 throttled_by_pl2 throttled_by_pl4 throttled_by_heat "
	  "throttle_heat throttle_power throttle_current throttle_other",
		N_("The hardware held the clock down for this reason in this share of the window."),
		N_("Heat: more cooling. Power or current: a higher limit, or a program that takes "
		   "less.") },
	{ "temperature temperature_vram",
		N_("Near its limit the clock goes down."),
		N_("More cooling, or less load for some time.") },
	{ "local_memory_used local_memory",
		N_("What programs hold of the card's own memory. When it is full, data go over the "
		   "bus."),
		N_("Free what is not needed, or work on smaller parts.") },
};

/* Returns the advice about a metric, NULL when there is none. */
static const struct explain_advice *explain_advice(const struct metric *m)
{
	for (size_t i = 0; i < ARRAY_LEN(advices); i++) {
		const char *names = advices[i].names, *word;
		size_t len;

		while (parse_word(&names, &word, &len))
			if (strlen(m->name) == len && !memcmp(m->name, word, len))
				return &advices[i];
	}
	return NULL;
}

#define NUMBER_WIDTH 5

static bool given(const char *s)
{
	return s && *s;
}

static void add_unit(struct strbuf *out, const char *unit_text)
{
	if (given(unit_text))
		strbuf_addf(out, " %s", unit_word(unit_text));
}

static void add_number(struct strbuf *out, double v, const char *unit_text)
{
	char number[32];

	strbuf_add(out, format_people(number, sizeof(number), v, NUMBER_WIDTH));
	add_unit(out, unit_text);
}

static void add_value(struct strbuf *out, struct value v, const char *unit_text)
{
	if (v.why == WHY_OK)
		add_number(out, v.v, unit_text);
	else
		strbuf_addf(out, "-- (%s)", _(why_text(v.why)));
}

/* Raw numbers are shown in full, because readers check them against the equation. */
static void add_raw(struct strbuf *out, double v)
{
	if (fabs(v) < 1e15 && !(v - floor(v) > 0))
		strbuf_addf(out, "%.0f", v);
	else
		strbuf_addf(out, "%.9g", v);
}

static const struct cell_map *map_of(const struct snapshot *snap, int metric)
{
	for (int k = 0; snap && k < snap->n_maps; k++) {
		for (int i = 0; i < snap->maps[k].n_metrics; i++) {
			if (snap->maps[k].metrics[i] == metric)
				return &snap->maps[k];
		}
	}
	return NULL;
}

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The short forms that labels and texts of metric files use. */
static const struct {
	const char *word, *meaning;
} abbreviations[] = {
	{ "EU", N_("execution unit, which runs the threads of shaders and kernels") },
	{ "XVE", N_("Xe vector engine, the execution unit of newer GPUs") },
	{ "FPU", N_("floating-point unit, a pipeline of an execution unit") },
	{ "ALU", N_("arithmetic logic unit, a pipeline of an execution unit") },
	{ "XMX", N_("Xe matrix extensions, the units that multiply matrices") },
	{ "IPC", N_("instructions per cycle") },
	{ "FLOP", N_("floating-point operations") },
	{ "SP", N_("single precision, numbers of 32 bits") },
	{ "DP", N_("double precision, numbers of 64 bits") },
	{ "VS", N_("vertex shader") },
	{ "HS", N_("hull shader, which says how finely a patch is divided") },
	{ "DS", N_("domain shader, which places the points of a divided patch") },
	{ "GS", N_("geometry shader") },
	{ "PS", N_("pixel shader") },
	{ "CS", N_("compute shader") },
	{ "SLM", N_("shared local memory, which the threads of one work-group have in common") },
	{ "L1", N_("first level of cache, the nearest one") },
	{ "L2", N_("second level of cache") },
	{ "L3", N_("third level of cache; in an Intel GPU the last one of its own") },
	{ "LLC", N_("last-level cache, which GPU and processor share") },
	{ "GTI", N_("graphics technology interface, the GPU's port to memory and the last-level cache") },
	{ "DRAM", N_("dynamic random access memory, the main memory") },
	{ "MMU", N_("memory management unit, which translates addresses") },
	{ "TLB", N_("translation lookaside buffer, the cache of translated addresses") },
	{ "OA", N_("observation architecture, the counters of an Intel GPU") },
	{ "OAG", N_("the observation architecture's unit for the whole GPU") },
	{ "OAR", N_("the observation architecture's unit for the render engine's contexts") },
	{ "RC6", N_("render C-state 6, the GPU's sleep") },
	{ "RAPL", N_("running average power limit, the processor's meter of energy") },
	{ "PL", N_("power limit") },
	{ "PMU", N_("performance monitoring unit, a set of counters of the kernel") },
	{ "SC", N_("shader core") },
	{ "JM", N_("job manager") },
	{ "TI", N_("tiler") },
	{ "LS", N_("load/store unit") },
	{ "ZS", N_("depth (Z) and stencil") },
};

/* Plurals count, and units with a number: "EUs", "FPU0". */
static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = text; p && *p;) {
		const char *start = p;

		while (is_word_char(*p))
			p++;
		if ((size_t)(p - start) >= len && !memcmp(start, word, len)) {
			start += len;
			while (start < p && *start >= '0' && *start <= '9')
				start++;
			if (start == p || (start + 1 == p && *start == 's'))
				return true;
		}
		if (*p)
			p++;
	}
	return false;
}

/* What the short forms in label and text stand for. */
static void add_long_forms(struct strbuf *out, const struct metric *m)
{
	for (size_t i = 0; i < ARRAY_LEN(abbreviations); i++) {
		const char *word = abbreviations[i].word;

		if (has_word(m->label, word) || has_word(m->text, word))
			strbuf_addf(out, "%s: %s\n", word, _(abbreviations[i].meaning));
	}
}

static void add_title(
	struct strbuf *out, const struct metric_set *set, int metric, const struct snapshot *snap)
{
	const struct metric *m = &set->metrics[metric];

	strbuf_addf(out, "%s (%s)", metric_label(m), m->name);
	if (!snap) {
		add_unit(out, m->unit_text);
	} else if (snap->values[metric].why == WHY_OK) {
		strbuf_add(out, ": ");
		if (m->flags & METRIC_ESTIMATED)
			strbuf_add(out, "~");
		add_number(out, snap->values[metric].v, m->unit_text);
	} else {
		strbuf_add(out, ": --\n");
		/* TRANSLATORS: why there is no value, a clause such as "the chosen metric set does
		 * not count it" */
		strbuf_addf(out, _("no value: %s"), _(why_text(snap->values[metric].why)));
	}
	strbuf_add(out, "\n");
	add_long_forms(out, m);
	if (given(m->text))
		strbuf_addf(out, "%s\n", m->text);
	if (m->flags & METRIC_ESTIMATED)
		strbuf_addf(out, "%s\n", _("It is an estimate."));
	if (map_of(snap, metric))
		strbuf_addf(out, "%s\n", _("The number is the mean of the cells."));
	if (snap && snap->device && snap->device->simulated)
		strbuf_addf(out, "%s\n", _("The device is simulated."));
	strbuf_add(out, "\n");
}

/* What the number means for a program, and what to do about it. */
static void add_advice(struct strbuf *out, const struct metric *m)
{
	const struct explain_advice *advice = explain_advice(m);

	if (advice)
		strbuf_addf(out, "%s\n  %s\n", _("For a program"), _(advice->means));
	if (given(m->helps))
		strbuf_addf(out, "%s\n  %s\n", _("What helps"), i18n_optional(m->helps));
	else if (advice)
		strbuf_addf(out, "%s\n  %s\n", _("What helps"), _(advice->helps));
}

/* Writes the named parts of an equation, and the parts of those, each once. */
static void add_lets(
	struct strbuf *out, const struct metric_set *set, const char *equation, bool *shown)
{
	for (const char *p = equation; *p;) {
		size_t len = 0;

		while (is_word_char(p[len]) || p[len] == '_' || p[len] == '.')
			len++;
		for (int i = 0; i < set->n_lets && len > 0; i++) {
			if (shown[i] || strlen(set->lets[i].name) != len ||
				memcmp(set->lets[i].name, p, len) != 0)
				continue;
			shown[i] = true;
			strbuf_addf(out, "  %s = %s\n", set->lets[i].name, set->lets[i].equation);
			add_lets(out, set, set->lets[i].equation, shown);
		}
		p += len ? len : 1;
	}
}

/* TRANSLATORS: where a roof comes from */
static const char *const sources[] = { "", N_("data sheet"), N_("measured"), N_("computed"),
	N_("read from the machine"), N_("assumed") };

void explain_bound(
	struct strbuf *out, const struct metric_set *set, int metric, const struct device *dev)
{
	const struct device_const *c = NULL;

	if (set->metrics[metric].ceiling)
		c = metric_bound_const(set, set->metrics[metric].ceiling, dev);
	if (!c)
		return;
	strbuf_addf(out, "  %s: %s\n", _(sources[c->source]), c->origin);
	if (c->uncertain)
		strbuf_addf(out, "  ~ %s\n", _("No source confirms this roof."));
	if (c->reach > 0)
		/* TRANSLATORS: share of a roof that such devices were measured to reach */
		strbuf_addf(out, _("  Such devices were measured to reach %.0f %% of it.\n"),
			c->reach * 100);
}

static void add_equations(
	struct strbuf *out, const struct metric_set *set, int metric, const struct snapshot *snap)
{
	const struct metric *m = &set->metrics[metric];
	bool *shown = xcalloc((size_t)set->n_lets + 1, sizeof(*shown));

	strbuf_addf(out, "%s\n  %s = %s\n", _("Equation"), m->name,
		given(m->equation) ? m->equation : "?");
	add_lets(out, set, given(m->equation) ? m->equation : "", shown);
	if (m->ceiling) {
		strbuf_addf(out, "%s\n  ", _("Roof"));
		if (given(m->ceiling_text))
			strbuf_add(out, m->ceiling_text);
		if (snap) {
			strbuf_add(out, " = ");
			add_value(out, snap->ceilings[metric], m->unit_text);
		}
		strbuf_add(out, "\n");
		/* A measured roof comes before what is known of the device. */
		if (snap && snap->roofline && roofline_measured_for(snap->roofline, m))
			strbuf_addf(out, "  %s: %s\n", _(sources[ROOF_MEASURED]),
				"rooftop calibrate");
		else if (snap && snap->device)
			explain_bound(out, set, metric, snap->device);
		add_lets(out, set, given(m->ceiling_text) ? m->ceiling_text : "", shown);
	}
	free(shown);
}

/* Returns what the set programs a counter to count, as its directive says. */
static const char *programmed(const struct metric_set *set, const char *counter)
{
	const struct set_directive *d;
	size_t len = strlen(counter);
	int pos = 0;

	while ((d = metric_set_directive(set, "program", &pos))) {
		if (!strncmp(d->args, counter, len) && d->args[len] == ' ')
			return d->args + len + strspn(d->args + len, " \t");
	}
	return NULL;
}

static void add_input_value(struct strbuf *out, const struct metric_set *set,
	const struct metric_input *in, const struct expr_input *x)
{
	if (x->why != WHY_OK) {
		strbuf_addf(out, " = -- (%s)", _(why_text(x->why)));
		return;
	}
	strbuf_add(out, " = ");
	if (x->is_int)
		strbuf_addf(out, "%" PRIu64, x->u);
	else
		add_raw(out, set->from_xml || !(in->unit.scale > 0) ? x->d : x->d / in->unit.scale);
	add_unit(out, given(in->unit_text) && strcmp(in->unit_text, "1") != 0 ? in->unit_text : "");
	if (in->kind == INPUT_RATE)
		strbuf_add(out, "/s");
}

/* For a name that stands for another counter in each cell, tells which counter is in which cell.
 * Returns false when it is an ordinary name. */
static bool add_cell_counters(struct strbuf *out, const struct metric_set *set, const char *name)
{
	for (int k = 0; k < set->n_cells; k++) {
		const struct set_cells *c = &set->cells[k];

		for (int i = 0; i < c->n_names; i++) {
			if (strcmp(c->names[i], name) != 0)
				continue;
			for (int j = 0; j < c->n_cells; j++)
				strbuf_addf(out, "%s%s: %s", j ? ", " : "  ", c->cells[j],
					c->counters[j * c->n_names + i]);
			return true;
		}
	}
	return false;
}

static void add_input(
	struct strbuf *out, const struct metric_set *set, int i, const struct snapshot *snap)
{
	const struct metric_input *in = &set->inputs[i];
	const char *program = in->kind == INPUT_COUNTER || in->kind == INPUT_RATE
		? programmed(set, in->name)
		: NULL;

	if (in->kind == INPUT_RATE)
		strbuf_addf(out, "  rate(%s)", in->name);
	else if (in->kind == INPUT_MOST)
		strbuf_addf(out, "  most(%s)", in->name);
	else
		strbuf_addf(out, "  %s", in->name);
	if (snap)
		add_input_value(out, set, in, &snap->inputs[i]);
	else
		add_unit(out, in->unit_text);
	const char *text = "", *rest = "";
	if (!add_cell_counters(out, set, in->name) && given(in->text)) {
		/* Another metric is shown by its label. */
		text = in->text;
		rest = text + strcspn(text, "\n");
		strbuf_addf(out, "  %.*s", (int)(rest - text), text);
	}
	if (program)
		/* TRANSLATORS: the event that a programmable counter was told to count */
		strbuf_addf(out, _(" (counts %s)"), program);
	strbuf_addf(out, "%s\n", rest);
}

static int collect_inputs(const struct metric_set *set, const struct metric *m, bool *used)
{
	int *list = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*list));
	int n = metric_inputs(set, m, list);

	for (int i = 0; i < n; i++)
		used[list[i]] = true;
	free(list);
	return n;
}

static void add_inputs(
	struct strbuf *out, const struct metric_set *set, int metric, const struct snapshot *snap)
{
	bool *used = xcalloc((size_t)set->n_inputs + 1, sizeof(*used));

	if (collect_inputs(set, &set->metrics[metric], used)) {
		strbuf_addf(out, "%s\n", snap ? _("It reads, in this window") : _("It reads"));
		for (int i = 0; i < set->n_inputs; i++) {
			if (used[i])
				add_input(out, set, i, snap);
		}
	}
	free(used);
}

static bool delivers(const struct feed *f, const char *counter)
{
	for (int i = 0; i < f->n_counters; i++) {
		if (!strcmp(f->counters[i].name, counter))
			return true;
	}
	return false;
}

static bool equation_lacks(const struct metric_set *set, struct expr *equation,
	const struct snapshot *snap, const struct feed *f)
{
	int n;
	const int *list = metric_rests_on(set, equation, &n);

	for (int i = 0; i < n; i++)
		if (snap->inputs[list[i]].why != WHY_OK && delivers(f, set->inputs[list[i]].name))
			return true;
	return false;
}

bool explain_lacks(
	const struct metric_set *set, int metric, const struct snapshot *snap, const char *feed)
{
	const struct metric *m = &set->metrics[metric];
	bool lacks = false;

	for (int i = 0; i < snap->n_feeds; i++) {
		const struct feed *f = snap->feeds[i];

		if (!strcmp(f->name, feed))
			lacks |= equation_lacks(set, m->value, snap, f) ||
				equation_lacks(set, m->ceiling, snap, f);
	}
	return lacks;
}

/* Writes the sources whose counters it reads, each with its way of reading them, and at which
 * instructions. */
static void add_sources(
	struct strbuf *out, const struct metric_set *set, int metric, const struct snapshot *snap)
{
	bool *used = xcalloc((size_t)set->n_inputs + 1, sizeof(*used));
	bool any = false, reads_code = false;

	collect_inputs(set, &set->metrics[metric], used);
	for (int f = 0; snap && f < snap->n_feeds; f++) {
		bool reads = false;

		for (int i = 0; i < set->n_inputs && !reads; i++)
			reads = used[i] && delivers(snap->feeds[f], set->inputs[i].name);
		if (!reads || !given(snap->feeds[f]->how))
			continue;
		if (!any)
			strbuf_addf(out, "%s\n", _("Source"));
		any = true;
		strbuf_addf(out, "  %s\n", snap->feeds[f]->how);
		reads_code |= snap->feeds[f] == snap->code_feed;
	}
	free(used);
	if (reads_code)
		code_lines(out, snap, CODE_PLACES);
}

static void add_cells(
	struct strbuf *out, const struct metric *m, int metric, const struct snapshot *snap)
{
	const struct cell_map *map = map_of(snap, metric);

	if (!map)
		return;
	/* TRANSLATORS: values of the parts of a device (scope: what one of them is); the parts
	 * follow one by one */
	strbuf_addf(out, _("Cells (%s: %s)\n"), map->scope,
		given(map->text) ? map->text : "--");
	for (int j = 0; j < map->n; j++) {
		strbuf_addf(out, "  %s = ", map->names[j]);
		add_value(out, cell_value(map, j, metric), m->unit_text);
		strbuf_add(out, "\n");
	}
}

static void add_range(
	struct strbuf *out, const struct metric *m, int metric, const struct history *h)
{
	char min[32], max[32], now[32];

	format_people(min, sizeof(min), (double)h->min[metric], NUMBER_WIDTH);
	format_people(max, sizeof(max), (double)h->max[metric], NUMBER_WIDTH);
	format_people(now, sizeof(now), (double)history_get(h, metric, 0), NUMBER_WIDTH);
	strbuf_addf(out, "%s\n  ", _("Range"));
	/* TRANSLATORS: smallest, largest and latest value of a metric */
	strbuf_addf(out, _("min %s, max %s, now %s"), min, max, now);
	add_unit(out, m->unit_text);
	strbuf_add(out, "\n");
}

/* Adds between which clocks a mean lies, where the source names the clock of moments. */
static void add_clocks(struct strbuf *out, const struct metric *m, const struct snapshot *snap)
{
	if (m->limit.role != LIMIT_CLOCK || !snap || !snap->device || !snap->device->has_oa_reports)
		return;
	strbuf_addf(out, "%s\n  ", _("Lowest and highest in this window"));
	if (!snap->tells_clock)
		strbuf_add(out,
			_("not known: reports of this generation, or this way to the counters, do "
			  "not name the clock"));
	else if (!snap->clock_low_hz)
		strbuf_add(out, _("not known: no report names a clock, as of a GPU that sleeps"));
	else if (snap->clock_low_hz == snap->clock_high_hz)
		strbuf_addf(out, _("%.0f MHz in every report"), (double)snap->clock_low_hz / 1e6);
	else
		strbuf_addf(out, _("from %.0f to %.0f MHz, by the ids of the reports"),
			(double)snap->clock_low_hz / 1e6, (double)snap->clock_high_hz / 1e6);
	strbuf_addc(out, '\n');
}

static void add_row(struct strbuf *out, const char *heading, const char *text)
{
	if (given(text))
		strbuf_addf(out, "%s\n  %s\n", heading, text);
}

/* Adds the metric's part in what limits the device, as metric files write it. */
static void add_limit(struct strbuf *out, const struct metric *m)
{
	const struct metric_limit *l = &m->limit;

	if (l->role == LIMIT_NONE)
		return;
	strbuf_addf(out, "%s\n  %s", _("What it says about limits"), limit_role_name(l->role));
	if (*l->word)
		strbuf_addf(out, " %s", l->word);
	if (*l->before)
		strbuf_addf(out, " before %s", l->before);
	if (*l->behind)
		strbuf_addf(out, " behind %s", l->behind);
	if (*l->group)
		strbuf_addf(out, " of %s", l->group);
	strbuf_addc(out, '\n');
}

/* When sets are counted in turns, a metric is explained from the window of its own set. */
static bool add_own_set(
	struct strbuf *out, int metric, const struct snapshot *snap, const struct history *history)
{
	const struct mux_value *mux = snap && snap->mux ? &snap->mux[metric] : NULL;
	char share[24];

	if (!mux || !mux->part)
		return false;
	if (mux->multiplexed) {
		format_people(share, sizeof(share), mux->share * 100, 4);
		/* TRANSLATORS: several metric sets share the counters; how much of the time this
		 * metric was measured, and how long ago */
		strbuf_addf(out,
			_("It is counted in turns with other sets: %s %% of the time, last %.1f s "
			  "ago.\n\n"),
			share, (double)(snap->cells_ns - mux->t_ns) / NS_PER_S);
	}
	explain_metric(out, mux->part->set, mux->metric, mux->part, NULL);
	if (history && metric < history->columns)
		add_range(out, &snap->set->metrics[metric], metric, history);
	return true;
}

void explain_metric(struct strbuf *out, const struct metric_set *set, int metric,
	const struct snapshot *snap, const struct history *history)
{
	const struct metric *m = &set->metrics[metric];
	const char *pane = m->group;

	if (add_own_set(out, metric, snap, history))
		return;
	add_title(out, set, metric, snap);
	add_clocks(out, m, snap);
	add_advice(out, m);
	add_equations(out, set, metric, snap);
	add_inputs(out, set, metric, snap);
	add_sources(out, set, metric, snap);
	add_cells(out, m, metric, snap);
	if (history && metric < history->columns)
		add_range(out, m, metric, history);
	add_row(out, _("Where the equation comes from"), m->origin);
	add_row(out, _("It needs"), i18n_optional(m->needs));
	add_row(out, _("Scope"), i18n_optional(m->scope));
	int group = metric_set_group(set, m->group);
	if (group >= 0)
		pane = set->groups[group].title;
	add_row(out, _("Pane"), i18n_optional(pane));
	if (given(m->block))
		add_row(out, _("Block"), i18n_optional(m->block));
	add_limit(out, m);
	strbuf_addf(out, "%s\n  %s", _("Set"), set->name);
	if (given(set->label) && strcmp(set->label, set->name) != 0)
		strbuf_addf(out, " (%s)", set->label);
	strbuf_add(out, "\n");
	if (!given(m->file))
		return;
	strbuf_addf(out, "%s\n  %s", _("Defined in"), m->file);
	/* An option defines metrics as well, which stand in no line. */
	if (m->line > 0)
		strbuf_addf(out, ":%d", m->line);
	strbuf_add(out, "\n");
}

static bool reads(const struct metric_set *set, const struct metric *m, const char *counter)
{
	int *list = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*list));
	int n = metric_inputs(set, m, list);
	bool is_read = false;

	for (int i = 0; i < n; i++)
		is_read |= metric_input_is(set, set->inputs[list[i]].name, counter);
	free(list);
	return is_read;
}

bool explain_counter(struct strbuf *out, const struct metric_set *set, const char *name)
{
	const struct metric_input *in = NULL;

	for (int i = 0; i < set->n_inputs && !in; i++)
		if ((set->inputs[i].kind == INPUT_COUNTER || set->inputs[i].kind == INPUT_RATE) &&
			!strcmp(set->inputs[i].name, name))
			in = &set->inputs[i];
	if (!in)
		return false;
	strbuf_addf(out, "%s\n  %s  %s\n", _("Counter"), name, i18n_optional(in->text));
	if (in->block && *in->block)
		strbuf_addf(out, "%s\n  %s\n", _("Block"), i18n_optional(in->block));
	strbuf_addf(out, "%s\n", _("Who reads it"));
	for (int i = 0; i < set->n_metrics; i++)
		if (reads(set, &set->metrics[i], name))
			strbuf_addf(out, "  %s (%s)\n", metric_label(&set->metrics[i]),
				set->metrics[i].name);
	strbuf_addf(out, "%s\n  %s\n", _("Set"), set->name);
	return true;
}
