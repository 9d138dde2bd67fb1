/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text for Prometheus: states without windows, labels with odd bytes, and users of a device in a
 * bounded number of series. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "out/export/openmetrics.h"
#include "tests/tap.h"

#define GROUPS 40
#define SHOWN 32

static int count(const char *text, const char *part)
{
	int n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

/* The sum of all values of lines that begin so. */
static double sum(const char *text, const char *line)
{
	double all = 0;

	for (; text && *text; text = strchr(text, '\n') + 1)
		if (!strncmp(text, line, strlen(line)))
			all += strtod(strchr(text, '}') + 1, NULL);
	return all;
}

static char *write_text(const struct openmetrics_about *about, int n, enum exposition_form form,
	bool lists_processes)
{
	const struct openmetrics_self self = { .start_s = 1, .cpu_s = 2, .resident_bytes = NAN,
		.scrapes = 3, .lists_processes = lists_processes };
	struct strbuf out = { 0 };

	openmetrics_write(about, n, &self, form, &out);
	return strbuf_take(&out);
}

static void test_states(void)
{
	static struct device device = { .id = "card0", .name = "a \"card\"\\\n\xff", .pci_vendor = 0x10de };
	const struct openmetrics_about about[] = {
		{ .name = "card0", .device = &device, .state = DEVICE_STARTING, .how = "x", .age_s = NAN },
		{ .name = "card1", .device = &device, .state = DEVICE_REFUSED, .refusal = "no node",
			.how = "", .age_s = NAN },
	};
	char *text = write_text(about, 2, EXPOSITION_OPENMETRICS, true);

	ok(strstr(text, "rooftop_device_state{device=\"card0\",state=\"starting\"} 1\n"),
		"a device without a window is starting");
	ok(strstr(text, "rooftop_device_state{device=\"card1\",state=\"refused\"} 1\n"),
		"a device that cannot be used is refused");
	ok(strstr(text, "rooftop_device_refused_info{device=\"card1\",why=\"no node\"} 1\n"),
		"  ... with the reason");
	is_int(count(text, "rooftop_device_up{"), 2, "both say whether they give values");
	is_int(count(text, "} 1\n") - count(text, "_info{"), 2, "each is in one state, and none is up");
	is_int(count(text, "rooftop_windows_total{"), 1, "only what is open counts windows");
	ok(strstr(text, "name=\"a \\\"card\\\"\\\\\\n\xef\xbf\xbd\""), "a name is escaped");
	ok(strstr(text, "vendor=\"10de\",model=\"\""), "ids are as lspci has them, or empty");
	ok(!strstr(text, "rooftop_exporter_resident_memory_bytes"), "what is not known is left out");
	ok(!strcmp(text + strlen(text) - 6, "# EOF\n"), "OpenMetrics has an end");
	free(text);
	text = write_text(about, 2, EXPOSITION_TEXT, false);
	ok(!strstr(text, "# EOF") && !strstr(text, "# UNIT") && !strstr(text, " info\n"),
		"the older form has no end, no units and no info");
	ok(strstr(text, "# TYPE rooftop_scrapes_total counter\n"), "  ... and calls counters by their samples");
	free(text);
}

/* Processes of GROUPS names, each with two processes of two clients: 1 % and 1 MB for each client. */
static void fill_clients(struct client_table *t)
{
	*t = (struct client_table){ .engines = { "render", "copy" }, .n_engines = 2, .hidden = 7 };
	t->rows = xcalloc(4 * GROUPS, sizeof(*t->rows));
	t->n_rows = t->cap_rows = 4 * GROUPS;
	for (int i = 0; i < 4 * GROUPS; i++) {
		struct client_row *r = &t->rows[i];

		*r = (struct client_row){ .pid = 100 + i / 2, .client_id = (uint64_t)i + 1,
			.n_clients = 1, .total_bytes = 1000000, .resident_bytes = UINT64_MAX,
			.cpu_pct = 50 };
		snprintf(r->name, sizeof(r->name), "p%d", i / 4);
		snprintf(r->user, sizeof(r->user), "nobody");
		for (int k = 0; k < CLIENT_MAX_ENGINES; k++)
			r->busy_pct[k] = NAN;
		r->busy_pct[0] = 1;
	}
}

static void test_users(void)
{
	static struct device device = { .id = "card0" };
	struct metric_set set = { .name = (char *)"none" };
	struct client_table clients;
	struct snapshot s = { .seq = 1, .device = &device, .set = &set, .clients = &clients };
	const struct openmetrics_about about = { .name = "card0", .device = &device,
		.state = DEVICE_OK, .set = &set, .how = "x", .snap = &s, .age_s = 0 };

	fill_clients(&clients);
	s.verdict.headroom = NAN;
	char *text = write_text(&about, 1, EXPOSITION_TEXT, true);
	is_int(count(text, "rooftop_process_busy_ratio{"), SHOWN + 1,
		"32 groups have a sample, and the others one together; an engine that is not told has none");
	is_int(count(text, "rooftop_process_busy_ratio{device=\"card0\",others=\"true\",engine=\"render\"}"),
		1, "  ... which says so");
	is_near(sum(text, "rooftop_process_busy_ratio{"), 0.04 * GROUPS, 1e-6, "nothing of their time is lost");
	is_near(sum(text, "rooftop_process_memory_bytes{"), 4e6 * GROUPS, 1, "nor of their memory");
	is_near(sum(text, "rooftop_processes{"), 2 * GROUPS, 0, "nor a process");
	is_near(sum(text, "rooftop_process_cpu_ratio{"), GROUPS, 1e-6,
		"CPU time is counted once for a process with two clients");
	is_near(sum(text, "rooftop_processes_hidden{"), 7, 0, "hidden ones are counted");
	free(text);
	clients.why = WHY_PERMISSION;
	text = write_text(&about, 1, EXPOSITION_TEXT, true);
	is_int(count(text, "rooftop_process_busy_ratio{"), 0, "without permission there are none");
	ok(strstr(text, "metric=\"processes\",why=\"permission\"} 1\n"), "  ... but the reason");
	free(text);
	free(clients.rows);
}

int main(void)
{
	test_states();
	test_users();
	return done_testing();
}
