/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is counted of single kernels, against a model of a device in which kernels have tails, run beside each other, are preempted, run in
 * several sizes, and are told by a clock that is wrong: a counted rate is the model's own, within 2 %, or it is not told. */
#include "config.h"

#include "core/spans/span_count.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "tests/tap.h"

#define BEGIN_NS (10 * NS_PER_S)
#define WINDOW_NS (50 * NS_PER_MS)
#define RUNS_MAX 16384
#define KERNELS 2
#define SEEN_NS (150 * 1000) /* behind the end of a run */
#define OURS 7
#define FOREIGN 9

/* A schedule, in ns of the host's clock. */
struct plan {
	int64_t length_ns, run_ns, pause_ns, period_ns, apart_ns;
	bool tails, overlap, preempted, unseen;
	int sizes;
	bool hides_sizes; /* calls differ in their work and length, and are told as alike */
	bool crowds; /* pauses lie around the longest calls of the first kernel alone, of which two follow each other */
	bool bursts; /* the last 60 us do a twentieth of all work more */
	bool heads; /* so do the first ones */
	/* sums are made each so many ns: 0: once; and up to where a run begins, or wherever that is */
	int64_t batch_ns;
	bool cuts;
	int stops; /* the session ends where that many runs have ended and were told; 0: behind all */
	bool slowed; /* calls in which somebody else had the device last half as long again, with the same work */
	bool uneven; /* lengths are drawn, within a tenth, and the work of a call is not theirs */
	double second; /* the rate of the second kernel */
	/* whether the reports name contexts, else how often clients are looked at; what is known of engines for copies */
	bool one_clock; /* stamps spans and reports */
	bool names_contexts, sees_clients, copies, sees_engines;
};

struct run {
	int64_t start_ns, end_ns;
	int kernel, size;
};

struct model {
	const struct plan *p;
	struct run runs[RUNS_MAX], others[RUNS_MAX]; /* others: of somebody else */
	int n_runs, n_others;
	int n_told; /* of the runs */
	int64_t end_ns; /* of the session */
	/* what has ended, with its work */
	int ended, others_ended;
	double work;
};

/* Counters: busy clocks, clocks, work. */
static const struct counter_desc counters[] = { { "A0", "", 32, COUNTER_CUMULATIVE }, { "GPU_TICKS", "", 32, COUNTER_CUMULATIVE },
	{ "A1", "", 32, COUNTER_CUMULATIVE } };
static const struct feed feed = { .counters = counters, .n_counters = 3, .busy = "A0", .clock = "GPU_TICKS", .work = "A" };

static double rate_of(const struct model *m, const struct run *r)
{
	double rate = (r->kernel ? m->p->second : 900.0) * (1 + r->size);

	return m->p->uneven || m->p->slowed ? rate * (double)m->p->run_ns / (double)(r->end_ns - r->start_ns) : rate;
}

/* The work of a run up to a moment: a tail does a fifth of the work of the rest. Somebody else who has the device takes its time from
 * the run, whose work is then done in what is left. */
static double work_of(const struct model *m, const struct run *r, int64_t at_ns)
{
	double length = (double)(r->end_ns - r->start_ns);
	double at = (double)(min_i64(max_i64(at_ns, r->start_ns), r->end_ns) - r->start_ns);
	double head = length * 0.7;

	if (m->p->heads)
		return (at + length / 20 * fmin(at / 60000, 1)) * rate_of(m, r);
	if (m->p->bursts)
		return (at + length / 20 * fmax(1 - (length - at) / 60000, 0)) * rate_of(m, r);
	if (!m->p->tails || at < head)
		return at * rate_of(m, r);
	return (head + (at - head) * 0.2) * rate_of(m, r);
}

static void add(struct run *runs, int *n, struct run r)
{
	if (*n < RUNS_MAX)
		runs[(*n)++] = r;
}

static bool is_longest(const struct plan *p, int i)
{
	return i % KERNELS == 0 && i / KERNELS % p->sizes == 0;
}

static void make(struct model *m, const struct plan *p)
{
	int64_t at_ns = BEGIN_NS + 3 * NS_PER_MS;

	m->p = p;
	m->n_runs = m->n_others = m->ended = m->others_ended = 0;
	m->work = 0;
	for (int i = 0; at_ns < BEGIN_NS + p->length_ns - p->run_ns; i++) {
		int kernel = i % KERNELS, size = i / KERNELS % p->sizes;
		int64_t length_ns = kernel ? p->run_ns / 3 + 1 : p->run_ns;

		if (p->hides_sizes && size > 0)
			length_ns /= 40;
		if (p->uneven)
			length_ns += length_ns / 10 * (int64_t)((unsigned)i * 2654435761u >> 24) / 256;

		if (p->slowed && p->preempted && i % 3 == 1)
			length_ns += length_ns / 2;
		if (p->crowds && is_longest(p, i)) {
			add(m->runs, &m->n_runs, (struct run){ at_ns, at_ns + length_ns, kernel, size });
			at_ns += length_ns + p->pause_ns;
		}
		add(m->runs, &m->n_runs, (struct run){ at_ns, at_ns + length_ns, kernel, size });
		if (p->preempted && i % 3 == 1)
			add(m->others, &m->n_others, (struct run){ at_ns + length_ns / 2, at_ns + length_ns * 3 / 4, 1, 3 });
		/* The next one begins before this one has ended. */
		at_ns += p->overlap ? length_ns * 4 / 5 : length_ns;
		if (!p->crowds || is_longest(p, i) || is_longest(p, i + 1))
			at_ns += p->pause_ns;
		if (p->unseen && i % 4 == 3) {
			add(m->others, &m->n_others, (struct run){ at_ns, at_ns + p->run_ns, 0, 1 });
			at_ns += p->run_ns + p->pause_ns;
		}
	}
}

/* Runs whose end nobody has seen by the end of the session are not told, and are none of what is compared. */
static void stop(struct model *m)
{
	const struct plan *p = m->p;
	int n = p->stops && p->stops < m->n_runs ? p->stops : m->n_runs;

	m->end_ns = n < m->n_runs ? m->runs[n - 1].end_ns + SEEN_NS : BEGIN_NS + p->length_ns;
	/* Of a queue without order nothing is complete behind the begin of what is under way. */
	if (n < m->n_runs && p->overlap)
		m->end_ns = min_i64(m->end_ns, m->runs[n].start_ns);
	m->n_told = n;
}

/* All work up to a moment; while somebody else has the device it is theirs as well. */
static double all_work(struct model *m, int64_t at_ns)
{
	while (m->ended < m->n_runs && m->runs[m->ended].end_ns <= at_ns)
		m->work += work_of(m, &m->runs[m->ended++], at_ns);
	while (m->others_ended < m->n_others && m->others[m->others_ended].end_ns <= at_ns)
		m->work += work_of(m, &m->others[m->others_ended++], at_ns);
	double sum = m->work;
	for (int i = m->ended; i < m->n_runs && m->runs[i].start_ns < at_ns; i++)
		sum += work_of(m, &m->runs[i], at_ns);
	for (int i = m->others_ended; i < m->n_others && m->others[i].start_ns < at_ns; i++)
		sum += work_of(m, &m->others[i], at_ns);
	return sum;
}

/* Whether somebody else has the device behind the last report and at a moment. */
static bool is_theirs(const struct model *m, int64_t at_ns)
{
	for (int i = m->others_ended; i < m->n_others && m->others[i].start_ns <= at_ns; i++)
		if (at_ns < m->others[i].end_ns)
			return true;
	return false;
}

/* Where the next report comes: by the timer, or because somebody else gets the device or has had it. */
static int64_t next_report(const struct model *m, int64_t at_ns)
{
	int64_t next_ns = at_ns + m->p->period_ns - (at_ns - BEGIN_NS) % m->p->period_ns;

	for (int i = m->others_ended; i < m->n_others && m->others[i].start_ns < next_ns; i++) {
		if (m->others[i].start_ns > at_ns)
			next_ns = min_i64(next_ns, m->others[i].start_ns);
		if (m->others[i].end_ns > at_ns)
			next_ns = min_i64(next_ns, m->others[i].end_ns);
	}
	return next_ns;
}

/* In each third window an engine for copies works, and what it does is counted, too, though not as busy clocks. */
static double copied(const struct model *m, int64_t at_ns)
{
	int64_t since_ns = at_ns - BEGIN_NS, in_ns = since_ns % (3 * WINDOW_NS);

	if (!m->p->copies)
		return 0;
	return 500.0 * (double)(since_ns / (3 * WINDOW_NS) * WINDOW_NS + min_i64(in_ns, WINDOW_NS));
}

/* What clients and engines tell of each window: how long others had the device, to the nanosecond. */
static void give_windows(struct span_count *c, const struct model *m)
{
	for (int64_t at_ns = BEGIN_NS; at_ns < BEGIN_NS + m->p->length_ns; at_ns += WINDOW_NS) {
		struct span_around a = { .t1_ns = at_ns + WINDOW_NS };
		int64_t theirs_ns = 0;

		for (int i = 0; i < m->n_others; i++)
			theirs_ns += max_i64(min_i64(m->others[i].end_ns, a.t1_ns) - max_i64(m->others[i].start_ns, at_ns), 0);
		if (theirs_ns > WINDOW_NS / 100)
			a.clients = OTHERS_BUSY;
		if (!m->p->sees_clients)
			a.clients = OTHERS_NOT_KNOWN;
		if (copied(m, a.t1_ns) > copied(m, at_ns))
			a.engines = OTHERS_BUSY;
		if (!m->p->sees_engines)
			a.engines = OTHERS_NOT_KNOWN;
		span_count_around(c, &a);
	}
}

static void give_pairs(struct span_count *c, struct model *m, const struct span_table *t)
{
	int64_t at_ns = BEGIN_NS, summed_ns = BEGIN_NS;
	double before = 0;

	while (at_ns < m->end_ns) {
		int64_t next_ns = next_report(m, at_ns), middle_ns = at_ns + (next_ns - at_ns) / 2;
		bool theirs = is_theirs(m, middle_ns);
		double now = all_work(m, next_ns), copies = copied(m, next_ns) - copied(m, at_ns);
		struct span_pair p = { .t0_ns = at_ns, .t1_ns = next_ns, .kind = HW_CONTEXT_ONE, .context = theirs ? FOREIGN : OURS };
		bool busy = now > before;
		uint64_t values[3] = { busy ? (uint64_t)(next_ns - at_ns) : 0, (uint64_t)(next_ns - at_ns), (uint64_t)(now - before + copies) };

		if (!busy)
			p.kind = HW_CONTEXT_IDLE;
		if (!m->p->names_contexts)
			p.kind = HW_CONTEXT_OTHERS;
		span_count_pair(c, &p, values);
		before = now;
		at_ns = next_ns;
		if (!m->p->batch_ns || at_ns - summed_ns < m->p->batch_ns)
			continue;
		summed_ns = at_ns;
		if (m->p->cuts)
			span_count_settle(c, t, at_ns);
		else
			span_count_settle_runs(c, t, at_ns);
	}
}

static void tell(struct span_table *t, const struct model *m)
{
	static const char *const names[KERNELS] = { "first", "second" };
	const struct span_place place = { .pid = 1, .device = "one", .pci_address = "own" };

	span_table_queue(t, &place);
	for (int i = 0; i < m->n_told; i++) {
		const struct run *r = &m->runs[i];
		/* One clock is matched anew, within 10 us. */
		int64_t apart_ns = m->p->one_clock ? m->p->apart_ns / 11 : m->p->apart_ns, start_ns = r->start_ns + apart_ns;
		const struct span s = { .name = names[r->kernel], .is_kernel = true, .items = m->p->hides_sizes ? 1 : (uint64_t)r->size + 1, .index = (uint64_t)i + 1,
			.queued = r->start_ns - 20000, .start = start_ns, .end = r->end_ns + apart_ns,
			.before = r->start_ns - 22000, .after = r->start_ns - 18000, .seen = r->end_ns + SEEN_NS, .is_matched = m->p->one_clock };

		span_table_add(t, &s);
	}
}

/* The model's own rate of a row: all its work in all its time. */
static double model_rate(const struct model *m, const struct span_row *row)
{
	double work = 0, ns = 0;

	for (int i = 0; i < m->n_told; i++) {
		const struct run *r = &m->runs[i];

		if (r->kernel != (row->name[0] == 's') || (row->items && !m->p->hides_sizes && (uint64_t)r->size + 1 != row->items))
			continue;
		work += work_of(m, r, INT64_MAX);
		ns += (double)(r->end_ns - r->start_ns);
	}
	return work / ns;
}

static int told, not_told, wrong, of_sizes, of_tails, of_clients, of_copies, blind, brief;

static void try(const struct plan *p)
{
	static struct model m;
	struct span_table t = { 0 };
	struct span_count c = { 0 };

	make(&m, p);
	stop(&m);
	span_table_clear(&t, BEGIN_NS, "own");
	span_count_begin(&c, &feed, p->names_contexts);
	t.keep_from_ns = 1;
	tell(&t, &m);
	give_windows(&c, &m);
	give_pairs(&c, &m, &t);
	span_table_settle(&t, m.end_ns);
	span_count_settle(&c, &t, m.end_ns);
	for (int row = 0; row < t.n_rows; row++) {
		const uint64_t *values;
		uint64_t pairs;
		bool unsure[3];
		int64_t ns;

		if (span_count_get(&c, &t, row, &values, unsure, &ns, &pairs) != SPAN_COUNTED) {
			not_told++;
			continue;
		}
		double got = (double)values[2] / (double)ns, want = model_rate(&m, &t.rows[row]);
		told++;
		of_sizes += p->sizes > 1;
		of_tails += p->tails;
		of_clients += !p->names_contexts;
		of_copies += p->copies;
		brief += p->run_ns < 2 * SPAN_DOUBT_NS + 3 * p->period_ns;
		if (!p->one_clock && p->run_ns < 2 * SPAN_DOUBT_NS + p->period_ns)
			blind++;
		blind += !p->sees_engines || (!p->names_contexts && !p->sees_clients);
		if (got >= want * 0.98 && got <= want * 1.02)
			continue;
		wrong++;
		if (wrong <= 20)
			ok(false, "runs of %lld us, pauses %lld, reports %lld, apart %lld, tails %d overlap %d preempted %d unseen %d sizes %d contexts %d copies %d hides %d crowds %d bursts %d heads %d batch %lld cuts %d uneven %d second %g stops %d slowed %d: row %s "
				"%llu is %g, and the model has %g", (long long)p->run_ns / 1000, (long long)p->pause_ns / 1000,
				(long long)p->period_ns / 1000, (long long)p->apart_ns / 1000, p->tails, p->overlap, p->preempted, p->unseen,
				p->sizes, p->names_contexts, p->copies, p->hides_sizes, p->crowds, p->bursts, p->heads, (long long)p->batch_ns / 1000, p->cuts, p->uneven, p->second, p->stops, p->slowed, t.rows[row].name, (unsigned long long)t.rows[row].items, got, want);
	}
	span_count_release(&c);
	span_table_release(&t);
}

#define PLANS (4 * 3 * 3 * 3 * 3 * 16)

/* Whether so many of all were met. In a share of one of eight there may be none of what is rare. */
static bool enough(int met, int of_all)
{
	return met > of_all / tap_share() || tap_share() > 4;
}

/* Long runs, whose sums are made while they run: their ends may be in another batch than the middle. */
static void try_batches(void)
{
	static const int64_t lengths[] = { 290000000, 700000000, 1530000000 }, pauses[] = { 0, 4000000 };
	static const double seconds[] = { 40, 850, 90000 };
	int before = told;

	for (int i = 0; i < 3 * 2 * 3 * 4 * 3; i++) {
		int work = i / 18 % 4, batch = i / 72;
		struct plan p = { .length_ns = 8 * NS_PER_S, .run_ns = lengths[i % 3], .pause_ns = pauses[i / 3 % 2],
			.second = seconds[i / 6 % 3], .period_ns = 333000, .sizes = 1, .names_contexts = true, .sees_engines = true,
			.tails = work == 1, .bursts = work == 2, .heads = work == 3,
			.batch_ns = batch * 97000000, .cuts = batch == 2, .stops = i % 5 };

		if (in_share())
			try(&p);
	}
	ok(enough(told - before, 40), "long runs are counted: %d", told - before);
}

int main(void)
{
	static unsigned order[PLANS];
	static const int64_t lengths[] = { 400000, 3000000, 20000000, 120000000 }, pauses[] = { 0, 300000, 4000000 };
	static const int64_t periods[] = { 80000, 333000, 1000000 }, apart[] = { 0, 100000, -15000 };
	static const int sizes[] = { 1, 2, 12 };
	int tried = 0;

	/* In an order in which a share has some of everything. */
	for (uint32_t at = 0, random = 1; at < PLANS; at++) {
		random = random * 1664525 + 1013904223;
		unsigned other = (unsigned)((uint64_t)random * (at + 1) >> 32);
		order[at] = order[other];
		order[other] = at;
	}
	for (unsigned at = 0; at < PLANS; at++) {
		unsigned i = order[at], k = i / 16;

		/* Each takes an emulator tens of milliseconds. */
		if (!in_share() || (tap_share() > 16 && tried++ % 3))
			continue;
		/* A share takes each Nth one: what is left is drawn by another number. */
		unsigned other = (at * 2654435761u) >> 7;
		struct plan p = { .tails = i & 1, .overlap = i & 2, .preempted = i & 4, .unseen = i & 8 };

		p.length_ns = 500 * NS_PER_MS;
		p.run_ns = lengths[k % 4];
		p.pause_ns = pauses[k / 4 % 3];
		p.period_ns = periods[k / 12 % 3];
		p.apart_ns = apart[k / 36 % 3];
		p.sizes = sizes[k / 108 % 3];
		p.hides_sizes = other % 5 == 2;
		p.crowds = other % 17 < 5;
		p.bursts = other % 19 < 3;
		p.heads = other % 19 >= 3 && other % 19 < 6;
		p.uneven = other % 23 < 6;
		p.second = other % 29 < 18 ? 40 : other % 29 < 24 ? 850 : 90000;
		p.one_clock = other % 11 < 3;
		p.slowed = other % 37 < 12;
		p.stops = other % 31 < 9 ? (int)(other % 31) + 1 : 0;
		p.names_contexts = other % 3 > 0;
		p.sees_clients = other % 12 > 0;
		p.copies = other % 7 < 2;
		p.sees_engines = other % 13 > 0;
		try(&p);
	}
	try_batches();
	is_int(wrong, 0, "whatever the schedule, what is counted of a kernel is its own, within 2 percent");
	ok(enough(told, 100), "kernels are counted: %d, and not told %d", told, not_told);
	ok(enough(of_sizes, 10), "  ... also where they run in several sizes: %d", of_sizes);
	ok(enough(of_tails, 10), "  ... and where they have tails: %d", of_tails);
	ok(enough(of_clients, 10), "  ... and where clients say that nobody else is there: %d", of_clients);
	ok(enough(of_copies, 10), "  ... and between copies: %d", of_copies);
	ok(enough(brief, 5), "  ... and runs that are brief, where one clock stamps both: %d", brief);
	is_int(blind, 0, "  ... and none where it is not known who worked");
	ok(not_told > told || tap_share() > 4, "  ... and where it cannot be known, they are not");
	return done_testing();
}
