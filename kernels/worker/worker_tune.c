/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tuner tries one axis after the other and keeps the best; a file remembers what it found. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "base/parse.h"
#include "core/value/settings.h"

#define BUDGET_NS (20 * NS_PER_S)
#define SLICES 6
/* The tuner leaves an axis after this many values in a row that reach less than the share below
 * of the best. */
#define HOPELESS 2
#define HOPELESS_SHARE 0.6
/* A value is taken when it is better by this factor: measurements vary by about that. */
#define IMPROVEMENT 1.01

static bool tuned_path(const struct tuned *t, char *path, size_t size)
{
	return *t->folder && snprintf(path, size, "%s/tuned", t->folder) < (int)size;
}

static void tuned_key(const struct device_facts *d, const char *kernel, char *key, size_t size)
{
	snprintf(key, size, "%s.%s", d->key, kernel);
}

/* Returns NAN when the line does not have it. */
static double get_rate(const char *line, const char *key)
{
	char text[32];
	double v;

	if (!parse_pair(line, ' ', key, text, sizeof(text)) || !parse_double(text, &v) || v <= 0)
		return NAN;
	return v;
}

static double get_share(const char *line, const char *key)
{
	char text[32];
	double v;

	if (!parse_pair(line, ' ', key, text, sizeof(text)) || !parse_double(text, &v) ||
		!(v >= 0 && v <= 1))
		return NAN;
	return v;
}

bool tuned_find(const struct tuned *t, const struct device_facts *d, const char *kernel,
	struct variant *v, struct tuned_facts *facts)
{
	struct settings file = { 0 };
	char path[4096], key[96];
	struct err err = { 0 };
	bool found = false;

	if (!tuned_path(t, path, sizeof(path)))
		return false;
	file_drop_leftovers(path);
	if (!settings_load(&file, path, &err))
		fprintf(stderr, "%s\n", err.msg);
	tuned_key(d, kernel, key, sizeof(key));
	const char *line = settings_get(&file, key);
	if (line) {
		found = variant_decode(line, v);
		if (!found)
			fprintf(stderr, "%s: the entry of %s makes no sense and is not used\n",
				path, kernel);
	}
	if (found) {
		facts->flop_per_s = get_rate(line, "flop_per_s");
		facts->bytes_per_s = get_rate(line, "bytes_per_s");
		facts->disturbed = get_share(line, "disturbed");
		facts->again = get_share(line, "again") == 1;
	}
	settings_release(&file);
	return found;
}

void tuned_keep(const struct tuned *t, const struct device_facts *d, const char *kernel,
	const struct variant *v, const struct tuned_facts *facts)
{
	struct settings file = { 0 };
	char path[4096], key[96], shape[160], line[256], disturbed[32] = "";
	struct err err = { 0 };

	if (!tuned_path(t, path, sizeof(path)))
		return;
	settings_load(&file, path, NULL);
	tuned_key(d, kernel, key, sizeof(key));
	if (!isnan(facts->disturbed))
		numeric_print(disturbed, sizeof(disturbed), " disturbed=%.2g", facts->disturbed);
	numeric_print(line, sizeof(line), "%s flop_per_s=%.6g bytes_per_s=%.6g%s%s",
		variant_encode(v, shape, sizeof(shape)), facts->flop_per_s, facts->bytes_per_s,
		disturbed, facts->again ? " again=1" : "");
	settings_set(&file, key, line);
	if (!settings_save(&file, path, &err))
		fprintf(stderr, "%s\n", err.msg);
	settings_release(&file);
}

/* Enough multiply-adds have to be in flight to hide the latency of one: a CPU needs some ten
 * vectors, a GPU has other threads. */
void tuned_default(const struct device_facts *d, struct variant *v)
{
	uint32_t flags = v->spec.body->flags;
	enum kernel_type type = v->spec.type;

	if (!v->spec.width)
		v->spec.width = d->cpu ? d->width[type] : 4;
	if (v->spec.steps < 0)
		v->spec.steps = 16;
	v->fma = d->fma[type];
	v->quadratic = false;
	v->accumulators = 1;
	if (flags & BODY_ACCUMULATORS && d->cpu)
		v->accumulators = 8;
	else if (flags & BODY_MATRIX)
		v->accumulators = 4;
	else if (flags & BODY_ACCUMULATORS && v->spec.width < 8)
		v->accumulators = 8 / v->spec.width;
	v->group_size = 256;
	if (flags & BODY_STREAMS)
		v->turns = d->cpu ? 16 : 4;
	else if (d->cpu)
		v->group_size = 16;
}

/* Returns the amount of work that this kernel is about. */
static double score(const struct kernel_work *w, const struct body_row *body)
{
	if (body->work.local_rep > 0)
		return w->local_bytes;
	if (body->flags & (BODY_OPS | BODY_MIXED))
		return w->flop;
	return w->read_bytes + w->write_bytes + w->ops;
}

/* A trial is a variant and what it reached. */
struct trial {
	struct variant v;
	double rate;			/* score per second; 0 when it does not work */
	struct kernel_work per_s;
	struct steady steady;
};

/* Takes the variant's best slice. A variant that does not build, or that computes something else,
 * has the rate 0. */
static void measure(struct worker_session *s, struct trial *t)
{
	struct load l;
	struct verifier check = { 0 };
	struct err err = { 0 };
	bool good = load_open(&l, &s->device, &s->cache, &t->v, &s->job, &err) &&
		load_calibrate(&l, &s->job, &err) && verify_probe(&check, &l, &err);

	t->rate = 0;
	for (int i = 0; good && i < SLICES && !s->stop; i++) {
		struct kernel_work work;
		int64_t ns = 0, start_ns = clock_self_cpu_ns();

		good = load_launch_wait(&l, l.batch, &ns, &err);
		steady_add(&t->steady, (double)ns);
		steady_add_cpu(&t->steady, clock_self_cpu_ns() - start_ns, ns);
		/* On the CPU only the time counts that it used: other programs take time as well,
		 * and a tuner must not take their load for a property of a variant. */
		if (s->device.cpu)
			ns = (clock_self_cpu_ns() - start_ns) / (int64_t)s->device.compute_units;
		if (!good || ns <= 0)
			continue;
		load_work(&l, &work);
		catalog_scale(&work, (double)NS_PER_S / (double)ns);
		double rate = score(&work, t->v.spec.body);
		if (rate > t->rate) {
			t->rate = rate;
			t->per_s = work;
		}
	}
	if (!good)
		fprintf(stderr, "%s\n", err.msg);
	else if (check.mismatches)
		t->rate = 0;
	verifier_release(&check);
	load_close(&l);
}

enum axis_id { AXIS_WIDTH, AXIS_ACCUMULATORS, AXIS_QUADRATIC, AXIS_FMA, AXIS_GROUP, AXIS_TURNS };

/* The axes in the order in which they are tried; each changes one member. The likely values come
 * first. */
static const struct axis {
	enum axis_id id;
	int values[9];
	int n;
} axes[] = {
	{ AXIS_WIDTH, { 16, 8, 4, 2, 1 }, 5 },
	{ AXIS_ACCUMULATORS, { 4, 8, 6, 12, 16, 10, 3, 2, 1 }, 9 },
	{ AXIS_QUADRATIC, { 0, 1 }, 2 },
	{ AXIS_FMA, { 0, 1 }, 2 },
	{ AXIS_GROUP, { 64, 32, 128, 256, 16, 8, 512 }, 7 },
	{ AXIS_TURNS, { 16, 4, 64, 1 }, 4 },
};

struct search {
	struct worker_session *s;
	struct trial best;
	int64_t end_ns;
	bool any_width;
	int trials, disturbed;
};

/* Puts the value into v. Returns false when this kernel has no such axis, or the job has chosen. */
static bool set_axis(const struct search *t, enum axis_id id, int value, struct variant *v)
{
	uint32_t flags = v->spec.body->flags;
	bool in_registers = !strcmp(v->spec.body->function, "rt_private") && v->spec.op &&
		v->spec.op->flop == 2;

	switch (id) {
	case AXIS_WIDTH:
		v->spec.width = value;
		return t->any_width;
	case AXIS_ACCUMULATORS:
		v->accumulators = value;
		return flags & BODY_ACCUMULATORS && value * v->spec.width <= 256 &&
			!(flags & BODY_MATRIX && value > 8);
	case AXIS_QUADRATIC:
		v->quadratic = value;
		return in_registers;
	case AXIS_FMA:
		v->fma = value;
		return in_registers && t->s->device.fma[v->spec.type];
	case AXIS_GROUP:
		v->group_size = (uint64_t)value;
		return !t->s->job.group_size && !(flags & (BODY_ONE_ITEM | BODY_LONE)) &&
			v->group_size <= t->s->device.max_group_size;
	case AXIS_TURNS:
		v->turns = (uint64_t)value;
		return flags & BODY_STREAMS && !t->s->job.repeat;
	}
	return false;
}

static bool is_over(const struct search *t)
{
	return t->s->stop || clock_machine_ns() >= t->end_ns;
}

/* Measures the trial's variant, and tells the launcher before, which takes silence for a fault. */
static bool try_variant(struct search *t, struct trial *trial, struct err *err)
{
	worker_session_listen(t->s);
	if (!worker_session_phase(t->s, JOB_TUNING, NAN, err))
		return false;
	measure(t->s, trial);
	t->trials++;
	t->disturbed += steady_is_disturbed(
		&trial->steady, worker_processors(t->s, trial->v.spec.body));
	return true;
}

static bool try_axis(struct search *t, const struct axis *axis, struct err *err)
{
	char start[160], shape[160];
	int hopeless = 0;

	variant_encode(&t->best.v, start, sizeof(start));
	for (int i = 0; i < axis->n && hopeless < HOPELESS && !is_over(t); i++) {
		struct trial trial = { .v = t->best.v };

		if (!set_axis(t, axis->id, axis->values[i], &trial.v) ||
			!strcmp(variant_encode(&trial.v, shape, sizeof(shape)), start))
			continue;
		if (!try_variant(t, &trial, err))
			return false;
		hopeless++;
		if (trial.rate >= t->best.rate * HOPELESS_SHARE)
			hopeless = 0;
		if (trial.rate > t->best.rate * IMPROVEMENT)
			t->best = trial;
	}
	return true;
}

/* Finds the ridge: the fewest steps that still reach nearly the arithmetic peak, so that memory is
 * as busy as it can be beside it. */
static bool find_ridge(struct search *t, struct err *err)
{
	static const int steps[] = { 64, 32, 16, 8, 4, 2 };
	double peak = 0;

	for (size_t i = 0; i < ARRAY_LEN(steps) && !is_over(t); i++) {
		struct trial trial = { .v = t->best.v };

		trial.v.spec.steps = steps[i];
		if (!try_variant(t, &trial, err))
			return false;
		if (trial.rate > peak)
			peak = trial.rate;
		if (trial.rate < 0.9 * peak)
			return true;
		t->best = trial;
	}
	return true;
}

bool tune(struct worker_session *s, struct variant *v, struct err *err)
{
	struct search t = { .s = s, .end_ns = clock_machine_ns() + BUDGET_NS };
	struct kernel_spec *asked = &t.best.v.spec;

	if (!catalog_parse(s->job.kernel, asked, err))
		return false;
	bool mixed = asked->body->flags & BODY_MIXED;
	t.any_width = mixed || !asked->width || asked->body->flags & BODY_INTENSITY;
	tuned_default(&s->device, &t.best.v);
	measure(s, &t.best);
	for (size_t i = 0; i < ARRAY_LEN(axes); i++) {
		if (!try_axis(&t, &axes[i], err))
			return false;
	}
	if (mixed && !find_ridge(&t, err))
		return false;
	*v = t.best.v;
	struct tuned_facts facts = { .flop_per_s = t.best.per_s.flop,
		.bytes_per_s = catalog_bytes(&t.best.per_s),
		.disturbed = t.trials ? (double)t.disturbed / t.trials : 0 };
	if (steady_tuned_busy(facts.disturbed))
		fprintf(stderr,
			"%s: %d of %d trials of the tuner were disturbed by other work on this "
			"machine\n",
			s->job.kernel, t.disturbed, t.trials);
	/* A shape that was chosen is not the best one, and would stay for runs that choose none. */
	if (t.best.rate > 0 && !s->stop && job_is_free(&s->job))
		tuned_keep(&s->tuned, &s->device, s->job.kernel, v, &facts);
	return true;
}
