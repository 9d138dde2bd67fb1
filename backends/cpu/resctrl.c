/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resctrl counts the bytes that pass between each last cache and memory (Linux
 * Documentation/filesystems/resctrl.rst). A group that controls (the root, and each folder in it)
 * has the sum of its own tasks and of its monitoring groups, so the sum of those groups is
 * everybody's, and monitoring groups are not read. What devices move by themselves is not in it. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/sources.h"
#include "backends/common/stand_ins.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "core/value/accum.h"

#define ROOT "/sys/fs/resctrl"
#define TOTAL "mbm_total_bytes"
#define LOCAL "mbm_local_bytes"	/* of the nearest memory only; some processors count no more */
#define DOMAIN "mon_L3_"	/* what the folder of a last cache begins with */
#define MOST_DOMAINS 4096
#define MOST_BYTES_PER_S 1e14	/* more than any machine moves */

/* The count of a group at one last cache. The kernel widens the hardware's counter, so it only goes
 * back when it begins anew. */
struct domain {
	char where[NAME_MAX + 40];	/* "GROUP/mon_data/mon_L3_00" */
	uint64_t begin_bytes, now_bytes;
	bool had, has;			/* at the beginning of the window; now */
};

struct resctrl_source {
	struct source source;
	struct fsroot fs;
	struct open_device *dev;
	const char *file, *begun;	/* of the event that is read, and that the window began with */
	const char *group;		/* whose folder is looked at: "", "GROUP/" */
	struct domain *domains;
	size_t n, cap, next;
	int64_t window_ns;
	enum why why;			/* of the last reading */
	struct err refusal;
	enum why whys[TRAFFIC_OUTS];
	bool collected;
};

bool resctrl_is_offered(const struct fsroot *fs)
{
	return fsroot_exists(fs, ROOT);
}

/* --- reading --- */

static void refuse(struct resctrl_source *s, enum why why)
{
	if (s->why == WHY_OK)
		s->why = why;
}

/* Folders are listed in the same order each time, so the place behind the last one is mostly right. */
static struct domain *domain_at(struct resctrl_source *s, const char *where)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t k = (s->next + i) % s->n;

		if (strcmp(s->domains[k].where, where) != 0)
			continue;
		s->next = k + 1;
		return &s->domains[k];
	}
	if (s->n == MOST_DOMAINS)
		return NULL;
	s->domains = array_grow(s->domains, s->n, &s->cap, sizeof(*s->domains));
	struct domain *d = &s->domains[s->n++];
	*d = (struct domain){ .had = false };
	snprintf(d->where, sizeof(d->where), "%s", where);
	return d;
}

/* Words that stand in the place of a number (fs/resctrl/ctrlmondata.c, rdtgroup_mondata_show). */
static void read_word(struct resctrl_source *s, const char *path, const char *word)
{
	struct err *e = &s->refusal;
	bool is_unassigned = !strcmp(word, "Unassigned");

	if (!is_unassigned && strcmp(word, "Unavailable") != 0) {
		refuse(s, WHY_UNSUPPORTED);
		err_set(e, ERR_UNSUPPORTED, "'%s' says '%.40s' and no number of bytes", path, word);
		return;
	}
	refuse(s, WHY_NO_COUNTER);
	err_set(e, ERR_BUSY, "'%s' says '%s': no hardware counter counts it", path, word);
	if (is_unassigned)
		err_hint(e, "give the group one in its file mbm_L3_assignments (resctrl.rst of the "
			      "kernel's documentation)");
}

/* A folder that goes while it is read, because its group was removed or its last CPU went offline,
 * is no error. */
static bool read_domain(void *ctx, const char *name)
{
	struct resctrl_source *s = ctx;
	char where[NAME_MAX + 40], path[NAME_MAX + 80], line[64];
	struct err err = { 0 };
	uint64_t bytes;

	if (strncmp(name, DOMAIN, strlen(DOMAIN)) != 0)
		return true;
	if (snprintf(where, sizeof(where), "%smon_data/%.24s", s->group, name) >= (int)sizeof(where))
		return true;
	snprintf(path, sizeof(path), ROOT "/%s/%s", where, s->file);
	if (!fsroot_read_line(&s->fs, path, line, sizeof(line), &err)) {
		if (err.sys == ENOENT || err.sys == ENODEV)
			return true;
		s->refusal = err;
		refuse(s, refused_why(err.code));
	} else if (!parse_u64(line, &bytes)) {
		read_word(s, path, line);
	} else {
		struct domain *d = domain_at(s, where);

		if (d) {
			d->has = true;
			d->now_bytes = bytes;
		}
	}
	return true;
}

static bool read_group(void *ctx, const char *name)
{
	struct resctrl_source *s = ctx;
	char group[NAME_MAX + 2], path[NAME_MAX + 40];

	if (!strcmp(name, "info") || !strcmp(name, "mon_groups") || !strcmp(name, "mon_data"))
		return true;
	snprintf(group, sizeof(group), "%s%s", name, *name ? "/" : "");
	snprintf(path, sizeof(path), ROOT "/%smon_data", group);
	s->group = group;
	if (fsroot_exists(&s->fs, path))
		fsroot_each(&s->fs, path, read_domain, s, NULL);
	s->group = "";
	return true;
}

static bool read_event(struct resctrl_source *s, const char *file)
{
	bool any = false;

	s->file = file;
	s->why = WHY_OK;
	s->next = 0;
	for (size_t i = 0; i < s->n; i++)
		s->domains[i].has = false;
	err_clear(&s->refusal);
	read_group(s, "");
	fsroot_each(&s->fs, ROOT, read_group, s, NULL);
	for (size_t i = 0; i < s->n; i++)
		any |= s->domains[i].has;
	return any || s->why != WHY_OK;
}

/* Reads all groups. False: s->why and s->refusal say what is missing of the sum. */
static bool read_all(struct resctrl_source *s)
{
	if (!fsroot_exists(&s->fs, ROOT "/info")) {
		s->why = WHY_UNSUPPORTED;
		err_set(&s->refusal, ERR_UNSUPPORTED, "resctrl is not mounted on '%s'", ROOT);
		err_hint(&s->refusal, "sudo mount -t resctrl resctrl %s", ROOT);
	} else if (!read_event(s, TOTAL) && !read_event(s, LOCAL)) {
		s->why = WHY_UNSUPPORTED;
		err_set(&s->refusal, ERR_UNSUPPORTED,
			"'%s' counts no bytes: the processor or the kernel's start options leave "
			"it out",
			ROOT);
	}
	return s->why == WHY_OK;
}

/* What is there now begins a window. */
static void begin_window(struct resctrl_source *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!s->domains[i].has)
			continue;
		s->domains[n] = s->domains[i];
		s->domains[n].had = true;
		s->domains[n].begin_bytes = s->domains[n].now_bytes;
		n++;
	}
	s->n = n;
	s->begun = s->file;
}

/* --- windows --- */

static bool resctrl_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct resctrl_source *s = (struct resctrl_source *)src;

	(void)now_ns;
	if (read_all(s))
		return true;
	if (err)
		*err = s->refusal;
	return false;
}

/* Sums what counted from the beginning of the window to its end; others came or went in it. False:
 * a count went back, or leapt. */
static bool sum(const struct resctrl_source *s, int64_t window_ns, uint64_t *bytes, bool *whole)
{
	uint64_t delta, most = (uint64_t)((double)window_ns / NS_PER_S * MOST_BYTES_PER_S);

	*bytes = 0;
	*whole = true;
	for (size_t i = 0; i < s->n; i++) {
		const struct domain *d = &s->domains[i];

		bool both = d->had && d->has && !strcmp(s->begun, s->file);

		*whole &= both;
		if (!both)
			continue;
		if (!accum_forward(d->begin_bytes, d->now_bytes, most, &delta))
			return false;
		*bytes += delta;
	}
	return true;
}

static void resctrl_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct resctrl_source *s = (struct resctrl_source *)src;
	bool whole = false;
	uint64_t bytes = 0;

	source_window(out, &s->window_ns, now_ns);
	if (out->why == WHY_OK)
		out->why = s->why;
	if (out->why == WHY_OK && !sum(s, out->window_ns, &bytes, &whole)) {
		out->why = WHY_GAP;
		out->lost = 1;
	}
	if (!whole || !s->collected)
		out->quality |= SAMPLE_PARTIAL;
	s->collected = true;
	out->values[TRAFFIC_TOTAL] = out->values[TRAFFIC_CPU] = bytes;
	out->whys = s->whys;
	begin_window(s);
}

static void put_check(struct resctrl_source *s)
{
	const char *name = "L3 monitoring (resctrl)";
	const char *gives = "DRAM traffic of the cores, without that of devices";
	const struct err *refusal = NULL;

	if (s->why == WHY_OK && !strcmp(s->file, LOCAL))
		gives = "DRAM traffic of the cores with the nearest memory, without that of devices";
	if (s->why != WHY_OK)
		refusal = &s->refusal;
	struct device_check c = device_check_of("dram", name, gives, refusal);
	for (int i = 0; i < s->dev->n_checks; i++)
		if (!strcmp(s->dev->checks[i].source, name)) {
			s->dev->checks[i] = c;
			return;
		}
	open_device_check(s->dev, &c);
}

static bool resctrl_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct resctrl_source *s = (struct resctrl_source *)src;

	if (!read_all(s)) {
		if (err)
			*err = s->refusal;
		return false;
	}
	begin_window(s);
	s->window_ns = now_ns;
	s->collected = false;
	put_check(s);
	return true;
}

static void resctrl_close(struct source *src)
{
	struct resctrl_source *s = (struct resctrl_source *)src;

	free(s->domains);
}

static const struct source_ops resctrl_ops = {
	.size = sizeof(struct resctrl_source),
	.ready = resctrl_ready, .collect = resctrl_collect, .retry = resctrl_retry,
	.close = resctrl_close,
};

struct source *resctrl_open(
	const struct fsroot *fs, struct open_device *dev, int64_t now_ns, struct err *refusal)
{
	struct resctrl_source *s = source_new(&resctrl_ops);

	s->source.feed = (struct feed){ .name = "dram", .how = "resctrl",
		.counters = traffic_counters, .n_counters = TRAFFIC_OUTS, .estimated = true };
	s->fs = *fs;
	s->dev = dev;
	s->file = TOTAL;
	s->begun = TOTAL;
	s->window_ns = now_ns;
	for (int i = 0; i < TRAFFIC_OUTS; i++)
		if (i != TRAFFIC_TOTAL && i != TRAFFIC_CPU)
			s->whys[i] = WHY_UNSUPPORTED;
	if (read_all(s))
		begin_window(s);
	put_check(s);
	*refusal = s->refusal;
	return &s->source;
}
