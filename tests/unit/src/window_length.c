/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens to an open device between windows: whoever changes their length, every source that wants to hear of
 * it does, and what a source learns of its device leaves the past alone. */
#include "config.h"

#include <string.h>

#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/refresh.h"
#include "base/mem.h"
#include "tests/tap.h"

static int64_t heard_ns[DEVICE_MAX_SOURCES];
static const struct open_device *listening;

static void hear(struct source *s, int64_t window_ns)
{
	for (int i = 0; i < listening->n_sources; i++)
		if (listening->sources[i] == s)
			heard_ns[i] = window_ns;
}

/* Each source in turn has learned something: the rows of the histories go on, and their values stay. */
static void test_past(struct session *ses, const char *name)
{
	const struct history *h = &ses->now->history;

	while (h->count < 2)
		refresh_virtual_step(ses);
	for (int i = 0; i < ses->dev->n_sources; i++) {
		uint64_t count = h->count, of_cells = ses->now->cell_history[0].count;
		float newest = history_get(h, 0, 0), now;

		ses->dev->sources[i]->rebind = true;
		while (h->count == count)
			refresh_virtual_step(ses);
		now = history_get(h, 0, 1);
		ok(!ses->dev->sources[i]->rebind && h->count == count + 1 && !memcmp(&now, &newest, sizeof(now)) &&
				ses->now->cell_history[0].count == of_cells + (of_cells > 0),
			"%s: source %d has learned something, and the past stays", name, i);
	}
}

/* Counters that no timer of their source's reads are read each second, however long a window is. */
static void test_longest(struct session *ses, const char *name)
{
	static const int64_t lengths_ns[] = { NS_PER_S + 1, 7 * NS_PER_S, 100 * NS_PER_S, 3600 * NS_PER_S };
	bool often = true;

	for (size_t i = 0; i < sizeof(lengths_ns) / sizeof(*lengths_ns); i++) {
		refresh_set_length(ses, lengths_ns[i]);
		often &= refresh_period_ns(ses) <= NS_PER_S;
	}
	ok(often, "%s: its sources are read each second in windows of up to an hour", name);
}

/* Opens a device, gives each of its sources an ear, and changes the length. */
static void test_device(const char *name)
{
	struct device_options want = { .name = name, .speed_max = true };
	const struct options o = { .delay_ns = NS_PER_S, .devices = &want, .n_devices = 1 };
	const struct source_ops *before[DEVICE_MAX_SOURCES];
	struct source_ops listens[DEVICE_MAX_SOURCES];
	struct program p;
	struct err err = { 0 };
	int index, heard = 0;

	program_init(&p, &o, false);
	p.print_problems = false;
	struct session *ses = p.sessions[0];
	session_virtual_clock(ses, NS_PER_S);
	bool good = devices_probe(&p, &err) && devices_choose(ses, false, &index, &err) &&
		devices_open(ses, index, NULL, &err);
	ok(good, "%s is open", name);
	if (!good) {
		program_release(&p);
		return;
	}
	listening = ses->dev;
	for (int i = 0; i < ses->dev->n_sources; i++) {
		before[i] = ses->dev->sources[i]->ops;
		listens[i] = *before[i];
		listens[i].retime = hear;
		ses->dev->sources[i]->ops = &listens[i];
		heard_ns[i] = 0;
	}
	unsigned changes = ses->window.changes;
	refresh_set_length(ses, 200 * NS_PER_MS);
	for (int i = 0; i < ses->dev->n_sources; i++) {
		heard += heard_ns[i] == 200 * NS_PER_MS;
		ses->dev->sources[i]->ops = before[i];
	}
	ok(heard == ses->dev->n_sources && heard > 0,
		"%s: all %d sources hear of a shorter window, %d did", name, ses->dev->n_sources,
		heard);
	ok(ses->window.changes != changes, "%s: timers are set again", name);
	while (!ses->window.primed)
		refresh_virtual_step(ses);
	ok(refresh_period_ns(ses) == 200 * NS_PER_MS, "%s: the next window has the new length",
		name);
	test_past(ses, name);
	test_longest(ses, name);
	program_release(&p);
}

/* Commands are kept for the pairs of reports to come, and let go of where none will. */
static void test_kept(void)
{
	struct session *ses = xcalloc(1, sizeof(*ses));

	kernel_watch_begin(ses, 1);
	is_int((long)ses->kernels.table.keep_from_ns, 0, "without counters a run keeps no command that is settled");
	kernel_watch_end(ses, 2);
	kernel_watch_go_on(ses, 3);
	is_int((long)ses->kernels.table.keep_from_ns, 0, "  ... and neither does the next one");
	kernel_watch_close(ses);
	free(ses);
}

int main(void)
{
	static const char *const devices[] = { "sim:hd620", "sim:hsw", "sim:dg2", "sim:lnl", "sim:g72", "sim:g710", "sim:h100",
		"sim:rtx4090", "sim:rx7900", "sim:strix" };

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		test_device(devices[i]);
	test_kept();
	return done_testing();
}
