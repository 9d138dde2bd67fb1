/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated device counts other events without being opened again: the same numbers as one that
 * counted them from the start. */
#include "config.h"

#include "base/mem.h"
#include "tests/unit/sim/sim_rig.h"

static const char *const pipes[] = { "program A7 active", "program A8 fpu0::ternary", NULL };
static const char *const filters[] = { "program A7 fpu1", "program A8 active:row0:eu1",
	"config kblgt2-compute", NULL };

/* A set of the rig's directives, with storage for them. */
struct made_set {
	struct set_directive d[4];
	char keys[4][16];
	struct metric_set set;
};

static const struct metric_set *make(struct made_set *m, const char *const *directives)
{
	memset(m, 0, sizeof(*m));
	m->set.name = (char *)"made";
	m->set.directives = m->d;
	for (; directives[m->set.n_directives]; m->set.n_directives++) {
		int i = m->set.n_directives;
		size_t len = strcspn(directives[i], " ");

		snprintf(m->keys[i], sizeof(m->keys[0]), "%.*s", (int)len, directives[i]);
		m->d[i] = (struct set_directive){ m->keys[i], (char *)directives[i] + len + 1,
			(char *)"made", 1 };
	}
	return &m->set;
}

static bool reprogram(struct rig *r, const char *const *directives)
{
	struct made_set m;
	struct err err = { 0 };
	bool good = sim_backend.reprogram(&r->dev, make(&m, directives), r->now_ns, &err);

	if (!good)
		diag("%s", err.msg);
	return good;
}

static int counter(const struct rig *r, const char *name)
{
	const struct feed *f = &r->dev.sources[0]->feed;

	for (int i = 0; i < f->n_counters; i++) {
		if (!strcmp(f->counters[i].name, name))
			return i;
	}
	return -1;
}

/* Device b counted the other events all the time, a does from now on. */
static void compare(struct rig *a, struct rig *b, const char *what)
{
	static const char *const names[] = { "GPU_TICKS", "A0", "A4", "A7", "A8", "A32" };
	struct sample sa[DEVICE_MAX_SOURCES], sb[DEVICE_MAX_SOURCES];

	rig_window(a, 100 * NS_PER_MS, 50 * NS_PER_MS, sa);
	rig_window(b, 100 * NS_PER_MS, 50 * NS_PER_MS, sb);
	ok(sa[0].quality & SAMPLE_PARTIAL, "%s: the first window is partial", what);
	rig_window(a, NS_PER_S, 100 * NS_PER_MS, sa);
	rig_window(b, NS_PER_S, 100 * NS_PER_MS, sb);
	ok(!(sa[0].quality & SAMPLE_PARTIAL), "%s: the second one is whole", what);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		int k = counter(a, names[i]);

		ok(k >= 0 && counter(b, names[i]) == k, "%s: both deliver %s", what, names[i]);
		/* Counters that began at other times differ in what is cut off. */
		is_near((double)sa[0].values[k], (double)sb[0].values[k], 1, "%s: %s is the same",
			what, names[i]);
	}
	is_int(counter(a, "C4"), counter(b, "C4"), "%s: so are the signals that are known", what);
	is_near((double)sa[1].values[0], (double)sb[1].values[0], 100, "%s: energy goes on", what);
	ok(sa[0].window_ns == sb[0].window_ns, "%s: the same window", what);
}

static void test_tour(void)
{
	struct sample s[DEVICE_MAX_SOURCES];
	struct rig a, b;

	rig_open(&a, "hd620,seed=3,jitter=10", pipes, NS_PER_MS);
	rig_open(&b, "hd620,seed=3,jitter=10", filters, NS_PER_MS);
	is_int(counter(&a, "C4"), -1, "without a register list no C counter");
	rig_window(&a, 13 * NS_PER_S, NS_PER_S, s);
	rig_window(&b, 13 * NS_PER_S, NS_PER_S, s);
	ok(reprogram(&a, filters), "other events");
	ok(counter(&a, "C4") >= 0, "C counters have their names with the register list");
	compare(&a, &b, "tour");
	ok(!reprogram(&a, (const char *const[]){ "program A7 nonsense", NULL }),
		"an unknown event is refused");
	rig_window(&a, NS_PER_S, 100 * NS_PER_MS, s);
	ok(s[0].why == WHY_OK && !(s[0].quality & SAMPLE_PARTIAL), "and nothing has changed");
	ok(reprogram(&a, pipes), "back again");
	is_int(counter(&a, "C4"), -1, "what is not routed has no name any more");
	rig_close(&a);
	rig_close(&b);
}

static void run(struct rig *r)
{
	struct job job = { .kernel = "flops.private.mad.sp.x4" };
	struct err err = { 0 };

	if (!r->dev.runner->ops->start(r->dev.runner, &job, r->now_ns, &err))
		printf("Bail out! no job: %s\n", err.msg);
}

/* A load that the user started goes on, and so does what the device does afterwards. */
static void test_job(void)
{
	struct sample s[DEVICE_MAX_SOURCES];
	struct rig a, b;

	rig_open(&a, "hd620,load=desktop", pipes, NS_PER_MS);
	rig_open(&b, "hd620,load=desktop", filters, NS_PER_MS);
	rig_window(&a, 2 * NS_PER_S, NS_PER_S, s);
	rig_window(&b, 2 * NS_PER_S, NS_PER_S, s);
	run(&a);
	run(&b);
	rig_window(&a, NS_PER_S + 3, NS_PER_S, s);
	rig_window(&b, NS_PER_S + 3, NS_PER_S, s);
	ok(reprogram(&a, filters), "other events under a load");
	compare(&a, &b, "load");
	a.dev.runner->ops->stop(a.dev.runner, a.now_ns);
	b.dev.runner->ops->stop(b.dev.runner, b.now_ns);
	ok(reprogram(&a, filters), "again, after it");
	compare(&a, &b, "after the load");
	rig_close(&a);
	rig_close(&b);
}

int main(void)
{
	test_tour();
	test_job();
	return done_testing();
}
