/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the processor's events, and sets of events that the user chose. */
#include "config.h"

#include "backends/cpu/cpu_task.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "backends/common/counter_family.h"
#include "backends/cpu/sources.h"
#include "base/mem.h"
#include "base/near.h"

#define DEVICES "/sys/bus/event_source/devices"
#define NAME_SIZE 64
#define LONGEST 100	/* letters of an event as it is typed */
#define MAX_CHOSEN 12

/* An event that the kernel's folders do not name. A platform may be the beginning of several. */
struct known_event {
	const char *name, *platform, *terms;
};

/* Events of the kernel itself, such as switches of tasks, are not here: in user mode they do not
 * happen, and a program's count would be a false 0.
 * Linux tools/perf/pmu-events/arch/x86: amdzen1 to amdzen5 floating-point.json, core.json; skylake
 * and later floating-point.json. include/uapi/linux/perf_event.h: enum perf_sw_ids. */
static const struct known_event known[] = {
	{ "cycles", "cpu", "cpu-cycles" },
	{ "fp_ret_sse_avx_ops.all", "cpu-zen1", "event=0x03,umask=0xff" },
	{ "fp_ret_sse_avx_ops.all", "cpu-zen2", "event=0x03,umask=0x0f" },
	{ "fp_ret_sse_avx_ops.all", "cpu-zen4", "event=0x03,umask=0x1f" },
	{ "fp_ret_sse_avx_ops.all", "cpu-zen5", "event=0x03,umask=0x0f" },
	{ "fp_ret_sse_avx_ops.sp_add_sub_flops", "cpu-zen1", "event=0x03,umask=0x01" },
	{ "fp_ret_sse_avx_ops.sp_mult_flops", "cpu-zen1", "event=0x03,umask=0x02" },
	{ "fp_ret_sse_avx_ops.sp_div_flops", "cpu-zen1", "event=0x03,umask=0x04" },
	{ "fp_ret_sse_avx_ops.sp_mult_add_flops", "cpu-zen1", "event=0x03,umask=0x08" },
	{ "fp_ret_sse_avx_ops.dp_add_sub_flops", "cpu-zen1", "event=0x03,umask=0x10" },
	{ "fp_ret_sse_avx_ops.dp_mult_flops", "cpu-zen1", "event=0x03,umask=0x20" },
	{ "fp_ret_sse_avx_ops.dp_div_flops", "cpu-zen1", "event=0x03,umask=0x40" },
	{ "fp_ret_sse_avx_ops.dp_mult_add_flops", "cpu-zen1", "event=0x03,umask=0x80" },
	{ "fp_ret_sse_avx_ops.add_sub_flops", "cpu-zen2", "event=0x03,umask=0x01" },
	{ "fp_ret_sse_avx_ops.mult_flops", "cpu-zen2", "event=0x03,umask=0x02" },
	{ "fp_ret_sse_avx_ops.div_flops", "cpu-zen2", "event=0x03,umask=0x04" },
	{ "fp_ret_sse_avx_ops.mac_flops", "cpu-zen2", "event=0x03,umask=0x08" },
	{ "ex_ret_instr", "cpu-zen", "event=0xc0" },
	{ "ls_not_halted_cyc", "cpu-zen", "event=0x76" },
	{ "fp_arith_inst_retired.scalar_double", "cpu-arith", "event=0xc7,umask=0x01" },
	{ "fp_arith_inst_retired.scalar_single", "cpu-arith", "event=0xc7,umask=0x02" },
	{ "fp_arith_inst_retired.128b_packed_double", "cpu-arith", "event=0xc7,umask=0x04" },
	{ "fp_arith_inst_retired.128b_packed_single", "cpu-arith", "event=0xc7,umask=0x08" },
	{ "fp_arith_inst_retired.256b_packed_double", "cpu-arith", "event=0xc7,umask=0x10" },
	{ "fp_arith_inst_retired.256b_packed_single", "cpu-arith", "event=0xc7,umask=0x20" },
	{ "fp_arith_inst_retired.512b_packed_double", "cpu-arith512", "event=0xc7,umask=0x40" },
	{ "fp_arith_inst_retired.512b_packed_single", "cpu-arith512", "event=0xc7,umask=0x80" },
	{ "inst_retired.any_p", "cpu-arith", "event=0xc0" },
	{ "cpu_clk_unhalted.thread_p", "cpu-arith", "event=0x3c" },
	{ "page-faults", "cpu", "software/config=2/" },
};

static bool is_on(const struct known_event *k, const struct device *d)
{
	return !strncmp(d->platform, k->platform, strlen(k->platform));
}

/* --- all names --- */

/* Calls fn for each name until it returns false. Names of the kernel come first. */
static void each_name(const struct fsroot *fs, const struct device *d,
	bool (*fn)(void *ctx, const char *name, const char *from), void *ctx)
{
	struct perf_pmu pmu;
	char path[512];
	const struct dirent *e;
	bool goes_on = true;
	DIR *dir = NULL;

	if (cpu_core_pmu(fs, &pmu, NULL) &&
		fsroot_path(fs, path, sizeof(path), DEVICES "/%s/events", pmu.name))
		dir = opendir(path);
	while (dir && goes_on && (e = readdir(dir)))
		if (e->d_name[0] != '.' && !strstr(e->d_name, ".scale") &&
			!strstr(e->d_name, ".unit"))
			goes_on = fn(ctx, e->d_name, pmu.name);
	if (dir)
		closedir(dir);
	for (size_t i = 0; i < ARRAY_LEN(known) && goes_on; i++)
		if (is_on(&known[i], d))
			goes_on = fn(ctx, known[i].name, known[i].terms);
}

static bool list_name(void *ctx, const char *name, const char *from)
{
	strbuf_addf(ctx, "  %-40s  %s\n", name, from);
	return true;
}

static bool serves(const struct device *d)
{
	return !strcmp(d->driver, "cpu");
}

static bool list_events(const struct fsroot *fs, const struct device *d, struct strbuf *out)
{
	if (!d)
		return false;
	strbuf_addf(out, "Events of %s by name, and where they come from:\n", d->name);
	each_name(fs, d, list_name, out);
	strbuf_addf(out, "%s",
		"\nAlso PMU/EVENT/ of a folder of /sys/bus/event_source/devices, and terms such as "
		"event=0xc0,umask=0x1\n");
	return true;
}

static bool try_similar(void *ctx, const char *name, const char *from)
{
	(void)from;
	near_try(ctx, name, name);
	return true;
}

static bool unknown(
	const struct fsroot *fs, const struct device *d, const char *name, struct err *err)
{
	struct near near;

	near_begin(&near, name);
	each_name(fs, d, try_similar, &near);
	err_set(err, ERR_USAGE, "no event '%.60s' is known of %s", name, d->name);
	return near_hint(&near, "'rooftop -D cpu0 --counter help' lists them", err);
}

/* --- from a name to terms --- */

/* Appends what the file of an event in a PMU's folder says. */
static bool add_file(const struct fsroot *fs, const char *pmu, const char *name, struct strbuf *out)
{
	char path[256], text[256];

	if (strchr(name, '/') || *name == '.')
		return false;
	snprintf(path, sizeof(path), DEVICES "/%s/events/%s", pmu, name);
	if (!fsroot_read_line(fs, path, text, sizeof(text), NULL))
		return false;
	strbuf_add(out, text);
	return true;
}

/* What the user typed is wrong, and not what the machine has. Returns false. */
static bool is_misuse(struct err *err)
{
	if (err)
		err->code = ERR_USAGE;
	return false;
}

/* "PMU/NAME/", "PMU/TERMS/", as perf spells them, with or without the modifier for user mode. */
static bool add_of_pmu(const struct fsroot *fs, const struct device *d, const char *name,
	struct strbuf *out, struct err *err)
{
	size_t len = strcspn(name, "/");
	char pmu[NAME_SIZE], event[128];
	const char *inner = name + len + 1, *end = strchr(inner, '/');
	struct perf_pmu found;

	if (!end || len >= sizeof(pmu) || (end[1] && strcmp(end + 1, "u")) ||
		(size_t)(end - inner) >= sizeof(event) || end == inner)
		return err_set(err, ERR_USAGE, "'%.60s' is not of the form PMU/EVENT/", name);
	snprintf(pmu, sizeof(pmu), "%.*s", (int)len, name);
	snprintf(event, sizeof(event), "%.*s", (int)(end - inner), inner);
	if (!strcmp(pmu, "cpu") || !strcmp(pmu, "cpu_core"))
		return cpu_event_terms(fs, d, event, out, err);
	if (strchr(pmu, '.') || !perf_pmu_find(fs, pmu, &found, err))
		return is_misuse(err);
	if (found.n_cpus)
		return err_set(err, ERR_USAGE,
			"PMU '%s' counts for some CPUs in the name of all, and not what a "
			"program does",
			pmu);
	strbuf_addf(out, "%s/", pmu);
	if (strchr(event, '='))
		strbuf_add(out, event);
	else if (!add_file(fs, pmu, event, out))
		return err_set(
			err, ERR_USAGE, "the kernel's PMU '%s' has no event '%s'", pmu, event);
	strbuf_add(out, "/");
	return true;
}

bool cpu_event_terms(const struct fsroot *fs, const struct device *d, const char *name,
	struct strbuf *out, struct err *err)
{
	struct perf_event event;
	struct perf_pmu pmu;

	if (strpbrk(name, " \t\"#") || !*name || strlen(name) > LONGEST)
		return err_set(err, ERR_USAGE, "'%.60s' is no name of an event", name);
	if (strchr(name, '/'))
		return add_of_pmu(fs, d, name, out, err);
	bool has_pmu = cpu_core_pmu(fs, &pmu, NULL);
	if (strchr(name, '=')) {
		strbuf_add(out, name);
		return !has_pmu || perf_pmu_terms(fs, &pmu, name, &event, err) || is_misuse(err);
	}
	if (has_pmu && add_file(fs, pmu.name, name, out))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		const struct known_event *k = &known[i];

		if (!is_on(k, d) || strcmp(k->name, name) != 0)
			continue;
		if (strpbrk(k->terms, "=/"))
			strbuf_add(out, k->terms);
		else if (!has_pmu || !add_file(fs, pmu.name, k->terms, out))
			continue;
		return true;
	}
	return unknown(fs, d, name, err);
}

bool cpu_event_find(const struct fsroot *fs, const struct perf_pmu *core, const char *terms,
	struct perf_event *out, struct err *err)
{
	size_t len = strcspn(terms, "/");
	struct perf_pmu pmu;
	char name[NAME_SIZE], inner[128];

	if (terms[len] && len < sizeof(name)) {
		snprintf(name, sizeof(name), "%.*s", (int)len, terms);
		snprintf(inner, sizeof(inner), "%.*s", (int)strcspn(terms + len + 1, "/"),
			terms + len + 1);
		return perf_pmu_find(fs, name, &pmu, err) && perf_pmu_needs_cpus(&pmu, err) &&
			perf_pmu_terms(fs, &pmu, inner, out, err);
	}
	if (!core && !cpu_core_pmu(fs, &pmu, err))
		return false;
	/* Without "=" it is a name of the kernel's folder, which has it where the event exists. */
	if (!strchr(terms, '='))
		return perf_pmu_event(fs, core ? core : &pmu, terms, out, err);
	return perf_pmu_terms(fs, core ? core : &pmu, terms, out, err);
}

/* --- a set of them --- */

/* Makes a name that equations can read: "fp_ret_sse_avx_ops.all" becomes fp_ret_sse_avx_ops_all. */
static void make_identifier(const char *name, char *buf, size_t size)
{
	size_t n = 0;

	for (; *name && n + 1 < size; name++)
		if (isalnum((unsigned char)*name) || (n && buf[n - 1] != '_'))
			buf[n++] = isalnum((unsigned char)*name)
				? (char)tolower((unsigned char)*name)
				: '_';
	while (n > 1 && buf[n - 1] == '_')
		n--;
	buf[n] = '\0';
}

/* A rate for each event. False when one is unknown, given twice, or one too many. */
static bool custom_set(struct strbuf *out, const struct chosen_events *e, struct err *err)
{
	const char *const *names = e->names;
	char id[MAX_CHOSEN][NAME_SIZE];
	int n = e->n;

	if (n > MAX_CHOSEN)
		return err_set(err, ERR_USAGE, "%d events are chosen, there is room for %d", n,
			MAX_CHOSEN);
	for (int i = 0; i < n; i++) {
		make_identifier(names[i], id[i], sizeof(id[i]));
		for (int k = 0; k < i; k++)
			if (!strcmp(id[i], id[k]))
				return err_set(err, ERR_USAGE,
					"the event '%.60s' is chosen twice", names[i]);
	}
	strbuf_add(out, "include beside.metrics\ninclude cpu-counters.metrics\n");
	for (int i = 0; i < n; i++)
		strbuf_addf(
			out, "counter " CPU_CHOSEN "%s events \"the event %s\"\n", id[i], names[i]);
	strbuf_addf(out,
		"set " CHOSEN_SET " \"Chosen events\"\n\tplatforms %s\n"
		"\ttext \"The events that --counter names.\"\n",
		e->device->platform);
	for (int i = 0; i < n; i++) {
		strbuf_addf(out, "\tprogram " CPU_CHOSEN "%s ", id[i]);
		if (!cpu_event_terms(e->fs, e->device, names[i], out, err))
			return false;
		strbuf_add(out, "\n");
	}
	strbuf_add(out,
		"group chosen \"Chosen events\" \"a second\"\n"
		"group utilization \"Utilization\" \"% of time\"\n"
		"group power \"Power\" \"\"\n");
	for (int i = 0; i < n; i++)
		strbuf_addf(out,
			"metric event_%s\n\tlabel \"%.16s\"\n\tunit Mevent/s\n\tgroup chosen\n"
			"\tvalue rate(" CPU_CHOSEN "%s)\n\tneeds \"perf events of the processor\"\n"
			"\torigin \"perf event %s\"\n\ttext \"The event %s, on all CPUs.\"\n",
			id[i], names[i], id[i], names[i], names[i]);
	strbuf_add(out, "include cpu-time.metrics\ninclude power.metrics\n");
	return true;
}

const struct counter_family processor_counters = {
	.serves = serves, .list_events = list_events, .custom_set = custom_set
};
