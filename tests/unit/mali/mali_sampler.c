/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One dump for three sources: windows, refusals, failures and what comes back. */
#include "config.h"

#include "backends/mali/dump_sources.h"
#include "base/mem.h"
#include "tests/unit/mali/mali_rig.h"

#define START_NS (5 * NS_PER_S)

/* A dumper that does what the test says: GPU_ACTIVE is 100 a dump, of core 0 FRAG_ACTIVE is 7. */
struct scripted {
	struct mali_layout layout;
	struct err refusal;	/* start fails with it when it has a code */
	struct err failure;	/* the next dump does */
	int starts, stops, dumps, closes;
};

struct scripted_dumper {
	struct mali_dumper dumper;
	struct scripted *script;
};

static struct scripted *of(struct mali_dumper *d)
{
	return ((struct scripted_dumper *)d)->script;
}

static bool scripted_start(struct mali_dumper *d, int64_t now_ns, struct err *err)
{
	struct scripted *s = of(d);

	(void)now_ns;
	s->starts++;
	if (s->refusal.code != ERR_NONE)
		*err = s->refusal;
	return s->refusal.code == ERR_NONE;
}

static bool scripted_dump(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums,
	int64_t *window_ns, struct err *err)
{
	struct scripted *s = of(d);

	(void)now_ns;
	s->dumps++;
	if (s->failure.code != ERR_NONE) {
		*err = s->failure;
		return false;
	}
	sums->words[mali_sums_row(MALI_JM, 0)][6] += 100;
	sums->words[mali_sums_row(MALI_SC, 0)][4] += 7;
	*window_ns += NS_PER_S / 10;
	return true;
}

static void scripted_stop(struct mali_dumper *d)
{
	of(d)->stops++;
}

static void scripted_close(struct mali_dumper *d)
{
	of(d)->closes++;
}

static const struct mali_dumper_ops scripted_ops = {
	.size = sizeof(struct scripted_dumper),
	.start = scripted_start,
	.dump = scripted_dump,
	.stop = scripted_stop,
	.close = scripted_close,
};

static bool open_scripted(struct scripted *s, struct mali_rig *r, const struct metric_lib *lib,
	const struct err *refusal)
{
	static const struct mali_identity id = {
		.gpu_id = 0x74020000, .shader_present = 3, .slices = 1, .core_features = 2
	};
	struct err err = { 0 };
	bool good;
	struct scripted_dumper *d = mali_dumper_new(&scripted_ops, "scripted");

	d->dumper.is_narrow = true;
	d->script = s;
	*s = (struct scripted){ 0 };
	if (refusal)
		s->refusal = *refusal;
	mali_layout_init(&s->layout, &id, &err);
	mali_device_fill(&r->dev.device, &id, &err);
	r->now_ns = START_NS;
	good = mali_dump_sources_open(&r->dev, &s->layout, &d->dumper, START_NS, &err);
	mali_rig_bind(r, lib, "overview");
	return good;
}

static void is_why(const struct mali_rig *r, const char *want, const char *name)
{
	for (int i = 0; i < r->dev.n_sources; i++)
		is_str(why_name(r->samples[i].why), want, "%s: source %d", name, i);
}

static void test_windows(const struct metric_lib *lib)
{
	struct mali_rig r = { 0 };
	struct scripted s;

	ok(open_scripted(&s, &r, lib, NULL), "it starts");
	is_int(r.dev.n_sources, 3, "three sources");
	mali_rig_window(&r, NS_PER_S / 10);
	is_int(s.dumps, 1, "one dump for all of them");
	is_why(&r, "ok", "a window");
	is_int((long long)r.samples[0].values[0], 100, "the front end's");
	is_int((long long)r.samples[1].values[0], 7, "the cores'");
	is_int((long long)r.samples[1].instances[0], 7, "core 0");
	is_int((long long)r.samples[1].instances[r.dev.sources[1]->feed.n_counters], 0, "core 1");
	is_int((long long)r.samples[2].window_ns, NS_PER_S / 10,
		"its length by the dumper's clock");
	r.now_ns += NS_PER_S / 2;
	r.dev.sources[0]->ops->ready(r.dev.sources[0], r.now_ns, NULL);
	mali_rig_window(&r, NS_PER_S / 2);
	is_int((long long)r.samples[0].values[0], 200, "two dumps in a window are added");
	is_int((long long)r.samples[0].reports, 2, "  ... and counted");
	mali_rig_window(&r, 0);
	is_int(s.dumps, 3, "at the same moment there is no second dump");
	is_why(&r, "ok", "a window of no length keeps what the one before had");
	mali_rig_window(&r, 5 * NS_PER_S);
	is_why(&r, "lost", "words that may have run full");
	mali_rig_window(&r, NS_PER_S);
	is_why(&r, "ok", "the next one");
	mali_rig_close(&r);
	is_int(s.closes, 1, "the last source closes the dumper");
}

static void test_failure(const struct metric_lib *lib)
{
	struct mali_rig r = { 0 };
	struct scripted s;
	struct err err = { 0 };

	open_scripted(&s, &r, lib, NULL);
	mali_rig_window(&r, NS_PER_S);
	err_set(&s.failure, ERR_SYS, "gone");
	mali_rig_window(&r, NS_PER_S);
	is_int(r.failures, 1, "one of the sources tells the failure");
	is_str(r.err.msg, "gone", "  ... in the dumper's words");
	is_why(&r, "stale", "no number");
	is_int(s.stops, 1, "it is stopped");
	mali_rig_window(&r, NS_PER_S);
	is_int(s.dumps, 2, "and not asked again");
	is_int(r.failures, 1, "it still fails");
	s.refusal = s.failure;
	ok(!r.dev.sources[0]->ops->retry(r.dev.sources[0], r.now_ns, &err) &&
			!strcmp(err.msg, "gone"),
		"a retry that fails, too");
	s.refusal.code = s.failure.code = ERR_NONE;
	ok(r.dev.sources[0]->ops->retry(r.dev.sources[0], r.now_ns, &err), "one that works");
	mali_rig_window(&r, NS_PER_S);
	is_why(&r, "ok", "numbers are back");
	ok(r.samples[0].quality & SAMPLE_GAP, "the first window says that there was a gap");
	is_int((long long)r.samples[0].values[0], 100, "nothing of before is in it");
	mali_rig_window(&r, NS_PER_S);
	is_int(r.samples[0].quality, 0, "the second one does not");
	is_int(s.starts, 3, "started three times");
	mali_rig_close(&r);
}

static const struct {
	enum err_code code;
	const char *why;
} refusals[] = {
	{ ERR_PERMISSION, "permission" }, { ERR_UNSUPPORTED, "unsupported" }, { ERR_BUSY, "busy" },
};

static void test_refusals(const struct metric_lib *lib)
{
	for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
		struct mali_rig r = { 0 };
		struct err refusal = { 0 };
		struct scripted s;

		err_set(&refusal, refusals[i].code, "refused");
		ok(!open_scripted(&s, &r, lib, &refusal), "%s: it does not start", refusals[i].why);
		is_int(r.dev.n_sources, 3, "%s: its sources are there", refusals[i].why);
		mali_rig_window(&r, NS_PER_S);
		is_why(&r, refusals[i].why, refusals[i].why);
		is_str(why_name(mali_rig_value(&r, "SC.EE_UTILIZATION").why), refusals[i].why,
			"%s: metrics have the reason", refusals[i].why);
		is_int(s.dumps, 0, "%s: nothing is read", refusals[i].why);
		s.refusal.code = ERR_NONE;
		ok(r.dev.sources[0]->ops->retry(r.dev.sources[0], r.now_ns, NULL),
			"%s: until it is allowed", refusals[i].why);
		mali_rig_window(&r, NS_PER_S);
		is_why(&r, "ok", refusals[i].why);
		mali_rig_close(&r);
	}
}

int main(void)
{
	struct metric_lib lib = { 0 };

	mali_rig_lib(&lib);
	test_windows(&lib);
	test_failure(&lib);
	test_refusals(&lib);
	metric_lib_release(&lib);
	return done_testing();
}
