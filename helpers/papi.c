/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads energy through PAPI in a process of its own: some components of PAPI print to standard
 * error, and one calls exit() when a CPU goes offline (PAPI 7.2, components/rapl/linux-rapl.c). */
#include "config.h"

#include <inttypes.h>
#include <papi.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backends/power/papi_proto.h"
#include "helpers/pace.h"

#define MAX_PACKAGES 16
#define MAX_EVENTS 80
#define PLANES 5

/* Events by component; the number of the package or of its CPU follows the name. powercap is not
 * here: PAPI's component takes its base only at the start, so it is wrong after the second wrap,
 * and gives absolute energy when nothing has changed (components/powercap). */
static const struct candidate {
	const char *component, *event;
	bool by_cpu;
	int plane;
	double uj_per_count;
	bool intel_only;	/* AMD's register of that name is one core's */
} candidates[] = {
	{ "rapl", "rapl:::PACKAGE_ENERGY:PACKAGE", false, 0, 1e-3, false },
	{ "rapl", "rapl:::PP0_ENERGY:PACKAGE", false, 1, 1e-3, true },
	{ "rapl", "rapl:::PP1_ENERGY:PACKAGE", false, 2, 1e-3, true },
	{ "rapl", "rapl:::DRAM_ENERGY:PACKAGE", false, 3, 1e-3, true },
	{ "rapl", "rapl:::PSYS_ENERGY:PACKAGE", false, 4, 1e-3, true },
	{ "perf_event_uncore", "rapl::RAPL_ENERGY_PKG:cpu=", true, 0, 0x1p-32 * 1e6, true },
	{ "perf_event_uncore", "rapl::RAPL_ENERGY_CORES:cpu=", true, 1, 0x1p-32 * 1e6, true },
	{ "perf_event_uncore", "rapl::RAPL_ENERGY_GPU:cpu=", true, 2, 0x1p-32 * 1e6, true },
	{ "perf_event_uncore", "rapl::RAPL_ENERGY_DRAM:cpu=", true, 3, 0x1p-32 * 1e6, true },
	{ "perf_event_uncore", "rapl::RAPL_ENERGY_PSYS:cpu=", true, 4, 0x1p-32 * 1e6, true },
	{ "perf_event_uncore", "amd64_rapl::RAPL_ENERGY_PKG:cpu=", true, 0, 0x1p-32 * 1e6, false },
};
static const char *const plane_names[PLANES] = { "package", "cores", "gpu", "dram", "psys" };

/* Each package has an event set, for a set belongs to one CPU. */
struct set {
	int id, n;
	const struct candidate *events[MAX_EVENTS];
};

struct helper {
	int cpus[MAX_PACKAGES], n_cpus;	/* one of each package */
	struct set sets[MAX_PACKAGES];
	int n_sets;
	bool has[PLANES];
};

__attribute__((format(printf, 1, 2), noreturn))
static void give_up(const char *fmt, ...)
{
	va_list ap;

	fputs("error ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	exit(1);
}

static void add_event(struct helper *h, const struct candidate *c, int component, int package)
{
	struct set *s = &h->sets[h->n_sets];
	int code, number = c->by_cpu ? h->cpus[package] : package;
	char name[96];

	snprintf(name, sizeof(name), "%s%d", c->event, number);
	if (PAPI_event_name_to_code(name, &code) != PAPI_OK)
		return;
	if (s->id == PAPI_NULL) {
		if (PAPI_create_eventset(&s->id) != PAPI_OK ||
			PAPI_assign_eventset_component(s->id, component) != PAPI_OK)
			return;
		/* The CPU comes last: setting the granularity would replace it by the one that we
		 * run on. */
		if (c->by_cpu) {
			PAPI_option_t domain = { .domain = {
							 .eventset = s->id, .domain = PAPI_DOM_ALL } };
			PAPI_option_t granularity = { .granularity = {
							      .eventset = s->id,
							      .granularity = PAPI_GRN_SYS } };
			PAPI_option_t place = { .cpu = {
							.eventset = s->id,
							.cpu_num = (unsigned)number } };

			PAPI_set_opt(PAPI_DOMAIN, &domain);
			PAPI_set_opt(PAPI_GRANUL, &granularity);
			PAPI_set_opt(PAPI_CPU_ATTACH, &place);
		}
	}
	if (s->n == MAX_EVENTS || PAPI_add_event(s->id, code) != PAPI_OK)
		return;
	s->events[s->n++] = c;
}

/* The planes that a set counts, a bit each. */
static unsigned planes_of(const struct set *s)
{
	unsigned planes = 0;

	for (int i = 0; i < s->n; i++)
		planes |= 1u << s->events[i]->plane;
	return planes;
}

/* Opens all planes of each package. Returns false when the component has none, and adds the reason
 * to why. */
static bool open_component(struct helper *h, const char *name, char *why, size_t size)
{
	const PAPI_hw_info_t *hw = PAPI_get_hardware_info();
	bool amd = hw && hw->vendor == PAPI_VENDOR_AMD;
	int component = PAPI_get_component_index(name);
	const PAPI_component_info_t *info = NULL;
	size_t len = strlen(why);
	unsigned all = 0, some = 0;

	if (component >= 0)
		info = PAPI_get_component_info(component);
	if (!info) {
		snprintf(why + len, size - len, "; %s: not built into this PAPI", name);
		return false;
	}
	if (info->disabled) {
		snprintf(why + len, size - len, "; %s: %.100s", name, info->disabled_reason);
		return false;
	}
	for (int p = 0; p < h->n_cpus; p++) {
		struct set *s = &h->sets[h->n_sets];

		*s = (struct set){ .id = PAPI_NULL };
		for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
			const struct candidate *c = &candidates[i];

			if (!strcmp(c->component, name) && !(c->intel_only && amd))
				add_event(h, c, component, p);
		}
		if (s->n && PAPI_start(s->id) == PAPI_OK)
			h->n_sets++;
		else
			s->n = 0;
		all = p ? all & planes_of(s) : planes_of(s);
		some |= planes_of(s);
	}
	if (!h->n_sets)
		snprintf(why + len, size - len, "; %s: no energy event for this processor", name);
	/* A sum without one of the packages would be a part that looks like the whole. */
	else if (all != some)
		give_up("PAPI counts the energy of some packages only (%s)", name);
	for (int i = 0; i < PLANES; i++)
		h->has[i] = all >> i & 1;
	return h->n_sets > 0;
}

static void open_planes(struct helper *h)
{
	static const char *const components[] = { "rapl", "perf_event_uncore" };
	char why[320] = "";

	/* As root libpfm would read some 2500 files of tracepoints (measured with PAPI 7.0: 16 ms
	 * instead of 2 ms). */
	if (geteuid() == 0)
		setenv("LIBPFM_DISABLED_PMUS", "perf", 0);
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		give_up("PAPI does not start (another version than rooftop was built with?)");
	for (size_t i = 0; i < sizeof(components) / sizeof(components[0]); i++) {
		if (open_component(h, components[i], why, sizeof(why)))
			return;
	}
	give_up("PAPI has no energy counter here%s", why);
}

static void print_reading(const struct helper *h)
{
	double uj[PLANES] = { 0 };
	struct timespec t;

	for (int i = 0; i < h->n_sets; i++) {
		const struct set *s = &h->sets[i];
		long long values[MAX_EVENTS];
		int result = PAPI_read(s->id, values);

		if (result != PAPI_OK)
			give_up("PAPI cannot read its counters: %s", PAPI_strerror(result));
		for (int k = 0; k < s->n; k++)
			uj[s->events[k]->plane] += (double)values[k] * s->events[k]->uj_per_count;
	}
	clock_gettime(CLOCK_MONOTONIC, &t);
	printf("at %" PRId64, (int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
	for (int p = 0; p < PLANES; p++) {
		if (h->has[p])
			printf(" %.0f", uj[p]);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	static struct helper h;

	if (argc != 3) {
		fprintf(stderr, "%s is started by rooftop --power papi\n", PAPI_PROGRAM);
		return 2;
	}
	const char *text = argv[2];
	int period_ms = atoi(argv[1]);
	if (period_ms <= 0)
		period_ms = 100;
	while (*text && h.n_cpus < MAX_PACKAGES) {
		char *end;
		long cpu = strtol(text, &end, 10);

		if (end == text)
			break;
		h.cpus[h.n_cpus++] = (int)cpu;
		text = end + (*end == ',');
	}
	open_planes(&h);
	fputs("planes", stdout);
	for (int p = 0; p < PLANES; p++) {
		if (h.has[p])
			printf(" %s", plane_names[p]);
	}
	putchar('\n');
	do {
		print_reading(&h);
		if (fflush(stdout) != 0)
			break;
	} while (poll(&input, 1, period_ms) == 0 || pace_read(&period_ms));
	return 0;
}
