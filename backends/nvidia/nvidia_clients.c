/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes rows of processes of what NVIDIA's library tells, with names from /proc. */
#include "config.h"

#include "backends/nvidia/nvidia_clients.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/card/cgroup.h"
#include "backends/card/process.h"
#include "backends/nvidia/nvml_source.h"
#include "base/clock.h"
#include "base/mem.h"

enum { ENGINE_SM, ENGINE_ENCODER, ENGINE_DECODER, ENGINES };

static const char *const engine_names[ENGINES] = { "sm", "encoder", "decoder" };

/* A process at the last scan. */
struct seen {
	int pid;
	uint64_t start_ticks, cpu_ticks;
	uint32_t uid;
	char user[32];
};

struct nvidia_clients {
	struct client_source source;
	struct source *nvml;
	const struct fsroot *fs;
	int proc;		/* /proc, or -1 */
	long ticks_per_s;
	struct seen seen[NVML_PROCESSES_MAX];
	int n_seen;
	int64_t before_ns;
};

static const struct seen *seen_before(const struct nvidia_clients *s, int pid)
{
	for (int i = 0; i < s->n_seen; i++)
		if (s->seen[i].pid == pid)
			return &s->seen[i];
	return NULL;
}

/* In a container the numbers of the host's processes say nothing, so that the name stays unknown. */
static void name_row(struct nvidia_clients *s, struct client_row *row, struct seen *now)
{
	struct process_stat stat;
	struct cgroup_place place;
	int pid = (int)row->pid;

	snprintf(row->name, sizeof(row->name), "?");
	snprintf(row->command, sizeof(row->command), "[?]");
	snprintf(row->user, sizeof(row->user), "?");
	if (s->proc < 0 || !process_read_stat(s->proc, pid, &stat))
		return;
	memcpy(row->name, stat.name, sizeof(row->name));
	process_read_command(s->proc, pid, stat.name, row->command, sizeof(row->command));
	*now = (struct seen){ .pid = pid,
		.start_ticks = stat.start_ticks,
		.cpu_ticks = stat.cpu_ticks,
		.user = "?" };
	const struct seen *before = seen_before(s, pid);
	bool has_uid = process_read_uid(s->proc, pid, &now->uid);
	if (has_uid && before && before->start_ticks == now->start_ticks && before->uid == now->uid)
		memcpy(now->user, before->user, sizeof(now->user));
	else if (has_uid)
		process_user_name(s->fs, now->uid, now->user, sizeof(now->user));
	cgroup_read(s->proc, pid, &place);
	memcpy(row->pod, place.pod, sizeof(row->pod));
	memcpy(row->container, place.container, sizeof(row->container));
	row->uid = now->uid;
	memcpy(row->user, now->user, sizeof(row->user));
}

static float share(uint32_t v)
{
	return v == NVML_UNKNOWN ? NAN : (float)v;
}

static void add_row(struct nvidia_clients *s, const struct nvml_user *u, int64_t window_ns,
	struct seen *now, struct client_table *out)
{
	out->rows = array_grow(out->rows, out->n_rows, &out->cap_rows, sizeof(*out->rows));
	struct client_row *row = &out->rows[out->n_rows++];
	*row = (struct client_row){ .pid = u->pid,
		.client_id = (uint64_t)u->pid,
		.n_clients = 1,
		.total_bytes = UINT64_MAX,
		.resident_bytes = u->bytes,
		.cpu_pct = NAN };
	for (int i = 0; i < CLIENT_MAX_ENGINES; i++) {
		row->busy_pct[i] = NAN;
		row->time_ns[i] = UINT64_MAX;
	}
	row->busy_pct[ENGINE_SM] = share(u->sm);
	row->busy_pct[ENGINE_ENCODER] = share(u->encoder);
	row->busy_pct[ENGINE_DECODER] = share(u->decoder);
	name_row(s, row, now);
	const struct seen *before = seen_before(s, u->pid);
	if (before && now->pid && before->start_ticks == now->start_ticks && window_ns > 0)
		row->cpu_pct = (float)(100.0 * (double)(now->cpu_ticks - before->cpu_ticks) /
			(double)s->ticks_per_s / ((double)window_ns / NS_PER_S));
}

/* The numbers are those of the host's processes. Where none of them is a process here, this is a
 * container that has numbers of its own. */
static void tell_container(const struct seen *seen, struct client_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (seen[i].pid)
			return;
	for (size_t i = 0; i < t->n_rows; i++)
		snprintf(t->rows[i].command, sizeof(t->rows[i].command), "[?] %s",
			"PID of the host: start the container with --pid=host");
}

static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct nvidia_clients *s = (struct nvidia_clients *)src;
	const struct nvml_users *users = nvml_source_users(s->nvml);
	struct seen seen[NVML_PROCESSES_MAX] = { 0 };

	client_table_note(out, users->why);
	out->t_ns = now_ns;
	out->hidden = 0;
	out->n_engines = ENGINES;
	for (int i = 0; i < ENGINES; i++)
		snprintf(out->engines[i], sizeof(out->engines[i]), "%s", engine_names[i]);
	for (int i = 0; users->why == WHY_OK && i < users->n; i++)
		add_row(s, &users->rows[i], s->before_ns ? now_ns - s->before_ns : 0, &seen[i], out);
	tell_container(seen, out);
	memcpy(s->seen, seen, sizeof(seen));
	s->n_seen = users->n;
	s->before_ns = now_ns;
}

static void close_clients(struct client_source *src)
{
	struct nvidia_clients *s = (struct nvidia_clients *)src;

	if (s->proc >= 0)
		close(s->proc);
	free(s);
}

static const struct client_source_ops ops = { .scan = scan, .close = close_clients };

struct client_source *nvidia_clients_open(struct source *nvml, const struct fsroot *fs)
{
	struct nvidia_clients *s = xcalloc(1, sizeof(*s));
	char path[PATH_MAX];

	s->source.ops = &ops;
	snprintf(s->source.how, sizeof(s->source.how), "NVML");
	s->nvml = nvml;
	s->fs = fs;
	s->ticks_per_s = sysconf(_SC_CLK_TCK);
	s->proc = -1;
	if (fsroot_path(fs, path, sizeof(path), "/proc"))
		s->proc = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return &s->source;
}
