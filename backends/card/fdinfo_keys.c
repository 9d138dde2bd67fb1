/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "drm-KEY:\tVALUE [UNIT]" lines. */
#include "config.h"

#include "backends/card/fdinfo_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* A line in its parts; they point into the text. */
struct line {
	const char *key, *value;
	size_t key_len, value_len;
};

/* What the keys of memory add up to, and which kinds were there. */
struct memory {
	uint64_t total, resident, used;
	bool has_total, has_resident, has_used;
};

static bool next_line(const char **text, struct line *l)
{
	const char *p = *text;
	size_t len = strcspn(p, "\n"), key = strcspn(p, ":\n");

	if (!*p)
		return false;
	*text = p + len + (p[len] == '\n');
	l->key = p;
	l->key_len = key;
	l->value = p + key + (key < len);
	l->value_len = len - (size_t)(l->value - p);
	while (l->value_len && (*l->value == ' ' || *l->value == '\t')) {
		l->value++;
		l->value_len--;
	}
	return true;
}

/* The rest of the key behind a prefix, of at least one byte. */
static bool after(const struct line *l, const char *prefix, const char **rest, size_t *len)
{
	size_t n = strlen(prefix);

	if (l->key_len <= n || memcmp(l->key, prefix, n))
		return false;
	*rest = l->key + n;
	*len = l->key_len - n;
	return true;
}

static bool is_key(const struct line *l, const char *name)
{
	return l->key_len == strlen(name) && !memcmp(l->key, name, l->key_len);
}

/* Digits; *used is what they took. Overflow is no number. */
static bool number(const struct line *l, uint64_t *out, size_t *used)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < l->value_len && l->value[i] >= '0' && l->value[i] <= '9'; i++) {
		unsigned digit = (unsigned)(l->value[i] - '0');

		if (v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*out = v;
	*used = i;
	return i > 0;
}

/* "12 KiB", "3 MiB", or plain bytes. */
static bool bytes(const struct line *l, uint64_t *out)
{
	size_t used;
	int shift = 0;

	if (!number(l, out, &used))
		return false;
	const char *unit = l->value + used;
	size_t left = l->value_len - used;
	while (left && *unit == ' ') {
		unit++;
		left--;
	}
	if (left >= 3 && !memcmp(unit, "KiB", 3))
		shift = 10;
	else if (left >= 3 && !memcmp(unit, "MiB", 3))
		shift = 20;
	if (*out > UINT64_MAX >> shift)
		return false;
	*out <<= shift;
	return true;
}

static void copy_value(const struct line *l, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s", (int)l->value_len, l->value);
}

/* The engine of that name; a new one when there is room, else NULL. */
static struct fdinfo_engine *engine(struct fdinfo_keys *k, const char *name, size_t len)
{
	struct fdinfo_engine *e;

	for (int i = 0; i < k->n_engines; i++)
		if (strlen(k->engines[i].name) == len && !memcmp(k->engines[i].name, name, len))
			return &k->engines[i];
	if (k->n_engines == CLIENT_MAX_ENGINES || len >= sizeof(e->name))
		return NULL;
	e = &k->engines[k->n_engines++];
	*e = (struct fdinfo_engine){ .capacity = 1 };
	memcpy(e->name, name, len);
	return e;
}

/* The longer prefixes come first: "drm-engine-" is the beginning of "drm-engine-capacity-". */
static bool take_engine(struct fdinfo_keys *k, const struct line *l)
{
	const char *name;
	struct fdinfo_engine *e;
	uint64_t v;
	size_t len, used;

	if (!number(l, &v, &used))
		return false;
	if (after(l, "drm-engine-capacity-", &name, &len)) {
		e = engine(k, name, len);
		if (e && v > 0 && v <= UINT32_MAX)
			e->capacity = (uint32_t)v;
		return true;
	}
	if (after(l, "drm-engine-", &name, &len) && (e = engine(k, name, len))) {
		e->time_ns = v;
		return e->has_time = true;
	}
	if (after(l, "drm-total-cycles-", &name, &len) && (e = engine(k, name, len))) {
		e->total_cycles = v;
		return e->has_total_cycles = true;
	}
	if (after(l, "drm-cycles-", &name, &len) && (e = engine(k, name, len))) {
		e->cycles = v;
		return e->has_cycles = true;
	}
	return false;
}

static void add_bytes(const struct line *l, uint64_t *sum, bool *has)
{
	uint64_t v;

	if (!bytes(l, &v))
		return;
	if (__builtin_add_overflow(*sum, v, sum) || *sum == UINT64_MAX)
		*sum = UINT64_MAX - 1;
	*has = true;
}

/* Regions as drivers name them (Linux i915 intel_memory_region.c, xe_bo.c, amdgpu_fdinfo.c). "gtt"
 * is what the GPU uses of the machine's memory; what was moved out is "system", or amdgpu's "cpu".
 * Stolen memory stands in the sums only. */
static int region_of(const char *name, size_t len)
{
	static const struct {
		const char *name;
		int region;
	} regions[] = {
		{ "system0", CLIENT_SYSTEM },
		{ "system", CLIENT_SYSTEM },
		{ "gtt", CLIENT_SYSTEM },
		{ "cpu", CLIENT_SYSTEM },
		{ "vram", CLIENT_LOCAL },
		{ "local0", CLIENT_LOCAL },
		{ "vram0", CLIENT_LOCAL },
		{ "vram1", CLIENT_LOCAL },
	};

	for (size_t i = 0; i < ARRAY_LEN(regions); i++)
		if (strlen(regions[i].name) == len && !memcmp(regions[i].name, name, len))
			return regions[i].region;
	return -1;
}

static void take_region(struct fdinfo_keys *k, const struct line *l)
{
	static const struct {
		const char *prefix;
		size_t at;
	} kinds[] = {
		{ "drm-total-", offsetof(struct client_memory, total_bytes) },
		{ "drm-shared-", offsetof(struct client_memory, shared_bytes) },
		{ "drm-resident-", offsetof(struct client_memory, resident_bytes) },
		{ "drm-purgeable-", offsetof(struct client_memory, purgeable_bytes) },
		{ "drm-active-", offsetof(struct client_memory, active_bytes) },
	};
	const char *name;
	uint64_t v;
	size_t len;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (!after(l, kinds[i].prefix, &name, &len))
			continue;
		int region = region_of(name, len);
		if (region < 0 || !bytes(l, &v))
			return;
		if (!k->has_memory[region])
			memset(&k->memory[region], 0xff, sizeof(k->memory[region]));
		uint64_t *sum = (uint64_t *)((char *)&k->memory[region] + kinds[i].at);
		if (*sum == UINT64_MAX)
			*sum = 0;
		add_bytes(l, sum, &k->has_memory[region]);
	}
}

/* drm-memory-REGION is what older drivers tell instead of the two others; drm-total-cycles-* was
 * taken before. */
static void take_memory(struct memory *m, const struct line *l)
{
	const char *region;
	size_t len;

	if (after(l, "drm-total-", &region, &len))
		add_bytes(l, &m->total, &m->has_total);
	else if (after(l, "drm-resident-", &region, &len))
		add_bytes(l, &m->resident, &m->has_resident);
	else if (after(l, "drm-memory-", &region, &len))
		add_bytes(l, &m->used, &m->has_used);
}

bool fdinfo_parse(const char *text, struct fdinfo_keys *out)
{
	struct memory m = { 0 };
	struct line l;
	size_t used;

	*out = (struct fdinfo_keys){ .total_bytes = UINT64_MAX, .resident_bytes = UINT64_MAX };
	while (next_line(&text, &l)) {
		if (l.key_len < 4 || memcmp(l.key, "drm-", 4))
			continue;
		if (is_key(&l, "drm-driver"))
			copy_value(&l, out->driver, sizeof(out->driver));
		else if (is_key(&l, "drm-pdev"))
			copy_value(&l, out->pdev, sizeof(out->pdev));
		else if (is_key(&l, "drm-client-id"))
			out->has_client_id = number(&l, &out->client_id, &used);
		else if (!take_engine(out, &l)) {
			take_memory(&m, &l);
			take_region(out, &l);
		}
	}
	if (m.has_used)
		out->total_bytes = out->resident_bytes = m.used;
	if (m.has_total)
		out->total_bytes = m.total;
	if (m.has_resident)
		out->resident_bytes = m.resident;
	return out->driver[0] != '\0';
}
