/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what KFD tells of each process (Linux drivers/gpu/drm/amd/amdkfd/kfd_process.c: proc/PID
 * has vram_GPU in bytes, sdma_GPU in microseconds, and stats_GPU/cu_occupancy, which is the number
 * of compute units that the process' waves would fill). Everybody may read it. */
#include "config.h"

#include "backends/amdgpu/amdgpu_sources.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/card/process.h"
#include "backends/card/card.h"
#include "backends/card/drm_card.h"
#include "backends/card/drm_node.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"

#define KFD "/sys/class/kfd/kfd"
#define PROPERTIES_MAX 8192

enum { KFD_CU, KFD_SDMA, KFD_COLUMNS };

static const char *const columns[KFD_COLUMNS] = { "kfd-cu", "kfd-sdma" };

/* A process at the last scan. */
struct seen {
	int pid;
	uint64_t sdma_us;
};

/* What KFD tells of a process; UINT64_MAX: not told. */
struct usage {
	int pid;
	uint64_t vram_bytes, sdma_us, cus;
};

struct kfd_clients {
	struct client_source source;
	struct client_source *inner;
	const struct fsroot *fs;
	char card[32];
	uint32_t gpu_id;
	uint64_t compute_units, copy_engines;
	struct process_names names;
	struct usage *now; /* those that use the card */
	size_t n_now, cap_now;
	struct seen *before;
	size_t n_before, cap_before;
	int64_t before_ns;
};

/* --- the card --- */

/* Finds a line "KEY NUMBER" of a node's properties. */
static bool property(const char *text, const char *key, uint64_t *out)
{
	size_t len = strlen(key);

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		char value[24];
		const char *p = line + len + 1;

		if (strncmp(line, key, len) == 0 && line[len] == ' ' &&
			parse_until(&p, '\n', value, sizeof(value)))
			return parse_u64(value, out);
	}
	return false;
}

struct place {
	uint64_t domain, location, minor;
	bool on_pci, has_minor;
};

/* A card that KFD has partitioned has a node, and a render node, for each part. */
static bool is_there(const char *text, const struct place *at)
{
	uint64_t domain = 0, location, minor;

	if (at->has_minor && property(text, "drm_render_minor", &minor) && minor)
		return minor == at->minor;
	property(text, "domain", &domain);
	return at->on_pci && property(text, "location_id", &location) && domain == at->domain &&
		location == at->location;
}

static struct place place_of(const struct fsroot *fs, const struct device *d)
{
	struct place at = { 0 };
	unsigned domain, bus, slot, function;
	char node[64];

	drm_node_path(fs, d->id, node, sizeof(node));
	const char *digits = strstr(node, "renderD");
	at.has_minor = digits && parse_u64(digits + strlen("renderD"), &at.minor);
	at.on_pci = sscanf(d->pci_address, "%x:%x:%x.%x", &domain, &bus, &slot, &function) == 4 &&
		bus < 256 && slot < 32 && function < 8;
	if (at.on_pci) {
		at.domain = domain;
		at.location = bus << 8 | slot << 3 | function;
	}
	return at;
}

/* Returns the properties of the topology's node for the card, to be freed; NULL: there is none. */
static char *find_node(const struct fsroot *fs, const struct device *d, uint64_t *gpu_id)
{
	struct place at = place_of(fs, d);
	char path[PATH_MAX];
	size_t len;

	for (int i = 0; i < 256; i++) {
		snprintf(path, sizeof(path), KFD "/topology/nodes/%d/gpu_id", i);
		if (!fsroot_exists(fs, path))
			return NULL;
		/* Processors have 0, and cards that the cgroup keeps from this process refuse. */
		if (!fsroot_read_u64(fs, path, gpu_id, NULL) || !*gpu_id || *gpu_id > UINT32_MAX ||
			!fsroot_path(
				fs, path, sizeof(path), KFD "/topology/nodes/%d/properties", i))
			continue;
		char *text = file_read_all(path, PROPERTIES_MAX, &len, NULL);
		if (text && is_there(text, &at))
			return text;
		free(text);
	}
	return NULL;
}

/* --- processes --- */

/* The folder of a process, or of one of its contexts, while its files are summed. */
struct folder {
	const struct kfd_clients *s;
	char path[96];
	struct usage *sum;
};

/* Adds the number of a file, where there is one. A number that no card can have is none. */
static void add_file(const struct folder *f, const char *before, const char *after, uint64_t *sum)
{
	uint64_t v;

	if (!fsroot_number(
		    f->s->fs, &v, "%s/%s_%" PRIu32 "%s", f->path, before, f->s->gpu_id, after) ||
		v >> 56)
		return;
	if (*sum == UINT64_MAX)
		*sum = 0;
	*sum += v;
}

static void add_folder(const struct folder *f)
{
	add_file(f, "vram", "", &f->sum->vram_bytes);
	add_file(f, "sdma", "", &f->sum->sdma_us);
	add_file(f, "stats", "/cu_occupancy", &f->sum->cus);
}

/* From Linux 6.19 on a process may have contexts besides its first one, in folders of their own. */
static bool note_context(void *ctx, const char *name)
{
	const struct folder *process = ctx;
	struct folder f = *process;
	size_t len = strlen(f.path);

	if (strncmp(name, "context_", strlen("context_")) != 0)
		return true;
	snprintf(f.path + len, sizeof(f.path) - len, "/%.24s", name);
	add_folder(&f);
	return true;
}

static bool is_used(uint64_t v)
{
	return v && v != UINT64_MAX;
}

/* Every process of KFD has files for every card, with zeros for those that it does not use. */
static bool note_process(void *ctx, const char *name)
{
	struct kfd_clients *s = ctx;
	struct usage u = { .vram_bytes = UINT64_MAX, .sdma_us = UINT64_MAX, .cus = UINT64_MAX };
	struct folder f = { .s = s, .sum = &u };
	uint64_t pid;

	if (!parse_u64_range(name, 1, INT_MAX, &pid))
		return true;
	u.pid = (int)pid;
	snprintf(f.path, sizeof(f.path), KFD "/proc/%d", u.pid);
	add_folder(&f);
	fsroot_each(s->fs, f.path, note_context, &f, NULL);
	if (!is_used(u.vram_bytes) && !is_used(u.sdma_us) && !is_used(u.cus))
		return true;
	s->now = array_grow(s->now, s->n_now, &s->cap_now, sizeof(*s->now));
	s->now[s->n_now++] = u;
	return true;
}

struct holder {
	const struct kfd_clients *s;
	bool found;
};

static bool note_holder(void *ctx, const char *name)
{
	struct holder *h = ctx;
	uint64_t pid, bytes = UINT64_MAX;
	struct folder f = { .s = h->s };

	if (!parse_u64_range(name, 1, INT_MAX, &pid))
		return true;
	snprintf(f.path, sizeof(f.path), KFD "/proc/%s", name);
	add_file(&f, "vram", "", &bytes);
	h->found = is_used(bytes);
	return !h->found;
}

/* Tells whether a process of KFD holds memory of the card. */
static bool is_around(const void *ctx)
{
	struct holder h = { .s = ctx };

	fsroot_each(h.s->fs, KFD "/proc", note_holder, &h, NULL);
	return h.found;
}

static const struct seen *seen_before(const struct kfd_clients *s, int pid)
{
	for (size_t i = 0; i < s->n_before; i++)
		if (s->before[i].pid == pid)
			return &s->before[i];
	return NULL;
}

/* The share of wave slots that are taken at this moment, and of the copy engines' time. */
static float share_of(
	const struct kfd_clients *s, const struct usage *u, int column, int64_t window_ns)
{
	const struct seen *before = seen_before(s, u->pid);

	if (column == KFD_CU) {
		if (u->cus == UINT64_MAX || !s->compute_units)
			return NAN;
		return (float)fmin(100.0 * (double)u->cus / (double)s->compute_units, 100);
	}
	/* Queues that end take their time with them for a moment. */
	if (u->sdma_us == UINT64_MAX || !before || window_ns <= 0 || u->sdma_us < before->sdma_us ||
		before->sdma_us == UINT64_MAX)
		return NAN;
	double engines = (double)(s->copy_engines + !s->copy_engines);
	return (float)fmin(
		1e5 * (double)(u->sdma_us - before->sdma_us) / (double)window_ns / engines, 100);
}

static struct client_row *row_of(struct client_table *t, int pid)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].pid == pid)
			return &t->rows[i];
	return NULL;
}

/* Adds a row without a client of DRM. */
static struct client_row *add_row(
	struct kfd_clients *s, const struct usage *u, struct client_table *t)
{
	struct client_row *row = client_table_add(t, u->pid);
	struct process_stat stat;

	row->client_id = 0;
	row->n_clients = 0;
	process_identify(&s->names, row, &stat);
	return row;
}

/* The memory of KFD belongs to the address space of one of the process' DRM files, whose fdinfo
 * counts it too (amdgpu_amdkfd_gpuvm_acquire_process_vm). The larger of the two is the process'. */
static void take_memory(struct client_table *t, struct client_row *first, uint64_t bytes)
{
	uint64_t told = 0;

	if (bytes == UINT64_MAX)
		return;
	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].pid == first->pid && t->rows[i].resident_bytes != UINT64_MAX)
			told += t->rows[i].resident_bytes;
	if (bytes <= told)
		return;
	if (first->resident_bytes == UINT64_MAX)
		first->resident_bytes = 0;
	first->resident_bytes += bytes - told;
	if (first->total_bytes != UINT64_MAX)
		first->total_bytes = max_u64(first->total_bytes, first->resident_bytes);
}

static void add_usage(struct kfd_clients *s, const struct usage *u, int first_column,
	int64_t window_ns, struct client_table *t)
{
	struct client_row *row = row_of(t, u->pid);

	if (!row)
		row = add_row(s, u, t);
	take_memory(t, row, u->vram_bytes);
	for (int i = 0; i < KFD_COLUMNS && first_column + i < CLIENT_MAX_ENGINES; i++)
		row->busy_pct[first_column + i] = share_of(s, u, i, window_ns);
}

/* Behind the engines of DRM there may be room for one column, or for none. */
static void add_columns(struct client_table *t)
{
	for (int i = 0; i < KFD_COLUMNS && t->n_engines < CLIENT_MAX_ENGINES; i++) {
		int at = t->n_engines++;

		snprintf(t->engines[at], sizeof(t->engines[0]), "%s", columns[i]);
		for (size_t k = 0; k < t->n_rows; k++)
			t->rows[k].busy_pct[at] = NAN;
	}
}

static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct kfd_clients *s = (struct kfd_clients *)src;
	int64_t window_ns = s->before_ns ? now_ns - s->before_ns : 0;

	s->inner->ops->scan(s->inner, now_ns, out);
	s->n_now = 0;
	/* Its queues keep a card awake, so that one which sleeps has none, and no files are read. */
	if (out->why == WHY_OK && !drm_card_is_asleep(s->fs, s->card))
		fsroot_each(s->fs, KFD "/proc", note_process, s, NULL);
	if (s->n_now) {
		int first = out->n_engines;

		add_columns(out);
		for (size_t i = 0; i < s->n_now; i++)
			add_usage(s, &s->now[i], first, window_ns, out);
	}
	s->n_before = 0;
	for (size_t i = 0; i < s->n_now; i++) {
		s->before = array_grow(s->before, s->n_before, &s->cap_before, sizeof(*s->before));
		s->before[s->n_before++] = (struct seen){ s->now[i].pid, s->now[i].sdma_us };
	}
	s->before_ns = now_ns;
}

static void close_clients(struct client_source *src)
{
	struct kfd_clients *s = (struct kfd_clients *)src;

	client_source_close(s->inner);
	process_names_close(&s->names);
	free(s->now);
	free(s->before);
}

static const struct client_source_ops ops = {
	.size = sizeof(struct kfd_clients),
	.scan = scan, .close = close_clients,
};

struct client_source *kfd_clients_open(struct client_source *inner, struct source *busy,
	const struct fsroot *fs, const struct device *d)
{
	uint64_t gpu_id, simds = 0, per_unit = 0, engines = 0, links = 0;
	char *text = find_node(fs, d, &gpu_id);

	if (!text)
		return NULL;
	struct kfd_clients *s = client_source_new(&ops, "");
	snprintf(s->source.how, sizeof(s->source.how), "%.40s, KFD", inner->how);
	s->inner = inner;
	s->fs = fs;
	snprintf(s->card, sizeof(s->card), "%.31s", d->id);
	s->gpu_id = (uint32_t)gpu_id;
	if (property(text, "simd_count", &simds) && property(text, "simd_per_cu", &per_unit) &&
		per_unit)
		s->compute_units = simds / per_unit;
	property(text, "num_sdma_engines", &engines);
	property(text, "num_sdma_xgmi_engines", &links);
	if (engines < 4096 && links < 4096)
		s->copy_engines = engines + links;
	free(text);
	process_names_open(&s->names, fs);
	card_busy_around(busy, is_around, s);
	return &s->source;
}
