/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tuner: one axis after the other, the best so far kept; and the file that remembers what it
 * found. */
#include "config.h"

#include "kernels/worker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "base/parse.h"
#include "core/settings.h"

#define BUDGET_NS (20 * NS_PER_S)
#define SLICES 6
/* An axis ends after so many values in a row that reach less than this share of the best. */
#define HOPELESS 2
#define HOPELESS_SHARE 0.6
/* Another value has to be so much better: what is measured varies by about that. */
#define IMPROVEMENT 1.01
#define KEY_DIGITS 16

static bool tuned_path(const struct tuned *t, char *path, size_t size)
{
	return *t->folder && snprintf(path, size, "%s/tuned", t->folder) < (int)size;
}

static void tuned_key(const struct device_facts *d, const char *kernel, char *key, size_t size)
{
	snprintf(key, size, "%.*s.%s", KEY_DIGITS, d->key, kernel);
}

static double get_rate(const char *line, const char *key)
{
	char text[32];
	double v;

	return parse_pair(line, ' ', key, text, sizeof(text)) && parse_double(text, &v) && v > 0
		? v
		: NAN;
}

bool tuned_find(const struct tuned *t, const struct device_facts *d, const char *kernel,
	struct variant *v, double *flop_per_s, double *bytes_per_s)
{
	struct settings file = { 0 };
	char path[4096], key[96];
	const char *line;
	struct err err = { 0 };
	bool found = false;

	if (!tuned_path(t, path, sizeof(path)))
		return false;
	if (!settings_load(&file, path, &err))
		fprintf(stderr, "%s\n", err.msg);
	tuned_key(d, kernel, key, sizeof(key));
	line = settings_get(&file, key);
	if (line) {
		found = variant_decode(line, v);
		if (!found)
			fprintf(stderr, "%s: the entry of %s makes no sense and is not used\n",
				path, kernel);
	}
	if (found) {
		*flop_per_s = get_rate(line, "flop_per_s");
		*bytes_per_s = get_rate(line, "bytes_per_s");
	}
	settings_release(&file);
	return found;
}

void tuned_keep(const struct tuned *t, const struct device_facts *d, const char *kernel,
	const struct variant *v, double flop_per_s, double bytes_per_s)
{
	struct settings file = { 0 };
	char path[4096], key[96], shape[160], line[256];
	struct err err = { 0 };

	if (!tuned_path(t, path, sizeof(path)))
		return;
	settings_load(&file, path, NULL);
	tuned_key(d, kernel, key, sizeof(key));
	numeric_print(line, sizeof(line), "%s flop_per_s=%.6g bytes_per_s=%.6g",
		variant_encode(v, shape, sizeof(shape)), flop_per_s, bytes_per_s);
	settings_set(&file, key, line);
	if (!settings_save(&file, path, &err))
		fprintf(stderr, "%s\n", err.msg);
	settings_release(&file);
}

/* A chain is as long as the multiply-add's latency: CPUs need some ten vectors in flight, GPUs have
 * other threads. */
void tuned_default(const struct device_facts *d, struct variant *v)
{
	bool chains = v->spec.body->flags & BODY_ACCUMULATORS;
	enum kernel_type type = v->spec.type;

	if (!v->spec.width)
		v->spec.width = d->cpu ? d->width[type] : 4;
	if (v->spec.steps < 0)
		v->spec.steps = 16;
	v->fma = d->fma[type];
	v->quadratic = false;
	v->accumulators = !chains	       ? 1
		: d->cpu || v->spec.width == 1 ? 8
		: v->spec.width < 8	       ? 8 / v->spec.width
					       : 1;
	if (v->spec.body->flags & BODY_STREAMS) {
		v->group_size = 256;
		v->turns = d->cpu ? 16 : 4;
		return;
	}
	v->group_size = d->cpu ? 16 : 256;
}

/* What counts for this kernel. */
static double score(const struct kernel_work *w, const struct body_row *body)
{
	if (body->work.local_rep > 0)
		return w->local_bytes;
	if (body->flags & (BODY_OPS | BODY_MIXED))
		return w->flop;
	return w->read_bytes + w->write_bytes + w->ops;
}

/* How long a slice took. On the CPU what it used: other programs there cost time, and a tuner must
 * not take their load for a property of a variant. */
static bool slice_time(struct worker_session *s, struct load *l, int64_t *ns, struct err *err)
{
	int64_t start_ns = clock_self_cpu_ns();

	if (!load_launch_wait(l, l->batch, ns, err))
		return false;
	if (s->device.cpu)
		*ns = (clock_self_cpu_ns() - start_ns) / (int64_t)s->device.compute_units;
	return true;
}

/* Amount per second of the variant's best slice; 0 when it does not build, or computes something
 * else. */
static double measure(struct worker_session *s, const struct variant *v, struct kernel_work *best)
{
	struct load l;
	struct verifier check = { 0 };
	struct err err = { 0 };
	double rate = 0;
	bool good = load_open(&l, &s->device, &s->cache, v, &s->job, &err) &&
		load_calibrate(&l, &s->job, &err) && verify_probe(&check, &l, &err);

	for (int i = 0; good && i < SLICES && !s->stop; i++) {
		struct kernel_work work;
		int64_t ns = 0;
		double r;

		good = slice_time(s, &l, &ns, &err);
		load_work(&l, &work);
		r = ns > 0 ? score(&work, v->spec.body) * (double)NS_PER_S / (double)ns : 0;
		if (!good || r <= rate)
			continue;
		rate = r;
		best->flop = work.flop * (double)NS_PER_S / (double)ns;
		best->read_bytes = (work.local_bytes > 0 ? work.local_bytes
							 : work.read_bytes + work.write_bytes) *
			(double)NS_PER_S / (double)ns;
	}
	if (!good)
		fprintf(stderr, "%s\n", err.msg);
	else if (check.mismatches)
		rate = 0;
	verifier_release(&check);
	load_close(&l);
	return rate;
}

/* The axes; each changes one member. The likely values come first. */
static const struct axis {
	const char *name;
	int values[9];
	int n;
} axes[] = {
	{ "width", { 16, 8, 4, 2, 1 }, 5 },
	{ "accumulators", { 4, 8, 6, 12, 16, 10, 3, 2, 1 }, 9 },
	{ "quadratic", { 0, 1 }, 2 },
	{ "fma", { 0, 1 }, 2 },
	{ "size", { 64, 32, 128, 256, 16, 8, 512 }, 7 },
	{ "turns", { 16, 4, 64, 1 }, 4 },
};

/* The member that an axis changes, or false when this kernel does not have it. */
static bool set_axis(const struct worker_session *s, const struct axis *axis, bool any_width,
	int value, struct variant *v)
{
	uint32_t flags = v->spec.body->flags;
	bool in_registers = !strcmp(v->spec.body->function, "rt_private") && v->spec.op &&
		v->spec.op->flop == 2;

	if (!strcmp(axis->name, "width") && any_width)
		v->spec.width = value;
	else if (!strcmp(axis->name, "accumulators") && flags & BODY_ACCUMULATORS &&
		value * v->spec.width <= 256)
		v->accumulators = value;
	else if (!strcmp(axis->name, "quadratic") && in_registers)
		v->quadratic = value;
	else if (!strcmp(axis->name, "fma") && in_registers && s->device.fma[v->spec.type])
		v->fma = value;
	else if (!strcmp(axis->name, "size") && !s->job.group_size && !(flags & BODY_ONE_ITEM) &&
		(uint64_t)value <= s->device.max_group_size)
		v->group_size = (uint64_t)value;
	else if (!strcmp(axis->name, "turns") && flags & BODY_STREAMS && !s->job.repeat)
		v->turns = (uint64_t)value;
	else
		return false;
	return true;
}

struct search {
	struct worker_session *s;
	struct variant best;
	double best_rate;
	struct kernel_work best_work;
	int64_t end_ns;
	bool any_width;
};

static bool is_same(const struct variant *a, const struct variant *b)
{
	char x[160], y[160];

	return !strcmp(variant_encode(a, x, sizeof(x)), variant_encode(b, y, sizeof(y)));
}

static bool try_axis(struct search *t, const struct axis *axis, struct err *err)
{
	struct variant start = t->best;
	int hopeless = 0;

	for (int i = 0;
		i < axis->n && hopeless < HOPELESS && clock_machine_ns() < t->end_ns && !t->s->stop;
		i++) {
		struct variant v = t->best;
		struct kernel_work work = { 0 };
		double r;

		if (!set_axis(t->s, axis, t->any_width, axis->values[i], &v) || is_same(&v, &start))
			continue;
		worker_session_listen(t->s);
		if (!worker_session_phase(t->s, JOB_TUNING, NAN, err))
			return false;
		r = measure(t->s, &v, &work);
		hopeless = r < t->best_rate * HOPELESS_SHARE ? hopeless + 1 : 0;
		if (r > t->best_rate * IMPROVEMENT) {
			t->best = v;
			t->best_rate = r;
			t->best_work = work;
		}
	}
	return true;
}

/* The ridge: the fewest steps that still reach nearly the arithmetic peak, so that memory is as
 * busy as it can be beside it. */
static bool find_ridge(struct search *t, struct err *err)
{
	static const int steps[] = { 64, 32, 16, 8, 4, 2 };
	double peak = 0;

	for (size_t i = 0; i < ARRAY_LEN(steps) && clock_machine_ns() < t->end_ns && !t->s->stop;
		i++) {
		struct variant v = t->best;
		struct kernel_work work = { 0 };
		double r;

		v.spec.steps = steps[i];
		worker_session_listen(t->s);
		if (!worker_session_phase(t->s, JOB_TUNING, NAN, err))
			return false;
		r = measure(t->s, &v, &work);
		if (r > peak)
			peak = r;
		if (r < 0.9 * peak)
			return true;
		t->best = v;
		t->best_rate = r;
		t->best_work = work;
	}
	return true;
}

bool tune(struct worker_session *s, struct variant *v, struct err *err)
{
	struct search t = { .s = s, .end_ns = clock_machine_ns() + BUDGET_NS };
	struct kernel_spec asked;

	if (!catalog_parse(s->job.kernel, &asked, err))
		return false;
	t.any_width = !asked.width || asked.body->flags & (BODY_INTENSITY | BODY_MIXED);
	*v = (struct variant){ .spec = asked };
	tuned_default(&s->device, v);
	t.best = *v;
	t.best_rate = measure(s, v, &t.best_work);
	for (size_t i = 0; i < ARRAY_LEN(axes); i++) {
		if (!try_axis(&t, &axes[i], err))
			return false;
	}
	if (asked.body->flags & BODY_MIXED && !find_ridge(&t, err))
		return false;
	*v = t.best;
	if (t.best_rate > 0 && !s->stop)
		tuned_keep(&s->tuned, &s->device, s->job.kernel, v, t.best_work.flop,
			t.best_work.read_bytes);
	return true;
}
